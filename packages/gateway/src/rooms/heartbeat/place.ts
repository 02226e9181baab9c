// Finds out whom a beat may tell something, before it asks a model: where it goes is written down with the errand.
import type { ErrandDelivery } from "@chela/sdk";
import type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
import type { BeatSettings } from "./settings.ts";
import type { BeatHome } from "./state.ts";

export type BeatWay =
  | { readonly kind: "told"; readonly delivery: ErrandDelivery }
  /** Nobody is told, for this reason. */
  | { readonly kind: "kept"; readonly reason: "target-none" | "dm-blocked" | "alerts-disabled" };

const NEWEST_SESSIONS = 20;

export async function findWay(
  home: BeatHome,
  { settings, hasNotes }: { readonly settings: BeatSettings; readonly hasNotes: boolean },
  house: HeartbeatHouse,
  parts: HeartbeatParts,
): Promise<BeatWay> {
  // Events must reach people: only those who said so do not hear of them.
  const target = settings.target ?? (hasNotes ? "last" : "none");
  if (target === "none") return { kind: "kept", reason: "target-none" };
  const { to, accountId } = settings;
  const written = { channel: target, ...(to ? { to } : {}), ...(accountId ? { accountId } : {}) };
  const delivery = await parts.findPlace(written, home.sessionKey);
  if (delivery.mode !== "chat" || delivery.channel === "webchat") return { kind: "told", delivery };
  if (!parts.view(delivery.channel, delivery.account).showAlerts) return { kind: "kept", reason: "alerts-disabled" };
  const isBlocked =
    settings.directPolicy === "block" && (await mayBeDirect(home, delivery.channel, delivery.to, house));
  return isBlocked ? { kind: "kept", reason: "dm-blocked" } : { kind: "told", delivery };
}

/** A chat nobody knows anything about counts as one with a single person. */
async function mayBeDirect(
  { sessionKey }: BeatHome,
  channel: string,
  to: string,
  { ledger }: HeartbeatHouse,
): Promise<boolean> {
  const home = await ledger.session(sessionKey);
  const known = await ledger.sessions({ channel, search: to, limit: NEWEST_SESSIONS });
  const entries = [...(home ? [home] : []), ...known.map(({ entry }) => entry)];
  const there = entries.find(({ deliveryContext, lastTo }) => (deliveryContext?.to ?? lastTo) === to);
  return there?.chatType !== "group" && there?.chatType !== "channel";
}
