// Spender of a call: whose it is, by agent, conversation, channel, person and job.
import { spenderName, type InboxMessage, type Requester } from "@chela/sdk";
import type { Spender } from "./room.ts";

export function spenderOf({ agentId, sessionKey, channel }: InboxMessage, requester: Requester): Spender {
  const person = spenderName(requester);
  return { agent: agentId, session: sessionKey, channel, person, sender: requester.id, job: jobOf(sessionKey) };
}

/** Runs of a job have sessions named after it. */
export function jobOf(sessionKey: string): string {
  return /:cron:([^:]+)/.exec(sessionKey)?.[1] ?? "";
}
