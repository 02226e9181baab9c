// Diffs and patches as lines.
import { expect, test } from "vitest";
import { countChanges, readDiff, readPatch } from "./change-lines.ts";

const ONE = ["--- a/one.txt", "+++ b/one.txt", "@@ -3,3 +3,3 @@", " keep", "-old", "+new", " end", ""].join("\n");

test("a diff has numbers of the text a line is in", () => {
  expect(readDiff(ONE)).toEqual([
    { kind: "same", text: "keep", number: 3 },
    { kind: "gone", text: "old", number: 4 },
    { kind: "new", text: "new", number: 4 },
    { kind: "same", text: "end", number: 5 },
  ]);
});

test("lines that look like a diff's own marks are what they are", () => {
  const diff = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "--- dashes", "+++ pluses", " @@ -1 +1 @@"].join("\n");
  expect(readDiff(diff).map(({ kind, text }) => [kind, text])).toEqual([
    ["gone", "-- dashes"],
    ["new", "++ pluses"],
    ["same", "@@ -1 +1 @@"],
  ]);
});

test("several files are named, one is not", () => {
  const two = `${ONE}${ONE.replaceAll("one.txt", "two.txt")}`;
  expect(readDiff(two).filter(({ kind }) => kind === "file")).toEqual([
    { kind: "file", text: "one.txt" },
    { kind: "file", text: "two.txt" },
  ]);
  expect(readDiff(ONE).some(({ kind }) => kind === "file")).toBe(false);
});

test("a gap stands between hunks, and where a long diff ends early", () => {
  const diff = [
    "+++ b/x",
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "@@ -9,9 +9,9 @@",
    "-c",
    "[7 more lines of this diff are not shown]",
  ];
  expect(readDiff(diff.join("\n")).map(({ kind, text }) => [kind, text])).toEqual([
    ["gone", "a"],
    ["new", "b"],
    ["gap", ""],
    ["gone", "c"],
    ["gap", "7 more lines of this diff are not shown"],
  ]);
});

test("a missing end of line is not a line", () => {
  const lines = readDiff(["@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b"].join("\n"));
  expect(countChanges(lines)).toEqual({ added: 1, removed: 1 });
  expect(lines).toHaveLength(2);
});

test("a patch is read as it was written", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.ts",
    "@@ function a() {",
    " keep",
    "-old",
    "+new",
    "*** Add File: b.ts",
    "+all new",
    "*** End Patch",
  ].join("\n");
  expect(readPatch(patch).map(({ kind, text }) => [kind, text])).toEqual([
    ["file", "a.ts"],
    ["gap", "function a() {"],
    ["same", "keep"],
    ["gone", "old"],
    ["new", "new"],
    ["file", "b.ts"],
    ["new", "all new"],
  ]);
});
