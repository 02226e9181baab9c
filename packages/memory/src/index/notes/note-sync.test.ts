// Keeping in step with the disk: what is read, what is left out and why, and what it costs when nothing changed.
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestEmbedder, keepScenes, type Scene } from "../index.test-support.ts";

const { open, reopen } = keepScenes();

const pathsOf = ({ index }: Scene) => index.notes().map(({ path }) => path);
const numbersOf = ({ store }: Scene) =>
  store.db
    .prepare("SELECT number FROM chunks ORDER BY number")
    .all()
    .map(({ number }) => Number(number));

describe("A sync", () => {
  it("reads MEMORY.md, memory.md and Markdown below memory, and nothing else", async () => {
    const scene = open();
    scene.write({
      "MEMORY.md": "a",
      "memory.md": "b",
      "README.md": "no",
      "memory/2026-01-15.md": "c",
      "memory/deep/er/UP.MD": "d",
      "memory/list.txt": "no",
      "memory/.git/x.md": "no",
      "other/x.md": "no",
    });
    const answer = await scene.index.sync(false);
    expect(pathsOf(scene)).toEqual(["MEMORY.md", "memory.md", "memory/2026-01-15.md", "memory/deep/er/UP.MD"]);
    expect(answer).toEqual({ files: 4, read: 4, changed: 4, removed: 0, chunks: 4, notes: [] });
  });

  it("reads Markdown and text of further paths, files or folders, inside the workspace or not", async () => {
    const root = open().root;
    const outside = join(root, "vault");
    mkdirSync(join(outside, "deep"), { recursive: true });
    writeFileSync(join(outside, "a.md"), "a");
    writeFileSync(join(outside, "deep/b.txt"), "b");
    writeFileSync(join(outside, "c.pdf"), "c");
    writeFileSync(join(root, "single.txt"), "d");
    const extraPaths = [outside, join(root, "single.txt"), "docs", join(root, "missing"), join(outside, "c.pdf")];
    const scene = open({ settings: { extraPaths } });
    scene.write({ "docs/x.md": "x" });
    const { notes } = await scene.index.sync(false);
    // The second scene has a root of its own; the paths are of the first.
    expect(pathsOf(scene).sort()).toEqual(
      [`${outside}/a.md`, `${outside}/deep/b.txt`, join(root, "single.txt"), "docs/x.md"].sort(),
    );
    expect(notes).toEqual([
      `The further path ${join(root, "missing")} is not there.`,
      `${join(outside, "c.pdf")} is no note: notes are Markdown and text files.`,
    ]);
  });

  it("tells what changed", async () => {
    const scene = open();
    scene.write({ "memory/a.md": "one", "memory/b.md": "two", "memory/c.md": "three" });
    await scene.index.sync(false);
    expect(await scene.index.sync(false)).toMatchObject({ read: 0, changed: 0, removed: 0, files: 3 });
    scene.write({ "memory/a.md": "one changed", "memory/b.md": undefined, "memory/d.md": "new" });
    utimesSync(join(scene.workspace, "memory/c.md"), 1, 1);
    expect(await scene.index.sync(false)).toMatchObject({ changed: 2, removed: 1, files: 3, chunks: 3 });
    expect(await scene.find("two")).toEqual([]);
    expect(await scene.find("changed")).toEqual(["memory/a.md"]);
    expect(await scene.index.sync(true)).toMatchObject({ read: 3, changed: 0, files: 3 });
  });

  it("keeps the chunks that are the same, wherever they are now", async () => {
    const main = createTestEmbedder();
    const scene = open({ embedders: { main } });
    scene.write({ "memory/log.md": "# One\nfirst\n# Two\nsecond\n# One\nfirst\n" });
    await scene.settle();
    const [one, two, three] = numbersOf(scene);
    scene.write({ "memory/log.md": "# Zero\nnew\n# One\nfirst\n# Two\nsecond\n# One\nfirst\n# One\nfirst\n" });
    await scene.settle();
    expect(numbersOf(scene)).toEqual([one, two, three, expect.any(Number), expect.any(Number)]);
    // Three texts, and the headings they stand under.
    expect(main.embedded).toBe(6);
    const { results } = await scene.index.search({ query: "second", maxResults: 1 });
    expect(results).toMatchObject([{ startLine: 5, endLine: 6 }]);
    scene.write({ "memory/log.md": "# One\nfirst\n" });
    await scene.settle();
    expect(scene.index.status()).toMatchObject({ chunks: 1, vectors: 1 });
  });

  it("cuts all notes again when chunks are to be of another size", async () => {
    const scene = open();
    scene.write({ "memory/a.md": "A sentence of ours. ".repeat(200) });
    const { chunks } = await scene.index.sync(false);
    const next = await reopen(scene, { settings: { chunking: { tokens: 50, overlap: 0 } } });
    expect((await next.index.sync(false)).chunks).toBeGreaterThan(chunks * 5);
    expect(await next.index.sync(false)).toMatchObject({ changed: 0 });
  });

  it.each<[string, Uint8Array | string, string]>([
    ["with zero bytes", Uint8Array.from([72, 0, 105]), "memory/x.md is no text; it is not read."],
    [
      "of random bytes",
      Uint8Array.from({ length: 5000 }, (_, at) => 128 + ((at * 7919) % 128)),
      "memory/x.md is no text; it is not read.",
    ],
  ])("leaves out a file %s, says so each time, and reads it once it is text", async (_says, bytes, note) => {
    const scene = open();
    scene.write({ "memory/x.md": "real words", "memory/y.md": "fine" });
    await scene.index.sync(false);
    scene.write({ "memory/x.md": bytes });
    expect(await scene.index.sync(false)).toMatchObject({ changed: 1, chunks: 1, notes: [note] });
    expect(await scene.index.sync(false)).toMatchObject({ changed: 0, chunks: 1, notes: [note] });
    expect(scene.index.status()).toMatchObject({ files: 1, notes: [note] });
    expect(await scene.find("fine")).toEqual(["memory/y.md"]);
    scene.write({ "memory/x.md": "real words again" });
    expect(await scene.index.sync(false)).toMatchObject({ changed: 1, chunks: 2, notes: [] });
  });

  it("reads text of an old encoding, and text with a byte order mark", async () => {
    const scene = open();
    scene.write({
      "memory/old.md": Uint8Array.from(
        Buffer.from("The caf\xe9 in Montr\xe9al is closed on Mondays, she said.", "latin1"),
      ),
      "memory/mark.md": "\uFEFF# Title\ntext",
    });
    expect((await scene.index.sync(false)).notes).toEqual([]);
    expect(await scene.find("mondays")).toEqual(["memory/old.md"]);
    const { results } = await scene.index.search({ query: "title" });
    expect(results[0]?.snippet).toBe("# Title\ntext");
  });

  it("leaves out a file that is longer than any note", async () => {
    const scene = open();
    scene.write({ "memory/huge.md": "x" });
    const { truncateSync } = await import("node:fs");
    truncateSync(join(scene.workspace, "memory/huge.md"), 100_000_001);
    const note = "memory/huge.md is longer than 100 MB; it is not read.";
    expect(await scene.index.sync(false)).toMatchObject({ changed: 1, notes: [note] });
    expect(await scene.index.sync(false)).toMatchObject({ changed: 0, notes: [note] });
  });

  it("follows links inside a place, and none that lead out of it", async () => {
    const scene = open();
    writeFileSync(join(scene.root, "secret.md"), "secret words");
    mkdirSync(join(scene.root, "elsewhere"));
    writeFileSync(join(scene.root, "elsewhere/x.md"), "secret words");
    scene.write({ "memory/real.md": "real words", "notes/linked.md": "linked words" });
    symlinkSync(join(scene.root, "secret.md"), join(scene.workspace, "memory/secret.md"));
    symlinkSync(join(scene.root, "elsewhere"), join(scene.workspace, "memory/elsewhere"));
    symlinkSync(join(scene.workspace, "notes"), join(scene.workspace, "memory/inside"));
    symlinkSync(join(scene.workspace, "memory"), join(scene.workspace, "memory/circle"));
    symlinkSync(join(scene.root, "secret.md"), join(scene.workspace, "MEMORY.md"));
    symlinkSync("/dev/null", join(scene.workspace, "memory/null.md"));
    const { notes } = await scene.index.sync(false);
    expect(pathsOf(scene)).toEqual(["memory/inside/linked.md", "memory/real.md"]);
    expect(notes.toSorted()).toEqual(
      ["MEMORY.md", "memory/elsewhere", "memory/null.md", "memory/secret.md"].map(
        (path) => `${path} is a link that leads elsewhere; it is not read.`,
      ),
    );
    expect(await scene.find("secret")).toEqual([]);
  });

  it("keeps what it knows of what cannot be read just now", async () => {
    const scene = open();
    scene.write({ "memory/a.md": "words", "memory/b.md": "others" });
    await scene.index.sync(false);
    scene.write({ "memory/a.md": undefined });
    symlinkSync(join(scene.workspace, "memory/a.md"), join(scene.workspace, "memory/a.md"));
    expect(await scene.index.sync(false)).toMatchObject({ removed: 0, notes: ["memory/a.md cannot be read (ELOOP)."] });
    expect(await scene.find("words")).toEqual(["memory/a.md"]);
  });

  it("reads a very long note in parts, and from its beginning after a kill", async () => {
    const scene = open();
    const text = Array.from({ length: 60_000 }, (_, at) => `Line ${at} of a log that goes on.`).join("\n");
    scene.write({ "memory/long.md": text });
    const reading = scene.index.sync(false);
    while (!(await scene.find("line")).length) await new Promise((resolve) => setImmediate(resolve));
    const next = await reopen(scene);
    await reading;
    const partly = next.index.status().chunks;
    expect(partly).toBeGreaterThan(0);
    expect(next.index.notes()).toMatchObject([{ path: "memory/long.md" }]);
    expect(await next.index.sync(false)).toMatchObject({ changed: 1 });
    expect(next.index.status().chunks).toBeGreaterThan(partly);
    const { results } = await next.index.search({ query: "59999" });
    expect(results[0]?.endLine).toBe(60_000);
    expect(await next.index.sync(false)).toMatchObject({ changed: 0 });
  });

  it("is one at a time: those who ask meanwhile share the next", async () => {
    const scene = open();
    scene.write({ "memory/a.md": "one" });
    const first = scene.index.sync(false);
    scene.write({ "memory/b.md": "two" });
    const [second, third] = [scene.index.sync(false), scene.index.sync(true)];
    expect(second).toBe(third);
    await first;
    expect((await second).files).toBe(2);
  });

  it("makes everything anew after a rebuild, from the vectors at hand", async () => {
    const main = createTestEmbedder();
    const scene = open({ embedders: { main } });
    scene.write({ "memory/a.md": "tea", "memory/b.md": "coffee" });
    await scene.settle();
    const before = numbersOf(scene);
    scene.index.rebuild();
    expect(await scene.find("tea")).toContain("memory/a.md");
    await scene.settle();
    expect(numbersOf(scene)).toHaveLength(2);
    expect(numbersOf(scene).some((number) => before.includes(number))).toBe(false);
    // Two notes and the query.
    expect(main.embedded).toBe(3);
    expect(scene.index.status()).toMatchObject({ chunks: 2, vectors: 2 });
  });
});
