// Methods that tell how the gateway is: log, models, cost, agents, presence, health.
import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage } from "@chela/sdk";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

describe("the gateway tells", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    const price = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
    const models = [{ id: "test", name: "Test", cost: price, contextWindow: 100_000 }];
    gateway = await startTestGateway({
      config: {
        agents: {
          defaults: { contextTokens: 32_000, heartbeat: { prompt: "heartbeat:prompt-canary" } },
          list: [{ id: "main", name: "Ada", identity: { name: "Ada", emoji: "🦀" } }, { id: "work" }],
        },
        models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } },
      },
    });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("its log, from a cursor on, in whole lines", async () => {
    const first = await client.call("logs.tail", { limit: 2 });
    expect(first.lines.length).toBeLessThanOrEqual(2);
    expect(first).toMatchObject({ size: first.cursor });
    for (const line of first.lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
    await client.agent("something new");
    const next = await client.call("logs.tail", { cursor: first.cursor });
    expect(next.lines.some((line: string) => line.includes("message accepted"))).toBe(true);
    expect(next).toMatchObject({ truncated: false, reset: false });
    appendFileSync(first.file, '{"half":');
    const half = await client.call("logs.tail", { cursor: next.cursor });
    expect(half.lines.some((line: string) => line.includes("half"))).toBe(false);
    appendFileSync(first.file, '"done"}\n');
    const whole = await client.call("logs.tail", { cursor: half.cursor });
    expect(whole.lines.some((line: string) => line.includes('{"half":"done"}'))).toBe(true);
    const reset = await client.call("logs.tail", { cursor: 1e9 });
    expect(reset).toMatchObject({ reset: true });
    const small = await client.call("logs.tail", { maxBytes: 300 });
    expect(small).toMatchObject({ truncated: true });
    expect(readFileSync(first.file, "utf8")).toContain(small.lines.at(-1));
  });

  test("which models there are", async () => {
    const { models } = await client.call("models.list");
    expect(models).toContainEqual(
      expect.objectContaining({
        id: "test",
        name: "Test",
        provider: "scripted",
        contextWindow: 1e5,
        reasoning: expect.any(Boolean),
        input: expect.arrayContaining(["text"]),
        thinkingLevels: expect.arrayContaining(["off"]),
        isDefault: true,
        usable: true,
      }),
    );
    expect(models.filter((model: { isDefault: boolean }) => model.isDefault)).toHaveLength(1);
  });

  test("what was spent, by day", async () => {
    const usage = { ...noUsage(), input: 1000, output: 500, totalTokens: 1500 };
    gateway.model.script([
      { kind: "text", delta: "dear" },
      { kind: "finish", stopReason: "stop", usage },
    ]);
    await client.agent("spend", { sessionKey: "agent:main:spend" });
    const cost = await client.call("usage.cost", { days: 2 });
    const today = new Date().toISOString().slice(0, 10);
    expect(cost).toMatchObject({ days: 2, totals: { input: 1000, output: 500, totalTokens: 1500 } });
    expect(cost.daily.map((day: { date: string }) => day.date)).toContain(today);
    const narrow = { startDate: "2020-01-01", endDate: "2020-01-31", mode: "specific", utcOffset: "UTC+5:30" };
    expect(await client.call("usage.cost", narrow)).toMatchObject({ days: 31, totals: { totalTokens: 0 } });
    const { sessions } = await client.call("sessions.list", { search: "agent:main:spend" });
    expect(sessions[0]).toMatchObject({ inputTokens: 1000, outputTokens: 500, totalTokens: 1000 });
    expect(await client.call("usage.status")).toEqual({ updatedAt: expect.any(Number), providers: [] });
  });

  test.for([
    [{ startDate: "yesterday" }, 'not a date: "yesterday" (write YYYY-MM-DD)'],
    [{ startDate: "2026-02-02", endDate: "2026-02-01" }, "startDate must not be after endDate"],
    [{ mode: "specific", utcOffset: "here" }, 'not an offset: "here" (write for instance UTC+5:30)'],
  ] as const)("that usage.cost cannot be asked %j", async ([params, message]) => {
    expect((await client.request("usage.cost", params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });

  test("who its agents are", async () => {
    expect(await client.call("agents.list")).toMatchObject({
      defaultId: "main",
      agents: [{ id: "main", name: "Ada", identity: { name: "Ada", emoji: "🦀" } }, { id: "work" }],
    });
    const ada = { agentId: "main", name: "Ada", avatar: "🦀", emoji: "🦀" };
    expect(await client.call("agent.identity.get")).toEqual(ada);
    expect(await client.call("agent.identity.get", { sessionKey: "agent:main:x" })).toEqual(ada);
    const work = await client.call("agent.identity.get", { agentId: "work" });
    expect(work).toEqual({ agentId: "work", name: "Assistant", avatar: "A" });
    expect((await client.request("agent.identity.get", { agentId: "nobody" })).error?.code).toBe("INVALID_REQUEST");
  });

  test("who may not read is told that all is well, and nothing of sessions, paths, prompts and who is here", async () => {
    const secrets = ["agent:main:telltale", gateway.stateDir, "heartbeat:prompt-canary", "Kitchen tablet"];
    await client.call("agent", { message: "hi", sessionKey: secrets[0], idempotencyKey: "telltale" });
    await gateway.connect({ client: { displayName: secrets[3], mode: "ui" } });
    const asNode = { role: "node", scopes: [], client: { id: "node-host", mode: "node" } };
    for (const more of [{ device: null }, { scopes: [] }, { scopes: ["operator.pairing"] }, asNode]) {
      const guest = await gateway.connect(more);
      const health = await guest.call("health", { probe: true });
      expect(health).toMatchObject({ ok: true, agents: [], channels: {}, sessions: { recent: [] } });
      // A newcomer is told of to those who are here.
      const told = guest.untilEvent("health");
      await gateway.connect();
      await told;
      const heard = JSON.stringify([guest.hello, guest.frames]);
      expect([more, secrets.filter((secret) => heard.includes(JSON.stringify(secret).slice(1, -1)))]).toEqual([
        more,
        [],
      ]);
      expect(guest.eventsOf("presence")).toEqual([]);
    }
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    const seen = JSON.stringify([reader.hello, await reader.call("health", { probe: true })]);
    expect(secrets.filter((secret) => !seen.includes(secret as string))).toEqual([]);
  });

  test("agents by their ids, however these are written, and by nothing else", async () => {
    const wake = (agentId: string) => client.request("wake", { agentId, mode: "next-heartbeat", text: "it rang" });
    expect((await wake(" Work")).payload).toEqual({ ok: true });
    expect((await wake("???")).error?.message).toBe('unknown agent id "???"');
    const job = {
      name: "x",
      schedule: { kind: "every", everyMs: 3_600_000 },
      payload: { kind: "systemEvent", text: "x" },
    };
    const { id, state } = await client.call("cron.add", { ...job, sessionTarget: "main", agentId: "WORK" });
    expect(state.nextRunAtMs).toEqual(expect.any(Number));
    await client.call("cron.remove", { id });
    await client.agent("hello", { sessionKey: "agent:work:one" });
    const { sessions } = await client.call("sessions.list", { agentId: "Work" });
    expect(sessions.map(({ key }: { key: string }) => key)).toEqual(["agent:work:one"]);
    await client.call("sessions.delete", { key: "agent:work:one" });
  });

  test("how it is: health to everybody, status with paths only to an admin", async () => {
    expect(await client.call("health", { probe: true })).toMatchObject({
      ok: true,
      defaultAgentId: "main",
      channels: {},
      agents: [{ agentId: "main", isDefault: true }, { agentId: "work" }],
    });
    await client.agent("hello");
    const levels = { verboseLevel: "full", reasoningLevel: "on", fastMode: true };
    await client.call("sessions.patch", { key: "main", ...levels });
    const status = await client.call("status");
    expect(status.sessions).toMatchObject({ defaults: { model: "test", contextTokens: 32_000 } });
    // As much as conversations may fill, not as much as the model could take.
    const row = { key: "agent:main:main", kind: "direct", agentId: "main", contextTokens: 32_000, ...levels };
    expect(status.sessions.recent[0]).toMatchObject(row);
    expect((await client.call("sessions.list", {})).sessions[0]).toMatchObject({ contextTokens: 32_000 });
    expect(status.sessions.paths).toHaveLength(2);
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    const { sessions } = await reader.call("status");
    expect(sessions).toMatchObject({ paths: [], recent: [], defaults: { model: null, contextTokens: null } });
    expect(sessions.byAgent[0]).toMatchObject({ agentId: "main", path: "[redacted]", recent: [] });
    expect(await client.call("last-heartbeat")).toBeNull();
  });

  test("an event of the system to the agent, and to those who watch presence", async () => {
    expect(await client.call("system-event", { text: "the door bell rang", host: "porch" })).toEqual({ ok: true });
    const presence = await client.untilEvent("presence", ({ payload }) =>
      JSON.stringify(payload).includes("door bell"),
    );
    expect(presence.payload.presence).toContainEqual({
      text: "the door bell rang",
      host: "porch",
      ts: expect.any(Number),
    });
    const beacon = { text: "Node: porch (10.0.0.2) · app 1 · mode ui · reason periodic", reason: "periodic" };
    await client.call("system-event", beacon);
    await client.agent("anything new?");
    const seen = JSON.stringify(gateway.model.requests.at(-1)?.messages);
    expect(seen).toContain("the door bell rang");
    expect(seen).not.toContain("mode ui");
    const list = await client.call("system-presence");
    expect(list[0]).toMatchObject({ mode: "gateway", reason: "self" });
    expect((await client.request("system-event", { text: " " })).error?.message).toBe("text required");
  });
});
