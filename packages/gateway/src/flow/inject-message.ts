// Puts a text into a conversation that no model wrote, as if the agent had said it.
import type { Clock, Ledger } from "@chela/sdk";
import type { SessionStore, Transcripts } from "../rooms/sessions/room.ts";
import { ownWords } from "./own-words.ts";

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
  const message = ownWords(text, timestamp, "gateway-injected");
  const [messageId] = await transcripts.append(entry.sessionId, [{ type: "message", message }]);
  await sessions.update(sessionKey, (newest) => ({ ...newest, updatedAt: timestamp }));
  return messageId;
}
