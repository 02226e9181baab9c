// The process is killed while a conversation is looked after, or while a person is asked: nothing hangs, nothing doubles.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { wasInterrupted } from "../support/durability/durability-deeds.ts";
import {
  findLedgerFaults,
  findRequestFaults,
  readCalls,
  readMirror,
  textOf,
} from "../support/durability/durability-evidence.ts";
import {
  answerText,
  questionText,
  startModelServer,
  type AskedMessage,
  type PlannedCall,
} from "../support/durability/durability-model.ts";
import {
  baseConfig,
  createWorkshop,
  eventually,
  type GatewayProcess,
  type StateDirectory,
} from "../support/durability/durability-workshop.ts";
import type { Json } from "../support/wire-client.ts";

const SESSION = "agent:main:main";
const WINDOW = 20_000;
/** Too much for the window: notes are saved, then the beginning is summarised. */
const LONG_PROMPT = 16_000;

const plans = new Map<string, readonly PlannedCall[][]>();
const asks: Array<{ question: string; messages: readonly AskedMessage[] }> = [];
const model = await startModelServer({
  calls: (question, step) => plans.get(question)?.[step] ?? [],
  promptTokens: (question) => (["q-third", "flush"].includes(question) ? LONG_PROMPT : 100),
  onAsk: (question, messages) => asks.push({ question, messages }),
});
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  plans.clear();
  asks.splice(0);
});

const asksOf = (name: string) => asks.filter(({ question }) => question === name);

async function createState(name: string, tools: Json): Promise<{ state: StateDirectory; workspace: string }> {
  const workspace = join(workshop.directory, name);
  mkdirSync(workspace);
  const base = baseConfig(model.baseUrl) as { models: { providers: { paced: object } } };
  const models = [{ id: "paced", name: "Paced", contextWindow: WINDOW, maxTokens: 2048 }];
  const config = {
    agents: { defaults: { model: "paced/paced", workspace } },
    models: { providers: { paced: { ...base.models.providers.paced, models } } },
    tools,
  };
  return { state: await workshop.createState({ config }), workspace };
}

/** Some thousand tokens each, so that there is something to summarise. */
async function talkLong(gateway: GatewayProcess): Promise<void> {
  const client = await gateway.connect();
  for (const name of ["q-first", "q-second", "q-third"]) {
    const message = `${questionText(name)} ${"All of this has to be remembered. ".repeat(400)}`;
    expect(await client.agent(message, { sessionKey: SESSION })).toBe(answerText(name));
  }
}

function sessionEntry({ path }: StateDirectory): Json {
  const index = readFileSync(join(path, "agents/main/sessions/sessions.json"), "utf8");
  return (JSON.parse(index) as Record<string, Json>)[SESSION] ?? {};
}

test("notes that were being saved and a summary that was being written are finished by the next start, once", async () => {
  const { state, workspace } = await createState("long-talk", {});
  plans.set("flush", [[{ name: "write", arguments: { path: "memory/today.md", content: "remembered" } }]]);
  const flush = model.hold("flush");
  const first = workshop.start(state);
  await talkLong(first);
  await flush.reached;
  await first.kill();
  flush.release();

  const summary = model.hold("summary");
  const second = workshop.start(state);
  await second.connect();
  await summary.reached;
  await second.kill();
  summary.release();

  const third = workshop.start(state);
  const client = await third.connect();
  await eventually("the conversation is compacted", () => sessionEntry(state)["compactionCount"] === 1);
  expect(await client.agent(questionText("q-fourth"), { sessionKey: SESSION })).toBe(answerText("q-fourth"));
  const { messages } = await client.call("chat.history", { sessionKey: SESSION });
  const shown = (messages as Array<{ role: string; content: unknown }>).map((one) => `${one.role}: ${textOf(one)}`);
  expect(shown.filter((text) => /flush|memory/i.test(text))).toEqual([]);
  await third.kill("SIGTERM");

  // The second life asked anew for the half that was lost, but did not write the notes a second time.
  expect(readFileSync(join(workspace, "memory/today.md"), "utf8")).toBe("remembered");
  const calls = readCalls(readMirror(state.path).get(SESSION)?.messages ?? []);
  expect(calls.map(({ result }) => result)).toEqual([expect.stringContaining("was created")]);
  expect(sessionEntry(state)).toMatchObject({ compactionCount: 1, memoryFlushCompactionCount: 0 });
  const lines = readFileSync(readMirror(state.path).get(SESSION)?.path ?? "", "utf8").split("\n");
  expect(lines.filter((line) => line.startsWith('{"type":"compaction"'))).toHaveLength(1);
  const [last] = asksOf("q-fourth");
  expect(JSON.stringify(last?.messages)).toContain("Summary of the conversation so far");
  expect(JSON.stringify(last?.messages)).not.toContain("Question q-first");
  expect(
    asks.flatMap(({ question, messages: sent }) => findRequestFaults(sent).map((one) => `${question}: ${one}`)),
  ).toEqual([]);
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
});

test("a question to a person dies with the process: the call is interrupted, and the turn goes on", async () => {
  const { state, workspace } = await createState("asked", {
    exec: { host: "gateway", security: "full", ask: "always" },
  });
  plans.set("q-asked", [[{ name: "exec", arguments: { command: "touch proof" } }]]);
  const first = workshop.start(state);
  const asking = await first.connect();
  const params = { sessionKey: SESSION, message: questionText("q-asked"), idempotencyKey: "q-asked" };
  await asking.call("chat.send", params);
  const { payload: pending } = await asking.untilEvent("exec.approval.requested");
  expect(pending.request.command).toBe("touch proof");
  await first.kill();

  const second = workshop.start(state);
  const client = await second.connect();
  expect(await client.call("agent.wait", { runId: "q-asked" })).toMatchObject({ status: "ok" });
  expect((await client.call("exec.approval.list")).pending).toEqual([]);
  const late = await client.request("exec.approval.resolve", { id: pending.id, decision: "allow-once" });
  expect(late.error?.message).toMatch(/^unknown approval id/);
  await second.kill("SIGTERM");
  const calls = readCalls(readMirror(state.path).get(SESSION)?.messages ?? []);
  expect(calls.map(wasInterrupted)).toEqual([true]);
  expect(existsSync(join(workspace, "proof"))).toBe(false);
  expect(asks.flatMap(({ messages }) => findRequestFaults(messages))).toEqual([]);
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
});
