// The first start on files of another program, whole or damaged: every conversation is there, and nothing is overwritten.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findExchangeFaults, findMirrorFaults, listSessionFiles } from "../support/durability/durability-evidence.ts";
import { sessionsDirectory, writeOldSessions, type OldSession } from "../support/durability/durability-fixtures.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createRandom } from "../support/durability/durability-random.ts";
import { createWorkshop, eventually } from "../support/durability/durability-workshop.ts";
import type { WireClient } from "../support/wire-client.ts";

/** By default a conversation of yesterday begins anew with the next message. */
const OLD_CONVERSATIONS_GO_ON = { session: { reset: { mode: "idle", idleMinutes: 100_000_000 } } };

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

function oldSession(index: number, questions: number, padding = 0): OldSession {
  return {
    key: index === 0 ? "agent:main:main" : `agent:main:old-${index}`,
    sessionId: `5e55a900-0000-4000-8000-${String(index).padStart(12, "0")}`,
    questions: Array.from({ length: questions }, (_, number) => `q-old-${index}-${number}`),
    padding,
  };
}

const readKeys = async (client: WireClient): Promise<string[]> =>
  (await client.call("sessions.list", { limit: 500 })).sessions.map(({ key }: { key: string }) => key);

async function findHistoryFaults(client: WireClient, key: string, questions: readonly string[]): Promise<string[]> {
  const { messages } = await client.call("chat.history", { sessionKey: key, limit: 1000 });
  return findExchangeFaults(messages, questions);
}

/** Keys under which conversations come back that no index names any more. */
const recoveredKey = ({ sessionId }: OldSession): string => `agent:main:recovered:${sessionId}`;

test.each([
  ["before the door opens", 16_000],
  ["in the background, because there are so many", 50_000],
])(
  "a message that comes while older files are taken up %s is answered once, in its own session",
  async (_how, padding) => {
    const state = await workshop.createState({ config: OLD_CONVERSATIONS_GO_ON });
    const sessions = Array.from({ length: 30 }, (_, index) => oldSession(index, 20, padding));
    writeOldSessions(state.path, sessions);
    const client = await workshop.start(state).connect();
    const [home] = sessions;
    expect(await client.agent(questionText("q-new"), { sessionKey: home?.key })).toBe(answerText("q-new"));
    expect(await findHistoryFaults(client, String(home?.key), [...(home?.questions ?? []), "q-new"])).toEqual([]);
    expect((await client.call("chat.history", { sessionKey: home?.key })).sessionId).toBe(home?.sessionId);
    let faults: string[] = [];
    const expected = new Map(sessions.map(({ key, questions }) => [key, new Set(questions)]));
    await eventually(
      "the files are whole",
      () => (faults = findMirrorFaults(state.path, expected)).length === 0,
      () => faults,
    );
  },
);

test("a session index damaged in the middle gives back what can be read, and the damaged file is kept", async () => {
  const random = createRandom();
  const sessions = Array.from({ length: 12 }, (_, index) => oldSession(index, 2));
  const state = await workshop.createState({ config: OLD_CONVERSATIONS_GO_ON });
  const indexPath = writeOldSessions(state.path, sessions);
  const bytes = readFileSync(indexPath);
  const middle = 200 + random.below(bytes.length - 400);
  bytes.fill(0, middle, middle + 40);
  writeFileSync(indexPath, bytes);

  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const keys = await readKeys(client);
  const intact = sessions.filter(({ key }) => keys.includes(key));
  expect(intact.length).toBeGreaterThanOrEqual(sessions.length - 2);
  for (const session of sessions) {
    const key = intact.includes(session) ? session.key : recoveredKey(session);
    expect(await findHistoryFaults(client, key, session.questions)).toEqual([]);
    const after = `q-after-${session.sessionId}`;
    expect(await client.agent(questionText(after), { sessionKey: key })).toBe(answerText(after));
  }
  expect(gateway.output).toMatch(/sessions\.json is damaged; \d+ sessions could still be read/);
  const kept = listSessionFiles(state.path, "sessions.json.damaged.");
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(sessionsDirectory(state.path), kept[0] ?? "")).equals(bytes)).toBe(true);
});

test("transcripts come back as sessions when the whole index is gone", async () => {
  const sessions = Array.from({ length: 3 }, (_, index) => oldSession(index, 3));
  const state = await workshop.createState({ config: OLD_CONVERSATIONS_GO_ON });
  writeFileSync(writeOldSessions(state.path, sessions), "");
  const client = await workshop.start(state).connect();
  for (const session of sessions) {
    expect(await findHistoryFaults(client, recoveredKey(session), session.questions)).toEqual([]);
  }
});

test("a transcript with a torn end and garbage in it is imported around the damage, and the original is kept", async () => {
  const [session] = [oldSession(1, 4)];
  const state = await workshop.createState({ config: OLD_CONVERSATIONS_GO_ON });
  writeOldSessions(state.path, [session]);
  const path = join(sessionsDirectory(state.path), `${session.sessionId}.jsonl`);
  appendFileSync(path, 'garbage \u0000 line\n{"type":"message","id":"torn');
  const original = readFileSync(path);
  const client = await workshop.start(state).connect();
  const after = await client.agent(questionText("q-after"), { sessionKey: session.key });
  expect(after).toBe(answerText("q-after"));
  expect(await findHistoryFaults(client, session.key, [...session.questions, "q-after"])).toEqual([]);
  const kept = await eventually("the original is kept", () =>
    listSessionFiles(state.path, `${session.sessionId}.jsonl.imported.`).at(0),
  );
  expect(readFileSync(join(sessionsDirectory(state.path), kept)).equals(original)).toBe(true);
});
