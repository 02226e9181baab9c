// The process is killed at random instants while messages come in; afterwards each of them is answered exactly once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import {
  countRuns,
  findAuditFaults,
  findExchangeFaults,
  findLedgerFaults,
  findMirrorFaults,
  findTurnFaults,
} from "../support/durability/durability-evidence.ts";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { askAgain, askAll, startAfterFalseStarts, type Question } from "../support/durability/durability-questions.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import { createWorkshop, eventually } from "../support/durability/durability-workshop.ts";
import type { WireClient } from "../support/wire-client.ts";

const KILLS = 18;
const QUESTIONS_PER_LIFE = 17;
const SESSIONS = ["agent:main:main", "agent:main:work", "agent:main:thread:7", "agent:main:garden", "agent:main:music"];

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

test("each of some hundred messages is answered exactly once, though the process is killed eighteen times", async () => {
  const random = createRandom();
  const state = await workshop.createState();
  const questions: Question[] = [];
  for (let life = 0; life < KILLS; life++) {
    const gateway = await startAfterFalseStarts(random, () => workshop.start(state));
    const client = await gateway.connect();
    const open = questions.filter(({ isAccepted }) => !isAccepted);
    const repeated = questions.filter(({ isAccepted }) => isAccepted && random.chance(0.05));
    const fresh = Array.from({ length: QUESTIONS_PER_LIFE }, (_, index) => createQuestion(random, life, index));
    questions.push(...fresh);
    const isTime = chooseInstant(random);
    const asking = askAll(client, [...open, ...repeated, ...fresh], random);
    await isTime;
    await gateway.kill();
    await client.closed;
    await asking;
  }

  const gateway = workshop.start(state);
  const client = await gateway.connect();
  // Repeating is safe: nobody is answered twice, and whoever was answered hears the same again.
  for (const question of questions) expect(await askAgain(client, question)).toEqual(question.name);
  const bySession = new Map(
    SESSIONS.map((key) => [key, new Set(questions.filter((one) => one.sessionKey === key).map(({ name }) => name))]),
  );
  let faults: string[] = [];
  const settles = (find: () => Promise<string[]> | string[]) =>
    eventually(
      "everything is in order",
      async () => (faults = await find()).length === 0,
      () => faults.join("\n"),
    );
  await settles(() => findHistoryFaults(client, bySession));
  await settles(() => findLedgerFaults(state.ledgerPath));
  await settles(() => findMirrorFaults(state.path, bySession));
  expect(countRuns(state.ledgerPath)).toBe(questions.length);

  for (const [index, sessionKey] of SESSIONS.entries()) {
    expect(await client.agent(questionText(`q-last-${index}`), { sessionKey })).toBe(answerText(`q-last-${index}`));
    bySession.get(sessionKey)?.add(`q-last-${index}`);
  }
  expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(findAuditFaults(state.ledgerPath)).toEqual([]);
  expect(findMirrorFaults(state.path, bySession)).toEqual([]);
}, 80_000);

function createQuestion(random: Random, life: number, index: number): Question {
  return {
    name: `q${life}-${index}`,
    sessionKey: random.pick(SESSIONS),
    method: random.pick(["agent", "chat.send"]),
    tools: random.chance(0.3) ? 1 + random.below(2) : 0,
    isAccepted: false,
  };
}

/** An instant that lies anywhere in the work: by the clock, or by what the model has just done. */
function chooseInstant(random: Random): Promise<unknown> {
  if (random.chance(0.3)) return pause(random.below(250));
  const kind = random.pick(["asked", "token", "token", "called", "answered"] as const);
  let left = random.below(kind === "token" ? 100 : 12);
  const byWork = new Promise<void>((resolve) => {
    const leave = model.onStep((step) => {
      if (step.kind !== kind || left-- > 0) return;
      leave();
      resolve();
    });
  });
  return Promise.race([byWork, pause(800)]);
}

async function findHistoryFaults(
  client: WireClient,
  questions: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [sessionKey, names] of questions) {
    const { messages } = await client.call("chat.history", { sessionKey, limit: 1000 });
    const found = [...findTurnFaults(messages), ...findExchangeFaults(messages, names)];
    faults.push(...found.map((fault) => `${sessionKey}: ${fault}`));
  }
  return faults;
}

test("a gateway that is told to stop in the moment its door opens stops in order", async () => {
  const state = await workshop.createState();
  const probe = join(state.path, "probe.cjs");
  writeFileSync(
    probe,
    `const { Server } = require("node:net");
     const { listen } = Server.prototype;
     Server.prototype.listen = function (...how) {
       Server.prototype.listen = listen;
       return listen.apply(this, how).once("listening", () => process.kill(process.pid, "SIGTERM"));
     };`,
  );
  const gateway = workshop.start(state, { env: { NODE_OPTIONS: `--require ${probe}` } });
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
});
