// Puts a text into a conversation that no model wrote, as if the agent had said it.
import { noUsage, type AssistantMessage, type Clock, type Ledger } from "@chela/sdk";
import type { SessionStore, Transcripts } from "../sessions/room.ts";

export interface InjectParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly transcripts: Transcripts;
  readonly sessions: SessionStore;
}

/** Undefined when there is no such conversation. */
export async function injectMessage(
  sessionKey: string,
  text: string,
  { ledger, clock, transcripts, sessions }: InjectParts,
): Promise<string | undefined> {
  const entry = await ledger.session(sessionKey);
  if (!entry) return undefined;
  const timestamp = clock.now();
  const message: AssistantMessage = {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "openai-responses",
    provider: "openclaw",
    model: "gateway-injected",
    usage: noUsage(),
    stopReason: "stop",
    timestamp,
  };
  const [messageId] = await transcripts.append(entry.sessionId, [{ type: "message", message }]);
  await sessions.update(sessionKey, (newest) => ({ ...newest, updatedAt: timestamp }));
  return messageId;
}
