// What was said: found with its place in the conversation, the same whatever the portions it came in, and forgotten for good.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FedEntry } from "../../messages.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { createTestEmbedder, keepScenes, say, settleVectors, type Scene } from "../index.test-support.ts";

const { open, reopen } = keepScenes();
const feed = ({ store, index }: Scene, entries: readonly FedEntry[], isAnew = false) =>
  store.transaction(() => {
    if (isAnew) index.dropSaid();
    index.addSaid(entries);
  });

const chunksOf = ({ store }: Scene) =>
  store.db
    .prepare(
      `SELECT id, path, start_line, end_line, text, entries, at, session_key FROM chunks JOIN said USING (number)
       ORDER BY path, start_line, id`,
    )
    .all()
    .map((row) => ({ ...row }));

describe("What was said", () => {
  it("is found with its conversation, its message and its time", async () => {
    const scene = open();
    feed(scene, [
      say(1, "Which\n\nhotel was it?"),
      say(2, "The  Grand Hotel."),
      say(3, "Thanks"),
      say(4, "Elsewhere", { sessionId: "s2" }),
    ]);
    const { results } = await scene.index.search({ query: "grand" });
    expect(results).toMatchObject([
      {
        path: "sessions/s1.jsonl",
        startLine: 1,
        endLine: 3,
        source: "sessions",
        sessionKey: "agent:main:main",
        entryId: "e2",
        at: 3000,
        snippet: "User: Which hotel was it?\nAssistant: The Grand Hotel.\nUser: Thanks",
      },
    ]);
  });

  it.each([1, 2, 3, 7, 50, 1000])("becomes the same chunks in portions of %i", (most) => {
    const chunking = { tokens: 60, overlap: 12 };
    const entries = Array.from({ length: 120 }, (_, at) => {
      const words = (at * 37) % 11 === 0 ? 400 : (at * 13) % 25;
      return say(at + 1, `${"A sentence here. ".repeat(words / 5)}word${at} `.repeat(1 + (at % 3)), {
        sessionId: `s${at % 3}`,
      });
    });
    const [whole, parts] = [open({ settings: { chunking } }), open({ settings: { chunking } })];
    feed(whole, entries);
    for (let at = 0; at < entries.length; at += most) feed(parts, entries.slice(at, at + most));
    expect(chunksOf(parts)).toEqual(chunksOf(whole));
    for (const { text } of chunksOf(whole)) expect(estimateTokens(String(text))).toBeLessThanOrEqual(60);
    for (const { start_line: start, end_line: end, text, entries: ids } of chunksOf(whole)) {
      const lines = Number(end) - Number(start) + 1;
      expect(String(text).split("\n")).toHaveLength(lines);
      expect(String(ids).split(" ")).toHaveLength(lines);
    }
    const covered = new Set(chunksOf(whole).flatMap(({ entries: ids }) => String(ids).split(" ")));
    expect(covered.size).toBe(120);
  });

  it("is shown to those who may see the conversation", async () => {
    const scene = open();
    scene.write({ "memory/a.md": "tea in a note" });
    await scene.index.sync(false);
    feed(scene, [
      say(1, "tea with Anna", { sessionKey: "agent:main:a", sessionId: "a" }),
      say(2, "tea with Ben", { sessionKey: "agent:main:b", sessionId: "b" }),
    ]);
    const find = async (wish: Parameters<Scene["find"]>[1]) => (await scene.find("tea", wish)).toSorted();
    expect(await find({})).toEqual(["memory/a.md", "sessions/a.jsonl", "sessions/b.jsonl"]);
    expect(await find({ sessionKeys: ["agent:main:b"] })).toEqual(["memory/a.md", "sessions/b.jsonl"]);
    expect(await find({ sessionKeys: [] })).toEqual(["memory/a.md"]);
    expect(await find({ sources: ["memory"] })).toEqual(["memory/a.md"]);
    expect(await find({ sources: ["sessions"], sessionKeys: ["agent:main:a"] })).toEqual(["sessions/a.jsonl"]);
  });

  it("is limited in the same way when it is found by meaning", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    feed(scene, [
      say(1, "teeth", { sessionKey: "agent:main:a", sessionId: "a" }),
      say(2, "teeth", { sessionKey: "agent:main:b", sessionId: "b" }),
    ]);
    await scene.clock.advance(2_000);
    await settleVectors(scene.index);
    expect(await scene.find("dentist", { sessionKeys: ["agent:main:b"] })).toEqual(["sessions/b.jsonl"]);
  });

  it("is gone when it is not to be searched any more, or the record begins anew", async () => {
    const scene = open();
    feed(scene, [say(1, "old words")]);
    feed(scene, [say(1, "new words", { sessionId: "s9" })], true);
    expect(await scene.find("words")).toEqual(["sessions/s9.jsonl"]);
    const next = await reopen(scene, { settings: { sources: ["memory"] } });
    await next.index.sync(false);
    expect(next.index.status()).toMatchObject({ files: 0, chunks: 0 });
  });

  it("leaves no vector behind of what was only a beginning", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    for (let seq = 1; seq <= 5; seq++) {
      feed(scene, [say(seq, `message ${seq}`)]);
      await scene.clock.advance(2_000);
      await settleVectors(scene.index);
    }
    expect(scene.index.status()).toMatchObject({ chunks: 1, vectors: 1, cache: { entries: 1 } });
  });

  it("is undone with the transaction it was part of", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    feed(scene, [say(1, "one")]);
    await scene.clock.advance(2_000);
    await settleVectors(scene.index);
    const failing = () =>
      scene.store.transaction(() => {
        scene.index.addSaid([say(2, "two")]);
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(await scene.find("two", { minScore: 0.5 })).toEqual([]);
    expect(scene.index.status()).toMatchObject({ chunks: 1, vectors: 1 });
    expect(await scene.index.check(false)).toEqual([]);
  });

  it("is forgotten: neither found, nor left in the file", async () => {
    const scene = open({ embedders: { main: createTestEmbedder() } });
    const other = { sessionKey: "agent:main:b", sessionId: "b" };
    feed(scene, [say(1, "zanzibar secretword"), say(2, "both say this"), say(3, "keepme please", other)]);
    await scene.clock.advance(2_000);
    await settleVectors(scene.index);
    expect(scene.index.forgetSession("agent:main:main")).toEqual({ chunks: 1, vectors: 1 });
    expect(scene.index.forgetSession("agent:main:main")).toEqual({ chunks: 0, vectors: 0 });
    expect(await scene.find("zanzibar", { minScore: 0 })).toEqual(["sessions/b.jsonl"]);
    expect(scene.index.status()).toMatchObject({ files: 1, chunks: 1, vectors: 1 });
    await scene.index.close();
    scene.store.close();
    const bytes = readFileSync(scene.store.path).toString("latin1");
    expect(bytes).toContain("keepme");
    for (const word of ["zanzibar", "secretword", "secretw"]) expect(bytes).not.toContain(word);
  });
});
