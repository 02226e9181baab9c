// The process is killed before, while and after tools run: every call has one result, and no effect happens twice.
import { existsSync, mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  appendDeed,
  findDeedFaults,
  leftoversIn,
  linesIn,
  planDeeds,
  wasInterrupted,
  writeDeed,
} from "../support/durability/durability-deeds.ts";
import {
  findAuditFaults,
  findLedgerFaults,
  findMirrorFaults,
  findRequestFaults,
  readCalls,
  readMirror,
  type FinishedCall,
} from "../support/durability/durability-evidence.ts";
import {
  answerText,
  questionText,
  startModelServer,
  type PlannedCall,
} from "../support/durability/durability-model.ts";
import { askAgain, askAll, startAfterFalseStarts, type Question } from "../support/durability/durability-questions.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import {
  baseConfig,
  createWorkshop,
  eventually,
  type StateDirectory,
} from "../support/durability/durability-workshop.ts";

/** With the false starts there are some twenty-five kills. */
const LIVES = 20;
const QUESTIONS_PER_LIFE = 2;
const SESSIONS = ["agent:main:main", "agent:main:work", "agent:main:garden"];
const SESSION = "agent:main:main";

const plans = new Map<string, readonly PlannedCall[][]>();
let requestFaults: string[] = [];
const model = await startModelServer({
  calls: (question, step) => plans.get(question)?.[step] ?? [],
  onAsk: (question, messages) =>
    requestFaults.push(...findRequestFaults(messages).map((fault) => `${question}: ${fault}`)),
});
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  plans.clear();
  requestFaults = [];
});

let workspaces = 0;

/** Commands run without asking; the workspace is none of the state directory's business. */
async function createState(): Promise<{ state: StateDirectory; workspace: string }> {
  const workspace = join(workshop.directory, `workspace-${++workspaces}`);
  mkdirSync(workspace);
  const { agents } = baseConfig(model.baseUrl) as { agents: { defaults: object } };
  const config = {
    agents: { defaults: { ...agents.defaults, workspace } },
    tools: { exec: { host: "gateway", security: "full", ask: "off" } },
  };
  return { state: await workshop.createState({ config }), workspace };
}

test("no call is lost, doubled or repeated, though the process is killed again and again among tools", async () => {
  const random = createRandom();
  const { state, workspace } = await createState();
  const questions: Question[] = [];
  let starts = 0;
  const start = () => ((starts += 1), workshop.start(state));
  for (let life = 0; life < LIVES; life++) {
    const gateway = await startAfterFalseStarts(random, start);
    const client = await gateway.connect();
    const open = questions.filter(({ isAccepted }) => !isAccepted);
    const fresh = Array.from({ length: QUESTIONS_PER_LIFE }, (_, index) => createQuestion(random, life, index));
    questions.push(...fresh);
    const isTime = chooseInstant(random, workspace);
    const asking = askAll(client, [...open, ...fresh], random);
    await isTime;
    await gateway.kill();
    await client.closed;
    await asking;
  }

  const gateway = start();
  const client = await gateway.connect();
  for (const question of questions) expect(await askAgain(client, question)).toEqual(question.name);
  for (const { name } of questions)
    expect(await client.call("agent.wait", { runId: name })).toHaveProperty("status", "ok");
  expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  const bySession = new Map(
    SESSIONS.map((key) => [key, new Set(questions.filter((one) => one.sessionKey === key).map(({ name }) => name))]),
  );
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(findMirrorFaults(state.path, bySession)).toEqual([]);
  const planned = [...plans.values()].flat(2);
  expect(findDeedFaults(workspace, planned, readMirror(state.path).values())).toEqual([]);
  expect(requestFaults).toEqual([]);
  expect(leftoversIn(workspace).length).toBeLessThan(starts);
}, 90_000);

function createQuestion(random: Random, life: number, index: number): Question {
  const name = `q${life}-${index}`;
  plans.set(name, planDeeds(random, name));
  const method = random.pick(["agent", "chat.send"] as const);
  return { name, sessionKey: random.pick(SESSIONS), method, tools: 0, isAccepted: false };
}

/** By what the model did, by what a tool just wrote, or by the clock. */
function chooseInstant(random: Random, workspace: string): Promise<unknown> {
  const kind = random.pick(["asked", "called", "answered", "written", "written", "time"] as const);
  if (kind === "time") return pause(random.below(400));
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = random.below(6);
  const count = (): unknown => left-- <= 0 && resolve();
  const watcher = kind === "written" ? watch(workspace, count) : undefined;
  const leave = model.onStep((step) => step.kind === kind && count());
  const delay = random.chance(0.5) ? 0 : random.below(40);
  return Promise.race([promise.then(() => pause(delay)), pause(600)]).finally(() => (leave(), watcher?.close()));
}

const callsIn = (state: StateDirectory): FinishedCall[] =>
  [...readMirror(state.path).values()].flatMap(({ messages }) => readCalls(messages));

test("a command that runs when the process dies is reported as interrupted, with all that was to follow it", async () => {
  const { state, workspace } = await createState();
  const waits = `echo begun >> lines.txt; until [ -e go ]; do sleep 0.02; done; echo ended >> lines.txt`;
  const command = { name: "exec", arguments: { command: waits } };
  plans.set("q-during", [
    // Their ids come again in the next step, whose calls must not be taken for finished.
    [appendDeed("step-1a"), appendDeed("step-1b"), appendDeed("step-1c")],
    [writeDeed("before"), command, writeDeed("after")],
    [appendDeed("step-3")],
  ]);
  const first = workshop.start(state);
  const asking = await first.connect();
  const params = { sessionKey: SESSION, message: questionText("q-during"), idempotencyKey: "q-during" };
  await asking.call("chat.send", params);
  await eventually("the command runs", () => linesIn(workspace).includes("begun"));
  await first.kill();

  const second = workshop.start(state);
  const client = await second.connect();
  expect(await client.call("agent.wait", { runId: "q-during" })).toMatchObject({ status: "ok" });
  // What the dead process started may live on: nobody started it a second time.
  writeFileSync(join(workspace, "go"), "");
  await eventually("the command ends", () => linesIn(workspace).includes("ended"));
  await second.kill("SIGTERM");
  expect(callsIn(state).map((call) => [call.name, wasInterrupted(call)])).toEqual([
    ["exec", false],
    ["exec", false],
    ["exec", false],
    ["write", false],
    ["exec", true],
    ["write", true],
    ["exec", false],
  ]);
  expect(linesIn(workspace).toSorted()).toEqual(["begun", "ended", "step-1a", "step-1b", "step-1c", "step-3"]);
  expect(existsSync(join(workspace, "before.txt"))).toBe(true);
  expect(existsSync(join(workspace, "after.txt"))).toBe(false);
  expect(findMirrorFaults(state.path, new Map([[SESSION, new Set(["q-during"])]]))).toEqual([]);
  expect(findAuditFaults(state.ledgerPath)).toEqual([]);
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(requestFaults).toEqual([]);
});

test("a tool that was done when the process died is not run again, and its result is kept", async () => {
  const { state, workspace } = await createState();
  plans.set("q-after", [[writeDeed("done"), appendDeed("done")], [appendDeed("also-done")]]);
  const held = model.hold("q-after");
  const first = workshop.start(state);
  const asking = await first.connect();
  const params = { sessionKey: SESSION, message: questionText("q-after"), idempotencyKey: "q-after" };
  await asking.call("chat.send", params);
  await held.reached;
  await first.kill();
  held.release();

  const second = workshop.start(state);
  const client = await second.connect();
  expect(await client.call("agent.wait", { runId: "q-after" })).toMatchObject({ status: "ok" });
  await second.kill("SIGTERM");
  const { messages } = readMirror(state.path).get(SESSION) ?? { messages: [] };
  expect(messages.map(({ role }) => role).join(" ")).toBe(
    "user assistant toolResult toolResult assistant toolResult assistant",
  );
  expect(messages.at(-1)?.content).toMatchObject([{ text: answerText("q-after") }]);
  expect(callsIn(state).filter(wasInterrupted)).toEqual([]);
  expect(findDeedFaults(workspace, [...plans.values()].flat(2), readMirror(state.path).values())).toEqual([]);
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(requestFaults).toEqual([]);
});

test("a call that the process did not live to note is asked for anew, and made once", async () => {
  const { state, workspace } = await createState();
  plans.set("q-before", [[writeDeed("anew"), appendDeed("anew")]]);
  const first = workshop.start(state);
  const asking = await first.connect();
  const called = new Promise<void>((resolve) => {
    const leave = model.onStep(({ kind }) => {
      if (kind !== "asked") return;
      leave();
      // In the same turn of our loop, so that the calls are still on their way.
      first.child.kill("SIGKILL");
      resolve();
    });
  });
  const params = { sessionKey: SESSION, message: questionText("q-before"), idempotencyKey: "q-before" };
  await asking.call("chat.send", params);
  await called;
  await first.kill();

  const second = workshop.start(state);
  const client = await second.connect();
  expect(await client.call("agent.wait", { runId: "q-before" })).toMatchObject({ status: "ok" });
  await second.kill("SIGTERM");
  expect(callsIn(state)).toHaveLength(2);
  expect(callsIn(state).filter(wasInterrupted)).toEqual([]);
  expect(findDeedFaults(workspace, [...plans.values()].flat(2), readMirror(state.path).values())).toEqual([]);
  expect(requestFaults).toEqual([]);
});
