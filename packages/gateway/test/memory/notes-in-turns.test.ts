// Notes in conversations: what was just written is found, read by its lines and named, also what an agent notes by itself.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noUsage, textOf, type ModelEvent, type ModelRequest } from "@chela/sdk";
import { callTool, say, type ScriptStep } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import {
  found,
  remembering,
  useTool,
  WORDS_ALONE,
  writeNote,
  type FoundPlace,
} from "../support/stages/memory-stage.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const BOAT = "# Boat\n\nThe mooring costs 340 euros.\n\nThe winter berth is in Kappeln.\n";

describe("a turn", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: remembering() });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  const use = (name: string, args: Json) => useTool({ client, model: gateway.model }, name, args);

  it("finds a note that was written a moment ago, and names its place", async () => {
    expect((await use("memory_search", { query: "winter berth" }))["results"]).toEqual([]);
    writeNote(gateway.stateDir, "memory/boat.md", BOAT);
    const told = await use("memory_search", { query: "winter berth", maxResults: 3 });
    expect(told).toMatchObject({ mode: "text", citations: "auto" });
    const [first, ...others] = told["results"] as FoundPlace[];
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      path: "memory/boat.md",
      source: "memory",
      citation: "memory/boat.md#L1-L5",
      snippet: expect.stringMatching(/The winter berth is in Kappeln\.\n\nSource: memory\/boat\.md#L1-L5$/),
    });
  });

  it("reads the lines it asks for, and no file that is no note", async () => {
    writeNote(gateway.stateDir, "memory/boat.md", BOAT);
    const path = "memory/boat.md";
    expect(await use("memory_get", { path })).toEqual({ path, text: BOAT });
    expect(await use("memory_get", { path, from: 3, lines: 1 })).toEqual({
      path,
      text: "The mooring costs 340 euros.",
    });
    expect(await use("memory_get", { path: "memory/none.md" })).toEqual({ path: "memory/none.md", text: "" });
    gateway.model.script(callTool("memory_get", { path: "../openclaw.json" }), say("done"));
    await client.agent("read what is no note");
    const refused = gateway.model.requests.at(-1)?.messages.at(-1);
    expect(refused).toMatchObject({ role: "toolResult", isError: true });
    expect(textOf(refused as never)).not.toContain("auth");
  });

  it("finds what it wrote itself in the step before", async () => {
    gateway.model.script(
      callTool("write", { path: "memory/2026-03-04.md", content: "The plumber comes at nine.\n" }),
      callTool("memory_search", { query: "plumber" }, "call_2"),
      say("done"),
    );
    await client.agent("note it");
    expect(textOf(gateway.model.requests.at(-1)?.messages.at(-1) as never)).toContain("The plumber comes at nine.");
  });

  it("does not find what was changed or deleted since", async () => {
    const file = writeNote(gateway.stateDir, "memory/shed.md", "The shed is rented to Ulrike.\n");
    expect(await found(client, "shed Ulrike")).toHaveLength(1);
    writeNote(gateway.stateDir, "memory/shed.md", "The shed is rented to Holger now.\n");
    const snippets = async () => (await found(client, "shed")).map(({ snippet }) => snippet.trim());
    expect(await snippets()).toEqual(["The shed is rented to Holger now."]);
    rmSync(file);
    expect(await snippets()).toEqual([]);
  });
});

describe("notes that are saved before a conversation is summarised", () => {
  const WINDOW = 12_000;
  const TOO_MUCH = 9_500;
  const isFlush = ({ messages }: ModelRequest): boolean =>
    textOf(messages.findLast(({ role }) => role === "user") ?? { content: "" }).includes("memory flush");
  const isSummary = ({ system }: ModelRequest): boolean => system.startsWith("You summarise a conversation");
  const using = (tokens: number, events: readonly ModelEvent[]): ModelEvent[] => {
    const usage = { ...noUsage(), input: tokens, output: 10, totalTokens: tokens + 10 };
    return events.map((event) => (event.kind === "finish" ? { ...event, usage } : event));
  };

  it("are found at once, though nobody looks for changed notes", async () => {
    const still = { ...WORDS_ALONE, sync: { onSearch: false, watch: false } };
    const models = [{ id: "test", name: "Test", contextWindow: WINDOW, maxTokens: 1000 }];
    await using gateway = await startTestGateway({
      config: { ...remembering(still), models: { providers: { scripted: { models } } } },
    });
    const client = await gateway.connect();
    // The index is filled for the first time here, and not by the search below.
    expect(await client.call("memory.index", {})).toMatchObject({ chunks: 0 });
    writeNote(gateway.stateDir, "memory/other.md", "Wolpertinger\n");
    expect(await found(client, "wolpertinger")).toEqual([]);
    rmSync(`${gateway.stateDir}/workspace/memory/other.md`);
    let flushes = 0;
    const write = callTool("write", { path: "memory/saved.md", content: "The harbour master is Petersen.\n" });
    const step: ScriptStep = (request) => {
      if (isSummary(request)) return say("Nothing of note.");
      if (isFlush(request)) return flushes++ === 0 ? write : say("NO_REPLY");
      return using(TOO_MUCH, say("noted"));
    };
    gateway.model.script(...Array.from({ length: 20 }, () => step));
    await client.agent(`hello ${"and so on ".repeat(200)}`, { sessionKey: "agent:main:long" });
    const hits = await eventually("the note is found", async () => {
      const now = await found(client, "harbour master");
      return now.length > 0 ? now : undefined;
    });
    expect(hits).toMatchObject([{ path: "memory/saved.md" }]);
  });
});
