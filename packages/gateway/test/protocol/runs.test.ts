// Runs as the control page sees them: a list of them, and each step of one with its time.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, type ModelEvent } from "@chela/sdk";
import { callTool, createScriptedModel, say } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
const place = (id: string) => ({ baseUrl: "http://127.0.0.1:9", models: [{ id, name: id, cost }] });
const USAGE = {
  ...noUsage(),
  input: 1000,
  output: 100,
  totalTokens: 1100,
  cost: { input: 0.001, output: 0.0002, cacheRead: 0, cacheWrite: 0, total: 0.0012 },
};
const counted = (text: string): ModelEvent[] => [
  { kind: "text", delta: text },
  { kind: "finish", stopReason: "stop", usage: USAGE },
];

describe("runs", () => {
  let gateway: TestGateway;
  let client: WireClient;
  const spare = createScriptedModel("spare");
  beforeAll(async () => {
    gateway = await startTestGateway({
      providers: { spare },
      config: {
        agents: {
          list: [{ id: "main" }, { id: "work" }],
          defaults: { model: { primary: "scripted/a", fallbacks: ["spare/b"] } },
        },
        models: { providers: { scripted: place("a"), spare: place("b") } },
        tools: { exec: { host: "gateway", security: "allowlist" } },
      },
    });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const run = async (message: string, params: Json = {}): Promise<string> => {
    const idempotencyKey = randomUUID();
    await client.agent(message, { idempotencyKey, ...params });
    return idempotencyKey;
  };
  const list = async (params: Json = {}): Promise<Json[]> => (await client.call("runs.list", params)).runs;
  const idsOf = (runs: readonly Json[]) => runs.map(({ runId }) => runId);

  test("are listed newest first, by session, agent, state and time", async () => {
    gateway.model.script(counted("one"));
    const first = await run(`hello ${"x".repeat(300)}`, { sessionKey: "agent:main:list" });
    const second = await run("work on it", { sessionKey: "agent:work:list" });
    gateway.model.script([{ kind: "failure", failure: { reason: "refused", message: "no", retry: "never" } }]);
    spare.script([{ kind: "failure", failure: { reason: "refused", message: "no", retry: "never" } }]);
    const key = randomUUID();
    await client.request("agent", { message: "something bad", idempotencyKey: key, sessionKey: "agent:main:list" });
    await client.request("agent.wait", { runId: key });
    expect(idsOf(await list())).toEqual([key, second, first]);
    expect(idsOf(await list({ sessionKey: "agent:main:list" }))).toEqual([key, first]);
    expect(idsOf(await list({ agentId: "work" }))).toEqual([second]);
    expect(idsOf(await list({ state: "error" }))).toEqual([key]);
    expect(idsOf(await list({ state: "queued" }))).toEqual([]);
    expect(idsOf(await list({ limit: 1 }))).toEqual([key]);
    const [failed, , oldest] = await list();
    expect(idsOf(await list({ before: Number(oldest?.["receivedAt"]) }))).toEqual([]);
    expect(failed).toMatchObject({ state: "done", status: "error", error: expect.any(String) });
    expect(oldest).toMatchObject({
      sessionKey: "agent:main:list",
      agentId: "main",
      state: "done",
      status: "ok",
      model: "scripted/a",
      tokens: 1100,
      cost: expect.closeTo(0.0012, 6),
    });
    expect(String(oldest?.["preview"])).toHaveLength(120);
    expect(Number(oldest?.["endedAt"])).toBeGreaterThanOrEqual(Number(oldest?.["receivedAt"]));
  });

  test("that are under way are listed as running, and those behind them as queued", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "done"));
    const sessionKey = "agent:main:busy";
    const [running, queued] = [randomUUID(), randomUUID()];
    client.send({
      type: "req",
      id: "a",
      method: "agent",
      params: { message: "1", idempotencyKey: running, sessionKey },
    });
    await gate.reached;
    client.send({
      type: "req",
      id: "b",
      method: "agent",
      params: { message: "2", idempotencyKey: queued, sessionKey },
    });
    await client.until("the second is accepted", () => client.responsesTo("b")[0]);
    // The start of a turn is written with its next step, a moment later.
    await eventually("a running run", async () => (await list({ state: "running" }))[0]);
    expect(idsOf(await list({ state: "running" }))).toEqual([running]);
    expect(idsOf(await list({ state: "queued" }))).toEqual([queued]);
    gate.open();
    await client.call("agent.wait", { runId: queued });
  });

  test("do not show keys that were typed into them", async () => {
    const id = await run("my key is sk-abcdefghijklmnopqrstuvwxyz0123456789, keep it");
    const [newest] = await list({ limit: 1 });
    expect(newest).toMatchObject({ runId: id, preview: "my key is [redacted], keep it" });
  });

  test("tell each step and its time: arrival, queue, prompt, attempts and tools", async () => {
    const sessionKey = "agent:main:explained";
    await run("before", { sessionKey });
    gateway.model.script(
      [{ kind: "failure", failure: { reason: "refused", message: "I would rather not", retry: "never" } }],
      counted("done"),
    );
    spare.script(callTool("session_status", {}));
    const id = await run("how are you", { sessionKey });
    const told = await client.call("runs.explain", { id });
    expect(told).toMatchObject({
      runId: id,
      status: "ok",
      access: { kind: "operator", isOwner: true, isAuthorised: true },
      route: { agentId: "main", sessionKey, matchedBy: "session-key" },
      prompt: {
        systemChars: expect.any(Number),
        fileChars: expect.any(Number),
        toolChars: expect.any(Number),
        tokens: { system: expect.any(Number), tools: expect.any(Number), history: expect.any(Number) },
      },
    });
    expect(told.prompt.tokens.history).toBeGreaterThan(0);
    expect(told.prompt.tokens.message).toBeGreaterThan(0);
    const [failed, second] = told.attempts;
    expect(failed).toMatchObject({
      provider: "scripted",
      status: "failed",
      failure: { reason: "refused", message: "I would rather not" },
      next: "next-model",
    });
    expect(second).toMatchObject({ provider: "spare", model: "b", status: "ok", firstTokenAt: expect.any(Number) });
    expect(told.attempts.at(-1)).toMatchObject({
      status: "ok",
      usage: { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0 },
      cost: expect.closeTo(0.0012, 6),
    });
    expect(told.tools).toMatchObject([{ name: "session_status", isError: false }]);
    const times = [
      told.receivedAt,
      told.access.decidedAt,
      told.admittedAt,
      told.startedAt,
      failed.startedAt,
      failed.endedAt,
      second.startedAt,
      second.firstTokenAt,
      second.endedAt,
      told.tools[0].startedAt,
      told.tools[0].endedAt,
      told.endedAt,
    ];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(told.queueMs).toBe(told.startedAt - told.admittedAt);
  });

  test("tell how long a command waited for a person", async () => {
    gateway.model.script(callTool("exec", { command: "id" }), say("done"));
    const key = randomUUID();
    const params = { message: "who am I", idempotencyKey: key, sessionKey: "agent:main:asked" };
    client.send({ type: "req", id: key, method: "agent", params });
    const asked = await client.untilEvent(
      "exec.approval.requested",
      ({ payload }) => payload.request.sessionKey === "agent:main:asked",
    );
    await client.call("exec.approval.resolve", { id: asked.payload.id, decision: "allow-once" });
    await client.call("agent.wait", { runId: key });
    const { tools } = await client.call("runs.explain", { id: key });
    const { askedAt, settledAt, waitedMs } = tools[0].approval;
    expect(waitedMs).toBe(settledAt - askedAt);
    const order = [tools[0].startedAt, askedAt, settledAt, tools[0].endedAt];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});

test("a run of a channel tells what was decided of its sender, and its receipts", async () => {
  await using stage = await openChannelStage();
  await stage.ask("hello");
  const { runs } = await stage.client.call("runs.list", { limit: 1 });
  const told = await eventually("the receipt", async () => {
    const run = await stage.client.call("runs.explain", { id: runs[0].runId });
    return run.delivery[0]?.state === "delivered" ? run : undefined;
  });
  expect(told).toMatchObject({
    sentAt: expect.any(Number),
    receivedAt: expect.any(Number),
    access: { kind: "sender", id: "alice", isAuthorised: true, decidedAt: expect.any(Number) },
  });
  expect(told.delivery[0]).toMatchObject({ attempts: 1, messageId: expect.any(String), updatedAt: expect.any(Number) });
  expect(told.delivery[0].updatedAt).toBeGreaterThanOrEqual(told.delivery[0].createdAt);
});
