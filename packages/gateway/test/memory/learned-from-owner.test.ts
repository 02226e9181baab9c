// What the owner says about themselves stands in the prompts of their own conversations, the same to the byte, and in no others.
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { noUsage, type ModelRequest } from "@chela/sdk";
import { say, type SaidOptions, type ScriptStep } from "@chela/sdk/testing";
import type { ChannelStage } from "../support/stages/channel-stage.ts";
import { readMirror } from "../support/durability/durability-evidence.ts";
import { eventually, startTestGateway } from "../support/in-process.ts";
import {
  GROUP,
  IN_MEMORY_FILE,
  lastSystem,
  learnedBlock,
  openFamilyStage,
  remembering,
} from "../support/stages/memory-stage.ts";
import type { Json } from "../support/wire-client.ts";
import { isAfterTool, isToldTask, settledOnes, spawnCalls, speak, toldTask } from "../support/stages/subagent-stage.ts";

const TITLE = "About the owner:";

interface SeenFact {
  readonly id: string;
  readonly text: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entryId: string;
  readonly role: string;
  readonly isInPrompt: boolean;
}
const factsOf = async ({ client }: ChannelStage, search: string): Promise<SeenFact[]> =>
  (await client.call("memory.facts", { search })).facts;
test("is dated without calendars, which nobody needs who named no zone", async () => {
  const DateTimeFormat = Intl.DateTimeFormat;
  let calendars = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct: (...given) => (++calendars, Reflect.construct(...given)),
  });
  onTestFinished(() => void (Intl.DateTimeFormat = DateTimeFormat));
  await using stage = await openFamilyStage();
  stage.model.script(say("Noted."));
  await stage.ask("My sister is called Marta.", { from: "alice" });
  expect(await learnedBlock(stage)).toMatch(/^About the owner:\n- "My sister is called Marta\." \(\d{4}-/);
  expect(calendars).toBe(0);
});

describe("what the owner said", () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await openFamilyStage();
    stage.model.script(say("Noted."));
    await stage.ask("My sister is called Marta. I prefer oolong tea.", { from: "alice" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("becomes facts that name the very entry they come from", async () => {
    const facts = [...(await factsOf(stage, "Marta")), ...(await factsOf(stage, "oolong"))];
    expect(facts.map(({ text }) => text)).toEqual(["My sister is called Marta.", "I prefer oolong tea."]);
    for (const fact of facts) {
      expect(fact).toMatchObject({ role: "user", isInPrompt: true, sessionKey: "agent:main:fake:direct:alice" });
      const entry = await eventually("the entry is in the transcript", () => {
        const { path = "" } = readMirror(stage.gateway.stateDir).get(fact.sessionKey) ?? {};
        const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
        return lines.find((line) => line.includes(`"id":"${fact.entryId}"`));
      });
      expect(entry).toContain(fact.text);
    }
  });

  it("stands in the prompt of the owner's next conversation, and stays the same to the byte in each", async () => {
    expect(await learnedBlock(stage)).toMatch(/^About the owner:\n- "My sister is called Marta\." \(\d{4}-/);
    const sessionKey = "agent:main:next";
    await stage.client.agent("hello", { sessionKey });
    const first = lastSystem(stage);
    expect(first).toContain(await learnedBlock(stage));
    expect(first).toContain(IN_MEMORY_FILE);
    await stage.client.agent("My dentist is called Rolf.", { sessionKey });
    expect(await learnedBlock(stage)).toContain("Rolf");
    await stage.client.agent("anything else?", { sessionKey });
    expect(lastSystem(stage)).toBe(first);
    await stage.client.agent("hello", { sessionKey: "agent:main:after" });
    expect(lastSystem(stage)).toContain("Rolf");
  });

  it("stands in the owner's prompt of a chat that began anew, where it came from", async () => {
    await learnedBlock(stage);
    await stage.ask("/new", { from: "alice" });
    await stage.ask("hello again", { from: "alice" });
    expect(lastSystem(stage)).toContain("Marta");
    expect(lastSystem(stage)).toContain(IN_MEMORY_FILE);
  });

  it.each<[string, SaidOptions]>([
    ["a guest", { from: "gus" }],
    ["somebody who is no person", { from: "bob" }],
    ["a group in which the owner writes", { from: "alice", chat: GROUP }],
    ["a group in which a guest writes", { from: "gus", chat: GROUP }],
  ])("is not told to %s, nor is MEMORY.md", async (_who, said) => {
    expect(await learnedBlock(stage)).toContain("Marta");
    await stage.ask("what do you know of me?", said);
    expect(lastSystem(stage)).not.toMatch(new RegExp(`Marta|oolong|${TITLE}|${IN_MEMORY_FILE}`));
  });

  it("is not told to jobs and sub-agents, nor is MEMORY.md", async () => {
    expect(await learnedBlock(stage)).toContain("Marta");
    const { client, model } = stage;
    const before = model.requests.length;
    const schedule = { kind: "at", at: new Date().toISOString() };
    const job = await client.call("cron.add", { name: "brief", schedule, message: "say good morning" });
    await client.untilEvent("cron", ({ payload }) => payload.action === "finished" && payload.jobId === job.id);
    const isOfJob = (request: ModelRequest) => isToldTask(request, "say good morning");
    expect(model.requests.slice(before).filter(isOfJob)).toHaveLength(1);

    speak(
      model,
      [toldTask("look"), () => say("looked")],
      [isAfterTool, () => say("sent")],
      [(request) => isToldTask(request, "send somebody"), () => spawnCalls(["look"])],
    );
    await client.agent("send somebody", { sessionKey: "agent:main:parent" });
    await settledOnes(client, "agent:main:parent");
    const isOfChild = (request: ModelRequest) => toldTask("look")(request) && !isToldTask(request, "send somebody");
    expect(model.requests.some(isOfChild)).toBe(true);
    for (const request of model.requests.slice(before).filter((one) => isOfJob(one) || isOfChild(one))) {
      expect(request.system).not.toMatch(new RegExp(`Marta|oolong|${TITLE}|${IN_MEMORY_FILE}`));
    }
  });
});

describe("what the gateway does by itself", () => {
  const TOO_MUCH = 9_500;
  const models = [{ id: "test", name: "Test", contextWindow: 12_000, maxTokens: 1000 }];
  const isFlush = ({ messages }: ModelRequest) => JSON.stringify(messages.at(-1)).includes("memory flush");

  it("has what is learned in the owner's conversations", async () => {
    await using stage = await openFamilyStage({ models: { providers: { scripted: { models } } } });
    const { client, model } = stage;
    await client.agent("My sister is called Marta.", { sessionKey: "agent:main:elsewhere" });
    expect(await learnedBlock(stage)).toContain("Marta");
    const usage = { ...noUsage(), input: TOO_MUCH, output: 10, totalTokens: TOO_MUCH };
    const step: ScriptStep = (request) =>
      isFlush(request)
        ? say("NO_REPLY")
        : say("noted").map((event) => (event.kind === "finish" ? { ...event, usage } : event));
    model.script(...Array.from({ length: 10 }, () => step));
    await stage.ask(`hello ${"and so on ".repeat(200)}`, { from: "alice" });
    const flush = await eventually("notes are saved", () => model.requests.find(isFlush));
    expect(flush.system).toContain("Marta");
  });

  it("leaves the owner's prompt as it is when a job speaks in the same conversation", async () => {
    await using stage = await openFamilyStage();
    const { client, model } = stage;
    await client.agent("My sister is called Marta.", { sessionKey: "agent:main:elsewhere" });
    await learnedBlock(stage);
    await client.agent("hello", { sessionKey: "agent:main:main" });
    const first = lastSystem(stage);
    const schedule = { kind: "at", at: new Date().toISOString() };
    const event = { kind: "systemEvent", text: "time for tea" };
    await client.call("cron.add", { name: "tea", schedule, sessionTarget: "main", wakeMode: "now", payload: event });
    const beat = await eventually("the job is told", () =>
      model.requests.find(({ messages }) => JSON.stringify(messages.at(-1)).includes("time for tea")),
    );
    expect(beat.system).not.toMatch(new RegExp(`Marta|${IN_MEMORY_FILE}`));
    await client.agent("hello", { sessionKey: "agent:main:main" });
    expect(lastSystem(stage)).toBe(first);
  });
});

it("a day the owner names is counted where the owner is", async () => {
  // One of the two is on another day than UTC just now.
  const [userTimezone = "", shiftHours = 0] = new Date().getUTCHours() < 12 ? ["Etc/GMT+12", -12] : ["Etc/GMT-14", 14];
  const { agents } = remembering() as { agents: { defaults: Json } };
  const config = { agents: { defaults: { ...agents.defaults, userTimezone } } };
  await using gateway = await startTestGateway({ config });
  const client = await gateway.connect();
  gateway.model.script(say("Noted."));
  await client.agent("The meeting with Anna is tomorrow.");
  const [fact] = (await client.call("memory.facts", { kind: "date" })).facts;
  const there = new Date(fact.at + (24 + shiftHours) * 3_600_000).toISOString().slice(0, 10);
  const inUtc = new Date(fact.at + 24 * 3_600_000).toISOString().slice(0, 10);
  expect(there).not.toBe(inUtc);
  expect(fact.day).toBe(there);
});
