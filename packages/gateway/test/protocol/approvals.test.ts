// Commands that need a yes: who is asked, who may answer, what everybody is told, and the file of what is allowed.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

/** What a question does not say. */
const NOTHING = Object.fromEntries(
  [
    "systemRunBinding",
    "systemRunPlan",
    "cwd",
    "nodeId",
    "host",
    "security",
    "ask",
    "agentId",
    "resolvedPath",
    "sessionKey",
    "turnSourceChannel",
    "turnSourceTo",
    "turnSourceAccountId",
    "turnSourceThreadId",
  ].map((field) => [field, null]),
);

describe("approvals", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: { tools: { exec: { host: "gateway", security: "allowlist" } } } });
    client = await gateway.connect({ client: { displayName: "Desk" } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const refusal = async (method: string, params: object) => (await client.request(method, params)).error;
  const fresh = () => `agent:main:approvals-${randomUUID()}`;

  /** Sends the question without waiting for its answer. */
  const ask = async (params: Json = {}): Promise<string> => {
    const id = randomUUID();
    client.send({ type: "req", id, method: "exec.approval.request", params: { id, command: "ls -la", ...params } });
    await client.untilEvent("exec.approval.requested", ({ payload }) => payload.id === id);
    return id;
  };
  const answerTo = (id: string) => client.until("the answer", () => client.responsesTo(id).at(-1));

  test.for(["allow-once", "allow-always", "deny"])(
    "a question is answered with %s, and everybody hears",
    async (yes) => {
      const phone = await gateway.connect({ client: { id: "openclaw-ios", mode: "ui", displayName: "Phone" } });
      const id = await ask({ cwd: "/tmp", agentId: "main", sessionKey: "agent:main:main" });
      const { payload: asked } = await phone.untilEvent("exec.approval.requested", ({ payload }) => payload.id === id);
      expect(asked).toEqual({
        id,
        request: { ...NOTHING, command: "ls -la", cwd: "/tmp", agentId: "main", sessionKey: "agent:main:main" },
        createdAtMs: expect.any(Number),
        expiresAtMs: asked.createdAtMs + 120_000,
      });
      const { createdAtMs, expiresAtMs } = asked;
      const pending = async () =>
        (await client.call("exec.approval.list")).pending.map((one: { id: string }) => one.id);
      expect(await pending()).toContain(id);
      expect(await phone.call("exec.approval.resolve", { id, decision: yes })).toEqual({ ok: true });
      const outcome = { id, decision: yes, createdAtMs, expiresAtMs };
      expect((await answerTo(id)).payload).toEqual(outcome);
      expect(await client.call("exec.approval.waitDecision", { id })).toEqual(outcome);
      const resolved = await client.untilEvent("exec.approval.resolved", ({ payload }) => payload.id === id);
      expect(resolved.payload).toMatchObject({ decision: yes, resolvedBy: "Phone", request: asked.request });
      expect(await pending()).not.toContain(id);
    },
  );

  test("of a command that a node prepared, people are asked about what was prepared", async () => {
    const plan = { argv: ["rm", "-rf", "x"], commandText: "rm -rf x", cwd: "/srv", agentId: "main", sessionKey: null };
    const id = await ask({ command: "ls", cwd: "/tmp", host: "node", nodeId: "n", systemRunPlan: plan });
    const { payload } = await client.untilEvent("exec.approval.requested", (frame) => frame.payload.id === id);
    expect(payload.request).toMatchObject({ command: "rm -rf x", cwd: "/srv", agentId: "main", host: "node" });
    await client.call("exec.approval.resolve", { id, decision: "deny" });
    await answerTo(id);
  });

  test("with twoPhase there is one response when people are asked and one with their answer", async () => {
    const id = await ask({ twoPhase: true, timeoutMs: 60_000 });
    const [first] = client.responsesTo(id);
    const { createdAtMs, expiresAtMs } = first?.payload ?? {};
    expect(first?.payload).toEqual({ status: "accepted", id, createdAtMs, expiresAtMs: createdAtMs + 60_000 });
    await client.call("exec.approval.resolve", { id: id.slice(0, 8), decision: "deny" });
    const last = await client.until("the second response", () => client.responsesTo(id)[1]);
    expect(last.payload).toEqual({ id, decision: "deny", createdAtMs, expiresAtMs });
  });

  test("a question nobody answers in time is over without a decision, and that is told as a no", async () => {
    const id = await ask({ timeoutMs: 1 });
    expect((await answerTo(id)).payload).toMatchObject({ id, decision: null });
    const resolved = await client.untilEvent("exec.approval.resolved", ({ payload }) => payload.id === id);
    expect(resolved.payload).toMatchObject({ decision: "deny", resolvedBy: "timeout" });
  });

  test("characters that cannot be seen are shown, and values of variables are not", async () => {
    const id = await ask({ command: "echo \u202efdp.exe\u200b\n\u001b[2K", env: { SECRET: "s3cr3t" } });
    const asked = client.eventsOf("exec.approval.requested").find(({ payload }) => payload.id === id);
    expect(asked?.payload.request).toEqual({
      ...NOTHING,
      command: "echo <U+202E>fdp.exe<U+200B><U+000A>\n<U+001B>[2K",
      envKeys: ["SECRET"],
    });
    await client.call("exec.approval.resolve", { id, decision: "deny" });
  });

  test("only those who may approve hear of a question", async () => {
    const reader = await gateway.connect({ scopes: ["operator.read", "operator.write"] });
    const approver = await gateway.connect({ scopes: ["operator.approvals"] });
    const id = await ask();
    await approver.call("exec.approval.resolve", { id, decision: "deny" });
    expect(approver.eventsOf("exec.approval.resolved")).toHaveLength(1);
    // An answer to a later request comes after both events, so that what did not arrive by then never will.
    await reader.call("health");
    expect(reader.events.filter(({ event }) => event.startsWith("exec."))).toEqual([]);
  });

  test.for([
    ["exec.approval.resolve", { id: "nobody-asked", decision: "deny" }, /^unknown approval id/],
    ["exec.approval.resolve", { id: "nobody-asked", decision: "yes" }, /^invalid decision/],
    ["exec.approval.waitDecision", { id: "nobody-asked" }, /^approval expired or not found/],
    ["exec.approval.request", { command: "" }, /^invalid exec.approval.request params: at \/command/],
    [
      "exec.approval.request",
      { command: "ls", host: "node" },
      /^invalid exec.approval.request params: host node needs/,
    ],
    ["exec.approvals.set", {}, /^invalid exec.approvals.set params: must have required property 'file'/],
    ["exec.approvals.node.get", { nodeId: "n" }, /^unknown method: exec.approvals.node.get/],
  ] as const)("%s refuses %j", async ([method, params, says]) => {
    expect(await refusal(method, params)).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(says),
    });
  });

  test("an id that is in use is refused, and an answer counts once", async () => {
    const id = await ask();
    expect((await refusal("exec.approval.request", { id, command: "rm" }))?.message).toBe(
      "approval id already pending",
    );
    await client.call("exec.approval.resolve", { id, decision: "deny" });
    expect((await refusal("exec.approval.resolve", { id, decision: "allow-once" }))?.message).toMatch(
      /^unknown approval id/,
    );
    expect(await client.call("exec.approval.waitDecision", { id })).toMatchObject({ decision: "deny" });
  });

  test.for([
    ["deny", false, "exec"],
    ["allow-once", true, "exec"],
    ["deny", false, "bash"],
    ["allow-once", true, "bash"],
  ] as const)("a turn waits for the answer: with %s the command runs: %s (%s)", async ([decision, runs, tool]) => {
    const proof = join(gateway.stateDir, `proof-${decision}-${tool}`);
    const sessionKey = fresh();
    gateway.model.script(callTool(tool, { command: `touch ${proof}` }), say("done"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    const { payload } = await client.untilEvent(
      "exec.approval.requested",
      (frame) => frame.payload.request.sessionKey === sessionKey,
    );
    expect(payload.request.command).toBe(`touch ${proof}`);
    const waiting = await client.untilEvent("chat", (frame) => frame.payload.runId === runId);
    expect(waiting.payload).toMatchObject({ state: "delta", sessionKey });
    const { text } = waiting.payload.message.content[0];
    expect(text).toContain(`touch ${proof}`);
    expect(text).toContain(`/approve ${payload.id} allow-once`);
    expect(existsSync(proof)).toBe(false);
    await client.call("exec.approval.resolve", { id: payload.id, decision });
    await client.chatEnd(runId);
    expect(existsSync(proof)).toBe(runs);
    const result = gateway.model.requests.at(-1)?.messages.at(-1);
    if (!runs) expect(result && textOf(result)).toMatch(/A person refused the command/);
  });

  test("a turn that is stopped takes its question back", async () => {
    const sessionKey = fresh();
    gateway.model.script(callTool("exec", { command: "touch nothing" }), say("done"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    const ours = (frame: { payload: { request: { sessionKey?: string } } }) =>
      frame.payload.request.sessionKey === sessionKey;
    await client.untilEvent("exec.approval.requested", ours);
    await client.call("chat.abort", { sessionKey });
    expect((await client.untilEvent("exec.approval.resolved", ours)).payload).toMatchObject({ decision: "deny" });
    await client.chatEnd(runId);
  });
});

describe("the file of approvals", () => {
  test("is read, replaced only by who saw its newest form, and keeps its secret", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const path = join(gateway.stateDir, "exec-approvals.json");
    const empty = await client.call("exec.approvals.get");
    expect(empty).toMatchObject({ path, exists: false, file: { version: 1 } });

    const socket = { path: "/tmp/s.sock", token: "do-not-show" };
    writeFileSync(path, JSON.stringify({ version: 1, socket, future: { kept: true } }), { mode: 0o600 });
    const first = await client.call("exec.approvals.get");
    expect(first).toMatchObject({ exists: true, file: { socket: { path: "/tmp/s.sock" }, future: { kept: true } } });
    expect(JSON.stringify(first)).not.toContain(socket.token);

    const file = { ...first.file, agents: { "*": { allowlist: [{ pattern: "/usr/bin/git" }] } } };
    const set = async (params: object) => client.request("exec.approvals.set", params);
    expect((await set({ file })).error?.message).toMatch(/^exec approvals base hash required/);
    const second = (await set({ file, baseHash: first.hash })).payload;
    expect(second.file.agents).toEqual(file.agents);
    expect(second.hash).not.toBe(first.hash);
    expect((await set({ file, baseHash: first.hash })).error?.message).toMatch(
      /^exec approvals changed since last load/,
    );
    const bad = { version: 1, defaults: { security: "anything" } };
    expect((await set({ file: bad, baseHash: second.hash })).error).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^invalid exec approvals/),
    });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ socket, future: { kept: true } });
  });
});
