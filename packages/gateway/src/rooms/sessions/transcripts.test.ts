// Conversations that are kept ready in memory: how much of them, whether they were written or read.
import { expect, it } from "vitest";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Transcripts } from "./room.ts";

const CONVERSATIONS = 20;
const MESSAGES = 500;
/** A message needs some hundred bytes as an object, however short it is. */
const MOST_KEPT = 5_000;

async function createStage() {
  const ledger = createMemoryLedger();
  let count = 0;
  let reads = 0;
  const transcripts = new Transcripts({
    ledger: { ...ledger, entries: (...args) => ((reads += 1), ledger.entries(...args)) },
    clock: createFakeClock(),
    ids: { entryId: () => `e${++count}` } as never,
  });
  const sessionIds = Array.from({ length: CONVERSATIONS }, (_, at) => `s${at}`);
  for (const sessionId of sessionIds) {
    const header = { type: "session" as const, version: 3, id: sessionId, timestamp: new Date(0).toISOString() };
    const names = { sessionId, sessionKey: `agent:main:${sessionId}`, agentId: "main", file: `${sessionId}.jsonl` };
    await ledger.commit([{ kind: "transcript-open", ...names, header }]);
  }
  const message = { type: "message", message: { role: "user" as const, content: "yes", timestamp: 0 } };
  return {
    sessionIds,
    say: (sessionId: string) =>
      transcripts.append(
        sessionId,
        Array.from({ length: MESSAGES }, () => message),
      ),
    read: (sessionId: string) => transcripts.read(sessionId),
    /** How many messages are in memory: of the conversations that can be had, newest first, without reading them. */
    async kept() {
      let messages = 0;
      for (const sessionId of sessionIds.toReversed()) {
        const before = reads;
        const conversation = await transcripts.read(sessionId);
        if (reads > before) return messages;
        messages += conversation.messages.length;
      }
      return messages;
    },
  };
}

it("are some thousand short messages, after they were said", async () => {
  const { sessionIds, say, kept } = await createStage();
  for (const sessionId of sessionIds) await say(sessionId);
  const messages = await kept();
  expect(messages).toBeGreaterThan(MESSAGES);
  expect(messages).toBeLessThan(MOST_KEPT);
});

it("are as many after they were read", async () => {
  const { sessionIds, say, read, kept } = await createStage();
  for (const sessionId of sessionIds) await say(sessionId);
  for (const sessionId of sessionIds) expect((await read(sessionId)).messages).toHaveLength(MESSAGES);
  const messages = await kept();
  expect(messages).toBeGreaterThan(MESSAGES);
  expect(messages).toBeLessThan(MOST_KEPT);
});
