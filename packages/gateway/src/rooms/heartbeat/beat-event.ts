// Says what came of a beat, as the event and the record of it. Pure.
import { defined } from "@chela/sdk/base";
import type { ErrandRecord } from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import type { SkipReason } from "./decide.ts";

const LONGEST_PREVIEW = 200;

export function skippedEvent(agentId: string, reason: SkipReason, ts: number): HeartbeatEvent {
  return { ts, status: "skipped", agentId, reason };
}

/** `showsSign`: whether displays may show a sign of it. */
export function settledEvent(errand: ErrandRecord, ts: number, showsSign: boolean): HeartbeatEvent {
  const { agentId, outcome, delivered, createdAt, delivery } = errand;
  const { status, reason } = resultOf(errand);
  const said = outcome?.details?.["said"];
  const isRouted = status === "sent" && delivery?.mode === "chat";
  return {
    ts,
    status,
    agentId,
    durationMs: (errand.endedAt ?? ts) - createdAt,
    ...defined({ reason }),
    ...(typeof said === "string" && said !== "" ? { preview: said.slice(0, LONGEST_PREVIEW).toWellFormed() } : {}),
    ...(isRouted ? { channel: delivery.channel, to: delivered?.receipts?.[0]?.to ?? delivery.to } : {}),
    ...(isRouted && delivery.account ? { accountId: delivery.account } : {}),
    ...(outcome?.details?.["media"] ? { hasMedia: true } : {}),
    ...(showsSign && status !== "skipped" ? { indicatorType: SIGNS[status] } : {}),
  };
}

const SIGNS = { sent: "alert", "ok-empty": "ok", "ok-token": "ok", failed: "error" } as const;

function resultOf({ outcome, delivered }: ErrandRecord): Pick<HeartbeatEvent, "status" | "reason"> {
  if (outcome?.status !== "ok") return { status: "failed", reason: outcome?.error ?? outcome?.reason ?? "stopped" };
  const { reason } = outcome;
  if (reason === "ok-token" || reason === "ok-empty") return { status: reason };
  if (reason !== undefined) return { status: "skipped", reason };
  if (delivered?.status === "delivered") return { status: "sent" };
  return { status: "failed", reason: delivered?.error ?? "It is not known whether it arrived." };
}
