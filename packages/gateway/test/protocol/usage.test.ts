// Methods that tell what was spent by whom, what may still be spent, and how a turn came about.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, type ModelEvent } from "@chela/sdk";
import { callTool } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const COSTLY = "agent:main:costly";
const CHEAP = "agent:work:cheap";

function answer(text: string, input: number, output: number): ModelEvent[] {
  const price = { input: input * 10e-6, output: output * 20e-6 };
  const cost = { ...noUsage().cost, ...price, total: price.input + price.output };
  const usage = { ...noUsage(), input, output, totalTokens: input + output, cost };
  return [
    { kind: "text", delta: text },
    { kind: "finish", stopReason: "stop", usage },
  ];
}

describe("what was spent", () => {
  let gateway: TestGateway;
  let client: WireClient;
  const costlyRun = `run-${randomUUID()}`;
  beforeAll(async () => {
    const cost = { input: 10, output: 20, cacheRead: 0, cacheWrite: 0 };
    const models = [{ id: "test", name: "Test", cost, contextWindow: 10_000_000 }];
    gateway = await startTestGateway({
      config: {
        agents: {
          list: [
            { id: "main" },
            { id: "work", tools: { deny: ["session_status"] } },
            { id: "boxed", sandbox: { mode: "all" } },
          ],
        },
        models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } },
        budgets: [
          { usd: 100, period: "month" },
          { scope: "agent", usd: 10 },
          { scope: "session", tokens: 1_000_000, period: "total" },
          { scope: "person", name: "somebody else", tokens: 0 },
        ],
      },
    });
    client = await gateway.connect();
    gateway.model.script(callTool("session_status", {}), answer("all well", 100_000, 10_000));
    await client.agent("think hard", { sessionKey: COSTLY, idempotencyKey: costlyRun });
    gateway.model.script(answer("short", 1000, 100));
    await client.agent("think a little", { sessionKey: CHEAP });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const refusal = async (method: string, params: object) => (await client.request(method, params)).error;

  test("is told by agent, session, channel and model, the most expensive first", async () => {
    const by = async (dimension: string) => client.call("usage.by", { dimension, days: 2 });
    const agents = await by("agent");
    expect(agents.rows.map((row: { name: string }) => row.name)).toEqual(["main", "work"]);
    expect(agents.rows[0]).toMatchObject({ input: 100_000, output: 10_000, totalCost: 1.2 });
    expect(agents).toMatchObject({ dimension: "agent", days: 2, totals: { input: 101_000, output: 10_100 } });
    expect(agents.endDate).toBe(new Date().toISOString().slice(0, 10));
    expect((await by("session")).rows.map((row: { name: string }) => row.name)).toEqual([COSTLY, CHEAP]);
    expect((await by("channel")).rows).toMatchObject([{ name: "webchat", input: 101_000 }]);
    expect((await by("model")).rows).toMatchObject([{ name: "scripted/test" }]);
    expect((await by("provider")).rows).toMatchObject([{ name: "scripted" }]);
    expect((await client.call("usage.by", { dimension: "agent", limit: 1 })).rows).toHaveLength(1);
    const past = { dimension: "agent", startDate: "2020-01-01", endDate: "2020-01-02" };
    expect(await client.call("usage.by", past)).toMatchObject({ rows: [], totals: { totalTokens: 0 } });
  });

  test("is told with what is left of the budgets, the fullest first", async () => {
    const { budgets } = await client.call("usage.budgets");
    const named = Object.fromEntries(budgets.map((budget: { name: string }) => [budget.name, budget]));
    expect(budgets[0]).toMatchObject({ scope: "person", of: "somebody else", share: 1, tokens: { limit: 0, left: 0 } });
    expect(named["daily limit of agent main"]).toMatchObject({ usd: { limit: 10, spent: 1.2, left: 8.8 } });
    expect(named["daily limit of agent work"].usd.spent).toBeCloseTo(0.012);
    expect(named["monthly limit"]).toMatchObject({ scope: "all", of: "", resetsAt: expect.any(Number) });
    expect(named[`total limit of session ${COSTLY}`]).toMatchObject({ tokens: { spent: 110_000, left: 890_000 } });
    expect(named[`total limit of session ${COSTLY}`].resetsAt).toBeUndefined();
  });

  test("is told session by session, with messages, tools and waiting times", async () => {
    const { sessions, totals, aggregates } = await client.call("sessions.usage", { includeContextWeight: true });
    expect(sessions.map((session: { key: string }) => session.key).toSorted()).toEqual([COSTLY, CHEAP].toSorted());
    const costly = sessions.find((session: { key: string }) => session.key === COSTLY);
    expect(costly).toMatchObject({
      agentId: "main",
      channel: "webchat",
      usage: {
        input: 100_000,
        totalCost: 1.2,
        messageCounts: { total: 4, user: 1, assistant: 2, toolCalls: 1, toolResults: 1, errors: 0 },
        toolUsage: { totalCalls: 1, uniqueTools: 1, tools: [{ name: "session_status", count: 1 }] },
        modelUsage: [{ provider: "scripted", model: "test" }],
        latency: { count: 1 },
        activityDates: [new Date().toISOString().slice(0, 10)],
      },
    });
    expect(costly).toHaveProperty("contextWeight");
    expect(totals).toMatchObject({ input: 101_000 });
    expect(aggregates).toMatchObject({
      messages: { total: 6, toolCalls: 1 },
      tools: { totalCalls: 1 },
      byAgent: [{ agentId: "main" }, { agentId: "work" }],
      byChannel: [{ channel: "webchat", totals: { input: 101_000 } }],
      byModel: [{ provider: "scripted", model: "test" }],
      byProvider: [{ provider: "scripted" }],
      daily: [{ messages: 6, toolCalls: 1, tokens: 111_100 }],
    });
    const one = await client.call("sessions.usage", { key: CHEAP });
    expect(one.sessions.map((session: { key: string }) => session.key)).toEqual([CHEAP]);
    expect(one.totals).toMatchObject({ input: 1000 });
    expect((await client.call("sessions.usage", { limit: 1 })).sessions).toHaveLength(1);
    const past = { startDate: "2020-01-01", endDate: "2020-01-02", key: CHEAP };
    expect((await client.call("sessions.usage", past)).sessions[0]).toMatchObject({ key: CHEAP, usage: null });
    expect((await client.call("sessions.usage", { key: "agent:main:nobody" })).sessions).toEqual([]);
  });

  test("is told as it grew, and message by message", async () => {
    const grown = await client.call("sessions.usage.timeseries", { key: COSTLY });
    expect(grown.sessionId).toEqual(expect.any(String));
    expect(grown.points.at(-1)).toMatchObject({ totalTokens: 110_000, cumulativeTokens: 110_000, cumulativeCost: 1.2 });
    const { logs } = await client.call("sessions.usage.logs", { key: COSTLY });
    expect(logs.map((line: { role: string }) => line.role)).toEqual(["user", "tool", "toolResult", "assistant"]);
    expect(logs[0]).toMatchObject({ content: "think hard" });
    expect(logs[1].content).toBe("session_status {}");
    expect(logs.at(-1)).toMatchObject({ content: "all well", tokens: 110_000, cost: 1.2 });
    expect((await client.call("sessions.usage.logs", { key: COSTLY, limit: 2 })).logs).toEqual(logs.slice(-2));
    expect(await client.call("sessions.usage.timeseries", { key: "agent:main:nobody" })).toEqual({ points: [] });
    expect(await client.call("sessions.usage.logs", { key: "agent:main:nobody" })).toEqual({ logs: [] });
  });

  test("is explained run by run", async () => {
    const explained = await client.call("runs.explain", { id: costlyRun });
    expect(explained).toMatchObject({
      runId: costlyRun,
      messageId: `agent:${costlyRun}`,
      channel: "webchat",
      agentId: "main",
      sessionKey: COSTLY,
      state: "done",
      status: "ok",
      tools: [{ name: "session_status", isError: false }],
      usage: [{ model: "scripted/test", tokens: 110_000, cost: 1.2 }],
      delivery: [{ channel: "webchat", to: COSTLY }],
      trace: { route: { matchedBy: "session-key" } },
    });
    expect(JSON.stringify(explained)).not.toContain("think hard");
    for (const id of [costlyRun.slice(0, 12), `agent:${costlyRun}`, ` ${costlyRun} `]) {
      expect((await client.call("runs.explain", { id })).runId).toBe(costlyRun);
    }
  });

  test.for([
    ["runs.explain", { id: "no-such-run" }, /^There is no run or message "no-such-run"\. .*chela logs/],
    ["sessions.usage", { key: "agent:" }, /malformed session key/],
    ["sessions.usage", { startDate: "soon" }, /not a date: "soon"/],
    ["usage.by", { dimension: "weather" }, /dimension/],
    ["tools.explain", { tool: "exec", agentId: "nobody" }, /unknown agent id "nobody"/],
    ["tools.explain", { tool: "exec", sessionKey: "agent:work:x", agentId: "main" }, /does not match/],
    ["tools.catalog", { agentId: "../main" }, /unknown agent id/],
  ] as const)("%s cannot be asked %j", async ([method, params, message]) => {
    expect(await refusal(method, params)).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(message),
    });
  });

  test("is not told of one run when several are meant", async () => {
    const ids = [`twin-${randomUUID()}`, `twin-${randomUUID()}`];
    for (const idempotencyKey of ids) await client.agent("hello", { idempotencyKey, sessionKey: "agent:main:twins" });
    const error = await refusal("runs.explain", { id: "twin-" });
    expect(error?.message).toContain("is the start of several runs");
    for (const id of ids) expect(error?.message).toContain(id);
  });

  test("goes with which tools there are, and why one may be used or not", async () => {
    const catalog = await client.call("tools.catalog", { agentId: "work" });
    expect(catalog).toMatchObject({
      agentId: "work",
      profiles: expect.arrayContaining([{ id: "full", label: "Full" }]),
    });
    const names = catalog.groups.flatMap((group: { tools: { id: string }[] }) => group.tools.map(({ id }) => id));
    expect(names).toContain("session_status");
    expect(catalog.removed).toContainEqual(expect.objectContaining({ tool: "session_status", layer: "agent" }));
    expect(await client.call("tools.explain", { tool: "session_status" })).toMatchObject({
      tool: "session_status",
      allowed: true,
      agentId: "main",
      sessionKey: "agent:main:main",
      model: "scripted/test",
    });
    expect(await client.call("tools.explain", { tool: "session_status", sessionKey: CHEAP })).toMatchObject({
      allowed: false,
      decidedBy: "agent",
      agentId: "work",
    });
    const boxed = await client.call("tools.explain", { tool: "session_status", agentId: "boxed" });
    expect(boxed.steps).toContainEqual(expect.objectContaining({ layer: "sandbox", verdict: "passed" }));
    expect(await client.call("tools.explain", { tool: "no_such_tool" })).toMatchObject({
      allowed: false,
      decidedBy: "exists",
    });
  });
});
