// When one model or credential fails, another takes its place: the person gets one answer, and no secret gets out.
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelEvent, ModelFailureReason } from "@chela/sdk";
import { callTool, createScriptedModel, say } from "@chela/sdk/testing";
import { startCompletionsServer } from "../support/models/completions-server.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const place = (...ids: string[]) => ({
  baseUrl: "http://127.0.0.1:9",
  models: ids.map((id) => ({ id, name: id.toUpperCase() })),
});
const config: Json = {
  agents: { defaults: { model: { primary: "scripted/a", fallbacks: ["spare/b"] } } },
  models: { providers: { scripted: place("a"), spare: place("b") } },
};
/** Says something and then fails. */
const failing = (reason: ModelFailureReason): ModelEvent[] => [
  { kind: "text", delta: "HALF-AN-ANSWER" },
  { kind: "failure", failure: { reason, message: `the ${reason} story`, retry: "now" } },
];

/** A turn that failed is answered as a turn; its last payload says why. */
const whyOf = ({ payload }: { payload?: Json }): string => {
  const result = payload?.["result"] as { payloads: { text: string; isError?: true }[] } | undefined;
  return result?.payloads.find(({ isError }) => isError)?.text ?? "";
};

describe("with another model to fall back to", () => {
  let gateway: TestGateway;
  let client: WireClient;
  const spare = createScriptedModel("spare");
  const clock = createShiftedClock();
  beforeAll(async () => {
    gateway = await startTestGateway({ config, clock, providers: { spare } });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:failover-${randomUUID()}`;
  const counts = () => [gateway.model.requests.length, spare.requests.length] as const;
  const asked = async (work: () => Promise<unknown>) => {
    const before = counts();
    await work();
    return counts().map((count, index) => count - (before[index] ?? 0));
  };
  const explain = (id: string) => client.call("runs.explain", { id });
  const attemptsOf = ({ trace }: { trace: { attempts: Json[] } }) =>
    trace.attempts.map(({ provider, model, failure }) => [
      `${provider}/${model}`,
      (failure as Json | undefined)?.["reason"],
    ]);

  test("an overloaded model is tried again, then the other one answers, and nothing of the failed tries is left", async () => {
    const sessionKey = fresh();
    gateway.model.script(failing("overloaded"), failing("overloaded"), failing("overloaded"));
    spare.script(say("The whole answer."));
    const end = await client.chat("hello", { sessionKey });
    expect(end.payload).toMatchObject({ state: "final", message: { content: [{ text: "The whole answer." }] } });
    const { runId } = end.payload;
    expect(client.eventsOf("chat", runId).filter(({ payload }) => payload.state !== "delta")).toHaveLength(1);
    const assistant = client.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "assistant");
    expect(assistant.at(-1)?.payload.data.text).toBe("The whole answer.");

    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.map((one: { role: string }) => one.role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(messages)).not.toContain("HALF-AN-ANSWER");

    expect(attemptsOf(await explain(runId))).toEqual([
      ["scripted/a", "overloaded"],
      ["scripted/a", "overloaded"],
      ["scripted/a", "overloaded"],
      ["spare/b", undefined],
    ]);

    // For a moment nobody waits for the broken one again; then it is the first choice as before.
    expect(await asked(() => client.agent("and now?", { sessionKey }))).toEqual([0, 1]);
    clock.advance(20_000);
    expect(await asked(() => client.agent("and now?", { sessionKey }))).toEqual([1, 0]);
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).not.toContain("HALF-AN-ANSWER");
  });

  test.for(["auth", "billing", "rate-limit", "bad-request", "not-found", "refused", "unknown"] as const)(
    "after %s the other model answers at once, and the next turn asks the first one again",
    async (reason) => {
      const sessionKey = fresh();
      gateway.model.script(failing(reason));
      spare.script(say("Here I am."));
      expect(await client.agent("hello", { sessionKey })).toBe("Here I am.");
      expect(await asked(() => client.agent("again", { sessionKey }))).toEqual([1, 0]);
      expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).not.toContain("HALF-AN-ANSWER");
    },
  );

  test("a failure behind a tool call does not run the tool twice", async () => {
    const sessionKey = fresh();
    gateway.model.script(callTool("session_status", {}), failing("bad-request"));
    spare.script(say("Status told."));
    const runId = randomUUID();
    expect(await client.agent("how are you?", { sessionKey, idempotencyKey: runId })).toBe("Status told.");
    const { tools, trace } = await explain(runId);
    expect(tools).toMatchObject([{ name: "session_status", isError: false }]);
    expect(attemptsOf({ trace })).toEqual([
      ["scripted/a", undefined],
      ["scripted/a", "bad-request"],
      ["spare/b", undefined],
    ]);
    expect(spare.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });

  test("when all of them fail the person hears it once, in words that name each", async () => {
    const sessionKey = fresh();
    gateway.model.script(failing("billing"));
    spare.script(failing("auth"));
    const end = await client.chat("hello", { sessionKey });
    expect(end.payload).toMatchObject({
      state: "error",
      errorMessage: expect.stringMatching(
        /^The account at the model provider has no credit left: scripted\/a has no credit left \(the billing story\); spare\/b refused the credential \(the auth story\)\. /,
      ),
    });
    const { runId } = end.payload;
    expect(client.eventsOf("chat", runId).filter(({ payload }) => payload.state !== "delta")).toHaveLength(1);
    expect(await explain(runId)).toMatchObject({ status: "error", error: end.payload.errorMessage, delivery: [] });
    expect(attemptsOf(await explain(runId))).toEqual([
      ["scripted/a", "billing"],
      ["spare/b", "auth"],
    ]);
    expect(await client.agent("still there?", { sessionKey })).toContain("still there?");
  });

  test("when none of them says a word the person hears that in time", async () => {
    const gates = [gateway.gate(), gateway.gate()];
    gateway.model.script(...gates.slice(0, 1).map((gate) => gate.step("", "")));
    spare.script(...gates.slice(1).map((gate) => gate.step("", "")));
    const params = { message: "hurry", sessionKey: fresh(), idempotencyKey: randomUUID(), timeout: 1 };
    expect(whyOf(await client.request("agent", params))).toMatch(/^The model did not answer in time/);
  });

  test("explain knows the route, the prompt, the tools that were offered, and the delivery", async () => {
    const sessionKey = fresh();
    const runId = randomUUID();
    await client.agent("hello", { sessionKey, idempotencyKey: runId });
    await eventually("the receipt", async () => (await explain(runId)).delivery[0]?.state === "delivered");
    expect(await explain(runId)).toMatchObject({
      runId,
      sessionKey,
      status: "ok",
      trace: {
        route: { agentId: "main", sessionKey },
        prompt: { systemChars: expect.any(Number), messages: 1 },
        policy: { offered: expect.arrayContaining(["exec", "read"]), removed: expect.arrayContaining([]) },
        attempts: [{ provider: "scripted", model: "a", profileId: "scripted:none" }],
      },
      delivery: [{ channel: "webchat", state: "delivered" }],
    });
    expect((await client.request("runs.explain", { id: "nobody" })).error?.message).toMatch(/^There is no run/);
  });
});

describe("with several credentials", () => {
  const GOOD = "sk-good-canary-0123456789abcdef";
  const BAD = "sk-bad-canary-0123456789abcdef";

  const wire = (baseUrl: string, more: Json = {}): Json => ({
    agents: {
      defaults: { model: { primary: "wired/m", fallbacks: [] } },
      list: [{ id: "main", default: true }, { id: "second" }],
    },
    models: {
      providers: { wired: { baseUrl, api: "openai-completions", models: [{ id: "m", name: "M" }], ...more } },
    },
  });

  function writeProfiles(stateDir: string, agentId: string, keys: Readonly<Record<string, string>>): string {
    const folder = join(stateDir, "agents", agentId, "agent");
    const file = join(folder, "auth-profiles.json");
    const profiles = Object.fromEntries(
      Object.entries(keys).map(([id, key]) => [`wired:${id}`, { type: "api_key", provider: "wired", key }]),
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ version: 1, profiles, order: { wired: Object.keys(profiles) } }));
    return file;
  }

  test("one that is refused makes way for the next in the same turn, rests from then on, and is shown to nobody", async () => {
    await using server = await startCompletionsServer({ [GOOD]: "Answered.", [BAD]: 401 });
    using state = createStateDirectory(wire(server.baseUrl));
    const file = writeProfiles(state.path, "main", { first: BAD, second: GOOD });
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    const runId = randomUUID();
    expect(await client.agent("hello", { idempotencyKey: runId })).toBe("Answered.");
    expect(server.keys).toEqual([BAD, GOOD]);
    expect(await client.agent("again")).toBe("Answered.");
    expect(server.keys).toEqual([BAD, GOOD, GOOD]);

    const stats = await eventually("the cooldown in the file", () => {
      const first = JSON.parse(readFileSync(file, "utf8")).usageStats?.["wired:first"];
      return first?.cooldownUntil ? first : undefined;
    });
    expect(stats).toMatchObject({ errorCount: 1, failureCounts: { auth: 1 } });
    expect(stats.cooldownUntil).toBeGreaterThan(Date.now());

    const explained = await client.call("runs.explain", { id: runId });
    expect(explained.trace.attempts).toMatchObject([
      { profileId: "wired:first", failure: { reason: "auth", status: 401 } },
      { profileId: "wired:second" },
    ]);
    await client.call("config.get");
    await client.call("chat.history", { sessionKey: "main" });
    await client.call("sessions.list");
    await client.chat("/status");
    await client.chat("/model status");
    await client.call("logs.tail");
    const told = JSON.stringify(client.frames) + gateway.readLog() + readTranscripts(state.path);
    expect(told).toContain("Answered.");
    expect(told).toContain("wired:first");
    for (const key of [GOOD, BAD]) expect(told).not.toContain(key.slice(0, 14));
  });

  test("the refusal of one agent's credential leaves the others alone", async () => {
    await using server = await startCompletionsServer({ [GOOD]: "Answered.", [BAD]: 401 });
    using state = createStateDirectory(wire(server.baseUrl));
    writeProfiles(state.path, "main", { only: BAD });
    writeProfiles(state.path, "second", { only: GOOD });
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    const ask = (agentId: string) =>
      client.request("agent", { message: "hello", sessionKey: `agent:${agentId}:main`, idempotencyKey: randomUUID() });
    expect(whyOf(await ask("main"))).toMatch(/^The model provider refused the credential/);
    expect((await ask("second")).payload).toMatchObject({ result: { payloads: [{ text: "Answered." }] } });
    // While it rests it is not even tried.
    expect(whyOf(await ask("main"))).toMatch(
      /^The model provider refused the credential.* not tried again yet\..* Send the message again in/,
    );
    expect(server.keys).toEqual([BAD, GOOD]);
    expect(JSON.stringify(client.frames)).not.toContain("canary");
  });

  test("a refusal is one record, live and kept, with its time; who asks again, or frees it, tries again", async () => {
    await using server = await startCompletionsServer({ [BAD]: 401 });
    using state = createStateDirectory(wire(server.baseUrl));
    writeProfiles(state.path, "main", { only: BAD });
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({ stateDir: state.path, clock });
    const client = await gateway.connect();
    const sessionKey = "agent:main:main";
    const { payload } = await client.chat("hello", { sessionKey });
    const { errorMessage, failure } = payload;
    expect(failure).toMatchObject({
      code: "MODEL_AUTH",
      message: expect.stringMatching(/^The model provider refused the credential: wired answered 401/),
      fix: expect.stringContaining("chela models auth add"),
      provider: "wired",
      model: "m",
    });
    expect(failure.retryAt - clock.now()).toBeGreaterThan(50_000);
    expect(errorMessage).toBe(
      `${failure.message}. ${failure.fix} Send the message again in 1 minute; sooner works too, but not within 10 seconds of the last try.`,
    );
    const page = await client.call("chat.page", { sessionKey, from: 0, limit: 10 });
    expect(page.messages.at(-1)).toMatchObject({ stopReason: "error", errorMessage, failure });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.at(-1)).toMatchObject({ errorMessage });

    // In the same breath it is left alone; a little later a person's message tries it, and what comes by itself does not.
    await client.chat("at once", { sessionKey });
    expect(server.keys).toHaveLength(1);
    clock.advance(11_000);
    await client.chat("a little later", { sessionKey });
    expect(server.keys).toHaveLength(2);
    expect(await client.call("models.retry", { provider: "wired" })).toEqual({ freed: ["wired:only"] });
    await client.chat("freed", { sessionKey });
    expect(server.keys).toHaveLength(3);
  });

  test("a turn with all of them refused ends with one error", async () => {
    const other = `${BAD}-two`;
    await using server = await startCompletionsServer({ [BAD]: 401, [other]: 402 });
    using state = createStateDirectory(wire(server.baseUrl));
    writeProfiles(state.path, "main", { first: BAD, second: other });
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    const end = await client.chat("hello");
    expect(end.payload).toMatchObject({
      state: "error",
      errorMessage: expect.stringContaining("with each of 2 credentials"),
    });
    expect(end.payload.errorMessage).not.toContain("canary");
    expect(server.keys).toEqual([BAD, other]);
  });
});

function readTranscripts(stateDir: string): string {
  const folder = join(stateDir, "agents", "main", "sessions");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}
