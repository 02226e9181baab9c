// Methods about sessions: list, find, look into, change, start anew, remove.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionRow } from "@chela/sdk/protocol";
import { callTool, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

describe("sessions", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    const models = [
      { id: "test", name: "Test" },
      { id: "other", name: "Other" },
    ];
    const providers = { scripted: { baseUrl: "http://127.0.0.1:9", models } };
    const agents = { list: [{ id: "main" }, { id: "work" }] };
    gateway = await startTestGateway({ config: { agents, models: { providers } } });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = (agent = "main") => `agent:${agent}:s-${randomUUID()}`;
  const refusal = async (method: string, params: object) => (await client.request(method, params)).error;
  const invalid = (message: string) => ({ code: "INVALID_REQUEST", message });

  test("list shows what was said to whom, newest first", async () => {
    const [older, newer] = [fresh("work"), fresh("work")];
    await client.agent("first question about cats", { sessionKey: older });
    await client.agent("second", { sessionKey: newer, label: "the newer one" });
    const everything = { agentId: "work", includeDerivedTitles: true, includeLastMessage: true };
    const listed = await client.call("sessions.list", everything);
    expect(listed).toMatchObject({
      count: 2,
      path: join(gateway.stateDir, "agents", "work", "sessions", "sessions.json"),
      defaults: { modelProvider: "scripted", model: "test", contextTokens: expect.any(Number) },
    });
    expect(listed.sessions.map((row: { key: string }) => row.key)).toEqual([newer, older]);
    for (const row of listed.sessions) expect(SessionRow().safeParse(row).error).toBeUndefined();
    expect(listed.sessions[0]).toMatchObject({ label: "the newer one", kind: "direct", model: "test" });
    expect(listed.sessions[1].derivedTitle).toBe("first question about cats");
    expect(listed.sessions[1].lastMessagePreview).toContain("echo: ");
    const keys = async (params: object) =>
      (await client.call("sessions.list", params)).sessions.map((row: { key: string }) => row.key);
    expect(await keys({ agentId: "work", limit: 1 })).toEqual([newer]);
    expect(await keys({ label: "the newer one" })).toEqual([newer]);
    expect(await keys({ search: "NEWER" })).toEqual([newer]);
    expect(await keys({ search: "%" })).toEqual([]);
    expect((await client.call("sessions.list")).path).toBe("(multiple)");
  });

  test("preview shows the last lines of some sessions", async () => {
    const key = fresh();
    gateway.model.script(callTool("session_status", {}), say("all well"));
    await client.agent("how are you?", { sessionKey: key });
    const { previews } = await client.call("sessions.preview", { keys: [key, "agent:main:nobody"], maxChars: 20 });
    expect(previews[0]).toMatchObject({ key, status: "ok" });
    expect(previews[0].items.map((item: { role: string }) => item.role)).toEqual(["user", "tool", "tool", "assistant"]);
    expect(previews[0].items[0].text).toBe("how are you?");
    expect(previews[0].items[2].text).toHaveLength(20);
    expect(previews[1]).toEqual({ key: "agent:main:nobody", status: "missing", items: [] });
  });

  test("resolve finds a session by key, id or label", async () => {
    const key = fresh();
    await client.agent("hello", { sessionKey: key, label: `label ${key}`.slice(0, 64) });
    const { sessionId, label } = (await client.call("sessions.list", { search: key })).sessions[0];
    for (const params of [{ key }, { key: key.toUpperCase() }, { sessionId }, { label }]) {
      expect(await client.call("sessions.resolve", params)).toEqual({ ok: true, key });
    }
  });

  test.for([
    [{}, "Either key, sessionId, or label is required"],
    [{ key: "main", label: "x" }, "Provide either key, sessionId, or label (not multiple)"],
    [{ key: "nobody" }, "No session found: nobody"],
    [{ sessionId: "nobody" }, "No session found: nobody"],
    [{ label: "nobody" }, "No session found with label: nobody"],
  ] as const)("resolve of %j fails with words", async ([params, message]) => {
    expect(await refusal("sessions.resolve", params)).toEqual(invalid(message));
  });

  test("patch changes settings one by one, and null clears them", async () => {
    const key = fresh();
    const path = join(gateway.stateDir, "agents", "main", "sessions", "sessions.json");
    const settings = { thinkingLevel: "high", verboseLevel: "full", sendPolicy: "allow", responseUsage: "tokens" };
    const patched = await client.call("sessions.patch", { key, label: `p ${key}`.slice(0, 60), ...settings });
    expect(patched).toMatchObject({ ok: true, path, key, entry: settings });
    expect(patched.resolved).toEqual({ modelProvider: "scripted", model: "test" });
    const cleared = await client.call("sessions.patch", {
      key,
      thinkingLevel: null,
      responseUsage: "off",
      label: null,
    });
    expect(cleared.entry).toMatchObject({ sessionId: patched.entry.sessionId, verboseLevel: "full" });
    for (const gone of ["thinkingLevel", "responseUsage", "label"]) expect(cleared.entry).not.toHaveProperty(gone);
  });

  test("patch chooses a model for the session, and the default one again", async () => {
    const key = fresh();
    const chosen = await client.call("sessions.patch", { key, model: "scripted/other" });
    expect(chosen.entry).toMatchObject({ providerOverride: "scripted", modelOverride: "other" });
    expect(chosen.resolved).toEqual({ modelProvider: "scripted", model: "other" });
    await client.agent("hello", { sessionKey: key });
    expect(gateway.model.requests.at(-1)?.model.id).toBe("other");
    const back = await client.call("sessions.patch", { key, model: "scripted/test" });
    expect(back.entry).not.toHaveProperty("modelOverride");
    await client.agent("hello", { sessionKey: key });
    expect(gateway.model.requests.at(-1)?.model.id).toBe("test");
  });

  test("patch refuses what cannot be", async () => {
    const [key, other] = [fresh(), fresh()];
    const label = `only one ${randomUUID()}`;
    await client.call("sessions.patch", { key, label });
    expect(await refusal("sessions.patch", { key: other, label })).toEqual(invalid(`label already in use: ${label}`));
    expect(await refusal("sessions.patch", { key, thinkingLevel: "enormous" })).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^invalid sessions.patch params: at \/thinkingLevel/),
    });
    expect(await refusal("sessions.patch", { key, model: "nobody/nothing" })).toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(await refusal("sessions.patch", { key, spawnedBy: "agent:main:main" })).toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(await refusal("sessions.patch", { key: "a/b" })).toEqual(invalid('malformed session key "a/b"'));
  });

  test("what a sub-agent is told when it is started is set once", async () => {
    const key = `agent:main:subagent:${randomUUID()}`;
    const given = { subagentRole: "leaf", subagentControlScope: "none", spawnedWorkspaceDir: "/srv" };
    const { entry } = await client.call("sessions.patch", { key, spawnedBy: "agent:main:main", ...given });
    expect(entry).toMatchObject(given);
    expect(entry.sessionFile).toBe(join(gateway.stateDir, "agents", "main", "sessions", `${entry.sessionId}.jsonl`));
    expect(await refusal("sessions.patch", { key, subagentRole: "orchestrator" })).toEqual(
      invalid("subagentRole cannot be changed once set"),
    );
    expect(await refusal("sessions.patch", { key, subagentRole: null })).toEqual(
      invalid("subagentRole cannot be cleared once set"),
    );
    expect(await refusal("sessions.patch", { key: fresh(), subagentRole: "leaf" })).toEqual(
      invalid("subagentRole is only supported for subagent:* or acp:* sessions"),
    );
  });

  test("a session that was never talked in is started anew with the model that will answer", async () => {
    const { entry } = await client.call("sessions.reset", { key: fresh() });
    expect(entry).toMatchObject({ modelProvider: "scripted", model: "test", totalTokens: 0 });
  });

  test("of two that want the same label at once, one gets it", async () => {
    const label = `wanted ${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.request("sessions.patch", { key: fresh(), label })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await client.request("sessions.resolve", { label })).ok).toBe(true);
  });

  test("reset starts anew under the same key and keeps the settings", async () => {
    const key = fresh();
    await client.agent("remember the word plum", { sessionKey: key });
    const before = await client.call("sessions.patch", { key, thinkingLevel: "low", label: `r ${key}`.slice(0, 60) });
    const { entry, ...rest } = await client.call("sessions.reset", { key });
    expect(rest).toEqual({ ok: true, key });
    expect(entry.sessionId).not.toBe(before.entry.sessionId);
    expect(entry).toMatchObject({
      thinkingLevel: "low",
      label: before.entry.label,
      model: "test",
      modelProvider: "scripted",
      systemSent: false,
      abortedLastRun: false,
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
    });
    await client.agent("which word?", { sessionKey: key });
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).not.toContain("plum");
  });

  test("reset stops the answer that is being written", async () => {
    const key = fresh();
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", ""));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey: key, message: "hello", idempotencyKey: runId });
    await gate.reached;
    await client.call("sessions.reset", { key });
    expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
    expect((await client.call("chat.history", { sessionKey: key })).messages).toEqual([]);
  });

  test("delete removes a session and archives its transcript", async () => {
    const key = fresh();
    await client.agent("hello", { sessionKey: key });
    const { sessionId } = await client.call("chat.history", { sessionKey: key });
    const { archived, ...rest } = await client.call("sessions.delete", { key });
    expect(rest).toEqual({ ok: true, key, deleted: true });
    expect(archived).toEqual([expect.stringMatching(new RegExp(`^${sessionId}\\.jsonl\\.deleted\\.`))]);
    const file = join(gateway.stateDir, "agents", "main", "sessions", archived[0]);
    await eventually("the archived file", () => existsSync(file));
    expect(await refusal("sessions.resolve", { key })).toEqual(invalid(`No session found: ${key}`));
    expect(await client.call("sessions.delete", { key })).toEqual({ ok: true, key, deleted: false, archived: [] });
    const main = "agent:main:main";
    expect(await refusal("sessions.delete", { key: "main" })).toEqual(
      invalid(`Cannot delete the main session (${main}).`),
    );
  });

  test("compact keeps the last lines in the conversation", async () => {
    const key = fresh();
    for (const word of ["plum", "pear", "fig"]) await client.agent(word, { sessionKey: key });
    expect(await client.call("sessions.compact", { key })).toMatchObject({ ok: true, key, compacted: false });
    const compacted = await client.call("sessions.compact", { key, maxLines: 2 });
    expect(compacted).toMatchObject({ ok: true, key, compacted: true, kept: 2 });
    await client.agent("lemon", { sessionKey: key });
    const seen = JSON.stringify(gateway.model.requests.at(-1)?.messages);
    expect(seen).toContain("fig");
    expect(seen).not.toContain("pear");
    const nobody = { key: "agent:main:nobody" };
    expect(await client.call("sessions.compact", nobody)).toMatchObject({ compacted: false, reason: "no sessionId" });
  });

  test("chat windows may not patch or delete sessions; the control page may", async () => {
    const headers = { origin: "http://localhost:5173" };
    const chat = await gateway.connect({ headers, client: { id: "webchat", mode: "webchat" } });
    const key = fresh();
    for (const verb of ["patch", "delete"]) {
      const { error } = await chat.request(`sessions.${verb}`, { key });
      expect(error?.message).toMatch(new RegExp(`^webchat clients cannot ${verb} sessions; `));
    }
    const page = await gateway.connect({ headers, client: { id: "openclaw-control-ui", mode: "webchat" } });
    expect((await page.request("sessions.patch", { key })).ok).toBe(true);
  });
});
