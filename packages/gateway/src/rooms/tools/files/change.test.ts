// Writing and editing: exactly what was asked for happens, or nothing.
import { chmodSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyPatchTool, editTool, readTool, writeTool, type FileSettings } from "./file-tools.ts";
import { callsOn, createYard, MODEL, type Yard } from "./files.test-support.ts";

let yard: Yard;
beforeEach(() => {
  yard = createYard();
});
afterEach(() => yard[Symbol.dispose]());

test("write creates a file with its directories and says so", async () => {
  const result = await yard.call("write", { path: "a/b/c.txt", content: "grüße\n" });
  expect(result).toMatchObject({
    text: "a/b/c.txt was created (8 bytes).",
    details: { path: "a/b/c.txt", outcome: "created", bytes: 8 },
  });
  expect(yard.picture()).toEqual({ "a/": "", "a/b/": "", "a/b/c.txt": "grüße\n" });
});

test("write replaces a file, keeps its mode and shows the difference", async () => {
  chmodSync(yard.put("run.sh", "one\ntwo\n"), 0o751);
  const result = await yard.call("write", { file_path: "run.sh", content: "one\n2\n" });
  expect(result).toMatchObject({
    details: { outcome: "overwritten", diff: "--- a/run.sh\n+++ b/run.sh\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
  });
  expect(statSync(join(yard.workspace, "run.sh")).mode & 0o777).toBe(0o751);
  expect(yard.picture()).toEqual({ "run.sh": "one\n2\n" });
});

test("a long difference is cut, a binary one is not shown", async () => {
  yard.put("long.txt", "a\n".repeat(30_000));
  const long = await yard.call("write", { path: "long.txt", content: "b\n".repeat(30_000) });
  expect(long).toMatchObject({
    details: { diff: expect.stringMatching(/\[\d+ more lines of this diff are not shown\]\n$/) },
  });
  yard.put("data.bin", Buffer.from([0, 1, 2]));
  const binary = await yard.call("write", { path: "data.bin", content: "text" });
  expect(binary).toMatchObject({ kind: "done", details: expect.not.objectContaining({ diff: expect.anything() }) });
});

test.each(["write", "edit", "apply_patch"] as const)("after an abort %s has changed nothing", async (tool) => {
  yard.put("a.txt", "old\n");
  const before = yard.picture();
  const args = {
    path: "a.txt",
    content: "new",
    oldText: "old",
    newText: "new",
    input: "*** Begin Patch\n*** Update File: a.txt\n-old\n+new\n*** Add File: x/y.txt\n+new\n*** End Patch",
  };
  expect(await yard.call(tool, args, { signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
  expect(yard.picture()).toEqual(before);
});

test("an abort in the middle of a write leaves the old file and no traces", async () => {
  yard.put("a.txt", "old\n");
  const before = yard.picture();
  for (const path of ["a.txt", "new/b.txt"]) {
    const controller = new AbortController();
    const result = yard.call("write", { path, content: "x".repeat(32 * 2 ** 20) }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await result).toMatchObject({ kind: "failed" });
    expect(yard.picture()).toEqual(before);
  }
});

test("writes at the same time each happen completely, the last one wins", async () => {
  const contents = Array.from({ length: 20 }, (_, index) => `${index}\n`.repeat(20_000));
  await Promise.all(contents.map((content) => yard.call("write", { path: "same.txt", content })));
  expect(contents).toContain(yard.text("same.txt"));
  expect(Object.keys(yard.picture())).toEqual(["same.txt"]);
});

test("edits at the same time never lose one another silently", async () => {
  yard.put("list.txt", `${Array.from({ length: 10 }, (_, index) => `item-${index};`).join("\n")}\n`);
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      yard.call("edit", { path: "list.txt", oldText: `item-${index};`, newText: `done-${index};` }),
    ),
  );
  const done = results.filter(({ kind }) => kind === "done").length;
  expect(yard.text("list.txt").match(/done-/g)).toHaveLength(done);
  expect(done).toBeGreaterThan(0);
  for (const { kind, text } of results) if (kind === "failed") expect(text).toContain("Read it again");
});

const EDITS: readonly [name: string, before: string, oldText: string, newText: string, after: string][] = [
  ["a word", "one two three\n", "two", "2", "one 2 three\n"],
  ["several lines", "a\nb\nc\nd\n", "b\nc\n", "x\n", "a\nx\nd\n"],
  ["the only text", "abc", "abc", "", ""],
  ["dollar signs as they are", "price\n", "price", "$& $1 $$", "$& $1 $$\n"],
  ["a CRLF file with LF in the call", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
  ["a CRLF file with one line in the call", "a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"],
  ["CRLF to LF when that is asked for", "a\r\nb\r\nc\r\n", "a\r\nb", "a\nb", "a\nb\r\nc\r\n"],
  ["a mixed file, the rest as it was", "a\r\nb\nc\nd\n", "c", "x\ny", "a\r\nb\nx\ny\nd\n"],
  ["a file with a mark", "\uFEFFa\nb\n", "a\n", "x\n", "\uFEFFx\nb\n"],
  ["spaces at line ends", "if (a) {  \n  b();\t\n}\n", "if (a) {\n  b();\n}", "c();", "c();\n"],
  ["spaces at line ends in the call", "a\nb\n", "a  \nb", "x", "x\n"],
  ["quotes", "say “hi” and ‘bye’  \n", "say \"hi\" and 'bye'", "x", "x  \n"],
  ["dashes", "a — b – c\n", "a - b - c", "x", "x\n"],
  ["kinds of space", "a\u00a0b\u2003c\n", "a b c", "x", "x\n"],
  ["loosely, the rest as it was", "“keep”  \nold “text”\n", 'old "text"', "new", "“keep”  \nnew\n"],
];

test.each(EDITS)("edit replaces %s", async (_name, before, oldText, newText, after) => {
  yard.put("a.txt", before);
  const result = await yard.call("edit", { path: "a.txt", oldText, newText });
  expect(result).toMatchObject({ kind: "done" });
  expect(yard.text("a.txt")).toBe(after);
});

const REFUSED_EDITS: readonly [name: string, before: string, oldText: string, newText: string, says: string][] = [
  ["nothing like it", "a\nb\n", "zzz", "x", 'oldText does not stand in "a.txt". Read the file again'],
  ["a beginning like it", "a\nb\nc\n", "b\nd", "x", "Its first line stands at line 2, but what follows differs"],
  ["two places", "a\nb\na\n", "a", "x", "more than once (lines 1, 3)"],
  ["overlapping places", "aaa\n", "aa", "x", "more than once (lines 1, 1)"],
  ["many places", "a\n".repeat(50), "a", "x", "(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more)"],
  ["two places that look like it", "“a”\n”a“\n", '"a"', "x", "more than once (lines 1, 2)"],
  ["the same text", "a\n", "a", "a", "Nothing would change"],
  ["the same text apart from line endings", "a\r\nb\r\n", "a\nb", "a\nb", "Nothing would change"],
  ["no text", "a\n", "", "x", "oldText is empty"],
  ["only spaces", "a\n", " \n ", "x", "does not stand in"],
  ["a space at the end that is meant", "return;\n", "return ", "x", "does not stand in"],
];

test.each(REFUSED_EDITS)("edit refuses %s and leaves the file", async (_name, before, oldText, newText, says) => {
  yard.put("a.txt", before);
  const result = await yard.call("edit", { path: "a.txt", oldText, newText });
  expect(result).toMatchObject({ kind: "failed", text: expect.stringContaining(says) });
  expect(yard.picture()).toEqual({ "a.txt": before });
});

test("edit says which line changed and shows the difference", async () => {
  yard.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  expect(await yard.call("edit", { path: "a.txt", old_string: "5\n", new_string: "five\n" })).toMatchObject({
    text: "a.txt was edited at line 5.",
    details: {
      firstChangedLine: 5,
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    },
  });
});

test("edit leaves files alone that are not UTF-8 text", async () => {
  const bytes = Buffer.from("gr\xfc\xdfe old", "latin1");
  yard.put("old.txt", bytes);
  const result = await yard.call("edit", { path: "old.txt", oldText: "old", newText: "new" });
  expect(result.text).toContain("is not UTF-8 text");
  expect(yard.text("old.txt")).toBe(bytes.toString("utf8"));
});

test("edit and patch refuse files that are too large for them", async () => {
  yard.put("large.txt", Buffer.alloc(5 * 2 ** 20 + 1, "a"));
  expect((await yard.call("edit", { path: "large.txt", oldText: "b", newText: "c" })).text).toContain("5242880 bytes");
});

test.skipIf(process.getuid?.() === 0)("a file that is protected from writing stays as it is", async () => {
  chmodSync(yard.put("kept.txt", "old\n"), 0o444);
  for (const [tool, args] of callsOn("kept.txt").slice(1, 3)) {
    const result = await yard.call(tool, { ...(args as object), oldText: "old" });
    expect(result.text).toContain("the system denies access to it");
  }
  expect(yard.picture()).toEqual({ "kept.txt": "old\n" });
});

test("null means left out", async () => {
  yard.put("a.txt", "a\nb\n");
  expect(await yard.call("read", { path: "a.txt", offset: null, limit: null })).toMatchObject({ text: "a\nb" });
});

test("writing through a link inside replaces its target and keeps the link", async () => {
  yard.put("a.txt", "old");
  symlinkSync("a.txt", join(yard.workspace, "b.txt"));
  await yard.call("write", { path: "b.txt", content: "new" });
  expect(yard.picture()).toEqual({ "a.txt": "new", "b.txt": "-> a.txt" });
});

const parts = (settings: FileSettings = { forbidden: [] }) => ({ fileSettings: () => settings });

test("models are shown the main names only, in less than two kilobytes", () => {
  const tools = [readTool(parts()), writeTool(parts()), editTool(parts()), applyPatchTool(parts())];
  const shown = tools.map(({ name, description, parameters }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(parameters() as z.ZodType, { io: "input" });
    return { name, description, parameters: schema };
  });
  expect(shown.map(({ parameters }) => Object.keys(parameters.properties ?? {}))).toEqual([
    ["path", "offset", "limit"],
    ["path", "content"],
    ["path", "oldText", "newText"],
    ["input"],
  ]);
  expect(shown.map(({ parameters }) => parameters.required)).toEqual([
    ["path"],
    ["path", "content"],
    ["path", "oldText", "newText"],
    ["input"],
  ]);
  expect(JSON.stringify(shown).length).toBeLessThanOrEqual(2048);
});

test.each([
  [{}, undefined],
  [{ enabled: true, allowModels: [] }, undefined],
  [{ enabled: false }, "switched off"],
  [{ allowModels: ["Demo"] }, undefined],
  [{ allowModels: ["demo/demo"] }, undefined],
  [{ allowModels: ["openai/gpt-5"] }, "not enabled for demo/demo"],
])("apply_patch with %j is unavailable because: %s", (applyPatch, why) => {
  const tool = applyPatchTool(parts({ forbidden: [], applyPatch }));
  const answer = tool.unavailable?.({ agentId: "main", sessionKey: "agent:main:main", model: MODEL });
  if (why === undefined) expect(answer).toBeUndefined();
  else expect(answer).toContain(why);
});
