// Somebody sets the machine's clock, hours forward or back: what is under way lasts as long as it would have lasted anyway.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, callTools, createFakeClock, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, TEST_TOKEN } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import { isAfterTool, isAnnouncement, isToldTask, settledOnes, speak } from "../support/stages/subagent-stage.ts";

const HOUR_MS = 3_600_000;

describe.for([
  ["forward", 5 * HOUR_MS],
  ["back", -5 * HOUR_MS],
] as const)("a clock that is put %s", ([, ms]) => {
  test("ends no turn that is being answered", async () => {
    const clock = createFakeClock(Date.now());
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    const [first, second] = [gateway.gate(), gateway.gate()];
    gateway.model.script(async function* (request, signal) {
      for await (const event of first.step("a third, ", "another, ")(request, signal))
        if (event.kind === "text") yield event;
      yield* second.step("", "and the last")(request, signal);
    });
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey: "main", message: "tell me", idempotencyKey: runId });
    await first.reached;
    clock.jump(ms);
    first.open();
    await second.reached;
    await clock.advance(1000);
    second.open();
    expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
    const { messages } = await client.call("chat.history", { sessionKey: "main" });
    expect(textOf(messages.at(-1))).toBe("a third, another, and the last");
  });

  test("leaves the turn its time for the next model and the next tool", async () => {
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    gateway.model.script(
      callTools([{ id: "first", name: "session_status", arguments: {} }]),
      () => (clock.jump(ms), callTools([{ id: "second", name: "session_status", arguments: {} }])),
      say("all looked up"),
    );
    expect(await client.agent("look it up twice", { sessionKey: "agent:main:looks" })).toBe("all looked up");
  });

  test("keeps the answer to a question about a command good", async () => {
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({
      clock,
      config: {
        agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" } } },
        tools: { exec: { host: "gateway", ask: "always" } },
      },
    });
    const client = await gateway.connect();
    gateway.model.script(callTools([{ id: "make", name: "exec", arguments: { command: "touch made" } }]), say("done"));
    const done = client.agent("make it", { sessionKey: "agent:main:asks" });
    const id = await eventually("the question", async () => {
      const { pending } = await client.call("exec.approval.list", {});
      return pending[0]?.id as string | undefined;
    });
    clock.jump(ms);
    await client.call("exec.approval.resolve", { id, decision: "allow-once" });
    expect(await done).toBe("done");
    const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
    expect(result).toMatchObject({ isError: false });
  });

  test("leaves a sub-agent its time", async () => {
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    speak(
      gateway.model,
      [isAnnouncement, () => say("It is 42.")],
      [(request) => isToldTask(request, "compute"), () => () => (clock.jump(ms), say("42"))],
      [isAfterTool, () => say("A helper is at it.")],
      [() => true, () => callTool("sessions_spawn", { task: "compute it", runTimeoutSeconds: 600 })],
    );
    await client.agent("please", { sessionKey: "main" });
    expect(await settledOnes(client)).toMatchObject([{ outcome: "ok", delivered: "delivered" }]);
  });

  test("frees nobody who guessed too often", async () => {
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({
      clock,
      config: {
        gateway: { auth: { mode: "token", token: TEST_TOKEN, rateLimit: { maxAttempts: 2, exemptLoopback: false } } },
      },
    });
    const guess = async () => (await gateway.fetch("/api/status", { token: "wrong" })).status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
    clock.jump(ms);
    expect(await guess()).toBe(429);
  });

  test("makes nobody wait who speaks to a conversation that rests", async () => {
    const clock = createShiftedClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    for (const word of ["one", "two", "three"]) {
      gateway.model.script(say(word));
      expect(await client.agent(`say ${word}`, { sessionKey: "main" })).toBe(word);
      clock.jump(ms / 5);
    }
  });
});
