// Conversations by position: which entry is the n-th, where it forks, and that it stays true while people talk.
import { describe, expect, it } from "vitest";
import type { Ledger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Branches, SessionPaths, Transcripts, type PlacedEntry } from "./room.ts";

async function createStage() {
  const ledger = createMemoryLedger();
  let count = 0;
  const ids = { entryId: () => `e${++count}` };
  const transcripts = new Transcripts({ ledger, clock: createFakeClock(), ids: ids as never });
  const header = { type: "session" as const, version: 3, id: "s", timestamp: new Date(0).toISOString() };
  const names = { sessionId: "s", sessionKey: "agent:main:main", agentId: "main", file: "s.jsonl" };
  await ledger.commit([{ kind: "transcript-open", ...names, header }]);
  const reads = { nodes: 0 };
  const counted: Ledger = {
    ...ledger,
    nodes: async (...args) => {
      const nodes = await ledger.nodes(...args);
      reads.nodes += nodes.length;
      return nodes;
    },
  };
  const paths = new SessionPaths({ ledger: counted, isShown: ({ type }) => type === "message" });
  const message = (text: string) => ({
    type: "message",
    message: { role: "user" as const, content: text, timestamp: 0 },
  });
  return {
    ledger,
    paths,
    reads,
    branches: new Branches({ ledger, transcripts }),
    say: (...texts: string[]) => transcripts.append("s", texts.map(message)),
    async page(from = 0, limit = 100) {
      const { tip, entries } = await paths.page("s", from, limit);
      return { total: tip.total, leafId: tip.leafId, shown: entries.map(brief) };
    },
  };
}

function brief({ index, entry, siblings, labels }: PlacedEntry): unknown[] {
  const { content } = (entry["message"] ?? {}) as { content?: string };
  return [index, content ?? entry.type, ...(siblings ? [siblings] : []), ...(labels ? [labels] : [])];
}

describe("SessionPaths", () => {
  it("gives any part of a conversation, and reads what was added without the rest", async () => {
    const { page, say, reads } = await createStage();
    await say("a", "b", "c", "d");
    expect(await page(1, 2)).toEqual({
      total: 4,
      leafId: "e4",
      shown: [
        [1, "b"],
        [2, "c"],
      ],
    });
    await say("e");
    expect(await page(3)).toEqual({
      total: 5,
      leafId: "e5",
      shown: [
        [3, "d"],
        [4, "e"],
      ],
    });
    expect(reads.nodes).toBe(5);
    expect((await page(5)).shown).toEqual([]);
  });

  it("shows where a conversation forks, with what could stand there, past marks nobody sees", async () => {
    const { page, say, branches } = await createStage();
    const [, b = ""] = await say("a", "b", "c");
    await branches.moveTo("s", { turns: 2 });
    expect((await page()).shown).toEqual([
      [0, "a"],
      [1, "custom"],
    ]);
    const [other = ""] = await say("other", "more");
    const forked = [
      [0, "a"],
      [1, "custom"],
      [2, "other", [b, other]],
      [3, "more"],
    ];
    expect((await page()).shown).toEqual(forked);
    await branches.moveTo("s", { ref: b });
    const [third = ""] = await say("third");
    expect((await page()).shown).toEqual([
      [0, "a"],
      [1, "b", [b, other]],
      [2, "custom"],
      [3, "third", ["e3", third]],
    ]);
  });

  it("knows several beginnings", async () => {
    const { page, say, branches } = await createStage();
    await say("a");
    await branches.moveTo("s", { turns: 1 });
    await say("b");
    expect((await page()).shown.at(-1)).toEqual([1, "b", ["e1", "e3"]]);
  });

  it("names checkpoints at the entry they stand for now", async () => {
    const { page, say, branches } = await createStage();
    await say("a");
    await branches.checkpoint("s", "here");
    await branches.checkpoint("s", "good");
    expect((await page()).shown[0]).toEqual([0, "a", ["here", "good"]]);
    await say("b");
    await branches.checkpoint("s", "here");
    expect((await page()).shown.filter((one) => one.length > 2)).toEqual([
      [0, "a", ["good"]],
      [3, "b", ["here"]],
    ]);
  });

  it("counts from the first live entry when the conversation was cut", async () => {
    const { page, say, ledger, branches } = await createStage();
    await say("a", "b", "c");
    await page();
    await ledger.commit([{ kind: "transcript-cut", sessionId: "s", keep: 1 }]);
    expect((await page()).shown).toEqual([[0, "c"]]);
    await branches.moveTo("s", { turns: 1 }).catch(() => {});
    await say("d");
    expect((await page()).shown.at(-1)).toEqual([expect.any(Number), "d"]);
  });

  it("finds an entry of any branch and says where it stands", async () => {
    const { paths, say, branches } = await createStage();
    await say("a", "b");
    await branches.moveTo("s", { turns: 1 });
    await say("c");
    expect(await paths.find("s", "e1")).toMatchObject({ index: 0 });
    expect(await paths.find("s", "e2")).toMatchObject({ index: -1 });
    expect(await paths.find("s", "e4")).toMatchObject({ index: 2, siblings: ["e2", "e4"] });
    expect(await paths.find("s", "nothing")).toBeUndefined();
    expect(await paths.find("nowhere", "e1")).toBeUndefined();
  });
});
