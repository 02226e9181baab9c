// Tools: the model calls, the gateway runs, the result goes back, and nothing of it is out of order.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ModelEvent } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { EventFrame, WireClient } from "../support/wire-client.ts";

describe("a tool", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:tools-${randomUUID()}`;
  const conversation = () => gateway.model.requests.at(-1)?.messages ?? [];
  const toolEvents = (of: WireClient, runId: string): EventFrame[] =>
    of.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "tool");

  test("is run, and its result is in the next question to the model", async () => {
    const sessionKey = fresh();
    gateway.model.script(callTool("session_status", {}, "call_7"), say("it is noon"));
    expect(await client.agent("what time is it?", { sessionKey })).toBe("it is noon");
    expect(conversation().map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
    const result = conversation().at(-1);
    expect(result).toMatchObject({ toolCallId: "call_7", toolName: "session_status", isError: false });
    expect(result && textOf(result)).toContain(`Session: ${sessionKey}`);
    expect(gateway.model.requests.at(-1)?.tools.map(({ name }) => name)).toContain("session_status");
  });

  test.for([
    ["that does not exist", "no_such_tool", {}, /no_such_tool.*Tools that exist: .*session_status/s],
    ["that is called with wrong arguments", "read", { limit: "few" }, /path/],
    ["that is named like a part of every object", "constructor", {}, /Tools that exist: /],
  ] as const)("%s is an error the model can read", async ([, name, args, text]) => {
    gateway.model.script(callTool(name, args), say("I see"));
    expect(await client.agent("try", { sessionKey: fresh() })).toBe("I see");
    const result = conversation().at(-1);
    expect(result).toMatchObject({ role: "toolResult", isError: true });
    expect(result && textOf(result)).toMatch(text);
  });

  test("called several times at once gives its results in the order of the calls", async () => {
    const calls = ["c1", "c2", "c3"].flatMap((id) => callTool("session_status", {}, id).slice(0, 1));
    const [end] = callTool("session_status", {}).slice(-1) as [ModelEvent];
    gateway.model.script([{ kind: "text", delta: "let me look" }, ...calls, end], say("done"));
    expect(await client.agent("look thrice", { sessionKey: fresh() })).toBe("let me look\ndone");
    const results = conversation().filter(({ role }) => role === "toolResult");
    expect(results.map((one) => one["toolCallId"])).toEqual(["c1", "c2", "c3"]);
  });

  test("is shown to the one who asked and can show it, without its output", async () => {
    const blind = await gateway.connect({ caps: [] });
    const stranger = await gateway.connect();
    gateway.model.script(callTool("session_status", {}, "c9"), say("done"));
    const runId = randomUUID();
    await client.agent("look", { sessionKey: fresh(), idempotencyKey: runId });
    const named = { name: "session_status", toolCallId: "c9" };
    expect(toolEvents(client, runId).map(({ payload }) => payload.data)).toEqual([
      { phase: "start", ...named, args: {} },
      { phase: "result", ...named, isError: false },
    ]);
    // One that is lost leaves a gap.
    expect(toolEvents(client, runId).every(({ seq }) => seq !== undefined)).toBe(true);
    for (const other of [blind, stranger]) {
      await other.chatEnd(runId);
      expect(toolEvents(other, runId)).toEqual([]);
    }
  });

  test("shows its output in a session that wants all of it", async () => {
    const sessionKey = fresh();
    await client.call("sessions.patch", { key: sessionKey, verboseLevel: "full" });
    gateway.model.script(callTool("session_status", {}), say("done"));
    const runId = randomUUID();
    await client.agent("look", { sessionKey, idempotencyKey: runId });
    expect(JSON.stringify(toolEvents(client, runId).at(-1)?.payload.data.result)).toContain("Session: ");
  });

  test("that is called without end ends the turn, with words for it", async () => {
    const sessionKey = fresh();
    // Each time something else, or it would be seen that it goes in circles.
    const ask = (at: number) => callTool("sessions_history", { sessionKey: `agent:main:nobody-${at}` }, `c${at}`);
    gateway.model.script(...Array.from({ length: 100 }, (_, at) => ask(at)));
    const asked = gateway.model.requests.length;
    const said = await client.agent("loop", { sessionKey });
    expect(said).toMatch(/^The turn was stopped because it kept calling tools: /);
    expect(gateway.model.requests).toHaveLength(asked + 100);
    expect(await client.agent("still there?", { sessionKey })).toContain("echo: ");
  });

  test("that is stopped in the middle leaves a conversation that can go on", async () => {
    const sessionKey = fresh();
    const gate = gateway.gate();
    gateway.model.script(callTool("session_status", {}), gate.step("so", ""));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey, message: "look", idempotencyKey: runId });
    await gate.reached;
    await client.call("chat.abort", { sessionKey });
    await client.chatEnd(runId);
    expect(await client.agent("go on", { sessionKey })).toContain("go on");
    const open = new Set<unknown>();
    for (const message of conversation()) {
      if (message.role === "toolResult") expect(open.delete(message["toolCallId"])).toBe(true);
      else if (Array.isArray(message.content)) {
        for (const block of message.content) if (block.type === "toolCall") open.add(block["id"]);
      }
    }
    expect(open.size).toBe(0);
  });
});
