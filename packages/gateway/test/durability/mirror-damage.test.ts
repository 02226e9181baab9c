// Damage to the session files of a gateway that has a ledger: they are made whole again, and what differed is kept.
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findLedgerFaults,
  findMirrorFaults,
  listSessionFiles,
  readMirror,
} from "../support/durability/durability-evidence.ts";
import { sessionsDirectory } from "../support/durability/durability-fixtures.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

const SESSION = "agent:main:main";
const QUESTIONS = ["q-one", "q-two", "q-three"];

/** Directories of gateways that spoke and are gone, to be copied and damaged. */
const left = new Map<string, StateDirectory>();

beforeAll(async () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const state = await workshop.createState();
    const gateway = workshop.start(state);
    const client = await gateway.connect();
    const questions = new Map([[SESSION, new Set(QUESTIONS)]]);
    for (const name of QUESTIONS) await client.agent(questionText(name, 1), { sessionKey: SESSION });
    await eventually("the files are written", () => findMirrorFaults(state.path, questions).length === 0);
    await gateway.kill(signal);
    left.set(signal, state);
  }
});

/** A directory as that signal left it, and the file of its session. */
async function copyLeft(signal: "SIGKILL" | "SIGTERM"): Promise<{ state: StateDirectory; path: string }> {
  const state = await workshop.copyState(left.get(signal) as StateDirectory);
  return { state, path: String(readMirror(state.path).get(SESSION)?.path) };
}

test.each<["SIGKILL" | "SIGTERM", string, (path: string, random: Random) => void]>([
  ["SIGKILL", "its last line torn", (path, random) => truncateSync(path, statSync(path).size - 1 - random.below(300))],
  ["SIGKILL", "only half of its header left", (path) => truncateSync(path, 20)],
  ["SIGKILL", "nothing in it", (path) => truncateSync(path, 0)],
  ["SIGKILL", "the file gone", (path) => rmSync(path)],
  ["SIGTERM", "the file gone", (path) => rmSync(path)],
  ["SIGKILL", "garbage at its end", (path) => appendFileSync(path, 'garbage \u0000\n{"type":"mess')],
  ["SIGKILL", "another program's text in its place", (path) => writeFileSync(path, "something else\n")],
])("after %s, a transcript with %s is made whole", async (signal, _what, damage) => {
  const random = createRandom();
  const { state, path } = await copyLeft(signal);
  damage(path, random);
  const client = await workshop.start(state).connect();
  expect(await client.agent(questionText("q-next"), { sessionKey: SESSION })).toBe(answerText("q-next"));
  const expected = new Map([[SESSION, new Set([...QUESTIONS, "q-next"])]]);
  let faults: string[] = [];
  await eventually(
    "the file is whole",
    () => (faults = [...findMirrorFaults(state.path, expected), ...findLedgerFaults(state.ledgerPath)]).length === 0,
    () => faults.join("\n"),
  );
});

test("a transcript that lost its end after a clean stop is made whole by the next message of its session", async () => {
  const { state, path } = await copyLeft("SIGTERM");
  truncateSync(path, statSync(path).size - 100);
  const client = await workshop.start(state).connect();
  await client.agent(questionText("q-next"), { sessionKey: SESSION });
  const expected = new Map([[SESSION, new Set([...QUESTIONS, "q-next"])]]);
  await eventually("the file is whole", () => findMirrorFaults(state.path, expected).length === 0);
});

test("a file of somebody else in a transcript's place is kept aside", async () => {
  const { state, path } = await copyLeft("SIGKILL");
  writeFileSync(path, "something else\n");
  const client = await workshop.start(state).connect();
  // The ledger may have noted before the kill that the file was written: then it is looked at with the next message.
  await client.agent(questionText("q-next"), { sessionKey: SESSION });
  const kept = await eventually("it is kept", () =>
    listSessionFiles(state.path, `${path.split("/").at(-1)}.bak.`).at(0),
  );
  expect(readFileSync(join(sessionsDirectory(state.path), kept), "utf8")).toBe("something else\n");
});

test.each<[string, (path: string) => void]>([
  [
    "damaged in the middle",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/"sessionId"/, '"sess\u0000')),
  ],
  ["emptied", (path) => truncateSync(path, 0)],
  ["replaced by an empty list", (path) => writeFileSync(path, "{}")],
  ["gone", (path) => rmSync(path)],
])("a session index that is %s is written again from the ledger", async (_what, damage) => {
  const { state } = await copyLeft("SIGTERM");
  damage(join(sessionsDirectory(state.path), "sessions.json"));
  const gateway = workshop.start(state);
  const client = await gateway.connect();
  const { sessions } = await client.call("sessions.list", {});
  expect(sessions.map(({ key }: { key: string }) => key)).toContain(SESSION);
  const expected = new Map([[SESSION, new Set(QUESTIONS)]]);
  await eventually("the index is whole", () => {
    try {
      return findMirrorFaults(state.path, expected).length === 0;
    } catch {
      return false;
    }
  });
});
