// S-27: notes about people are files, too: no file tool gives them to guests, strangers or groups, nor to what works for these.
import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noUsage, textOf, type ModelEvent, type ModelRequest } from "@chela/sdk";
import { callTool, callTools, say, type SaidOptions, type ScriptStep } from "@chela/sdk/testing";
import type { ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { GROUP, IN_MEMORY_FILE, openFamilyStage, writeNote } from "../support/stages/memory-stage.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const CANARY = "canary-of-the-notes-as-files";
const PATHS = [
  "MEMORY.md",
  "USER.md",
  "memory/boat.md",
  "./memory/../memory/boat.md",
  "memory",
  "memory/none.md",
  "linked.md",
  "hard.md",
  "way/boat.md",
  "further/list.txt",
];
const patch = (path: string): string => `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`;
const CALLS: ReadonlyArray<readonly [name: string, args: Json]> = PATHS.flatMap((path) => [
  ["read", { path }],
  ["attach", { path }],
  ["image", { image: path, prompt: "what is it" }],
  ["message", { action: "send", media: path, message: "here" }],
  ["write", { path, content: "changed" }],
  ["edit", { path, oldText: CANARY, newText: "changed" }],
  ["apply_patch", { input: patch(path) }],
]);

let stage: ChannelStage;
/** What the model does, whoever asks it. */
let behave: (request: ModelRequest) => ModelEvent[] = () => say("done");
const inWorkspace = (path: string): string => join(stage.gateway.stateDir, "workspace", path);
beforeAll(async () => {
  const models = [{ id: "test", name: "Test", contextWindow: 12_000, maxTokens: 1000 }];
  stage = await openFamilyStage({
    agents: { defaults: { memorySearch: { enabled: true, extraPaths: ["further"] } } },
    tools: { loopDetection: { enabled: false } },
    models: { providers: { scripted: { models } } },
  });
  stage.model.script(...Array.from({ length: 1_000 }, (): ScriptStep => (request) => behave(request)));
  writeNote(stage.gateway.stateDir, "memory/boat.md", `The password of the boat is ${CANARY}.\n`);
  writeNote(stage.gateway.stateDir, "further/list.txt", `${CANARY}\n`);
  writeNote(stage.gateway.stateDir, "USER.md", `Alice, ${CANARY}\n`);
  writeNote(stage.gateway.stateDir, "AGENTS.md", "canary-of-the-rules\n");
  writeNote(stage.gateway.stateDir, "plain.md", "nothing to hide\n");
  symlinkSync("memory/boat.md", inWorkspace("linked.md"));
  symlinkSync("memory", inWorkspace("way"));
  linkSync(inWorkspace("MEMORY.md"), inWorkspace("hard.md"));
});
afterAll(() => stage[Symbol.asyncDispose]());

const readAll = (): string[] =>
  ["MEMORY.md", "USER.md", "memory/boat.md", "further/list.txt"].map((path) => readFileSync(inWorkspace(path), "utf8"));

/** What the tools told the model of whoever writes. */
async function attempt(calls: typeof CALLS, said: SaidOptions): Promise<string[]> {
  const named = calls.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }));
  behave = ({ messages }) => (messages.at(-1)?.role === "toolResult" ? say("done") : callTools(named));
  await stage.ask("please look", said);
  const results = (stage.model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "toolResult");
  return results.slice(-calls.length).map(textOf);
}

const OTHERS = [
  ["a guest", { from: "gus" }],
  ["somebody who is no person", { from: "bob" }],
  ["somebody in a group", { from: "bob", chat: GROUP }],
  ["the owner in a group", { from: "alice", chat: GROUP }],
] as const;

test.for(OTHERS)("S-27: %s is given no note by any file tool", async ([, said]) => {
  const before = readAll();
  const sent = stage.fake.sent.length;
  const told = await attempt(CALLS, said);
  countCases("S-27", CALLS.length);
  expect(told).toHaveLength(CALLS.length);
  const all = told.join("\n");
  expect(all).not.toContain(CANARY);
  expect(all).not.toContain(IN_MEMORY_FILE);
  expect(readAll()).toEqual(before);
  expect(JSON.stringify(stage.fake.sent.slice(sent))).not.toContain('"media"');
  const [plain = ""] = await attempt([["read", { path: "plain.md" }]], said);
  if (said.from === "alice") {
    expect(told[0]).toContain("is a note about people, which is not for this conversation");
    expect(plain).toContain("nothing to hide");
  } else {
    // The workspace is the owner's: who is none has a folder of their own.
    expect([told[0], plain]).toEqual([
      expect.stringMatching(/There is no file|may not be used/),
      expect.stringMatching(/There is no file|may not be used/),
    ]);
  }
});

test.for(OTHERS)("S-27: %s finds nothing of the owner in the prompt", async ([, said]) => {
  behave = () => say("done");
  await stage.ask("who are you", said);
  const { system = "" } = stage.model.requests.at(-1) ?? {};
  expect(system).toContain("canary-of-the-rules");
  expect(system).not.toContain(CANARY);
  expect(system).not.toContain(IN_MEMORY_FILE);
});

test("S-27: the owner reads and writes them, also by a helper", async () => {
  const [read, note] = await attempt(
    [
      ["read", { path: "memory/boat.md" }],
      ["write", { path: "memory/new.md", content: "a note" }],
    ],
    { from: "alice" },
  );
  expect(read).toContain(CANARY);
  expect(note).toContain("created");
  expect(await toldToHelper({ from: "alice" })).toContain(CANARY);
});

/** What a helper that somebody's conversation started is told when it reads a note; and its result comes back there. */
async function toldToHelper(said: SaidOptions): Promise<string> {
  const isHelper = ({ system }: Pick<ModelRequest, "system">): boolean => /sub-?agent/i.test(system);
  const read = callTool("read", { path: "memory/boat.md" });
  const told: string[] = [];
  const hear = ({ messages, system }: ModelRequest): void => {
    const last = messages.at(-1);
    if (last?.role === "toolResult" && last.toolName === "read")
      told.push(textOf(last), isHelper({ system }) ? "" : system);
  };
  behave = (request) => {
    hear(request);
    const last = request.messages.at(-1);
    if (last?.role === "toolResult") return say("done");
    if (isHelper(request)) return read;
    const text = last ? textOf(last) : "";
    return text.includes("have it looked up") ? callTool("sessions_spawn", { task: "look it up" }) : read;
  };
  await stage.ask("have it looked up", said);
  await eventually("the helper and what hears of its result have read", () => told.length >= 4);
  return told.join("\n");
}

test.for([
  ["somebody who is no person", { from: "bob" }],
  ["a group", { from: "alice", chat: GROUP }],
] as const)("S-27: a helper of %s is given none either, nor is the turn that tells of its result", async ([, said]) => {
  countCases("S-27", 2);
  const told = await toldToHelper(said);
  expect(told).not.toContain(CANARY);
  expect(told).not.toContain(IN_MEMORY_FILE);
});

const using = (tokens: number, events: readonly ModelEvent[]): ModelEvent[] => {
  const usage = { ...noUsage(), input: tokens, output: 10, totalTokens: tokens + 10 };
  return events.map((event) => (event.kind === "finish" ? { ...event, usage } : event));
};

test.for([
  ["the owner's", { from: "alice" }, true],
  ["a guest's", { from: "gus" }, false],
  ["a group's", { from: "bob", chat: GROUP }, false],
] as const)(
  "S-27: %s long conversation is noted down before it is summarised, or is not",
  async ([, said, isNoted]) => {
    const isFlush = ({ messages }: ModelRequest): boolean =>
      textOf(messages.findLast(({ role }) => role === "user") ?? { content: "" }).includes("memory flush");
    const isSummary = ({ system }: ModelRequest): boolean => system.startsWith("You summarise a conversation");
    let [flushes, summaries] = [0, 0];
    behave = (request) => {
      if (isSummary(request)) summaries += 1;
      else if (isFlush(request)) flushes += 1;
      else return using(9_500, say("noted"));
      return say("NO_REPLY");
    };
    await stage.ask(`hello ${"and so on ".repeat(200)}`, said);
    await stage.ask(`again ${"and so on ".repeat(200)}`, said);
    await eventually("it is looked after", () => (isNoted ? flushes : summaries) > 0);
    expect(flushes > 0).toBe(isNoted);
  },
);
