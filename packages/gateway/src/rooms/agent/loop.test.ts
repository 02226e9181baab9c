import { describe, expect, it } from "vitest";
import {
  noUsage,
  type AgentMessage,
  type AssistantMessage,
  type ModelInfo,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";
import { callTool, callTools, createScriptedModel, finish, say } from "@chela/sdk/testing";
import { runLoop, type LoopEvent, type LoopParts } from "./room.ts";

const model: ModelInfo = {
  provider: "scripted",
  id: "m",
  name: "M",
  api: "demo",
  reasoning: true,
  input: ["text"],
  contextWindow: 1000,
  maxTokens: 100,
};

function createStage(maxSteps = 5) {
  const scripted = createScriptedModel();
  const events: LoopEvent[] = [];
  const recorded: Array<AssistantMessage | ToolResultMessage> = [];
  const order: string[] = [];
  const relief: Array<readonly AgentMessage[]> = [];
  const gates = new Map<string, Promise<void>>();
  const parts: LoopParts = {
    model,
    maxSteps,
    now: () => 7,
    ask: (messages, signal) =>
      scripted.stream({ model, system: "s", messages, tools: [], thinking: "off", sessionId: "id" }, signal),
    relieve: async () => relief.shift(),
    isHarmless: (call) => call.name.startsWith("read"),
    async runTool(call: ToolCallBlock) {
      order.push(`run ${call.name}`);
      await gates.get(call.name);
      const content = [{ type: "text" as const, text: `${call.name} done` }];
      return { role: "toolResult", toolCallId: call.id, toolName: call.name, content, isError: false, timestamp: 7 };
    },
    async record(message) {
      recorded.push(message);
      order.push(`record ${message.role}`);
    },
    emit: (event) => void events.push(event),
  };
  const start = (signal = new AbortController().signal) =>
    runLoop([{ role: "user", content: "hi", timestamp: 0 }], parts, signal);
  return { scripted, events, recorded, order, relief, gates, parts, start };
}

describe("runLoop", () => {
  it("answers, and leaves the answer to be recorded with its delivery", async () => {
    const stage = createStage();
    stage.scripted.script(say("hello"));
    const outcome = await stage.start();
    expect(outcome).toMatchObject({ kind: "answered", message: { content: [{ type: "text", text: "hello" }] } });
    expect(stage.recorded).toEqual([]);
  });

  it("records a call before it runs the tool, and the result before it asks again", async () => {
    const stage = createStage();
    stage.scripted.script(callTool("a", {}), say("done"));
    expect(await stage.start()).toMatchObject({ kind: "answered" });
    expect(stage.order).toEqual(["record assistant", "run a", "record toolResult"]);
    expect(stage.scripted.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });

  it("gives up after too many steps, without a call that nobody will answer", async () => {
    const stage = createStage(2);
    stage.scripted.script(callTool("a", {}), callTool("b", {}, "call_2"));
    const outcome = await stage.start();
    expect(outcome).toMatchObject({ kind: "exhausted", steps: 2, message: { content: [], stopReason: "error" } });
    expect(stage.order.filter((step) => step.startsWith("run"))).toEqual(["run a"]);
  });

  it("keeps what was said when it is stopped, and drops the calls", async () => {
    const stage = createStage();
    const abort = new AbortController();
    stage.scripted.script(function* () {
      yield { kind: "text", delta: "half" };
      yield { kind: "tool-call", id: "1", name: "a", arguments: {} };
      abort.abort("rpc");
      yield { kind: "finish", stopReason: "aborted", usage: noUsage() };
    });
    const outcome = await stage.start(abort.signal);
    expect(outcome).toMatchObject({ kind: "aborted", message: { stopReason: "aborted", content: [{ text: "half" }] } });
    expect(stage.order).toEqual([]);
  });

  it.each([
    ["a failure", [{ kind: "failure", failure: { reason: "network", message: "gone", retry: "now" } }], "network"],
    ["a stream that just ends", [{ kind: "text", delta: "x" }], "malformed"],
  ] as const)("turns %s into an outcome", async (_what, events, reason) => {
    const stage = createStage();
    stage.scripted.script(events);
    expect(await stage.start()).toMatchObject({ kind: "failed", failure: { reason } });
  });

  it("runs neighbouring calls that change nothing side by side, the others alone, and records all in order", async () => {
    const stage = createStage();
    const slow = Promise.withResolvers<void>();
    stage.gates.set("read-a", slow.promise);
    const names = ["read-a", "read-b", "write", "read-c"];
    stage.scripted.script(callTools(names.map((name) => ({ id: name, name, arguments: {} }))), say("done"));
    const running = stage.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(stage.order).toEqual(["record assistant", "run read-a", "run read-b"]);
    slow.resolve();
    await running;
    expect(stage.order.slice(3)).toEqual([
      "record toolResult",
      "record toolResult",
      "run write",
      "record toolResult",
      "run read-c",
      "record toolResult",
    ]);
    expect(stage.recorded.slice(1).map((one) => "toolName" in one && one.toolName)).toEqual([
      "read-a",
      "read-b",
      "write",
      "read-c",
    ]);
  });

  it("goes on with a shorter conversation when the model could not read all of it", async () => {
    const stage = createStage();
    const overflow = { reason: "context-overflow", message: "too long", retry: "never" } as const;
    stage.scripted.script([{ kind: "failure", failure: overflow }], say("fits"));
    stage.relief.push([{ role: "user", content: "short", timestamp: 0 }]);
    expect(await stage.start()).toMatchObject({ kind: "answered", message: { content: [{ text: "fits" }] } });
    expect(stage.scripted.requests[1]?.messages).toMatchObject([{ content: "short" }]);
  });

  it("forgets what a failed attempt said, and names the model that answered", async () => {
    const stage = createStage();
    const other = { ...model, id: "other" };
    stage.parts.ask = async function* () {
      yield { kind: "attempt", model };
      yield { kind: "text", delta: "half an ans" };
      yield { kind: "attempt", model: other };
      yield { kind: "text", delta: "whole" };
      yield finish();
    };
    expect(await stage.start()).toMatchObject({
      kind: "answered",
      message: { model: "other", content: [{ text: "whole" }] },
    });
    expect(stage.events.filter(({ kind }) => kind === "step")).toHaveLength(2);
  });

  it("gives every call of a turn an id of its own", async () => {
    const stage = createStage();
    stage.scripted.script(callTool("a", {}, "call_1"), callTool("b", {}, "call_1"), say("done"));
    await stage.start();
    const results = stage.recorded.filter((one): one is ToolResultMessage => one.role === "toolResult");
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(["call_1", "call_1_2"]);
  });

  it("gives no call an id that the turn used before a restart", async () => {
    const stage = createStage();
    stage.scripted.script(callTool("a", {}, "call_1"), say("done"));
    const parts = { ...stage.parts, usedIds: ["call_1", "call_1_2"] };
    await runLoop([{ role: "user", content: "hi", timestamp: 0 }], parts, new AbortController().signal);
    expect(stage.recorded).toMatchObject([{ content: [{ id: "call_1_3" }] }, { toolCallId: "call_1_3" }]);
  });
});
