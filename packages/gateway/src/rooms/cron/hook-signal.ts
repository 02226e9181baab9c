// Signals for hooks of the owner: a job begins to run, and has run.
import { agentOfSessionKey, type HookSignal } from "@chela/sdk";
import type { CronEvent } from "./parts.ts";

/** Undefined for what hooks do not hear of. */
export function signalOf(event: CronEvent, defaultAgentId: string): HookSignal | undefined {
  const { jobId, action, runId, agentId, sessionKey: key, status, error } = event;
  const sessionKey = textOf(key) ?? "";
  const job = {
    agentId: textOf(agentId) ?? agentOfSessionKey(sessionKey) ?? defaultAgentId,
    jobId,
    ...written("runId", runId),
  };
  if (action === "started") return { name: "cron:start", sessionKey, context: job };
  if (action !== "finished") return undefined;
  return {
    name: "cron:end",
    sessionKey,
    context: { ...job, ...written("status", status), ...written("error", error) },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function written<N extends string>(name: N, value: unknown): { readonly [K in N]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { readonly [K in N]?: string }) : {};
}
