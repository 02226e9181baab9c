// A page that watches a session: what it is told, in which order, and that nothing is shown twice or lost.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AgentEvent,
  ChatEvent,
  MAX_WATCHED,
  SessionEntriesEvent,
  SessionMovedEvent,
  WatchSnapshot,
} from "@chela/sdk/protocol";
import { callTool, say } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { EventFrame, Json, WireClient } from "../support/wire-client.ts";

const PAGE = { client: { id: "test", mode: "ui" } };

interface Shown {
  readonly index: number;
  readonly id: string;
  readonly role?: string;
  readonly hidden?: boolean;
  readonly runId?: string;
  readonly siblings?: string[];
  readonly content?: { type: string; text?: string }[];
}

const textIn = ({ content = [] }: Shown): string => content.map(({ text }) => text ?? "").join("");
const entriesOf = (client: WireClient, sessionKey: string): EventFrame[] =>
  client.eventsOf("session.entries").filter(({ payload }) => payload.sessionKey === sessionKey);
/** What a page knows that started with `total` entries and heard every event. */
const heard = (client: WireClient, sessionKey: string): Shown[] =>
  entriesOf(client, sessionKey).flatMap(({ payload }) => payload.messages as Shown[]);
const visible = (messages: readonly Shown[]): string[][] =>
  messages.filter(({ hidden }) => !hidden).map((one) => [one.role ?? "", textIn(one)]);

describe("watching a session", () => {
  let gateway: TestGateway;
  let page: WireClient;
  let other: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    page = await gateway.connect(PAGE);
    other = await gateway.connect();
  });
  afterAll(async () => {
    const declared: Record<string, typeof ChatEvent | typeof AgentEvent> = { chat: ChatEvent, agent: AgentEvent };
    for (const { event, payload } of page.events) {
      expect(declared[event]?.().safeParse(payload).error, JSON.stringify(payload)).toBeUndefined();
    }
    await gateway[Symbol.asyncDispose]();
  });

  const fresh = () => `agent:main:watch-${randomUUID()}`;
  const watch = async (sessionKey: string, client = page): Promise<Json> => {
    const snapshot = await client.call("chat.watch", { sessionKey });
    expect(WatchSnapshot().safeParse(snapshot).error).toBeUndefined();
    return snapshot;
  };
  const page100 = (sessionKey: string) => page.call("chat.page", { sessionKey, from: 0, limit: 100 });

  test("tells what others say in it before their turn is over, each entry once and in order", async () => {
    const sessionKey = fresh();
    expect(await watch(sessionKey)).toMatchObject({ sessionKey, total: 0, leafId: null, runs: [] });
    const runId = randomUUID();
    gateway.model.script(callTool("session_status", {}, "c1"), [{ kind: "text", delta: "it is " }, ...say("noon")]);
    await other.agent("what time is it?", { sessionKey, idempotencyKey: runId });
    await other.agent("thanks", { sessionKey });
    const end = await page.untilEvent("chat", ({ payload }) => payload.runId === runId && payload.state === "final");
    for (const { payload } of entriesOf(page, sessionKey)) {
      expect(SessionEntriesEvent().safeParse(payload).error).toBeUndefined();
    }
    const before = page.events.slice(0, page.events.indexOf(end));
    const told = before.filter(
      ({ event, payload }) => event === "session.entries" && payload.sessionKey === sessionKey,
    );
    const ofRun = told.flatMap(({ payload }) => payload.messages as Shown[]).filter((one) => one.runId === runId);
    expect(ofRun.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
    expect(ofRun.map(textIn).at(-1)).toBe("it is noon");
    const answered = before.findLastIndex(
      ({ event, payload }) => event === "session.entries" && payload.sessionKey === sessionKey,
    );
    const late = before
      .slice(answered)
      .filter(({ payload }) => payload.stream === "assistant" || payload.state === "delta");
    expect(late).toEqual([]);

    await page.until("the last answer", () => heard(page, sessionKey).find((one) => textIn(one).includes("thanks")));
    const all = heard(page, sessionKey);
    expect(all.map(({ index }) => index)).toEqual(all.map((_, at) => at));
    const shown = await page100(sessionKey);
    const withoutRun = all.map(({ runId: _run, ...rest }) => rest);
    expect(shown.messages).toEqual(withoutRun);
    expect(shown.leafId).toBe(entriesOf(page, sessionKey).at(-1)?.payload.leafId);
  });

  test("a page that comes in the middle of a turn sees all of it, and nothing of it twice", async () => {
    const sessionKey = fresh();
    await other.agent("first", { sessionKey });
    const gate = gateway.gate();
    gateway.model.script(gate.step("half of ", "the answer"));
    const runId = randomUUID();
    await other.call("chat.send", { sessionKey, message: "second", idempotencyKey: runId });
    await gate.reached;
    const queued = randomUUID();
    await other.call("chat.send", { sessionKey, message: "third", idempotencyKey: queued });
    await other.untilEvent("agent", ({ payload }) => payload.runId === runId && payload.stream === "assistant");
    const late = await gateway.connect(PAGE);
    const snapshot = await watch(sessionKey, late);
    expect(snapshot["runs"]).toEqual([
      expect.objectContaining({ runId, state: "running", text: "half of ", thinking: "", tools: [] }),
      expect.objectContaining({ runId: queued, state: "queued", userText: "third", text: "" }),
    ]);
    const known = await late.call("chat.page", { sessionKey, from: 0, limit: Number(snapshot["total"]) || 1 });
    gate.open();
    await late.chatEnd(queued);
    const all = [...(known.messages as Shown[]), ...heard(late, sessionKey)].filter(
      (one, at, list) => list.findIndex(({ id }) => id === one.id) === at,
    );
    expect(visible(all)).toEqual([
      ["user", "first"],
      ["assistant", expect.stringContaining("first")],
      ["user", "second"],
      ["assistant", "half of the answer"],
      ["user", "third"],
      ["assistant", expect.stringContaining("third")],
    ]);
    expect((await watch(sessionKey, late))["runs"]).toEqual([]);
  });

  test("shows tools of everybody's runs with arguments and results, whatever the session's level", async () => {
    const sessionKey = fresh();
    await watch(sessionKey);
    const runId = randomUUID();
    gateway.model.script(callTool("session_status", { verbose: true }, "c7"), say("done"));
    await other.agent("look", { sessionKey, idempotencyKey: runId });
    const tools = (of: WireClient) => of.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "tool");
    await page.until("both events", () => tools(page)[1]);
    expect(tools(page).map(({ payload }) => payload.data)).toMatchObject([
      { phase: "start", toolCallId: "c7" },
      { phase: "result", toolCallId: "c7", result: [{ type: "text", text: expect.stringContaining("Session: ") }] },
    ]);
    expect(tools(other).map(({ payload }) => payload.data.result)).toEqual([undefined, undefined]);
    for (const event of tools(page)) expect(event.seq).toEqual(expect.any(Number));
  });

  test("entries that are written while the next message is being said do not take its place", async () => {
    const sessionKey = fresh();
    await other.agent("hello", { sessionKey });
    await watch(sessionKey);
    const gate = gateway.gate();
    const look = [{ kind: "text" as const, delta: "one moment" }, ...callTool("session_status", {}, "c1")];
    gateway.model.script(look, gate.step("it is ", "noon"));
    const runId = randomUUID();
    await other.call("chat.send", { sessionKey, message: "what time is it?", idempotencyKey: runId });
    await gate.reached;
    const told = await page.untilEvent("session.entries", ({ payload }) =>
      payload.messages.some((one: Shown) => one.runId === runId && one.role === "assistant"),
    );
    expect(told.payload.messages.map(({ role }: Shown) => role)).toContain("toolResult");
    expect(told.payload.runs).toEqual([{ runId, text: "it is ", thinking: "" }]);
    gate.open();
    await page.chatEnd(runId);
    expect(entriesOf(page, sessionKey).at(-1)?.payload.runs).toEqual([{ runId, text: "", thinking: "" }]);
  });

  test("a tool that is at work is in the snapshot", async () => {
    const sessionKey = fresh();
    gateway.model.script([{ kind: "text", delta: "let me see" }, ...callTool("exec", { command: "sleep 30" }, "c1")]);
    const runId = randomUUID();
    await other.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    await other.untilEvent(
      "agent",
      ({ payload }) => payload.runId === runId && payload.data.phase === "start" && payload.stream === "tool",
    );
    const snapshot = await watch(sessionKey);
    expect(snapshot["runs"]).toMatchObject([
      { runId, state: "running", text: "", tools: [{ toolCallId: "c1", name: "exec", args: { command: "sleep 30" } }] },
    ]);
    await other.call("chat.abort", { sessionKey });
    await other.chatEnd(runId);
  });

  test("going back, going elsewhere, starting anew and deleting are told as moves", async () => {
    const sessionKey = fresh();
    for (const text of ["one", "two"]) await other.agent(text, { sessionKey });
    const { sessionId } = await watch(sessionKey);
    const moves = () => page.eventsOf("session.moved").filter(({ payload }) => payload.sessionKey === sessionKey);
    const nextMove = async (count: number) => {
      const { payload } = await page.until("a move", () => moves()[count - 1]);
      expect(SessionMovedEvent().safeParse(payload).error).toBeUndefined();
      return payload;
    };
    await other.call("sessions.rewind", { key: sessionKey, turns: 1 });
    const back = await nextMove(1);
    const after = await page100(sessionKey);
    expect(back).toEqual({ sessionKey, sessionId, total: after.total, leafId: after.leafId });
    expect(visible(after.messages)).toEqual([
      ["user", "one"],
      ["assistant", expect.any(String)],
    ]);

    await other.agent("three", { sessionKey });
    const anew = await page.until("three", () => heard(page, sessionKey).find((one) => textIn(one) === "three"));
    expect(anew.siblings).toHaveLength(2);
    expect(anew.siblings?.at(-1)).toBe(anew.id);
    expect((await page100(sessionKey)).messages[anew.index].siblings).toEqual(anew.siblings);

    await other.chat("/new", { sessionKey });
    const reset = await nextMove(2);
    expect(reset).toMatchObject({ total: 0, leafId: null });
    expect(reset.sessionId).not.toBe(sessionId);
    await other.call("sessions.delete", { key: sessionKey });
    expect(await nextMove(3)).toEqual({ sessionKey, total: 0, leafId: null });
  });

  test("notes of commands, checkpoints and injected texts are told, too", async () => {
    const sessionKey = fresh();
    await other.agent("hello", { sessionKey });
    const { leafId } = await watch(sessionKey);
    await other.chat("/status", { sessionKey });
    await other.call("sessions.checkpoint", { key: sessionKey, name: "here" });
    const { messageId } = await other.call("chat.inject", { sessionKey, message: "by the way" });
    await page.until("the text", () => heard(page, sessionKey).find(({ id }) => id === messageId));
    expect(heard(page, sessionKey)).toMatchObject([
      { kind: "command", role: "user", content: [{ text: "/status" }], reply: expect.any(String), parentId: leafId },
      { kind: "label", hidden: true, label: "here", targetId: leafId },
      { role: "assistant", content: [{ text: "by the way" }] },
    ]);
    const { messages } = await page100(sessionKey);
    expect(messages.find(({ id }: Shown) => id === leafId).labels).toEqual(["here"]);
  });

  test("ends when it is said so, and with the connection", async () => {
    const [sessionKey, second] = [fresh(), fresh()];
    await watch(sessionKey);
    await watch(second);
    await page.call("chat.unwatch", { sessionKey });
    await other.agent("anybody?", { sessionKey });
    await other.agent("hello", { sessionKey: second });
    await page.until("the second", () => entriesOf(page, second)[0]);
    expect(entriesOf(page, sessionKey)).toEqual([]);
    expect(entriesOf(other, second)).toEqual([]);
  });

  test("is bounded for each connection", async () => {
    const many = await gateway.connect(PAGE);
    for (let at = 0; at < MAX_WATCHED; at++) await many.call("chat.watch", { sessionKey: `agent:main:many-${at}` });
    await many.call("chat.watch", { sessionKey: "agent:main:many-0" });
    const { error } = await many.request("chat.watch", { sessionKey: "agent:main:one-more" });
    expect(error?.message).toMatch(/may watch 50 sessions/);
    await many.call("chat.unwatch", { sessionKey: "agent:main:many-1" });
    await many.call("chat.watch", { sessionKey: "agent:main:one-more" });
  });
});

test("what is said in a channel reaches the page", async () => {
  await using stage = await openChannelStage();
  await stage.ask("hello");
  const { sessions } = await stage.client.call("sessions.list");
  const sessionKey = String(sessions[0].key);
  const snapshot = await stage.client.call("chat.watch", { sessionKey });
  await stage.ask("are you there?");
  await stage.client.until("the question", () => entriesOf(stage.client, sessionKey)[0]);
  await stage.client.until("the answer", () =>
    heard(stage.client, sessionKey).find(({ role, index }) => role === "assistant" && index >= snapshot.total),
  );
  expect(
    heard(stage.client, sessionKey)
      .filter(({ role }) => role === "user")
      .map(textIn),
  ).toEqual(["are you there?"]);
});
