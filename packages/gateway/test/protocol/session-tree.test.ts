// A conversation as a tree: named points, going back, other branches, and what chat windows see of it.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, textOf } from "@chela/sdk";
import { say } from "@chela/sdk/testing";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

describe("the tree of a conversation", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:tree-${randomUUID()}`;
  const talk = async (key: string, ...texts: string[]): Promise<void> => {
    for (const text of texts) await client.agent(text, { sessionKey: key });
  };
  const history = async (key: string): Promise<string[]> =>
    (await client.call("chat.history", { sessionKey: key })).messages.flatMap(
      (message: { role: string; content: string | { text: string }[] }) =>
        message.role !== "user"
          ? []
          : [typeof message.content === "string" ? message.content : message.content.map(({ text }) => text).join("")],
    );
  const tree = (key: string) => client.call("sessions.branches", { key });
  const refusal = async (method: string, params: object) => (await client.request(method, params)).error;
  const row = async (key: string) =>
    (await client.call("sessions.list", { search: key, includeLastMessage: true })).sessions[0];

  test("goes back, goes on from there, and finds the way to the other branch", async () => {
    const key = fresh();
    await talk(key, "one", "two", "three");
    const { branches: before } = await tree(key);
    expect(before).toMatchObject([{ preview: "three", isActive: true, labels: [] }]);

    const moved = await client.call("sessions.rewind", { key, turns: 2 });
    expect(moved).toMatchObject({ ok: true, dropped: 4, preview: "one" });
    expect(await history(key)).toEqual(["one"]);

    await talk(key, "other");
    expect(await history(key)).toEqual(["one", "other"]);
    const asked = gateway.model.requests
      .at(-1)
      ?.messages.map((message) => textOf(message))
      .join("\n");
    expect(asked).toContain("one");
    expect(asked).not.toMatch(/two|three/);
    const { branches } = await tree(key);
    expect(
      branches.map(({ preview, isActive }: { preview: string; isActive: boolean }) => [preview, isActive]),
    ).toEqual([
      ["other", true],
      ["three", false],
    ]);

    const back = branches[1].entryId;
    expect(back).toBe(before[0].entryId);
    expect(await client.call("sessions.switch", { key, to: back })).toMatchObject({ ok: true, entryId: back });
    expect(await history(key)).toEqual(["one", "two", "three"]);
    await talk(key, "four");
    expect(await history(key)).toEqual(["one", "two", "three", "four"]);
  });

  test("takes a message back to say it in other words, and finds the way to the end of the first", async () => {
    const key = fresh();
    await talk(key, "first", "then");
    const entries = async () => (await client.call("chat.page", { sessionKey: key, from: 0, limit: 100 })).messages;
    const said = (all: { role?: string; id: string; siblings?: string[] }[]) =>
      all.filter(({ role }) => role === "user");
    const [first] = said(await entries());

    expect(await client.call("sessions.rewind", { key, to: first?.id, before: true })).toMatchObject({ ok: true });
    expect(await history(key)).toEqual([]);
    await talk(key, "first, in other words");
    const [other] = said(await entries());
    expect(other?.siblings).toEqual([first?.id, other?.id]);

    await client.call("sessions.switch", { key, to: first?.id, end: true });
    expect(await history(key)).toEqual(["first", "then"]);
  });

  test("remembers points by name", async () => {
    const key = fresh();
    await talk(key, "plan");
    const named = await client.call("sessions.checkpoint", { key, name: "Before the change" });
    expect(named).toEqual({ ok: true, entryId: expect.any(String), name: "Before the change" });
    await talk(key, "change");
    const { checkpoints } = await tree(key);
    expect(checkpoints).toEqual([
      { entryId: named.entryId, label: "Before the change", timestamp: expect.any(String) },
    ]);
    const moved = await client.call("sessions.rewind", { key, to: "before the change" });
    expect(moved).toMatchObject({ entryId: named.entryId, dropped: 2 });
    expect(await history(key)).toEqual(["plan"]);
  });

  test("gives a point another name, and takes a name away", async () => {
    const key = fresh();
    await talk(key, "plan");
    const { entryId } = await client.call("sessions.checkpoint", { key, name: "Draft" });
    await client.call("sessions.checkpoint", { key, name: "Second" });
    const names = async () => (await tree(key)).checkpoints.map(({ label }: { label: string }) => label);
    const shownAt = async () =>
      (await client.call("chat.page", { sessionKey: key, from: 0, limit: 100 })).messages.find(
        ({ id }: { id: string }) => id === entryId,
      )?.labels;
    const renamed = await client.call("sessions.checkpoint.patch", { key, name: "draft", to: "Final" });
    expect(renamed).toEqual({ ok: true, entryId, name: "Final" });
    expect(await names()).toEqual(["Final", "Second"]);
    expect([...(await shownAt())].sort()).toEqual(["Final", "Second"]);
    const busy = await refusal("sessions.checkpoint.patch", { key, name: "Final", to: "second" });
    expect(busy?.message).toContain('"Second" is the name of another point');
    const removed = await client.call("sessions.checkpoint.patch", { key, name: "Final", to: null });
    expect(removed).toEqual({ ok: true, entryId, name: null });
    expect([await names(), await shownAt()]).toEqual([["Second"], ["Second"]]);
    const gone = await refusal("sessions.checkpoint.patch", { key, name: "Final", to: null });
    expect(gone?.message).toContain('"Final" is not known; checkpoints: Second');
    expect(await refusal("sessions.rewind", { key, to: "Final" })).toMatchObject({ code: "INVALID_REQUEST" });
    expect(await history(key)).toEqual(["plan"]);
  });

  test("goes back to the very beginning", async () => {
    const key = fresh();
    await talk(key, "only");
    expect(await client.call("sessions.rewind", { key, turns: 1 })).toMatchObject({ dropped: 2, preview: "" });
    expect(await history(key)).toEqual([]);
    expect(await client.agent("again", { sessionKey: key })).toContain("again");
    expect(await history(key)).toEqual(["again"]);
  });

  test("previews follow the branch, and the count of tokens is no longer fresh", async () => {
    const key = fresh();
    const usage = { ...noUsage(), input: 10, output: 2, totalTokens: 12 };
    gateway.model.script(say("of course first"), [
      { kind: "text", delta: "of course second" },
      { kind: "finish", stopReason: "stop", usage },
    ]);
    await talk(key, "first", "second");
    expect(await row(key)).toMatchObject({ totalTokensFresh: true });
    await client.call("sessions.rewind", { key, turns: 1 });
    const { previews } = await client.call("sessions.preview", { keys: [key] });
    const said = previews[0].items.map(({ text }: { text: string }) => text).join("\n");
    expect(said).toContain("first");
    expect(said).not.toContain("second");
    const { lastMessagePreview, totalTokensFresh } = await row(key);
    expect(lastMessagePreview).toContain("first");
    expect(totalTokensFresh).toBe(false);
  });

  test("does not move while an answer is written", async () => {
    const key = fresh();
    await talk(key, "one");
    const gate = gateway.gate();
    gateway.model.script(gate.step("so", " it is"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey: key, message: "two", idempotencyKey: runId });
    await gate.reached;
    const busy = { code: "INVALID_REQUEST", message: "session is busy: stop it first" };
    expect(await refusal("sessions.rewind", { key, turns: 1 })).toEqual(busy);
    expect(await refusal("sessions.switch", { key, to: "anywhere" })).toEqual(busy);
    gate.open();
    await client.chatEnd(runId);
    expect(await history(key)).toEqual(["one", "two"]);
  });

  test.for([
    ["sessions.branches", { key: "agent:main:nobody" }, "No session found: agent:main:nobody"],
    ["sessions.checkpoint", { key: "agent:main:nobody", name: "x" }, "No session found: agent:main:nobody"],
    ["sessions.checkpoint.patch", { key: "agent:main:nobody", name: "x", to: null }, "No session found"],
    ["sessions.checkpoint.patch", { key: "main", name: "x", to: "" }, "at /to"],
    ["sessions.rewind", { key: "agent:main:nobody", turns: 1 }, "No session found: agent:main:nobody"],
    ["sessions.switch", { key: "agent:main:nobody", to: "x" }, "No session found: agent:main:nobody"],
    ["sessions.rewind", { key: "main" }, "say where to go back"],
    ["sessions.rewind", { key: "main", to: "x", turns: 1 }, "say where to go back"],
    ["sessions.rewind", { key: "main", turns: 0 }, "invalid sessions.rewind params: at /turns: must be >= 1"],
    ["sessions.rewind", { key: "main", turns: 50 }, "there are fewer than 50 messages to go back"],
    ["sessions.switch", { key: "main", to: "nowhere" }, '"nowhere" is not known; there are no checkpoints yet'],
    ["sessions.checkpoint", { key: "main", name: "" }, "at /name: must NOT have fewer than 1 characters"],
    ["sessions.checkpoint", { key: "main", name: "x".repeat(65) }, "at /name: must NOT have more than 64 characters"],
    ["sessions.checkpoint", { key: "main", name: "a\nb" }, "at /name: must not contain control characters"],
    ["sessions.checkpoint", { key: "main", name: "a\u202eb" }, "at /name: must not contain control characters"],
  ] as const)("%s refuses %j", async ([method, params, says]) => {
    await client.agent("hello", { sessionKey: "main" });
    const error = await refusal(method, params);
    expect(error?.code).toBe("INVALID_REQUEST");
    expect(error?.message).toContain(says);
  });
});

test("what the gateway settles with the model is not shown to people", async () => {
  using state = createStateDirectory();
  const [key, sessionId] = ["agent:main:old", randomUUID()];
  const timestamp = "2026-01-01T00:00:00.000Z";
  const said = (id: string, parentId: string | null, content: string, more = {}) => ({
    type: "message",
    id,
    parentId,
    timestamp,
    ...more,
    message: { role: "user", content, timestamp: Date.parse(timestamp) },
  });
  const entries = [
    { type: "session", version: 3, id: sessionId, timestamp, cwd: "/" },
    said("aaaaaaa1", null, "spoken"),
    said("aaaaaaa2", "aaaaaaa1", "unspoken", { internal: true }),
  ];
  const directory = join(state.path, "agents", "main", "sessions");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "sessions.json"), JSON.stringify({ [key]: { sessionId, updatedAt: 1 } }));
  writeFileSync(join(directory, `${sessionId}.jsonl`), entries.map((entry) => JSON.stringify(entry)).join("\n"));

  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  const { messages } = await client.call("chat.history", { sessionKey: key });
  expect(messages).toMatchObject([{ content: "spoken", __openclaw: { id: "aaaaaaa1" } }]);
  const { previews } = await client.call("sessions.preview", { keys: [key] });
  expect(previews[0].items).toEqual([{ role: "user", text: "spoken" }]);
});
