// The notes of an agent as files, and what is none of them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Notes } from "./notes.ts";

const root = mkdtempSync(join(tmpdir(), "chela-notes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let workspace: string;
let extra: string;
let notes: Notes;
let count = 0;
beforeEach(() => {
  const place = join(root, String((count += 1)));
  workspace = join(place, "workspace");
  extra = join(place, "extra");
  mkdirSync(join(workspace, "memory", "people"), { recursive: true });
  mkdirSync(extra);
  writeFileSync(join(place, "secret.md"), "secret");
  writeFileSync(join(workspace, "AGENTS.md"), "rules");
  writeFileSync(join(workspace, "MEMORY.md"), "one\ntwo\nthree\nfour\n");
  writeFileSync(join(workspace, "memory", "people", "anna.md"), "Anna likes tea.");
  writeFileSync(join(extra, "manual.txt"), "manual");
  notes = new Notes({ workspace, extraPaths: [extra], indexed: async () => [] });
});

describe("reading", () => {
  test.each([
    ["MEMORY.md", "one\ntwo\nthree\nfour\n"],
    ["memory/people/anna.md", "Anna likes tea."],
  ])("%s is a note", (path, text) => expect(notes.read(path)?.text).toBe(text));

  test("a further path is one, by its absolute name", () => {
    expect(notes.read(join(extra, "manual.txt"))?.text).toBe("manual");
  });

  test("a note that is not there is undefined", () => expect(notes.read("memory/none.md")).toBeUndefined());

  test.each([
    [1, undefined, "one\ntwo\nthree\nfour\n"],
    [2, 2, "two\nthree"],
    [4, 9, "four\n"],
    [99, 1, ""],
  ])("from line %s, %s of them", (from, lines, text) => expect(notes.lines("MEMORY.md", from, lines)).toBe(text));

  test.each([
    "AGENTS.md",
    "../secret.md",
    "memory/../AGENTS.md",
    "memory/../../secret.md",
    "memory//x.md",
    "./MEMORY.md",
    "/etc/passwd",
    "/etc/hosts.md",
    "memory/x.md\0",
    "memory",
    "memory/a.json",
    "",
  ])("%j is none", (path) => expect(() => notes.read(path)).toThrow(/MEMORY_NOTE|note/));

  test("a link to somewhere else is not followed, as a file or as a folder", () => {
    symlinkSync(join(workspace, "..", "secret.md"), join(workspace, "memory", "link.md"));
    symlinkSync(join(workspace, ".."), join(workspace, "memory", "up"));
    expect(() => notes.read("memory/link.md")).toThrow();
    expect(() => notes.read("memory/up/secret.md")).toThrow(/outside/);
  });
});

describe("writing", () => {
  test("a new note is made with its folders, and is read back", () => {
    const hash = notes.write("memory/trips/rome.md", "Rome in May.", undefined);
    expect(notes.read("memory/trips/rome.md")).toMatchObject({ text: "Rome in May.", hash });
  });

  test("what somebody else changed meanwhile is not lost", () => {
    const { hash } = notes.read("MEMORY.md") ?? { hash: "" };
    writeFileSync(join(workspace, "MEMORY.md"), "theirs");
    expect(() => notes.write("MEMORY.md", "mine", hash)).toThrow(/changed by somebody else/);
    expect(readFileSync(join(workspace, "MEMORY.md"), "utf8")).toBe("theirs");
    expect(notes.write("MEMORY.md", "mine", notes.read("MEMORY.md")?.hash)).toBe(notes.read("MEMORY.md")?.hash);
  });

  test.each(["AGENTS.md", "../secret.md", "memory/a.sh", "other.md"])("%s is not written", (path) => {
    expect(() => notes.write(path, "x", undefined)).toThrow();
  });

  test("further paths are read only", () => {
    expect(() => notes.write(join(extra, "manual.txt"), "x", undefined)).toThrow(/where it lies/);
    expect(() => notes.delete(join(extra, "manual.txt"), undefined)).toThrow(/where it lies/);
  });

  test("a link is not written through", () => {
    symlinkSync(join(workspace, ".."), join(workspace, "memory", "up"));
    symlinkSync(join(workspace, "..", "secret.md"), join(workspace, "memory", "link.md"));
    expect(() => notes.write("memory/up/secret.md", "x", undefined)).toThrow(/outside/);
    expect(() => notes.write("memory/up/not/there/yet.md", "x", undefined)).toThrow(/outside/);
    expect(existsSync(join(workspace, "..", "not"))).toBe(false);
    expect(() => notes.write("memory/link.md", "x", undefined)).toThrow(/regular/);
    expect(readFileSync(join(workspace, "..", "secret.md"), "utf8")).toBe("secret");
  });
});

test("a folder of notes that is itself a link to somewhere else has no notes", () => {
  const elsewhere = join(workspace, "..", "elsewhere");
  renameSync(join(workspace, "memory"), elsewhere);
  symlinkSync(elsewhere, join(workspace, "memory"));
  expect(() => notes.read("memory/people/anna.md")).toThrow(/outside/);
  expect(() => notes.write("memory/new.md", "x", undefined)).toThrow(/outside/);
});

test("a note that was read in part is not cut off by writing that part", () => {
  writeFileSync(join(workspace, "memory", "long.md"), "x".repeat(5_000_001));
  const note = notes.read("memory/long.md");
  expect(note).toMatchObject({ isCut: true });
  expect(() => notes.write("memory/long.md", note?.text ?? "", note?.hash)).toThrow(/too long/);
});

test("a note is deleted once", () => {
  expect(notes.delete("memory/people/anna.md", undefined)).toBe(true);
  expect(notes.delete("memory/people/anna.md", undefined)).toBe(false);
});

test("the list says which ones can be changed here", async () => {
  const indexed = ["MEMORY.md", "memory/people/anna.md", join(extra, "manual.txt")];
  const listed = new Notes({
    workspace,
    extraPaths: [extra],
    indexed: async () => indexed.map((path) => ({ path, size: 1, updatedAtMs: 1, chunks: 1 })),
  });
  expect((await listed.list()).map(({ isWritable }) => isWritable)).toEqual([true, true, false]);
});
