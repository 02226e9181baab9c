// Patches: a corpus of what models write, applied or refused with a reason, and never half.
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeFiles } from "./change-files.ts";
import { createYard, patch, type Yard } from "./files.test-support.ts";
import { locate } from "./locate.ts";
import { readWhole } from "./open-file.ts";

let yard: Yard;
beforeEach(() => {
  yard = createYard();
});
afterEach(() => yard[Symbol.dispose]());

type Files = Record<string, string>;

function lay(files: Files): void {
  for (const [path, content] of Object.entries(files)) yard.put(path, content);
}

/** What is in the workspace, without directories. */
function filesNow(): Files {
  return Object.fromEntries(Object.entries(yard.picture()).filter(([path]) => !path.endsWith("/")));
}

const CODE = "class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 1\n";

const APPLIED: readonly [name: string, before: Files, input: string, after: Files][] = [
  ["a new file", {}, patch("*** Add File: a/b.txt", "+one", "+", "+two"), { "a/b.txt": "one\n\ntwo\n" }],
  ["an empty new file", {}, patch("*** Add File: empty.txt"), { "empty.txt": "" }],
  ["a new file with a bare empty line", {}, patch("*** Add File: a", "+x", "", "+y", ""), { a: "x\n\ny\n" }],
  ["a deletion", { a: "x\n", b: "y\n" }, patch("*** Delete File: a"), { b: "y\n" }],
  ["a move", { a: "x\n" }, patch("*** Update File: a", "*** Move to: c/d"), { "c/d": "x\n" }],
  [
    "a move with a change",
    { a: "x\ny\n" },
    patch("*** Update File: a", "*** Move to: b", "@@", "-x", "+z", " y"),
    { b: "z\ny\n" },
  ],
  ["a change", { a: "1\n2\n3\n" }, patch("*** Update File: a", "@@", " 1", "-2", "+two", " 3"), { a: "1\ntwo\n3\n" }],
  ["a change without @@", { a: "1\n2\n" }, patch("*** Update File: a", "-2", "+two"), { a: "1\ntwo\n" }],
  [
    "several changes",
    { a: "1\n2\n3\n4\n5\n6\n" },
    patch("*** Update File: a", "@@", "-2", "+b", "@@", " 4", "-5", "+e", "+f"),
    { a: "1\nb\n3\n4\ne\nf\n6\n" },
  ],
  [
    "a change below a header",
    { a: CODE },
    patch("*** Update File: a", "@@ class B:", "     def run(self):", "-        return 1", "+        return 2"),
    { a: CODE.replace(/1\n$/, "2\n") },
  ],
  [
    "a change below two headers",
    { a: CODE },
    patch("*** Update File: a", "@@ class B:", "@@ def run(self):", "-        return 1", "+        return 2"),
    { a: CODE.replace(/1\n$/, "2\n") },
  ],
  [
    "an addition below a header",
    { a: CODE },
    patch("*** Update File: a", "@@ class A:", "+    name = 1"),
    { a: CODE.replace("A:\n", "A:\n    name = 1\n") },
  ],
  ["an addition at the end", { a: "1\n" }, patch("*** Update File: a", "@@", "+2"), { a: "1\n2\n" }],
  ["an addition to an open end", { a: "1" }, patch("*** Update File: a", "@@", "+2"), { a: "1\n2\n" }],
  ["an addition to an empty file", { a: "" }, patch("*** Update File: a", "@@", "+1"), { a: "1\n" }],
  [
    "a change at the end of the file",
    { a: "x\ny\nx\n" },
    patch("*** Update File: a", "@@", "-x", "+z", "*** End of File"),
    { a: "x\ny\nz\n" },
  ],
  [
    "git's numbers",
    { a: "1\n2\n" },
    patch("*** Update File: a", "@@ -1,2 +1,2 @@ f()", " 1", "-2", "+3"),
    { a: "1\n3\n" },
  ],
  ["a removed file content", { a: "1\n2\n" }, patch("*** Update File: a", "@@", "-1", "-2"), { a: "" }],
  [
    "an open end that is not touched",
    { a: "1\n2" },
    patch("*** Update File: a", "@@", "-1", "+x", " 2"),
    { a: "x\n2" },
  ],
  [
    "CRLF",
    { a: "1\r\n2\r\n3\r\n" },
    patch("*** Update File: a", "@@", " 1", "-2", "+two", " 3").replaceAll("\n", "\r\n"),
    { a: "1\r\ntwo\r\n3\r\n" },
  ],
  [
    "a mark at the beginning",
    { a: "\uFEFF1\n2\n" },
    patch("*** Update File: a", "@@", "-1", "+x"),
    { a: "\uFEFFx\n2\n" },
  ],
  [
    "loose context, which stays as it is",
    { a: "say “hi”  \nold – text\nend\t\n" },
    patch("*** Update File: a", "@@", ' say "hi"', "-old - text", "+new", " end"),
    { a: "say “hi”  \nnew\nend\t\n" },
  ],
  [
    "an empty context line without its space",
    { a: "1\n\n2\n", b: "" },
    patch("*** Update File: a", "@@", " 1", "", "-2", "+x", "", "*** Delete File: b"),
    { a: "1\n\nx\n" },
  ],
  [
    "two updates of one file",
    { a: "1\n2\n" },
    patch("*** Update File: a", "-1", "+x", "*** Update File: ./a", "-2", "+y"),
    { a: "x\ny\n" },
  ],
  ["a file deleted and added anew", { a: "1\n" }, patch("*** Delete File: a", "*** Add File: a", "+2"), { a: "2\n" }],
  ["a file added and deleted again", { b: "" }, patch("*** Add File: a", "+2", "*** Delete File: a"), { b: "" }],
  ["a here-document around it", { a: "1\n" }, `cat <<'EOF'\n${patch("*** Delete File: a")}\nEOF\n`, {}],
  ["a code fence around it", { a: "1\n" }, `\`\`\`\n${patch("*** Delete File: a")}\n\`\`\``, {}],
  [
    "everything at once",
    { a: "1\n", b: "2\n", c: "3\n" },
    patch(
      "*** Add File: n",
      "+n",
      "*** Update File: a",
      "-1",
      "+x",
      "*** Delete File: b",
      "*** Update File: c",
      "*** Move to: d",
    ),
    { a: "x\n", d: "3\n", n: "n\n" },
  ],
];

test.each(APPLIED)("%s is applied", async (_name, before, input, after) => {
  lay(before);
  expect(await yard.call("apply_patch", { input })).toMatchObject({ kind: "done" });
  expect(filesNow()).toEqual(after);
});

const REFUSED: readonly [name: string, input: string, says: string][] = [
  ["no beginning", "*** Update File: a\n-1\n+2\n*** End Patch", '"*** Begin Patch" is missing'],
  ["no end", "*** Begin Patch\n*** Delete File: a", "perhaps because the text was cut off"],
  ["nothing", patch(), "it changes nothing"],
  ["two patches", `${patch("*** Delete File: a")}\n${patch("*** Delete File: b")}`, "two patches in one text"],
  ["words between sections", patch("hello", "*** Delete File: a"), 'line 2 is "hello", but a section must begin here'],
  ["words after a deletion", patch("*** Delete File: a", "-1"), 'line 3 is "-1", but a section must begin here'],
  ["a new file without +", patch("*** Add File: n", "text"), "every line of a new file begins with +"],
  ["a line without a mark", patch("*** Update File: a", "@@", "oops"), "begin with a space, + or -"],
  ["an update without changes", patch("*** Update File: a"), 'the section for "a" has no changes'],
  ["a new file that exists", patch("*** Add File: a", "+x"), '"a" exists already. Use Update File for it.'],
  ["a move onto a file", patch("*** Update File: a", "*** Move to: b"), '"b" exists already.'],
  ["an update of a missing file", patch("*** Update File: nope", "-1", "+2"), 'There is no file "nope".'],
  ["a deletion of a missing file", patch("*** Delete File: nope"), 'There is no file "nope".'],
  ["a deletion of a directory", patch("*** Delete File: dir"), '"dir" is a directory.'],
  [
    "an update after a deletion",
    patch("*** Delete File: a", "*** Update File: a", "-1", "+2"),
    '"a" is deleted earlier in it.',
  ],
  [
    "lines that are not there",
    patch("*** Update File: a", "@@", "-1", "+x", "@@", " 2", "-nope", "+y"),
    'In "a", change 2: these lines were not found below line 1:\n2\nnope',
  ],
  [
    "changes in the wrong order",
    patch("*** Update File: a", "@@", "-3", "+x", "@@", "-1", "+y"),
    "They stand at line 1; changes must be in the order of the file.",
  ],
  [
    "a header that is not there",
    patch("*** Update File: a", "@@ def f():", "-1", "+x"),
    "the line after @@ was not found:\ndef f():",
  ],
  ["lines at two places", patch("*** Update File: twice", "@@", "-x", "+y"), "several places (lines 1, 3)"],
  [
    "a file inside a new file",
    patch("*** Update File: a", "-1", "+x", "*** Add File: n", "+1", "*** Add File: n/m", "+2"),
    '"n"',
  ],
  ["a path outside", patch("*** Delete File: a", "*** Add File: ../outside/n", "+x"), "lies outside the workspace"],
];

test.each(REFUSED)("%s is refused and nothing is changed", async (_name, input, says) => {
  lay({ a: "1\n2\n3\n", b: "b\n", twice: "x\ny\nx\n", "dir/c": "" });
  const before = yard.picture(yard.root);
  const result = await yard.call("apply_patch", { input });
  expect(result).toMatchObject({ kind: "failed" });
  expect(result.text).toContain(says);
  expect(yard.picture(yard.root)).toEqual(before);
});

test("the result lists what was done and shows the difference", async () => {
  lay({ a: "1\n", b: "2\n", c: "3\n" });
  const input = patch(
    "*** Add File: n",
    "+n",
    "*** Update File: a",
    "-1",
    "+x",
    "*** Delete File: b",
    "*** Update File: c",
    "*** Move to: d",
  );
  expect(await yard.call("apply_patch", { input })).toMatchObject({
    text: "The patch was applied:\nA n\nM a\nM d\nD b",
    details: {
      summary: { added: ["n"], modified: ["a", "d"], deleted: ["b"] },
      diff: expect.stringContaining("--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-1\n+x\n"),
    },
  });
});

test("files keep their mode, and a moved file takes it along", async () => {
  chmodSync(yard.put("run.sh", "1\n"), 0o750);
  await yard.call("apply_patch", { input: patch("*** Update File: run.sh", "-1", "+2") });
  expect(statSync(join(yard.workspace, "run.sh")).mode & 0o777).toBe(0o750);
  await yard.call("apply_patch", { input: patch("*** Update File: run.sh", "*** Move to: bin/go.sh", "-2", "+3") });
  expect(statSync(join(yard.workspace, "bin/go.sh")).mode & 0o777).toBe(0o750);
});

test("when a later file cannot be replaced, the earlier ones are put back", async () => {
  lay({ changed: "old\n", deleted: "old\n", last: "old\n" });
  const signal = new AbortController().signal;
  const rules = { workspace: yard.workspace, workspaceOnly: true, forbidden: [] };
  using changed = locate("changed", rules);
  using added = locate("new/added", rules);
  using deleted = locate("deleted", rules);
  using last = locate("last", rules);
  const before = await Promise.all([changed, deleted, last].map((place) => readWhole(place, 100, signal)));
  const [changedBefore, deletedBefore, lastBefore] = before as [
    (typeof before)[0],
    (typeof before)[0],
    (typeof before)[0],
  ];
  yard.put("last", "changed by somebody else\n");
  const work = changeFiles(
    [
      { kind: "write", place: changed, before: changedBefore, after: Buffer.from("new\n") },
      { kind: "write", place: added, before: undefined, after: Buffer.from("new\n") },
      { kind: "delete", place: deleted, before: deletedBefore },
      { kind: "write", place: last, before: lastBefore, after: Buffer.from("new\n") },
    ],
    signal,
  );
  await expect(work).rejects.toThrow("was changed by somebody else");
  expect(yard.picture()).toEqual({ changed: "old\n", deleted: "old\n", last: "changed by somebody else\n" });
});
