// The self-check: what it notices, and that what it mends is right afterwards.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestEmbedder, keepScenes, settleVectors, type Scene } from "./index.test-support.ts";

const { open, reopen } = keepScenes();
async function openFilled(): Promise<Scene> {
  const scene = open({ embedders: { main: createTestEmbedder() } });
  scene.write({ "memory/a.md": "tea and teeth", "memory/b.md": "coffee", "memory/c.md": "water" });
  await scene.settle();
  return scene;
}
const numberOf = ({ store }: Scene, path: string) =>
  Number(store.db.prepare("SELECT number FROM chunks WHERE path = ?").get(path)?.["number"]);

describe("A check", () => {
  it("of a healthy index finds nothing", async () => {
    const scene = await openFilled();
    expect(await scene.index.check(false)).toEqual([]);
  });

  it.each<[string, (scene: Scene) => void, string[]]>([
    [
      "words are missing",
      (scene) => scene.store.db.prepare("DELETE FROM chunks_fts WHERE rowid = ?").run(numberOf(scene, "memory/a.md")),
      ["The list of words does not agree with the notes."],
    ],
    [
      "chunks belong to no note",
      ({ store }) => {
        store.db.exec(
          `INSERT INTO chunks (id, path, start_line, end_line, hash, text, updated_at) VALUES ('x', 'lost.md', 1, 1, 'x', 'x', 1)`,
        );
        store.db.exec("INSERT INTO chunks_fts (rowid, text) SELECT number, 'x' FROM chunks WHERE id = 'x'");
      },
      ["Pieces that belong to no note: 1."],
    ],
    [
      "the index has another text",
      ({ store }) => store.db.exec("UPDATE files SET hash = 'other' WHERE path = 'memory/b.md'"),
      ["The index has another text of memory/b.md than the disk."],
    ],
    [
      "a note is gone from the disk",
      ({ workspace }) => rmSync(join(workspace, "memory/c.md")),
      ["The index has another text of memory/c.md than the disk."],
    ],
    [
      "exact vectors are gone",
      ({ store }) =>
        store.db.exec("DELETE FROM embedding_cache WHERE hash = (SELECT hash FROM chunks WHERE path = 'memory/a.md')"),
      ["Exact vectors of test-model that are gone: 1."],
    ],
  ])("notices when %s, and mends it", async (_says, harm, expected) => {
    const scene = await openFilled();
    harm(scene);
    const found = await scene.index.check(false);
    expect(found.map(({ what }) => what)).toEqual(expected);
    expect(found.every(({ isRepaired, fix }) => !isRepaired && fix !== "")).toBe(true);
    expect((await scene.index.check(true)).every(({ isRepaired }) => isRepaired)).toBe(true);
    await settleVectors(scene.index);
    expect(await scene.index.check(false)).toEqual([]);
    expect(await scene.find("tea", { maxResults: 1 })).toEqual(["memory/a.md"]);
  });

  it("notices vectors that belong to nothing, and puts the space together again", async () => {
    const scene = await openFilled();
    const number = numberOf(scene, "memory/b.md");
    scene.store.db.exec(`DELETE FROM chunks WHERE number = ${number}; DELETE FROM chunks_fts WHERE rowid = ${number};
      DELETE FROM files WHERE path = 'memory/b.md'`);
    scene.write({ "memory/b.md": undefined });
    const next = await reopen(scene);
    expect((await next.index.check(true)).map(({ what }) => what)).toEqual([
      "Vectors of test-model that belong to no piece: 1.",
    ]);
    await settleVectors(next.index);
    expect(await next.index.check(false)).toEqual([]);
    expect(next.index.status()).toMatchObject({ chunks: 2, vectors: 2 });
  });

  it("notices blocks of vectors that are damaged, which a search does by itself, too", async () => {
    const scene = await openFilled();
    scene.store.db.exec("UPDATE vector_blocks SET rows = x'00'");
    const next = await reopen(scene);
    expect(await next.find("tea", { maxResults: 1 })).toEqual(["memory/a.md"]);
    await settleVectors(next.index);
    expect(next.index.status()).toMatchObject({ vectors: 3, mode: "hybrid" });
    expect(await next.index.check(false)).toEqual([]);
  });

  it("says what cannot be read", async () => {
    const scene = await openFilled();
    scene.write({ "memory/junk.md": Uint8Array.from([1, 0, 2]) });
    await scene.index.sync(false);
    expect(await scene.index.check(true)).toEqual([
      {
        what: "memory/junk.md is no text; it is not read.",
        fix: "Notes are Markdown or text files.",
        isRepaired: false,
      },
    ]);
  });
});
