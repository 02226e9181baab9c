// What becomes of messages that arrive while the agent is busy: every mode, every way to drop, and a stop in between.
import { describe, expect, it } from "vitest";
import type { AgentMessage, ModelEvent, ModelRequest } from "@chela/sdk";
import { callTool, createFakeChannel, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

/** Alice and Bob are both named, and so share the main conversation. */
const OPEN = {
  token: "t",
  dmPolicy: "open",
  allowFrom: ["*", "alice", "bob"],
  groupPolicy: "open",
  groups: { "*": { requireMention: false, allowFrom: ["*"] } },
};

async function openStage(queue: Json, more: Json = {}) {
  const fake = createFakeChannel();
  const gateway = await startTestGateway({
    channels: { fake: fake.channel },
    config: { channels: { fake: OPEN }, messages: { queue: { debounceMs: 20, ...queue } }, ...more },
  });
  await fake.untilConnected();
  const { model } = gateway;
  return { fake, gateway, model, gate: gateway.gate(), [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

/** A model that thinks until it is let go, and then calls a tool. */
function pauseBeforeTool() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const step = async function* (): AsyncIterable<ModelEvent> {
    reached.resolve();
    await opened.promise;
    yield* callTool("session_status", {});
  };
  return { step, reached: reached.promise, open: () => opened.resolve() };
}

const texts = (sent: ReadonlyArray<{ text: string }>) => sent.map(({ text }) => text);
const said = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).filter(({ role }) => role === "user").map(textOf);
const textOf = ({ content }: AgentMessage): string =>
  typeof content === "string" ? content : content.map((block) => ("text" in block ? String(block.text) : "")).join("");

describe("a message behind a running turn", () => {
  it("is answered together with others in mode collect", async () => {
    await using stage = await openStage({ mode: "collect" });
    const { fake, model, gate } = stage;
    model.script(gate.step("", "first"), say("both"));
    await fake.say("one");
    await gate.reached;
    await fake.say("two");
    await fake.say("three");
    gate.open();
    expect(texts(await fake.until(2))).toEqual(["first", "both"]);
    expect(said(model.requests[1]).at(-1)).toMatch(/Queued #1\ntwo\n\n---\nQueued #2\nthree$/);
    expect(model.requests).toHaveLength(2);
  });

  it("of another person is not collected, so that nobody borrows another's rights", async () => {
    await using stage = await openStage({ mode: "collect" });
    const { fake, model, gate } = stage;
    const chat = { kind: "group" as const, id: "g1" };
    model.script(gate.step("", "first"), say("for alice"), say("for bob"));
    await fake.say("one", { chat });
    await gate.reached;
    await fake.say("two", { chat });
    await fake.say("three", { chat, from: "bob" });
    gate.open();
    expect(texts(await fake.until(3))).toEqual(["first", "for alice", "for bob"]);
  });

  it("has an answer of its own in mode followup", async () => {
    await using stage = await openStage({ mode: "followup" });
    const { fake, model, gate } = stage;
    model.script(gate.step("", "first"), say("second"), say("third"));
    for (const text of ["one", "two", "three"]) await fake.say(text);
    gate.open();
    expect(texts(await fake.until(3))).toEqual(["first", "second", "third"]);
  });

  it.each(["steer", "queue"])("is said to the running turn in mode %s", async (mode) => {
    await using stage = await openStage({ mode });
    const { fake, model } = stage;
    const pause = pauseBeforeTool();
    model.script(pause.step, say("answer to both"));
    await fake.say("one");
    await pause.reached;
    await fake.say("change of plan");
    await fake.say("of mine, says bob", { from: "bob" });
    pause.open();
    await fake.until(2);
    expect(texts(fake.sent)[0]).toBe("answer to both");
    expect(said(model.requests[1]).at(-1)).toMatch(/change of plan$/);
    expect(said(model.requests[1]).join()).not.toContain("says bob");
    expect(said(model.requests[2]).at(-1)).toMatch(/of mine, says bob$/);
    expect(model.requests).toHaveLength(3);
  });

  it("waits for the next turn in mode steer when no tool is called", async () => {
    await using stage = await openStage({ mode: "steer" });
    const { fake, model, gate } = stage;
    model.script(gate.step("", "first"), say("second"));
    await fake.say("one");
    await gate.reached;
    await fake.say("two");
    gate.open();
    expect(texts(await fake.until(2))).toEqual(["first", "second"]);
  });

  it.each(["steer-backlog", "steer+backlog"])("is said and answered as well in mode %s", async (mode) => {
    await using stage = await openStage({ mode });
    const { fake, model } = stage;
    const pause = pauseBeforeTool();
    model.script(pause.step, say("noted"), say("and answered"));
    await fake.say("one");
    await pause.reached;
    await fake.say("two");
    pause.open();
    expect(texts(await fake.until(2))).toEqual(["noted", "and answered"]);
    expect(said(model.requests[1]).at(-1)).toMatch(/two$/);
    expect(said(model.requests[2]).at(-1)).toMatch(/two$/);
  });

  it("takes the place of the running turn in mode interrupt", async () => {
    await using stage = await openStage({ mode: "interrupt" });
    const { fake, model, gate } = stage;
    model.script(gate.step("I was saying", "never said"), say("the newest"));
    await fake.say("one");
    await gate.reached;
    await fake.say("two");
    expect(texts(await fake.until(1))).toEqual(["the newest"]);
    const client = await stage.gateway.connect();
    const { payload } = await client.request("chat.history", { sessionKey: "main" });
    expect(JSON.stringify(payload.messages)).toContain("one");
  });

  it("goes by what /queue said in the session, before what is configured", async () => {
    await using stage = await openStage({ mode: "followup" }, { commands: { useAccessGroups: false } });
    const { fake, model, gate } = stage;
    await fake.say("/queue collect debounce:10");
    await fake.until(1);
    model.script(gate.step("", "first"), say("both"));
    for (const text of ["one", "two", "three"]) await fake.say(text);
    gate.open();
    expect(texts(await fake.until(3)).slice(1)).toEqual(["first", "both"]);
  });

  it("goes by what is configured for its channel", async () => {
    await using stage = await openStage({ mode: "collect", byChannel: { webchat: "followup" } });
    const client = await stage.gateway.connect();
    const { model, gate } = stage;
    model.script(gate.step("", "first"), say("second"), say("third"));
    for (const message of ["a", "b", "c"]) {
      const { payload } = await client.request("chat.send", { sessionKey: "main", message, idempotencyKey: message });
      expect(payload.status).toBe("started");
    }
    gate.open();
    for (const runId of ["a", "b", "c"]) {
      expect((await client.request("agent.wait", { runId })).payload.status).toBe("ok");
    }
    expect(model.requests).toHaveLength(3);
  });
});

describe("rapid texts", () => {
  it("are coalesced, and the first one does not wait", async () => {
    await using stage = await openStage({ mode: "collect", debounceMs: 50 });
    const { fake, model } = stage;
    model.script(say("to the first"), say("to the others"));
    await fake.say("one");
    await fake.until(1);
    await fake.say("two");
    await fake.say("three");
    expect(texts(await fake.until(2))).toEqual(["to the first", "to the others"]);
  });

  it("all wait a moment when messages.inbound.debounceMs says so", async () => {
    await using stage = await openStage({}, { messages: { inbound: { debounceMs: 60 }, queue: { debounceMs: 60 } } });
    const { fake, model } = stage;
    model.script(say("to all"));
    for (const text of ["one", "two", "three"]) await fake.say(text);
    expect(texts(await fake.until(1))).toEqual(["to all"]);
    expect(model.requests).toHaveLength(1);
  });

  it("of an album are one message in every mode", async () => {
    await using stage = await openStage({ mode: "followup" });
    const { fake, model } = stage;
    model.script(say("nice pictures"));
    await fake.say("", { more: { albumId: "a1", media: [] } });
    await fake.say("my holidays", { more: { albumId: "a1" } });
    expect(texts(await fake.until(1))).toEqual(["nice pictures"]);
    expect(said(model.requests[0]).at(-1)).toMatch(/\] my holidays$/);
  });
});

describe("too many messages", () => {
  async function fill(drop: string) {
    const stage = await openStage({ mode: "followup", cap: 2, drop });
    const { fake, model, gate } = stage;
    model.script(gate.step("", "first"));
    await fake.say("one");
    await gate.reached;
    for (const text of ["two", "three", "four"]) await fake.say(text);
    return stage;
  }
  const answered = (requests: readonly ModelRequest[]) => requests.map((request) => said(request).at(-1) ?? "");

  it("drops the newest, and says so, with drop new", async () => {
    await using stage = await fill("new");
    const [sorry] = await stage.fake.until(1);
    expect(sorry?.text).toMatch(/2 messages waiting, so this one was not taken/);
    stage.gate.open();
    await stage.fake.until(4);
    expect(answered(stage.model.requests).map((text) => text.split(" ").at(-1))).toEqual(["one", "two", "three"]);
  });

  it("drops the oldest with drop old", async () => {
    await using stage = await fill("old");
    stage.gate.open();
    await stage.fake.until(3);
    expect(answered(stage.model.requests).map((text) => text.split(" ").at(-1))).toEqual(["one", "three", "four"]);
  });

  it("tells the agent what was dropped with drop summarize", async () => {
    await using stage = await fill("summarize");
    stage.gate.open();
    await stage.fake.until(3);
    const [, second = "", third = ""] = answered(stage.model.requests);
    expect(second).toMatch(/\[Queue overflow\] Dropped 1 message due to cap: two/);
    expect(second).toMatch(/three$/);
    expect(third).not.toContain("overflow");
  });
});

it("what waited is answered after a restart, in order", async () => {
  using directory = createStateDirectory({ channels: { fake: OPEN }, messages: { queue: { mode: "followup" } } });
  const before = createFakeChannel();
  {
    await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: before.channel } });
    await before.untilConnected();
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "first"));
    await before.say("one");
    await gate.reached;
    await before.say("two");
    await before.say("three");
    gate.open();
    void gateway.gateway.stop("stop");
  }
  const after = createFakeChannel();
  await using gateway = await startTestGateway({ stateDir: directory.path, channels: { fake: after.channel } });
  await eventually("all three are answered", () => before.sent.length + after.sent.length >= 3 || undefined);
  expect(texts([...before.sent, ...after.sent]).map((text) => text.split(" ").at(-1))).toEqual([
    "first",
    "two",
    "three",
  ]);
  expect(gateway.model.requests.length).toBeLessThanOrEqual(2);
});
