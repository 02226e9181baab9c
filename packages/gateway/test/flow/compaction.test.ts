// Conversations that grow long: notes are saved, the beginning is summarised, nothing is lost and nobody waits for it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noUsage, textOf, type AgentMessage, type ModelEvent, type ModelRequest } from "@chela/sdk";
import {
  callTool,
  createFakeClock,
  createScriptedModel,
  say,
  type ScriptedModel,
  type ScriptStep,
} from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { readMirror } from "../support/durability/durability-evidence.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const WINDOW = 12_000;
/** More than may be in use before a summary is due: a quarter of a small window is kept free. */
const TOO_MUCH = 9_500;
const SUMMARY = "The fruits were named in order.";
const FLUSH_WORDS = "I keep these notes to myself";

const config = (more: Json = {}): Json => ({
  models: {
    providers: { scripted: { models: [{ id: "test", name: "Test", contextWindow: WINDOW, maxTokens: 1000 }] } },
  },
  ...more,
});

/** About 1500 tokens, recognisable by its first word. */
const long = (word: string): string => `${word} ${"is a fruit that grows on trees ".repeat(200)}`;

function using(tokens: number, events: readonly ModelEvent[]): ModelEvent[] {
  const usage = { ...noUsage(), input: tokens, output: 10, totalTokens: tokens + 10 };
  return events.map((event) => (event.kind === "finish" ? { ...event, usage } : event));
}

const lastText = ({ messages }: ModelRequest): string => textOf(messages.at(-1) ?? { content: "" });
const lastUserText = ({ messages }: ModelRequest): string =>
  textOf(messages.findLast(({ role }) => role === "user") ?? { content: "" });
const isSummary = (request: ModelRequest): boolean => request.system.startsWith("You summarise a conversation");
const isFlush = (request: ModelRequest): boolean =>
  !isSummary(request) && lastUserText(request).includes("memory flush");
const isTurn = (request: ModelRequest): boolean => !isSummary(request) && !isFlush(request);

interface Manner {
  /** Undefined echoes. */
  readonly turn?: (request: ModelRequest) => readonly ModelEvent[] | undefined;
  readonly flush?: ScriptStep;
  readonly summary?: ScriptStep;
}

/** From now on the model answers each kind of question in its own manner, however often it is asked. */
function teach({ model }: { readonly model: ScriptedModel }, manner: Manner): void {
  const step: ScriptStep = (request, signal) => {
    const chosen: ScriptStep = isSummary(request)
      ? (manner.summary ?? say(SUMMARY))
      : isFlush(request)
        ? (manner.flush ?? say("NO_REPLY"))
        : (manner.turn?.(request) ?? say(`echo: ${lastUserText(request)}`));
    return typeof chosen === "function" ? chosen(request, signal) : chosen;
  };
  model.script(...Array.from({ length: 60 }, () => step));
}

/** The last of the words is answered with a use of tokens that asks for a summary. */
async function talkUntilLong(client: WireClient, sessionKey: string, words = ["plum", "pear", "fig", "lime"]) {
  for (const word of words) await client.agent(long(word), { sessionKey });
}

/** A usage that grows past the limit with the fruit that comes last. */
const grows = (request: ModelRequest): readonly ModelEvent[] | undefined =>
  using(lastUserText(request).includes("lime") ? TOO_MUCH : 100, say("noted"));

const compacted = (client: WireClient, count = 1) =>
  client.until(`${count} compactions`, () => {
    const ends = client.eventsOf("agent").filter(({ payload }) => isEnd(payload));
    return ends.length >= count ? ends[count - 1] : undefined;
  });
const isEnd = (payload: { stream: string; data: { phase: string } }): boolean =>
  payload.stream === "compaction" && payload.data.phase === "end";

/** Every call has its result, right behind it. */
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

test("a long conversation is noted down and summarised once, unseen, and goes on from the summary", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:long";
  let flushStep = 0;
  const flush: ScriptStep = () =>
    flushStep++ === 0
      ? [
          { kind: "thinking", delta: FLUSH_WORDS },
          { kind: "thinking-end" },
          { kind: "text", delta: FLUSH_WORDS },
          ...callTool("write", { path: "memory/notes.md", content: "- fruits\n" }),
        ]
      : say(FLUSH_WORDS);
  teach(gateway, { turn: grows, flush });
  await talkUntilLong(client, sessionKey);
  await compacted(client);
  const kinds = gateway.model.requests.map((one) => (isSummary(one) ? "summary" : isFlush(one) ? "flush" : "turn"));
  expect(kinds.join(" ")).toMatch(/^turn turn turn turn flush flush( summary)+$/);
  expect(readFileSync(`${gateway.stateDir}/workspace/memory/notes.md`, "utf8")).toBe("- fruits\n");

  await client.agent("what now?", { sessionKey });
  const request = gateway.model.requests.filter(isTurn).at(-1) as ModelRequest;
  expect(textOf(request.messages[0] ?? { content: "" })).toContain(SUMMARY);
  expect(JSON.stringify(request.messages)).not.toContain("plum is a fruit");
  expect(lastText(request)).toContain("what now?");
  expectLegal(request.messages);
  expect(JSON.stringify(request).length / 3.5).toBeLessThan(WINDOW);

  const told = client.events.filter(({ event }) => event === "chat" || event === "agent");
  expect(JSON.stringify(told)).not.toMatch(new RegExp(`${FLUSH_WORDS}|memory flush|NO_REPLY|${SUMMARY}`));
  const { messages } = await client.call("chat.history", { sessionKey });
  expect(JSON.stringify(messages)).not.toMatch(new RegExp(`${FLUSH_WORDS}|memory flush|memory/notes`));
  expect(JSON.stringify(messages)).toContain("plum is a fruit");
});

test("what a summary stands for can still be read, by the agent and in the files", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:reachable";
  teach(gateway, {
    turn: (request) => {
      if (lastText(request).includes("look it up")) {
        const [, entryId] = /entr(?:y|ies) (\S+?)[ )]/.exec(textOf(request.messages[0] ?? { content: "" })) ?? [];
        return callTool("sessions_history", { sessionKey, entryId });
      }
      return request.messages.at(-1)?.role === "toolResult" ? say("found") : grows(request);
    },
  });
  await talkUntilLong(client, sessionKey);
  await compacted(client);
  await client.agent("look it up", { sessionKey });
  const result = gateway.model.requests.at(-1)?.messages.at(-1) as AgentMessage;
  expect(result).toMatchObject({ role: "toolResult", toolName: "sessions_history", isError: false });
  expect(textOf(result)).toContain("plum is a fruit");

  await gateway.gateway.stop("stop");
  const file = readMirror(gateway.stateDir).get(sessionKey);
  const lines = readFileSync(file?.path ?? "", "utf8")
    .trim()
    .split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Json);
  const record = entries.find(({ type }) => type === "compaction");
  expect(record).toMatchObject({
    summary: expect.stringContaining(SUMMARY),
    firstKeptEntryId: expect.any(String),
    tokensBefore: expect.any(Number),
    tokensAfter: expect.any(Number),
    details: { readFiles: [], modifiedFiles: [] },
  });
  const kept = entries.findIndex(({ id }) => id === record?.["firstKeptEntryId"]);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(entries.indexOf(record as Json));
  expect(JSON.stringify(entries.slice(0, kept))).toContain("plum is a fruit");
});

test("a second cycle saves notes and summarises once more, on top of the first summary", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:cycles";
  const materials: string[] = [];
  teach(gateway, {
    turn: grows,
    summary: (request) => (materials.push(lastText(request)), say(`${SUMMARY} (${materials.length})`)),
  });
  await talkUntilLong(client, sessionKey);
  await compacted(client);
  const first = materials.length;
  await talkUntilLong(client, sessionKey, ["kiwi", "date", "lime"]);
  await compacted(client, 2);
  expect(gateway.model.requests.filter(isFlush)).toHaveLength(2);
  expect(materials[first]).toContain(`<previous-summary>\n${SUMMARY} (${first})`);
  const mirrored = () => readMirrorEntry(gateway.stateDir, sessionKey);
  const entry = await eventually("the second cycle in the files", () => {
    const now = mirrored();
    return now?.["compactionCount"] === 2 ? now : undefined;
  });
  expect(entry).toMatchObject({ memoryFlushCompactionCount: 1 });
});

function readMirrorEntry(stateDir: string, key: string): Json | undefined {
  const path = join(stateDir, "agents", "main", "sessions", "sessions.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Json>)[key] : undefined;
}

test("a summary that fails leaves the conversation as it is, and is tried again after the next turn", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:failing";
  const failure = { reason: "bad-request", message: "not today", retry: "never" } as const;
  let fails = true;
  teach(gateway, { turn: grows, summary: () => (fails ? [{ kind: "failure", failure }] : say(SUMMARY)) });
  await talkUntilLong(client, sessionKey);
  const { payload } = await compacted(client);
  expect(payload.data).toMatchObject({ compacted: false });
  fails = false;
  expect(await client.agent(long("lime again"), { sessionKey })).toBe("noted");
  const request = gateway.model.requests.filter(isTurn).at(-1) as ModelRequest;
  expect(JSON.stringify(request.messages)).toContain("plum is a fruit");
  expect((await compacted(client, 2)).payload.data).toMatchObject({ compacted: true });
  expect(gateway.model.requests.filter(isFlush)).toHaveLength(1);
});

test("a provider that finds the prompt too long in the middle of a turn gets a shorter one, and the turn goes on", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:overflow";
  const overflow = { reason: "context-overflow", message: "too long", retry: "never" } as const;
  const isCompacted = (request: ModelRequest) => textOf(request.messages[0] ?? { content: "" }).includes(SUMMARY);
  teach(gateway, {
    turn: (request) => {
      if (!lastUserText(request).includes("look around")) return say("noted");
      if (request.messages.at(-1)?.role !== "toolResult") return callTool("session_status", {}, "call_9");
      return isCompacted(request) ? say("all is well") : [{ kind: "failure", failure: overflow }];
    },
  });
  await talkUntilLong(client, sessionKey);
  const end = await client.chat("look around", { sessionKey });
  expect(end.payload).toMatchObject({ state: "final", message: { content: [{ text: "all is well" }] } });
  const request = gateway.model.requests.filter(isTurn).at(-1) as ModelRequest;
  expect(isCompacted(request)).toBe(true);
  expectLegal(request.messages);
  const asked = request.messages.filter((one) => textOf(one).includes("look around"));
  expect(asked).toHaveLength(1);
  expect(await client.agent("and now?", { sessionKey })).toBe("noted");
});

test("the saving of notes is nobody's turn: going back counts what people said", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:back";
  // Enough for notes to be saved, not for a summary.
  teach(gateway, { turn: (request) => using(lastUserText(request).includes("lime") ? 8_500 : 100, say("noted")) });
  await talkUntilLong(client, sessionKey);
  await client.agent("after the notes", { sessionKey });
  expect(gateway.model.requests.filter(isFlush)).toHaveLength(1);
  expect(gateway.model.requests.filter(isSummary)).toEqual([]);
  await client.agent("/rewind 2", { sessionKey });
  await client.agent("go on", { sessionKey });
  const asked = (gateway.model.requests.at(-1) as ModelRequest).messages.filter(({ role }) => role === "user");
  const words = asked.map((one) => /\] (\w+)/.exec(textOf(one))?.[1]);
  expect(words).toEqual(["plum", "pear", "fig", "go"]);
});

test("/compact summarises at once, in the way a person asks for", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:by-hand";
  teach(gateway, { turn: () => say("noted") });
  expect(await client.agent("/compact", { sessionKey })).toMatch(/nothing|no conversation/i);
  await talkUntilLong(client, sessionKey);
  expect(await client.agent("/compact keep the names of fruits", { sessionKey })).toMatch(/Compacted/);
  const summaries = gateway.model.requests.filter(isSummary);
  expect(summaries.length).toBeGreaterThan(0);
  expect(lastText(summaries[0] as ModelRequest)).toContain("keep the names of fruits");
  await client.agent("go on", { sessionKey });
  expect(textOf(gateway.model.requests.at(-1)?.messages[0] ?? { content: "" })).toContain(SUMMARY);
});

test("other sessions are answered while one is being summarised, and its own next message afterwards", async () => {
  await using gateway = await startTestGateway({ config: config() });
  const client = await gateway.connect();
  const sessionKey = "agent:main:busy";
  const gate = gateway.gate();
  teach(gateway, { turn: grows, summary: gate.step("", SUMMARY) });
  await talkUntilLong(client, sessionKey);
  await gate.reached;
  const waiting = client.agent("are you there?", { sessionKey });
  expect(await client.agent("hello", { sessionKey: "agent:main:other" })).toBe("noted");
  expect(gateway.model.requests.some((one) => lastUserText(one).includes("are you there?"))).toBe(false);
  gate.open();
  expect(await waiting).toBe("noted");
  expect(textOf(gateway.model.requests.at(-1)?.messages[0] ?? { content: "" })).toContain(SUMMARY);
});

test.for(["flush", "summary"] as const)(
  "a gateway that ends during the %s takes it up again, and notes are saved once",
  async (kind) => {
    using state = createStateDirectory(config());
    const sessionKey = "agent:main:restarted";
    {
      const clock = createFakeClock(Date.now());
      const gateway = await startTestGateway({ stateDir: state.path, clock });
      const client = await gateway.connect();
      const gate = gateway.gate();
      teach(gateway, { turn: grows, [kind]: gate.step("half", "never") });
      await talkUntilLong(client, sessionKey);
      await gate.reached;
      const stopped = gateway.gateway.stop("stop");
      await clock.advance(60_000);
      await stopped;
      expect(gateway.model.requests.filter(isFlush)).toHaveLength(1);
      await gateway[Symbol.asyncDispose]();
    }
    const model = createScriptedModel();
    teach({ model }, { turn: grows });
    await using gateway = await startTestGateway({ stateDir: state.path, providers: { scripted: model } });
    const client = await gateway.connect();
    expect(await client.agent("still there?", { sessionKey })).toBe("noted");
    const request = model.requests.at(-1) as ModelRequest;
    expect(textOf(request.messages[0] ?? { content: "" })).toContain(SUMMARY);
    expectLegal(request.messages);
    // Begun before the end, it is gone on with; done before the end, it is not done again.
    expect(model.requests.filter(isFlush)).toHaveLength(kind === "flush" ? 1 : 0);
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(JSON.stringify(messages)).not.toContain("memory flush");
    await gateway.gateway.stop("stop");
    const lines = readFileSync(readMirror(state.path).get(sessionKey)?.path ?? "", "utf8");
    expect(lines.match(/"text":"[^"]*memory flush/g)).toHaveLength(1);
    expect(lines.match(/"type":"compaction"/g)).toHaveLength(1);
  },
);

test("where old results are pruned, transcripts say when a provider with a cache last saw the conversation", async () => {
  using state = createStateDirectory({
    agents: { defaults: { contextPruning: { mode: "cache-ttl" } } },
    models: { providers: { anthropic: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } } },
  });
  const anthropic = createScriptedModel();
  const gateway = await startTestGateway({ stateDir: state.path, providers: { anthropic } });
  const client = await gateway.connect();
  const keys = { cached: "agent:main:cached", other: "agent:main:other" };
  await client.call("sessions.patch", { key: keys.cached, model: "anthropic/test" });
  for (const sessionKey of Object.values(keys))
    for (const text of ["one", "two"]) await client.agent(text, { sessionKey });
  expect(anthropic.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  await gateway[Symbol.asyncDispose]();
  const recordsOf = (key: string) =>
    readFileSync(readMirror(state.path).get(key)?.path ?? "", "utf8")
      .split("\n")
      .filter((line) => line.includes("openclaw.cache-ttl"))
      .map((line) => JSON.parse(line) as Json);
  const record = {
    type: "custom",
    customType: "openclaw.cache-ttl",
    data: { timestamp: expect.any(Number), provider: "anthropic", modelId: "test" },
  };
  expect(recordsOf(keys.cached)).toEqual([expect.objectContaining(record), expect.objectContaining(record)]);
  expect(recordsOf(keys.other)).toEqual([]);
});
