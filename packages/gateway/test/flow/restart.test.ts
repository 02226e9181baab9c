// What was accepted is answered, exactly once, even when the gateway ends in between.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf, type Change, type ModelEvent, type ModelRequest } from "@chela/sdk";
import { callTool, createFakeClock, createScriptedModel, say } from "@chela/sdk/testing";
import { openDatabase, SqliteLedger } from "../../src/rooms/ledger/room.ts";
import { createStateDirectory, eventually, startTestGateway, type Gate } from "../support/in-process.ts";
import { openSocket, readToEnd } from "../support/in-process-http.ts";

/** Starts a gateway whose model hangs on the given messages, and ends it while they are unanswered. */
async function leaveUnanswered(stateDir: string, messages: readonly { key: string; runId: string }[]): Promise<void> {
  const clock = createFakeClock(Date.now());
  const gateway = await startTestGateway({ stateDir, clock });
  const client = await gateway.connect();
  const gate = gateway.gate();
  gateway.model.script(...messages.map(() => gate.step("half", "never")));
  for (const { key, runId } of messages) {
    await client.call("chat.send", { sessionKey: key, message: `question ${runId}`, idempotencyKey: runId });
  }
  await gate.reached;
  const stopped = gateway.gateway.stop("stop");
  // Long enough to end the patience with running turns.
  await clock.advance(60_000);
  await stopped;
  await gateway[Symbol.asyncDispose]();
}

test("a message that was being answered is answered by the next start, once", async () => {
  using state = createStateDirectory();
  const runId = randomUUID();
  await leaveUnanswered(state.path, [{ key: "main", runId }]);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
  const { messages } = await client.call("chat.history", { sessionKey: "main" });
  expect(messages.map((one: { role: string }) => one.role)).toEqual(["user", "assistant"]);
  expect(messages[0].content[0].text).toBe(`question ${runId}`);
  expect(gateway.model.requests).toHaveLength(1);
  const again = { sessionKey: "main", message: `question ${runId}`, idempotencyKey: runId };
  expect(await client.call("chat.send", again)).toEqual({ runId, status: "ok" });
});

test("messages that waited keep their order over a restart", async () => {
  using state = createStateDirectory();
  const runs = ["q1", "q2", "q3"].map((runId) => ({ key: "agent:main:queue", runId }));
  await leaveUnanswered(state.path, runs);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  for (const { runId } of runs) expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
  const asked = gateway.model.requests.map(({ messages }) => textOf(messages.at(-1) ?? { content: "" }).split("] ")[1]);
  expect(asked).toEqual(["question q1", "question q2", "question q3"]);
});

test("a conversation goes on after a restart as if nothing had happened", async () => {
  using state = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    gateway.model.script(say("a plum"));
    await client.agent("name a fruit");
    await client.call("chat.inject", { sessionKey: "main", message: "by the way" });
    await client.call("sessions.patch", { key: "main", thinkingLevel: "high", label: "the main one" });
  }
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  await client.agent("which one?");
  const [request] = gateway.model.requests;
  expect(request?.thinking).toBe("high");
  expect(request?.messages.map((one) => textOf(one).replace(/^\[.*?\] /, ""))).toEqual([
    "name a fruit",
    "a plum",
    "by the way",
    "which one?",
  ]);
});

test("a tool that was running when the process died is an error, and the model goes on", async () => {
  using state = createStateDirectory();
  await (await startTestGateway({ stateDir: state.path })).gateway.stop("stop");
  const runId = randomUUID();
  await writeInterruptedTurn(join(state.path, "ledger.sqlite"), runId);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
  const messages = gateway.model.requests.at(-1)?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "toolResult"]);
  expect(messages[2]).toMatchObject({ toolCallId: "done", isError: false });
  expect(messages[3]).toMatchObject({ toolCallId: "open", toolName: "session_status", isError: true });
  expect(textOf(messages[3] ?? { content: "" })).toContain("restarted");
  expect(gateway.model.requests).toHaveLength(1);
  const [again] = (await client.call("agent", { message: "look twice", idempotencyKey: runId })).result.payloads;
  expect(again.text).toBe("Let me look.");
  const { records } = await client.call("audit.list", { traceId: runId, actions: ["tool"] });
  const interrupted = { toolCallId: "open", isError: true, wasInterrupted: true };
  expect(records).toMatchObject([{ target: "session_status", outcome: "failed", detail: interrupted }]);
});

/** What a process leaves that is killed between two tool calls of one message. */
describe("a turn that only waits for a person", () => {
  const asksFirst = { tools: { exec: { host: "gateway", security: "full", ask: "always" } } };

  const waitAndCall = (gate: Gate, command: ModelEvent[]) =>
    async function* (request: ModelRequest, signal: AbortSignal) {
      for await (const event of gate.step("", "")(request, signal)) if (event.kind === "failure") yield event;
      yield* command;
    };

  /** Nothing here moves the clock: a stop that waits for any limit never ends. */
  async function stopWhileAsked(stateDir: string, whenAsked: "before the stop" | "during the stop"): Promise<string> {
    const gateway = await startTestGateway({ stateDir, clock: createFakeClock(Date.now()) });
    const client = await gateway.connect();
    const runId = randomUUID();
    const gate = gateway.gate();
    const command = callTool("exec", { command: "touch proof" }, "call-1");
    gateway.model.script(whenAsked === "before the stop" ? command : waitAndCall(gate, command));
    await client.call("chat.send", { sessionKey: "main", message: "please", idempotencyKey: runId });
    if (whenAsked === "before the stop") await client.untilEvent("exec.approval.requested");
    else await gate.reached;
    const stopped = gateway.gateway.stop("stop");
    await client.untilEvent("shutdown");
    gate.open();
    await stopped;
    await gateway[Symbol.asyncDispose]();
    return runId;
  }

  test.for(["before the stop", "during the stop"] as const)(
    "holds no stop, and asks again after the next start; asked %s",
    async (whenAsked) => {
      using state = createStateDirectory(asksFirst);
      const runId = await stopWhileAsked(state.path, whenAsked);
      const model = createScriptedModel();
      const isThere = Promise.withResolvers<void>();
      model.script(async function* () {
        await isThere.promise;
        yield* callTool("exec", { command: "touch proof" }, "call-2");
      }, say("done"));
      await using gateway = await startTestGateway({ stateDir: state.path, providers: { scripted: model } });
      const client = await gateway.connect();
      isThere.resolve();
      const { payload } = await client.untilEvent("exec.approval.requested");
      await client.call("exec.approval.resolve", { id: payload.id, decision: "allow-once" });
      expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
      const told = model.requests[0]?.messages.at(-1);
      expect(told).toMatchObject({ role: "toolResult", toolCallId: "call-1", isError: true });
      expect(textOf(told ?? { content: "" })).toContain("The gateway was restarted before a person answered.");
      const { messages } = await client.call("chat.history", { sessionKey: "main" });
      expect(messages.filter(({ role }: { role: string }) => role === "user")).toHaveLength(1);
    },
  );
});

async function writeInterruptedTurn(path: string, runId: string): Promise<void> {
  const ledger = new SqliteLedger(openDatabase(path));
  const at = Date.now();
  const timestamp = new Date(at).toISOString();
  const [sessionId, sessionKey, agentId] = [randomUUID(), "agent:main:main", "main"];
  const call = (id: string) => ({ type: "toolCall", id, name: "session_status", arguments: {} });
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
  const bodies = [
    { role: "user", content: [{ type: "text", text: "look twice" }], timestamp: at },
    {
      role: "assistant",
      content: [{ type: "text", text: "Let me look." }, call("done"), call("open")],
      api: "demo",
      provider: "scripted",
      model: "test",
      usage,
      stopReason: "toolUse",
      timestamp: at,
    },
    {
      role: "toolResult",
      toolCallId: "done",
      toolName: "session_status",
      content: [
        {
          type: "text",
          text: "fine",
        },
      ],
      isError: false,
      timestamp: at,
    },
  ];
  const entries = bodies.map((message, index) => {
    const id = `0000000${index}`;
    const parentId = index === 0 ? null : `0000000${index - 1}`;
    return { id, line: JSON.stringify({ type: "message", id, parentId, timestamp, message }) };
  });
  await ledger.admit({
    runId,
    channel: "webchat",
    account: "default",
    messageId: `chat:${runId}`,
    agentId,
    sessionKey,
    body: { text: "look twice" },
    admittedAt: at,
  });
  const started = (toolCallId: string): Change => ({
    kind: "tool-start",
    runId,
    toolCallId,
    name: "session_status",
    args: {},
    at,
  });
  await ledger.commit([
    {
      kind: "transcript-open",
      sessionId,
      sessionKey,
      agentId,
      file: `${sessionId}.jsonl`,
      header: {
        type: "session",
        version: 3,
        id: sessionId,
        timestamp,
        cwd: "/",
      },
    },
    { kind: "session-put", key: sessionKey, entry: { sessionId, updatedAt: at } },
    { kind: "entries-append", sessionId, entries },
    { kind: "turn-begin", runId, sessionId, at },
    started("done"),
    { kind: "tool-end", runId, toolCallId: "done", isError: false, at },
    started("open"),
  ]);
  await ledger.close();
}

test("a stop waits for the answer that is being written", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const gate = gateway.gate();
  gateway.model.script(gate.step("half", " and half"));
  const answer = client.agent("hello");
  await gate.reached;
  const stopped = gateway.gateway.stop("stop");
  await client.untilEvent("shutdown");
  expect(await (await gateway.fetch("/readyz")).json()).toEqual({ ready: false });
  gate.open();
  expect(await answer).toBe("half and half");
  await stopped;
});

test("a client that does not answer the farewell does not keep the gateway from stopping", async () => {
  await using gateway = await startTestGateway();
  const asleep = await gateway.connect();
  asleep.fallAsleep();
  await gateway.gateway.stop("stop");
  asleep.terminate();
});

test("strangers do not keep the gateway from stopping", async () => {
  await using gateway = await startTestGateway({ clock: createFakeClock() });
  const silent = readToEnd(await openSocket(gateway.gateway.port));
  const unshaken = gateway.dial();
  await unshaken.challenge();
  await gateway.gateway.stop("stop");
  expect((await unshaken.closed).code).toBe(1006);
  expect(await silent).toBe("");
});

test("a second gateway does not start on the same directory", async () => {
  await using gateway = await startTestGateway();
  await expect(startTestGateway({ stateDir: gateway.stateDir })).rejects.toMatchObject({ code: "START_LOCKED" });
  await eventually("the first to be unharmed", async () => (await gateway.fetch("/healthz")).ok);
});
