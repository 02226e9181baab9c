// Spending limits hold whatever happens at once, are told in plain words, and every cent has an owner.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noUsage, type ModelEvent, type ModelRequest } from "@chela/sdk";
import { createFakeClock, type ScriptStep } from "@chela/sdk/testing";
import {
  createStateDirectory,
  eventually,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const DAY_MS = 86_400_000;
/** US dollars per million tokens. */
const PRICE = { input: 1, output: 1000, cacheRead: 0, cacheWrite: 0 };

function configWith(budgets: readonly Json[], more: Json = {}): Json {
  const models = [{ id: "test", name: "Test", contextWindow: 100_000, maxTokens: 20_000, cost: PRICE }];
  return { budgets, models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } }, ...more };
}

/** A provider's count of what it has read, a little larger than most. */
const inputOf = ({ system, messages, tools }: ModelRequest) =>
  Math.ceil(JSON.stringify({ system, messages, tools }).length / 4);

/** An answer of that many tokens, or of as many as the request allows, at the price of the model. */
function spend(tokens: number, text = "Done.", before: () => Promise<void> = async () => {}): ScriptStep {
  return async function* (request): AsyncGenerator<ModelEvent> {
    await before();
    const [input, output] = [inputOf(request), Math.min(tokens, request.maxTokens ?? request.model.maxTokens)];
    const cost = { ...noUsage().cost, input: (input * PRICE.input) / 1e6, output: (output * PRICE.output) / 1e6 };
    const total = cost.input + cost.output;
    yield { kind: "text", delta: text };
    const usage = { ...noUsage(), input, output, totalTokens: input + output, cost: { ...cost, total } };
    yield { kind: "finish", stopReason: "stop", usage };
  };
}

/** Days must not end while a test counts what is spent in one. */
const startAtNoon = (options: TestGatewayOptions) => startTestGateway({ clock: createShiftedClock(), ...options });

const REFUSAL = /^The spending limit is reached: the .*limit.* has no room for this call \(.* of .* spent.*\)\. /;

async function ask(client: WireClient, sessionKey = "main", message = "go"): Promise<string> {
  const { ok, error, payload } = await client.request("agent", { message, sessionKey, idempotencyKey: randomUUID() });
  return ok ? payload.result.payloads.map(({ text }: { text: string }) => text).join("|") : String(error?.message);
}

const totalCost = async (client: WireClient): Promise<number> =>
  (await client.call("usage.cost", { days: 2 })).totals.totalCost;

/** The script is for all calls: the limit decides how many there are. */
const scriptMany = (gateway: TestGateway, step: ScriptStep) =>
  gateway.model.script(...Array.from({ length: 64 }, () => step));

test.for([{ usd: 10 }, { tokens: 60_000 }, { scope: "agent", usd: 10 }] as const)(
  "32 turns at once never spend more than %j",
  async (rule) => {
    const config = configWith([rule], { agents: { defaults: { model: "scripted/test", maxConcurrent: 32 } } });
    await using gateway = await startAtNoon({ config });
    const client = await gateway.connect();
    const opening = Promise.withResolvers<void>();
    // Nobody is done before everybody has asked: what is set aside is all that keeps them inside the limit.
    scriptMany(
      gateway,
      spend(3000, "Done.", () => opening.promise),
    );
    const runs = Array.from({ length: 32 }, () => randomUUID());
    const ends = Promise.all(
      runs.map((runId, at) => client.chat("go", { sessionKey: `agent:main:side-${at}`, idempotencyKey: runId })),
    );
    const refused = () => client.eventsOf("chat").filter(({ payload }) => payload.state === "error");
    await eventually("all to have asked", () => gateway.model.requests.length + refused().length === 32 || undefined);
    opening.resolve();
    const states = (await ends).map(({ payload }) => payload.state as string);
    const answered = states.filter((state) => state === "final").length;
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(32);
    expect(answered).toBe(gateway.model.requests.length);
    expect(refused()).toHaveLength(32 - answered);
    for (const { payload } of refused()) {
      expect(payload.errorMessage).toMatch(REFUSAL);
      expect(client.eventsOf("chat", payload.runId)).toHaveLength(1);
    }
    const { totals } = await client.call("usage.cost");
    if ("usd" in rule) expect(totals.totalCost).toBeLessThanOrEqual(rule.usd);
    else expect(totals.totalTokens).toBeLessThanOrEqual(rule.tokens);
    expect(totals.totalTokens).toBeGreaterThan(0);

    // One after the other they use up what the calls at once had to leave alone, and not more.
    for (let at = 0; at < 32; at++) if (REFUSAL.test(await ask(client, `agent:main:later-${at}`))) break;
    const after = (await client.call("usage.cost")).totals;
    if ("usd" in rule) expect(after.totalCost).toBeLessThanOrEqual(rule.usd);
    else expect(after.totalTokens).toBeLessThanOrEqual(rule.tokens);
  },
);

test("a refused message is kept, and answered when there is money again", async () => {
  const clock = createShiftedClock();
  const session = { reset: { mode: "idle", idleMinutes: 10_000 } };
  await using gateway = await startTestGateway({ config: { ...configWith([{ usd: 1 }]), session }, clock });
  const client = await gateway.connect();
  gateway.model.script(spend(990));
  expect(await ask(client)).toBe("Done.");
  expect(await ask(client, "main", "the second one")).toMatch(REFUSAL);
  expect(gateway.model.requests).toHaveLength(1);
  const { messages } = await client.call("chat.history", { sessionKey: "main" });
  expect(JSON.stringify(messages)).toContain("the second one");

  clock.advance(DAY_MS);
  gateway.model.script(spend(10, "A new day."));
  expect(await ask(client, "main", "and now?")).toBe("A new day.");
  expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).toContain("the second one");
});

test("when most of a limit is spent, the next answer says so, once", async () => {
  await using gateway = await startAtNoon({ config: configWith([{ usd: 10 }]) });
  const client = await gateway.connect();
  gateway.model.script(spend(8500, "One."), spend(10, "Two."), spend(10, "Three."));
  expect(await ask(client)).toBe("One.");
  const end = await client.chat("go");
  expect(end.payload.message.content).toEqual([
    {
      type: "text",
      text: expect.stringMatching(/^Two\.\n\n⚠️ 85 % of the daily limit is spent: \$8\.5\d of \$10\.00\.$/),
    },
  ]);
  expect(await ask(client)).toBe("Three.");
});

test.for([
  [{ scope: "agent", usd: 1 }, "agent:main:other", "agent:second:main"],
  [{ scope: "agent", name: "second", usd: 1 }, undefined, "agent:main:other"],
  [{ scope: "session", usd: 1 }, "agent:main:main", "agent:main:other"],
  [{ scope: "channel", name: "webchat", usd: 1 }, "agent:second:main", undefined],
  [{ scope: "person", usd: 1 }, "agent:second:main", undefined],
  [{ period: "total", usd: 1 }, "agent:second:main", undefined],
] as const)("a limit %j stops those it is for, and nobody else", async ([rule, stopped, free]) => {
  const agents = { defaults: { model: "scripted/test" }, list: [{ id: "main", default: true }, { id: "second" }] };
  await using gateway = await startAtNoon({ config: configWith([rule], { agents }) });
  const client = await gateway.connect();
  scriptMany(gateway, spend(990));
  expect(await ask(client, "agent:main:main")).toBe("Done.");
  if (stopped) expect(await ask(client, stopped)).toMatch(REFUSAL);
  if (free) expect(await ask(client, free)).toBe("Done.");
});

test("a limit for one person leaves another alone", async () => {
  await using gateway = await startAtNoon({ config: configWith([{ scope: "person", usd: 1 }]) });
  const desk = await gateway.connect();
  const phone = await gateway.connect({ client: { id: "openclaw-ios", mode: "ui" } });
  scriptMany(gateway, spend(990));
  expect(await ask(desk)).toBe("Done.");
  expect(await ask(desk)).toMatch(REFUSAL);
  expect(await ask(phone)).toBe("Done.");
});

test("a restart does not forget what was spent", async () => {
  using state = createStateDirectory(configWith([{ usd: 1 }]));
  for (const says of [/^Done\.$/, REFUSAL]) {
    await using gateway = await startAtNoon({ stateDir: state.path });
    const client = await gateway.connect();
    gateway.model.script(spend(990));
    expect(await ask(client)).toMatch(says);
  }
});

test("limits can be seen, with what is left of them", async () => {
  await using gateway = await startAtNoon({ config: configWith([{ usd: 10 }, { scope: "agent", tokens: 1e6 }]) });
  const client = await gateway.connect();
  gateway.model.script(spend(2000));
  await ask(client);
  const spent = await totalCost(client);
  const { budgets } = await client.call("usage.budgets");
  expect(budgets).toMatchObject([
    { name: "daily limit", usd: { limit: 10, spent: expect.closeTo(spent), left: expect.closeTo(10 - spent) } },
    { name: "daily limit of agent main", tokens: { limit: 1e6 } },
  ]);
  const said = (await client.chat("/budget")).payload.message.content[0].text;
  expect(said).toMatch(/^💰 Budgets\n🟢 daily limit: \$\d\.\d\d of \$10\.00 left, anew in /);
  expect(said).toContain("daily limit of agent main: ");
});

test("what is spent belongs to a channel, a person, an agent, a session and a model", async () => {
  const agents = { defaults: { model: "scripted/test" }, list: [{ id: "main", default: true }, { id: "second" }] };
  await using gateway = await startAtNoon({ config: configWith([], { agents }) });
  const desk = await gateway.connect();
  const phone = await gateway.connect({ client: { id: "openclaw-ios", mode: "ui" } });
  gateway.model.script(spend(3000), spend(1000));
  await ask(desk, "agent:main:main");
  await ask(phone, "agent:second:main");
  const by = async (dimension: string) => {
    const { rows } = await desk.call("usage.by", { dimension });
    return rows.map((row: { name: string; calls: number; output: number }) => [row.name, row.calls, row.output]);
  };
  expect(await by("channel")).toEqual([["webchat", 2, 4000]]);
  expect(await by("model")).toEqual([["scripted/test", 2, 4000]]);
  expect(await by("agent")).toEqual([
    ["main", 1, 3000],
    ["second", 1, 1000],
  ]);
  expect(await by("person")).toEqual([
    ["cli", 1, 3000],
    ["openclaw-ios", 1, 1000],
  ]);
  expect(await by("session")).toEqual([
    ["agent:main:main", 1, 3000],
    ["agent:second:main", 1, 1000],
  ]);
  expect(await totalCost(desk)).toBeCloseTo(4, 1);
});

test("a gateway that nobody talks to asks no model, for a whole day", async () => {
  const clock = createFakeClock();
  const agents = { defaults: { model: "scripted/test", heartbeat: { every: "30m", target: "last" } } };
  const config = configWith([{ usd: 1 }], { agents, cron: { enabled: true } });
  await using gateway = await startTestGateway({ clock, config });
  await clock.advance(DAY_MS);
  expect(gateway.model.requests).toEqual([]);
  expect(existsSync(join(gateway.stateDir, "agents", "main", "sessions", "sessions.json"))).toBe(false);
});
