// What was said reaches memory: in order, once, and again from the start when the ledger is another one.
import type { HistoryEntry, Logger } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { expect, test } from "vitest";
import { ConversationFeed } from "./conversation-feed.ts";
import type { KeeperProcess } from "./keeper-process.ts";
import type { FeedMark, KeeperCalls } from "@chela/memory";

const silent: Logger = new Proxy({} as Logger, { get: () => () => undefined });

/** A keeper that remembers what it was fed, as the real one does: a mark and the ids of entries. */
function createStage(entries: number, agentIds = ["main"]) {
  const clock = createFakeClock();
  const ledger: HistoryEntry[] = Array.from({ length: entries }, (_, index) => entryOf(index + 1, "main"));
  const told: string[] = [];
  const memories = new Map<string, { mark: FeedMark; ids: string[] }>();
  const of = (agentId: string) => memories.get(agentId) ?? { mark: { seq: 0, entryId: "" }, ids: [] };
  const stage: { isBusy: boolean; failures: number; tombs?: string; restored: string[] } = {
    isBusy: false,
    failures: 0,
    restored: [],
  };
  const ask = async (name: string, asks: unknown): Promise<unknown> => {
    const { agentId, ...fed } = asks as { agentId: string } & KeeperCalls["feed"]["asks"];
    if (stage.failures > 0) {
      stage.failures -= 1;
      throw new Error("it fell");
    }
    if (name === "restoreForgotten") return stage.restored.push((asks as { tombs: string }).tombs);
    if (name === "feedMark") return of(agentId).mark;
    const before = fed.isAnew ? [] : of(agentId).ids;
    memories.set(agentId, { mark: fed.mark, ids: [...before, ...fed.entries.map(({ entryId }) => entryId)] });
    return fed.mark;
  };
  const feed = new ConversationFeed({
    clock,
    log: silent,
    ledger: {
      history: async (after, limit) => ledger.filter(({ seq }) => seq > after).slice(0, limit),
      newestSeq: async () => ledger.at(-1)?.seq ?? 0,
      branch: async () => [],
    },
    readHeard: () => undefined,
    readSaid: ({ seq, sessionKey, sessionId, line }) => {
      const { id, text } = JSON.parse(line) as { id: string; text: string };
      if (text === "") return undefined;
      return { seq, sessionKey, sessionId, entryId: id, at: seq, role: "user", text, isOwner: true };
    },
    keeper: { ask: ask as KeeperProcess["ask"] },
    isBusy: () => stage.isBusy,
    agentIds: () => agentIds,
    forgotten: async () => stage.tombs,
    fed: async (agentId) => void told.push(agentId),
    leaveOutDeleted: async () => {},
    progressed: () => {},
  });
  return { clock, ledger, memories, told, feed, stage };
}

function entryOf(seq: number, agentId: string, text = "hello"): HistoryEntry {
  const line = JSON.stringify({ id: `e${seq}`, text });
  return { seq, line, sessionId: `s-${agentId}`, sessionKey: `agent:${agentId}:main`, agentId };
}

test("nothing is fed before it is quiet; then everything is, in order and once", async () => {
  const { clock, memories, told, feed } = createStage(450);
  feed.wake();
  await clock.advance(19_000);
  expect(memories.size).toBe(0);
  await clock.advance(2_000);
  await clock.advance(1);
  await clock.advance(1);
  expect(memories.get("main")?.ids).toEqual(Array.from({ length: 450 }, (_, index) => `e${index + 1}`));
  expect(told.length).toBe(1);
});

test("a talk that goes on is fed when it pauses, or after two minutes, and not every few messages", async () => {
  const { clock, memories, feed } = createStage(3);
  const talk = async (messages: number): Promise<void> => {
    for (let said = 0; said < messages; said++) {
      feed.wake();
      await clock.advance(7_000);
    }
  };
  await talk(8);
  expect(memories.size).toBe(0);
  await clock.advance(14_000);
  expect(memories.get("main")?.mark.seq).toBe(3);

  memories.clear();
  await talk(17);
  expect(memories.size).toBe(0);
  await talk(1);
  expect(memories.get("main")?.mark.seq).toBe(3);
});

test("whoever is being answered comes first", async () => {
  const { clock, memories, feed, stage } = createStage(3);
  stage.isBusy = true;
  feed.wakeNow();
  await clock.advance(10_000);
  expect(memories.size).toBe(0);
  stage.isBusy = false;
  await clock.advance(1_001);
  expect(memories.get("main")?.ids.length).toBe(3);
});

test("a search is told what was said a moment ago", async () => {
  const { ledger, memories, feed } = createStage(3);
  await feed.catchUp("main");
  ledger.push(entryOf(4, "main", "my sister is Anna"));
  await feed.catchUp("main");
  expect(memories.get("main")?.ids).toEqual(["e1", "e2", "e3", "e4"]);
});

test("each agent learns of its own conversations", async () => {
  const { ledger, memories, feed } = createStage(2, ["main", "work"]);
  ledger.push(entryOf(3, "work"), entryOf(4, "main"));
  await feed.catchUp("main");
  await feed.catchUp("work");
  expect(memories.get("main")?.ids).toEqual(["e1", "e2", "e4"]);
  expect(memories.get("work")).toEqual({ ids: ["e3"], mark: { seq: 4, entryId: "s-main/e4" } });
});

test("a ledger that was made anew is learned from its start", async () => {
  const { ledger, memories, feed } = createStage(5);
  await feed.catchUp("main");
  ledger.splice(
    0,
    ledger.length,
    ...[1, 2].map((seq) => ({ ...entryOf(seq, "main"), line: `{"id":"new${seq}","text":"x"}` })),
  );
  await feed.catchUp("main");
  expect(memories.get("main")?.ids).toEqual(["new1", "new2"]);
});

test("a keeper that fell is asked again later", async () => {
  const { clock, memories, feed, stage } = createStage(3);
  stage.failures = 1;
  feed.wakeNow();
  await clock.advance(1);
  expect(memories.size).toBe(0);
  await clock.advance(60_001);
  expect(memories.get("main")?.ids.length).toBe(3);
});

test("an agent that does not learn is fed nothing", async () => {
  const { memories, feed } = createStage(3, []);
  await feed.catchUp("main");
  expect(memories.size).toBe(0);
});

test("an index that is new is told what was forgotten before it is fed", async () => {
  const { feed, stage } = createStage(3);
  stage.tombs = "hashes";
  await feed.catchUp("main");
  await feed.catchUp("main");
  expect(stage.restored).toEqual(["hashes"]);
});
