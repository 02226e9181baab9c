// A ledger that cannot write: nothing is accepted that could be lost, and nothing is lost that was accepted.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { startTroubledGateway } from "../support/in-process-ledger.ts";

test("a message that cannot be kept is refused with words, and taken later", async () => {
  await using gateway = await startTroubledGateway();
  const { client } = gateway;
  const params = { sessionKey: "main", message: "hello", idempotencyKey: randomUUID() };
  gateway.fail("STORE_FULL");
  for (const method of ["chat.send", "agent"]) {
    const { error } = await client.request(method, params);
    expect(error).toMatchObject({ code: "UNAVAILABLE", retryable: true, details: { code: "STORE_FULL" } });
    expect(error?.message).toMatch(/^The disk is full, so nothing new can be accepted: /);
    expect(error?.details?.["fix"]).toEqual(expect.any(String));
  }
  expect(gateway.model.requests).toEqual([]);
  gateway.fail(undefined);
  expect((await client.chat("hello", params)).payload.state).toBe("final");
  expect(gateway.model.requests).toHaveLength(1);
});

test.for(["STORE_FULL", "STORE_READONLY"] as const)("an answer waits for the disk when it is %s", async (code) => {
  await using gateway = await startTroubledGateway();
  gateway.model.script((_request) => {
    gateway.fail(code, "commit");
    return callTool("session_status", {});
  }, say("it was worth the wait"));
  const answer = gateway.client.agent("what time is it?");
  await gateway.firstFailure();
  gateway.fail(undefined);
  expect(await answer).toBe("it was worth the wait");
  const { messages } = await gateway.client.call("chat.history", { sessionKey: "main" });
  expect(messages.map((one: { role: string }) => one.role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
});

test("a write that fails for good fails the turn, and the next one works", async () => {
  await using gateway = await startTroubledGateway();
  gateway.model.script((_request) => {
    gateway.fail("STORE_FAILED", "commit");
    return say("lost words");
  });
  const end = await gateway.client.chat("hello");
  expect(end.payload.state).toBe("error");
  gateway.fail(undefined);
  expect(await gateway.client.agent("and now?")).toContain("echo: ");
});

test("reading goes on while nothing can be written", async () => {
  await using gateway = await startTroubledGateway();
  const { client } = gateway;
  await client.agent("hello");
  gateway.fail("STORE_READONLY");
  expect((await client.call("chat.history", { sessionKey: "main" })).messages).toHaveLength(2);
  expect((await client.call("sessions.list")).count).toBe(1);
  expect((await client.request("sessions.patch", { key: "main", label: "x" })).error?.code).toBe("UNAVAILABLE");
  expect((await client.request("chat.abort", { sessionKey: "main" })).ok).toBe(true);
});
