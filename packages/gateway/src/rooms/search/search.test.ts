// Searching what was said: the grammar, what is found and how it is shown, and an index that can always be made again.
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { HistorySearch, type IndexProgress, type SearchRequest } from "./room.ts";

const root = mkdtempSync(join(tmpdir(), "chela-search-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const AT = Date.UTC(2026, 0, 15, 12);
let count = 0;

interface Scene {
  readonly ledger: Ledger;
  readonly clock: FakeClock;
  readonly told: IndexProgress[];
  readonly path: string;
  search: HistorySearch;
  open(ledger?: Ledger): HistorySearch;
  say(text: string, over?: Record<string, unknown>): Promise<void>;
  /** The texts of the hits, shortened to their first word. */
  find(query: string, over?: Partial<SearchRequest>): Promise<string[]>;
}

function setUp(): Scene {
  const path = join(root, `search-${++count}.sqlite`);
  const clock = createFakeClock();
  const ledger = createMemoryLedger();
  const told: IndexProgress[] = [];
  let entries = 0;
  const opened = new Set<string>();
  const open = (from: Ledger = ledger) =>
    new HistorySearch({
      ledger: from,
      path,
      clock,
      log: silent,
      shownWords: (_role, text) => text.replace("[for the model] ", ""),
      isBusy: () => false,
      progressed: (progress) => told.push(progress),
    });
  const scene: Scene = {
    ledger,
    clock,
    told,
    path,
    open,
    search: open(),
    async say(text, { key = "agent:main:main", role = "user", at = AT, ...over } = {}) {
      const id = String(++entries).padStart(8, "0");
      const message = { role, content: [{ type: "text", text }], timestamp: at };
      const line = JSON.stringify({ type: "message", id, parentId: null, timestamp: "x", message, ...over });
      const changes: Change[] = [{ kind: "entries-append", sessionId: `id-${String(key)}`, entries: [{ id, line }] }];
      if (!opened.has(String(key))) changes.unshift(openTranscript(String(key)));
      opened.add(String(key));
      await ledger.commit(changes);
    },
    async find(query, over = {}) {
      const { hits } = await scene.search.search({ query, limit: 50, ...over });
      return hits.map(({ text }) => text.split(/[\s:]/)[0] ?? "");
    },
  };
  return scene;
}

const openTranscript = (sessionKey: string): Change => ({
  kind: "transcript-open",
  sessionId: `id-${sessionKey}`,
  sessionKey,
  agentId: sessionKey.split(":")[1] ?? "main",
  header: { type: "session", version: 3, id: `id-${sessionKey}`, timestamp: new Date(AT).toISOString() },
  file: "x.jsonl",
});

describe("A query", () => {
  const scene = setUp();
  const ready = (async () => {
    await scene.say("one: The quick brown fox jumps");
    await scene.say("two: A brown quick dog, café crème");
    await scene.say("three: foo_bar baz-qux user@example.com C++");
    await scene.say("four: 東京都に住んでいます");
    await scene.say('five: "AND" OR NOT NEAR(x) * ^ {words} : col');
    await scene.say("six: Straße ÉCOLE naïve ﬁne");
  })();

  it.each<[string, string[]]>([
    ["quick", ["two", "one"]],
    ["QUICK fox", ["one"]],
    ['"quick brown"', ["one"]],
    ['"brown quick', ["two"]],
    ["quick -dog", ["one"]],
    ['brown -"quick dog"', ["one"]],
    ["qui", ["two", "one"]],
    ["qui ", []],
    ["qui fox", []],
    ["cafe creme", ["two"]],
    ["ecole", ["six"]],
    ["bar", ["three"]],
    ["foo_bar", ["three"]],
    ["bar_foo", []],
    ["user@example.com", ["three"]],
    ["C++", ["three"]],
    ["東京", ["four"]],
    ["京東", []],
    ["住んで", ["four"]],
    ["fine", ["six"]],
    ["AND", ["five"]],
    ["OR NOT", ["five"]],
    ["NEAR(x)", ["five"]],
    ["words:col", ["five"]],
    ["{words} : col", ["five"]],
    ["col *", ["five"]],
    ["--quick", ["two", "one"]],
    ["nothing of this", []],
    [`${"x".repeat(70)}`, []],
  ])("%j finds %j", async (query, expected) => {
    await ready;
    expect(await scene.find(query)).toEqual(expected);
  });

  it.each(["", "   ", "-quick", '""', '-"a b"', "+++ *", "\0"])(
    "%j asks for nothing and finds nothing",
    async (query) => {
      await ready;
      expect(await scene.find(query)).toEqual([]);
    },
  );

  it.each([
    '"',
    "'",
    '"a" "',
    "a'b\"c",
    "NEAR(",
    "a AND",
    "^a",
    "a:b:c",
    "(((",
    "a*b*",
    "🙂 a",
    "\ud800 a",
    "a".repeat(500),
  ])("%j is no error, whatever it means to the index", async (query) => {
    await ready;
    await scene.find(`${query} word`);
    await scene.find(`word ${query}`);
  });
});

describe("A search", () => {
  it("finds what people and the agent said as a person sees it, and nothing else", async () => {
    const scene = setUp();
    await scene.say("[for the model] plain needle");
    await scene.say("answer needle", { role: "assistant" });
    await scene.say("tool needle", { role: "toolResult" });
    await scene.say("secret needle", { internal: true });
    await scene.say("note needle", { type: "custom" });
    expect(await scene.find("needle")).toEqual(["answer", "plain"]);
    expect(await scene.find("model")).toEqual([]);
  });

  it("can be narrowed to a session, an agent, a role and a time", async () => {
    const scene = setUp();
    const day = 86_400_000;
    await scene.say("a word", { at: AT });
    await scene.say("b word", { key: "agent:work:x", at: AT + 40 * day });
    await scene.say("c word", { key: "agent:work:y", role: "assistant", at: AT + 41 * day });
    expect(await scene.find("word", { agentId: "work" })).toEqual(["c", "b"]);
    expect(await scene.find("word", { sessionKey: "agent:work:x" })).toEqual(["b"]);
    expect(await scene.find("word", { role: "assistant" })).toEqual(["c"]);
    expect(await scene.find("word", { after: AT + day, before: AT + 41 * day })).toEqual(["b"]);
    expect(await scene.find("word", { before: AT + 1 })).toEqual(["a"]);
    expect(await scene.find("word", { after: AT + 41 * day })).toEqual(["c"]);
    expect(await scene.find("word", { after: 0 })).toEqual(["c", "b", "a"]);
  });

  it("shows somebody who may not see everything what they may see, and no sign of the rest", async () => {
    const scene = setUp();
    const clean = (text: string): string => text.replace(/key-\w+/, "[left out]");
    await scene.say("mine word key-abc");
    for (let n = 0; n < 100; n++) await scene.say(`theirs${n} word`, { key: "agent:work:main" });
    await scene.say("hidden word", { key: "agent:main:hidden" });
    await scene.say("child word", { key: "agent:helper:child" });
    const sees = async (key: string): Promise<boolean> => key !== "agent:main:hidden" && key !== "agent:work:main";
    const sight = { agentIds: ["main"], sessionKeys: ["agent:helper:child"], sees, clean };
    // The others' hundred are not looked at, so that there is room for the one that counts.
    expect(await scene.search.search({ query: "word", limit: 2, sight })).toMatchObject({
      hits: [{ text: "child word" }, { text: "mine word [left out]", ranges: [[5, 9]] }],
      hasMore: false,
    });
    expect(await scene.find("key", { sight })).toEqual([]);
    expect(await scene.find("mine key-ab", { sight })).toEqual([]);
    expect(await scene.find("mine key-ab")).toEqual(["mine"]);
    const blind = { agentIds: [], sessionKeys: [], sees: async () => true, clean };
    expect(await scene.find("word", { sight: blind })).toEqual([]);
  });

  it("leaves deleted conversations out unless they are asked for, and says which are archived", async () => {
    const scene = setUp();
    await scene.say("gone word", { key: "agent:main:gone" });
    await scene.say("earlier word", { key: "agent:main:earlier" });
    await scene.say("live word");
    const archive = (name: string, reason: "reset" | "deleted"): Change => ({
      kind: "transcript-archive",
      sessionId: `id-agent:main:${name}`,
      reason,
      at: AT,
      file: "x",
    });
    await scene.ledger.commit([archive("gone", "deleted"), archive("earlier", "reset")]);
    expect(await scene.find("word", { limit: 2 })).toEqual(["live", "earlier"]);
    const { hits } = await scene.search.search({ query: "word", limit: 5, includeDeleted: true });
    expect(hits.map(({ archived }) => archived)).toEqual([undefined, "reset", "deleted"]);
  });

  it("gives the newest and says when there are more", async () => {
    const scene = setUp();
    for (let n = 0; n < 5; n++) await scene.say(`n${n} word`);
    const some = await scene.search.search({ query: "word", limit: 2 });
    expect(some).toMatchObject({ hasMore: true, hits: [{ text: "n4 word" }, { text: "n3 word" }] });
    expect((await scene.search.search({ query: "word", limit: 5 })).hasMore).toBe(false);
  });

  it("shows the part with most of the words, and where they are in it", async () => {
    const scene = setUp();
    await scene.say(
      `apple ${"filler ".repeat(100)}\nhere is an Äpple pie with\napple and 🙂 pie ${"more ".repeat(100)}`,
    );
    const { hits } = await scene.search.search({ query: "apple pie", limit: 1 });
    const { text, ranges } = hits[0] ?? { text: "", ranges: [] };
    expect(text).toMatch(/^…filler .*here is an Äpple pie with apple and 🙂 pie more .*…$/);
    expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual(["Äpple", "pie", "apple", "pie"]);
    const phrase = await scene.search.search({ query: '"pie with apple"', limit: 1 });
    const [only] = phrase.hits;
    expect(only?.ranges.map(([start, end]) => only.text.slice(start, end))).toEqual(["pie with apple"]);
  });
});

describe("The index", () => {
  it("is not there before the first search, and follows what is said after it", async () => {
    const scene = setUp();
    await scene.say("first word");
    expect(existsSync(scene.path)).toBe(false);
    expect(await scene.find("word")).toEqual(["first"]);
    expect(statSync(scene.path).mode & 0o077).toBe(0);
    await scene.say("second word");
    expect(await scene.find("word")).toEqual(["second", "first"]);
  });

  it("is filled in the background when there is much, telling how far it is, and goes on after a restart", async () => {
    const scene = setUp();
    for (let n = 0; n < 1000; n++) await scene.say(`n${n} word`);
    const first = await scene.search.search({ query: "word", limit: 1 });
    expect(first.indexing?.of).toBe(1000);
    expect(first.indexing?.done).toBeLessThan(1000);
    await scene.clock.advance(15);
    scene.search.close();
    scene.search = scene.open();
    const second = await scene.search.search({ query: "word", limit: 1 });
    expect(second.indexing?.done).toBeGreaterThan(first.indexing?.done ?? 0);
    await scene.clock.advance(60_000);
    expect(scene.told.at(-1)).toEqual({ done: 1000, of: 1000 });
    const last = await scene.search.search({ query: "word", limit: 1 });
    expect(last.indexing).toBeUndefined();
    expect(last.hits[0]?.text).toBe("n999 word");
    expect(await scene.find("n0")).toEqual(["n0"]);
  });

  it.each<[string, (path: string) => void]>([
    ["is no database", (path) => writeFileSync(path, "not a database ".repeat(1000))],
    ["was cut short", (path) => truncateSync(path, 4096)],
    ["is gone", (path) => rmSync(path)],
  ])("is made anew when its file %s", async (_what, damage) => {
    const scene = setUp();
    for (let n = 0; n < 50; n++) await scene.say(`n${n} word`);
    await scene.find("word");
    scene.search.close();
    for (const end of ["-wal", "-shm"]) rmSync(scene.path + end, { force: true });
    damage(scene.path);
    scene.search = scene.open();
    expect(await scene.find("word")).toHaveLength(50);
  });

  it("is made anew for a ledger that was rebuilt and numbers its entries anew", async () => {
    const scene = setUp();
    await scene.say("old word");
    await scene.say("older word");
    await scene.find("word");
    scene.search.close();
    const other = setUp();
    await other.say("fresh word", { key: "agent:main:elsewhere" });
    scene.search = scene.open(other.ledger);
    expect(await scene.find("word")).toEqual(["fresh"]);
  });
});
