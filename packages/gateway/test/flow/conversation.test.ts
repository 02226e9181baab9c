// A conversation, seen from both ends: what a person hears and what the model is asked.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, textOf } from "@chela/sdk";
import { finish, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const TIME = String.raw`\[(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d{4}-\d\d-\d\d \d\d:\d\d UTC\] `;

describe("a conversation", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: { agents: { defaults: { userTimezone: "UTC" } } } });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:talk-${randomUUID()}`;
  const lastRequest = () => gateway.model.requests.at(-1);
  const saidToModel = () => (lastRequest()?.messages ?? []).map((one) => [one.role, textOf(one)]);

  test("goes on from turn to turn, with the time of each message", async () => {
    const sessionKey = fresh();
    gateway.model.script(say("a plum"), say("I said: a plum"));
    await client.agent("name a fruit", { sessionKey });
    await client.agent("what did you say?", { sessionKey });
    expect(saidToModel()).toEqual([
      ["user", expect.stringMatching(new RegExp(`^${TIME}name a fruit$`))],
      ["assistant", "a plum"],
      ["user", expect.stringMatching(new RegExp(`^${TIME}what did you say\\?$`))],
    ]);
  });

  test("is not heard in another session", async () => {
    const one = fresh();
    await client.agent("the secret word is plum", { sessionKey: one });
    await client.agent("which word?", { sessionKey: fresh() });
    expect(JSON.stringify(lastRequest())).not.toContain("plum");
  });

  test("keeps a time that is already there", async () => {
    const written = "[Thu 2026-01-15 12:00 UTC] from elsewhere";
    await client.agent(written, { sessionKey: fresh() });
    expect(saidToModel()).toEqual([["user", written]]);
  });

  test("has the same system prompt, byte for byte, in every turn and session", async () => {
    const sessionKey = fresh();
    const before = gateway.model.requests.length;
    for (const key of [sessionKey, sessionKey, fresh()]) await client.agent("hello", { sessionKey: key });
    const prompts = gateway.model.requests.slice(before).map(({ system }) => system);
    expect(prompts).toHaveLength(3);
    expect(new Set(prompts).size).toBe(1);
    expect(new Set(gateway.model.requests.slice(before).map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  });

  test("has a session that tells what its last prompt was made of", async () => {
    const sessionKey = fresh();
    await client.agent("hello", { sessionKey });
    const asked = { key: sessionKey, includeContextWeight: true };
    const { sessions } = await client.call("sessions.usage", asked);
    const { system = "", tools = [] } = lastRequest() ?? {};
    const { contextWeight } = sessions[0];
    expect(contextWeight).toMatchObject({
      source: "run",
      sessionKey,
      provider: "scripted",
      model: "test",
      sandbox: { sandboxed: false },
      systemPrompt: { chars: system.length },
      skills: { promptChars: 0, entries: [] },
    });
    const { projectContextChars, nonProjectContextChars } = contextWeight.systemPrompt;
    expect(projectContextChars + nonProjectContextChars).toBe(system.length);
    expect(system.slice(system.indexOf("# Project Context")).length).toBeGreaterThanOrEqual(projectContextChars);
    expect(contextWeight.injectedWorkspaceFiles).toContainEqual({
      name: "AGENTS.md",
      path: expect.stringMatching(/AGENTS\.md$/),
      missing: false,
      rawChars: expect.any(Number),
      injectedChars: expect.any(Number),
      truncated: false,
    });
    const [first] = tools;
    expect(contextWeight.tools.entries.map(({ name }: Json) => name)).toEqual(tools.map(({ name }) => name));
    expect(contextWeight.tools.entries[0]).toMatchObject({
      summaryChars: first?.description.length,
      schemaChars: JSON.stringify(first?.parameters).length,
    });
  });

  test("takes a caller's own instructions for one turn only", async () => {
    const sessionKey = fresh();
    await client.agent("hello", { sessionKey, extraSystemPrompt: "Speak like a crab." });
    expect(lastRequest()?.system).toContain("Speak like a crab.");
    await client.agent("hello", { sessionKey });
    expect(lastRequest()?.system).not.toContain("crab.");
  });

  test("is silent when the model says NO_REPLY, to the last event", async () => {
    gateway.model.script([...["NO", "_RE", "PLY"].map((delta) => ({ kind: "text" as const, delta })), finish()]);
    const sessionKey = fresh();
    const end = await client.chat("just so you know", { sessionKey });
    expect(end.payload).toMatchObject({ state: "final" });
    expect(end.payload).not.toHaveProperty("message");
    const told = client.events.filter(({ payload }) => payload?.runId === end.payload.runId);
    expect(JSON.stringify(told)).not.toContain("NO_");
    gateway.model.script(say("NO_REPLY"));
    expect(await client.agent("and again", { sessionKey })).toBe("");
  });

  test("has answers with the name that the provider gave them", async () => {
    const sessionKey = fresh();
    gateway.model.script([
      { kind: "text", delta: "yes" },
      { kind: "finish", stopReason: "stop", usage: noUsage(), responseId: "resp_7" },
    ]);
    await client.agent("well?", { sessionKey });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.at(-1)).toMatchObject({ role: "assistant", responseId: "resp_7" });
  });

  test("does say no", async () => {
    gateway.model.script(say("NO"));
    const end = await client.chat("may I?", { sessionKey: fresh() });
    expect(end.payload.message.content).toEqual([{ type: "text", text: "NO" }]);
  });

  test("shows thinking apart from the answer, and gives it back to the model as it was", async () => {
    const sessionKey = fresh();
    gateway.model.script([
      { kind: "thinking", delta: "let me " },
      { kind: "thinking", delta: "see" },
      { kind: "thinking-end", signature: "sealed" },
      ...say("yes"),
    ]);
    const end = await client.chat("well?", { sessionKey, thinking: "high" });
    expect(lastRequest()?.thinking).toBe("high");
    expect(end.payload.message.content).toEqual([{ type: "text", text: "yes" }]);
    const { runId } = end.payload;
    const thought = client.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "thinking");
    expect(thought.map(({ payload }) => payload.data.delta).join("")).toBe("let me see");
    await client.agent("go on", { sessionKey });
    expect(lastRequest()?.messages[1]?.content).toEqual([
      { type: "thinking", thinking: "let me see", thinkingSignature: "sealed" },
      { type: "text", text: "yes" },
    ]);
  });

  test("thinks as deep as the session says, unless the message says otherwise", async () => {
    const sessionKey = fresh();
    await client.call("sessions.patch", { key: sessionKey, thinkingLevel: "minimal" });
    await client.agent("hello", { sessionKey });
    expect(lastRequest()?.thinking).toBe("minimal");
    await client.agent("hello", { sessionKey, thinking: "xhigh" });
    expect(lastRequest()?.thinking).toBe("xhigh");
  });

  test.for([
    ["/new", /^\[.*\] A new conversation begins\./, undefined],
    ["/reset", /^\[.*\] A new conversation begins\./, undefined],
    ["/new tell me about crabs", /^\[.*\] tell me about crabs$/, "tell me about crabs"],
    ["/NEW  spaced", /^\[.*\] spaced$/, "spaced"],
  ] as const)("begins anew with %s", async ([text, asked, title]) => {
    const sessionKey = fresh();
    await client.agent("remember the word plum", { sessionKey });
    const before = await client.call("chat.history", { sessionKey });
    expect(await client.agent(text, { sessionKey })).toContain("echo: ");
    expect(saidToModel()).toEqual([["user", expect.stringMatching(asked)]]);
    const after = await client.call("chat.history", { sessionKey });
    expect(after.sessionId).not.toBe(before.sessionId);
    // What the gateway asks is nobody's word: neither in the window nor in lists.
    expect(after.messages).toHaveLength(title === undefined ? 1 : 2);
    const { sessions } = await client.call("sessions.list", { includeDerivedTitles: true });
    expect(sessions.find(({ key }: Json) => key === sessionKey)).toHaveProperty("totalTokensFresh");
    expect(sessions.find(({ key }: Json) => key === sessionKey)?.["derivedTitle"]).toBe(title);
    const { runs } = await client.call("runs.list", { sessionKey });
    expect(runs[0].preview).toBe(title ?? text);
  });

  test("begins anew with /new in the middle of an answer", async () => {
    const sessionKey = fresh();
    const gate = gateway.gate();
    gateway.model.script(gate.step("once upon a time", ""), say("a fresh start"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey, message: "tell a story", idempotencyKey: runId });
    await gate.reached;
    expect(await client.agent("/new hello", { sessionKey })).toBe("a fresh start");
    expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(JSON.stringify(messages)).not.toContain("once upon a time");
  });

  test("forgets only the oldest when it no longer fits into the model's window", async () => {
    const sessionKey = fresh();
    const long = (word: string) => `${word} ${"x ".repeat(80_000)}`;
    for (const word of ["plum", "pear", "fig"]) {
      gateway.model.script(say("noted"));
      await client.agent(long(word), { sessionKey });
    }
    const seen = JSON.stringify(lastRequest()?.messages);
    expect(seen).not.toContain("plum");
    expect(seen).toContain("fig x x");
    expect(lastRequest()?.messages[0]?.role).toBe("user");
  });
});
