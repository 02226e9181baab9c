// Damage to the ledger's files: the gateway starts, says what happened, and every conversation is there and goes on.
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findExchangeFaults,
  findLedgerFaults,
  findMirrorFaults,
  findTurnFaults,
} from "../support/durability/durability-evidence.ts";
import { writeOldSessions } from "../support/durability/durability-fixtures.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";
import type { WireClient } from "../support/wire-client.ts";

const PAGE = 2048;
const SESSIONS = ["agent:main:main", "agent:main:work", "agent:main:garden"];

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

/** Directories to be copied and damaged: one left by a clean stop, one by a kill, with its log beside it. */
let stopped: StateDirectory;
let killed: StateDirectory;
const questions = new Map(SESSIONS.map((key) => [key, new Set<string>()]));

beforeAll(async () => {
  stopped = await workshop.createState();
  const gateway = workshop.start(stopped);
  const client = await gateway.connect();
  const asking = Array.from({ length: 45 }, async (_, index) => {
    const sessionKey = SESSIONS[index % SESSIONS.length] ?? "";
    const name = `q-${index}`;
    questions.get(sessionKey)?.add(name);
    // Some are long, so that they need pages of their own.
    const message = `${questionText(name, index % 5 === 0 ? 2 : 0)} ${index % 9 === 0 ? "long ".repeat(3000) : ""}`;
    await client.agent(message, { sessionKey, idempotencyKey: name });
  });
  await Promise.all(asking);
  await eventually("the mirror is there", () => findMirrorFaults(stopped.path, questions).length === 0);
  await gateway.kill();
  killed = stopped;
  stopped = await workshop.copyState(killed);
  const again = workshop.start(stopped);
  await again.connect();
  await again.kill("SIGTERM");
});

/** Nothing is lost with a page that lies free, and nobody has to be told of it. */
function lastPageInUse(path: string): number {
  const bytes = readFileSync(path);
  const free = new Set<number>();
  for (let trunk = bytes.readUInt32BE(32); trunk !== 0;) {
    const at = (trunk - 1) * PAGE;
    free.add(trunk);
    for (let index = bytes.readUInt32BE(at + 4); index > 0; index--) free.add(bytes.readUInt32BE(at + 4 + 4 * index));
    trunk = bytes.readUInt32BE(at);
  }
  let page = bytes.length / PAGE;
  while (free.has(page)) page -= 1;
  return (page - 1) * PAGE;
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** Whole afterwards: every question once, sessions go on, ledger and files in order. */
async function expectEverythingBack(state: StateDirectory): Promise<string> {
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const expected = new Map([...questions].map(([key, names]) => [key, new Set([...names, `q-on-${key.slice(11)}`])]));
  for (const key of SESSIONS) {
    const name = `q-on-${key.slice(11)}`;
    expect(await client.agent(questionText(name), { sessionKey: key })).toBe(answerText(name));
    expect(await findHistoryFaults(client, key, expected.get(key) ?? [])).toEqual([]);
  }
  let faults: string[] = [];
  await eventually(
    "ledger and files are in order",
    () => (faults = [...findLedgerFaults(state.ledgerPath), ...findMirrorFaults(state.path, expected)]).length === 0,
    () => faults.join("\n"),
  );
  await gateway.kill();
  return gateway.output;
}

async function findHistoryFaults(client: WireClient, key: string, names: Iterable<string>): Promise<string[]> {
  const { messages } = await client.call("chat.history", { sessionKey: key, limit: 1000 });
  return [...findTurnFaults(messages), ...findExchangeFaults(messages, names)];
}

const SAYS_SO = /ledger\.sqlite is damaged|The ledger ends earlier than the transcript files do/;

test.each<[string, (path: string, random: Random) => void]>([
  ["with its last page in use zeroed", (path) => overwrite(path, lastPageInUse(path), Buffer.alloc(PAGE))],
  ["with its first page overwritten", (path) => overwrite(path, 0, randomBytes(PAGE))],
  ["cut in the middle", (path, random) => truncateSync(path, PAGE + random.below(statSync(path).size - PAGE))],
  ["that lost its last page", (path) => truncateSync(path, statSync(path).size - PAGE)],
])("a ledger %s is rebuilt, and nothing of the conversations is lost", async (_what, damage) => {
  const random = createRandom();
  const state = await workshop.copyState(stopped);
  damage(state.ledgerPath, random);
  expect(await expectEverythingBack(state)).toMatch(SAYS_SO);
});

test("a ledger with random pages overwritten loses nothing of the conversations", async () => {
  const random = createRandom();
  for (let round = 0; round < 4; round++) {
    const state = await workshop.copyState(stopped);
    const pages = statSync(state.ledgerPath).size / PAGE;
    for (let count = 1 + random.below(3); count > 0; count--) {
      overwrite(state.ledgerPath, (1 + random.below(pages - 1)) * PAGE, randomBytes(PAGE));
    }
    await expectEverythingBack(state);
  }
});

test("a log that was cut anywhere loses nothing of the conversations", async () => {
  const random = createRandom();
  for (let round = 0; round < 4; round++) {
    const state = await workshop.copyState(killed);
    const wal = `${state.ledgerPath}-wal`;
    truncateSync(wal, random.below(statSync(wal).size));
    await expectEverythingBack(state);
  }
});

test.each<[string, (state: StateDirectory) => void]>([
  ["the log is deleted", ({ ledgerPath }) => rmSync(`${ledgerPath}-wal`)],
  ["the log is overwritten at its end", ({ ledgerPath }) => overwriteEnd(`${ledgerPath}-wal`)],
  ["the ledger is deleted, its log is not", ({ ledgerPath }) => rmSync(ledgerPath)],
  ["the ledger is emptied, its log is not", ({ ledgerPath }) => emptyFile(ledgerPath)],
  [
    "both are deleted",
    ({ ledgerPath }) => ["", "-wal", "-shm"].forEach((end) => rmSync(ledgerPath + end, { force: true })),
  ],
])("the conversations come back when %s", async (_what, damage) => {
  const state = await workshop.copyState(killed);
  damage(state);
  await expectEverythingBack(state);
});

function overwriteEnd(path: string): void {
  overwrite(path, statSync(path).size - PAGE, randomBytes(PAGE));
}

function emptyFile(path: string): void {
  const file = openSync(path, "r+");
  ftruncateSync(file, 0);
  closeSync(file);
}

test("damage in a ledger too large to be read at each start is noticed when it is met, and the next start repairs it", async () => {
  const random = createRandom();
  const state = await workshop.createState();
  const sessions = Array.from({ length: 30 }, (_, index) => ({
    key: `agent:main:old-${index}`,
    sessionId: `5e55a900-0000-4000-8000-${String(index).padStart(12, "0")}`,
    questions: Array.from({ length: 20 }, (_, number) => `q-old-${index}-${number}`),
    padding: 50_000,
  }));
  writeOldSessions(state.path, sessions);
  const findAllFaults = async (client: WireClient): Promise<string[]> => {
    const faults: string[] = [];
    for (const { key, questions } of sessions) faults.push(...(await findHistoryFaults(client, key, questions)));
    return faults;
  };
  const first = workshop.start(state);
  const importing = await first.connect();
  await eventually("all is imported", async () => (await findAllFaults(importing)).length === 0);
  await first.kill("SIGTERM");
  const pages = statSync(state.ledgerPath).size / PAGE;
  overwrite(state.ledgerPath, Math.floor(pages / 4 + random.below(pages / 4)) * PAGE, randomBytes(PAGE));

  const second = workshop.start(state);
  const client = await second.connect();
  await expect(findAllFaults(client)).rejects.toThrow(/UNAVAILABLE The ledger is damaged/);
  await second.kill("SIGTERM");
  const third = workshop.start(state);
  expect(await findAllFaults(await third.connect())).toEqual([]);
  expect(third.output).toMatch(SAYS_SO);
  await third.kill();
  const fourth = workshop.start(state);
  await fourth.connect();
  expect(fourth.output).not.toMatch(SAYS_SO);
}, 120_000);
