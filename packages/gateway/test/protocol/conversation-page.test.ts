// A conversation by position: dense indexes, what is hidden, what is shortened, and one entry in full.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage } from "@chela/sdk";
import { ConversationPage, MAX_SHOWN_CHARS, ShownMessage } from "@chela/sdk/protocol";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a page of a conversation", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:page-${randomUUID()}`;
  const read = async (sessionKey: string, from = 0, limit = 100) => {
    const page = await client.call("chat.page", { sessionKey, from, limit });
    expect(ConversationPage().safeParse(page).error).toBeUndefined();
    return page;
  };

  test("has what was asked for and says how much there is", async () => {
    const sessionKey = fresh();
    for (const text of ["one", "two", "three"]) await client.agent(text, { sessionKey });
    const all = await read(sessionKey);
    expect(all.messages.map(({ index }: Json) => index)).toEqual(Array.from({ length: all.total }, (_, at) => at));
    expect(all.messages.at(-1).id).toBe(all.leafId);
    const part = await read(sessionKey, 1, 2);
    expect(part).toEqual({ ...all, from: 1, messages: all.messages.slice(1, 3) });
    expect((await read(sessionKey, all.total)).messages).toEqual([]);
    expect(await read("agent:main:nobody")).toEqual({
      sessionKey: "agent:main:nobody",
      total: 0,
      leafId: null,
      from: 0,
      messages: [],
    });
    const { error } = await client.request("chat.page", { sessionKey, from: 0, limit: 501 });
    expect(error?.message).toContain("limit");
  });

  test("shows what a model call cost and what a tool was asked and answered", async () => {
    const sessionKey = fresh();
    const usage = { ...noUsage(), input: 5, output: 2, totalTokens: 7 };
    gateway.model.script(callTool("session_status", {}, "c1"), [
      { kind: "thinking", delta: "hm" },
      { kind: "text", delta: "noon" },
      { kind: "finish", stopReason: "stop", usage },
    ]);
    await client.agent("what time is it?", { sessionKey });
    const { messages } = await read(sessionKey);
    const [user, call, result, answer] = messages.filter(({ hidden }: Json) => !hidden);
    expect(user).toMatchObject({ role: "user", content: [{ type: "text", text: "what time is it?" }] });
    expect(call).toMatchObject({ role: "assistant", stopReason: "toolUse", content: [{ type: "toolCall", id: "c1" }] });
    expect(result).toMatchObject({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "session_status",
      isError: false,
      parentId: call.id,
    });
    expect(answer).toMatchObject({
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "noon" },
      ],
      usage: { input: 5, output: 2 },
      model: "test",
      provider: "scripted",
    });
  });

  test("shortens what is endless; the entry itself has all of it", async () => {
    const sessionKey = fresh();
    const long = "x".repeat(MAX_SHOWN_CHARS + 5);
    gateway.model.script(say(long));
    const attachments = [{ type: "image", mimeType: "image/png", content: PIXEL }];
    await client.agent("look", { sessionKey, attachments });
    const { messages } = await read(sessionKey);
    const user = messages.find(({ role }: Json) => role === "user");
    const answer = messages.find(({ role }: Json) => role === "assistant");
    expect(answer).toMatchObject({ cut: true, content: [{ text: "x".repeat(MAX_SHOWN_CHARS) }] });
    const image = (one: { content: Json[] }) => one.content.find(({ type }) => type === "image");
    expect(image(user)).toMatchObject({
      mimeType: "image/png",
      bytes: Buffer.from(PIXEL, "base64").length,
      omitted: true,
    });
    expect(image(user)).not.toHaveProperty("data");

    const whole = await client.call("chat.entry", { sessionKey, id: answer.id });
    expect(ShownMessage().safeParse(whole).error).toBeUndefined();
    expect(whole).toMatchObject({ index: answer.index, content: [{ text: long }] });
    expect(whole).not.toHaveProperty("cut");
    const asked = await client.call("chat.entry", { sessionKey, id: user.id });
    expect(image(asked)).toMatchObject({ data: PIXEL });
    const { error } = await client.request("chat.entry", { sessionKey, id: "nothing" });
    expect(error?.message).toContain("there is no entry nothing");
  });

  test("keeps a place for what is not for people", async () => {
    const sessionKey = fresh();
    await client.agent("hello", { sessionKey });
    await client.call("sessions.rewind", { key: sessionKey, turns: 1 });
    await client.agent("hello again", { sessionKey });
    const { messages } = await read(sessionKey);
    const hidden = messages.filter((one: Json) => one["hidden"]);
    expect(hidden.length).toBeGreaterThan(0);
    for (const one of hidden) expect(Object.keys(one).toSorted()).toEqual(["hidden", "id", "index"]);
    const asked = messages.find(({ role }: Json) => role === "user");
    expect(asked.siblings).toHaveLength(2);
    expect(asked.siblings[1]).toBe(asked.id);
    const left = await client.call("chat.entry", { sessionKey, id: asked.siblings[0] });
    expect(left).toMatchObject({ index: -1, role: "user", content: [{ text: "hello" }] });
  });
});
