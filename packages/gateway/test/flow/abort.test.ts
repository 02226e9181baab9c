// A turn that is stopped ends, wherever it is: what it started is gone, its transcript is whole, the next turn works.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type AgentMessage } from "@chela/sdk";
import { callTool, callTools, say } from "@chela/sdk/testing";
import { aborted, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

/** Every call has its result behind it. */
function expectLegal(messages: readonly AgentMessage[]): void {
  const open = new Set<unknown>();
  for (const message of messages) {
    if (message.role === "toolResult") expect(open.delete(message["toolCallId"])).toBe(true);
    else expect(open.size).toBe(0);
    if (message.role !== "assistant" || typeof message.content === "string") continue;
    for (const block of message.content) if (block.type === "toolCall") open.add(block["id"]);
  }
  expect(open.size).toBe(0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // What has ended and was not fetched by its parent yet does nothing any more.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && / Z /.test(readFileSync(stat, "latin1")));
}

function startWith(exec: Json): Promise<TestGateway> {
  return startTestGateway({
    config: {
      tools: { exec: { host: "gateway", ...exec }, sessions: { visibility: "agent" } },
    },
  });
}

describe("a turn that is stopped", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startWith({ security: "full", ask: "off" });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const begin = async (): Promise<{ sessionKey: string; runId: string }> => {
    const [sessionKey, runId] = [`agent:main:stop-${randomUUID()}`, randomUUID()];
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    return { sessionKey, runId };
  };
  /** Stops the run, sees it end, and lets the session go on. */
  const stopAndGoOn = async ({ sessionKey, runId }: { sessionKey: string; runId: string }) => {
    const stopped = await client.call("chat.abort", { sessionKey, runId });
    expect(stopped).toEqual({ ok: true, aborted: true, runIds: [runId] });
    const end = await client.chatEnd(runId);
    expect(end.payload).toMatchObject({ state: "aborted", stopReason: "rpc" });
    expect(client.eventsOf("agent", runId).at(-1)?.payload).toMatchObject({
      stream: "lifecycle",
      data: { phase: "end", aborted: true },
    });
    gateway.model.script(say("on we go"));
    expect(await client.agent("go on", { sessionKey })).toBe("on we go");
    const messages = gateway.model.requests.at(-1)?.messages ?? [];
    expectLegal(messages);
    expect(messages.filter(({ role }) => role === "user").map(textOf)).toEqual([
      expect.stringMatching(/go$/),
      expect.stringMatching(/go on$/),
    ]);
    return { end, messages };
  };
  const toolResult = (messages: readonly AgentMessage[]): string =>
    textOf(messages.find(({ role }) => role === "toolResult") ?? { content: "" });
  const pidIn = (name: string): Promise<number> =>
    eventually(`the process in ${name}`, () => {
      const path = join(gateway.stateDir, "workspace", name);
      const pid = existsSync(path) ? Number(readFileSync(path, "utf8").trim()) : 0;
      return pid > 0 ? pid : undefined;
    });

  test("while the model writes keeps what was written", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("half an ans", "wer"));
    const run = await begin();
    await gate.reached;
    const { end, messages } = await stopAndGoOn(run);
    expect(end.payload.message.content).toEqual([{ type: "text", text: "half an ans" }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(textOf(messages[1] ?? { content: "" })).toBe("half an ans");
  });

  test("before the model said a word leaves a conversation that goes on", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "never"));
    const run = await begin();
    await gate.reached;
    const { end } = await stopAndGoOn(run);
    expect(end.payload).not.toHaveProperty("message");
  });

  test("while a command runs ends the command and everything it started", async () => {
    const command = "trap '' TERM; (trap '' TERM; sleep 300) & echo $! > child.pid; echo $$ > own.pid; sleep 300";
    gateway.model.script(callTool("exec", { command, timeout: 600 }));
    const run = await begin();
    const pids = [await pidIn("own.pid"), await pidIn("child.pid")];
    expect(pids.map(isAlive)).toEqual([true, true]);
    const { messages } = await stopAndGoOn(run);
    await eventually("the processes to be gone", () => !pids.some(isAlive));
    expect(toolResult(messages)).toMatch(/stopped/i);
  });

  test("leaves running what was put into the background before", async () => {
    const gate = gateway.gate();
    const command = "echo $$ > kept.pid; sleep 300";
    gateway.model.script(callTool("exec", { command, background: true }), gate.step("", ""));
    const run = await begin();
    const pid = await pidIn("kept.pid");
    await gate.reached;
    await stopAndGoOn(run);
    expect(isAlive(pid)).toBe(true);
  });

  test("does not wait for a tool that does not let go", async () => {
    const gate = gateway.gate();
    const other = `agent:main:stop-${randomUUID()}`;
    await client.agent("hello", { sessionKey: other });
    gateway.model.script(
      callTool("sessions_send", { sessionKey: other, message: "are you there?", timeoutSeconds: 600 }),
      gate.step("", "late"),
    );
    const run = await begin();
    await gate.reached;
    const { messages } = await stopAndGoOn(run);
    expect(messages.find(({ role }) => role === "toolResult")).toMatchObject({ isError: true });
    gate.open();
  });

  test("between several calls runs none of those that were left", async () => {
    const calls = [
      { id: "c1", name: "exec", arguments: { command: "echo $$ > first.pid; sleep 300" } },
      { id: "c2", name: "exec", arguments: { command: "touch second-ran" } },
      { id: "c3", name: "write", arguments: { path: "third-ran", content: "x" } },
    ];
    gateway.model.script(callTools(calls));
    const run = await begin();
    const pid = await pidIn("first.pid");
    const { messages } = await stopAndGoOn(run);
    await eventually("the process to be gone", () => !isAlive(pid));
    const results = messages.filter(({ role }) => role === "toolResult");
    expect(results.map((one) => one["toolCallId"])).toEqual(["c1", "c2", "c3"]);
    for (const name of ["second-ran", "third-ran"]) {
      expect(existsSync(join(gateway.stateDir, "workspace", name))).toBe(false);
    }
  });

  test("by the word stop ends in the same way", async () => {
    gateway.model.script(callTool("exec", { command: "echo $$ > word.pid; sleep 300" }));
    const { sessionKey, runId } = await begin();
    const pid = await pidIn("word.pid");
    expect(await client.call("chat.send", { sessionKey, message: "stop", idempotencyKey: randomUUID() })).toMatchObject(
      {
        aborted: true,
        runIds: [runId],
      },
    );
    expect((await client.chatEnd(runId)).payload).toMatchObject({ state: "aborted", stopReason: "stop" });
    await eventually("the process to be gone", () => !isAlive(pid));
    expect(await client.agent("go on", { sessionKey })).toContain("go on");
  });

  test("while its model does not listen ends all the same", async () => {
    const asked = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    gateway.model.script(async function* (_request, signal) {
      yield { kind: "text", delta: "deaf" };
      asked.resolve();
      await aborted(signal);
      await never.promise;
    });
    const run = await begin();
    await asked.promise;
    try {
      await stopAndGoOn(run);
    } finally {
      never.resolve();
    }
  });
});

test("a turn that is stopped while a command waits for a yes takes the question back, and nothing runs", async () => {
  await using gateway = await startWith({ security: "allowlist", ask: "on-miss" });
  const client = await gateway.connect();
  const [sessionKey, runId] = ["agent:main:asking", randomUUID()];
  gateway.model.script(callTool("exec", { command: "touch it-ran" }), say("on we go"));
  await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
  const { id } = (await client.untilEvent("exec.approval.requested")).payload;
  await client.call("chat.abort", { sessionKey });
  expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
  expect((await client.untilEvent("exec.approval.resolved")).payload).toMatchObject({ id, decision: "deny" });
  const late = await client.request("exec.approval.resolve", { id, decision: "allow-once" });
  expect(late.ok).toBe(false);
  expect(await client.agent("go on", { sessionKey })).toBe("on we go");
  expectLegal(gateway.model.requests.at(-1)?.messages ?? []);
  expect(existsSync(join(gateway.stateDir, "workspace", "it-ran"))).toBe(false);
});
