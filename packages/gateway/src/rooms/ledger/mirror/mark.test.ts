// Notes of the mirror beside the ledger: what is read is what was written last, and they stay the files they are.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readIndexMarks, readMark, writeIndexMark, writeMark } from "./mark.ts";

const root = mkdtempSync(join(tmpdir(), "chela-mark-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const markOf = (stamp: string) => ({ digest: "d", stamp, at: 1 });
const fileOf = (name: string) => {
  const { ino, size, mode } = statSync(join(root, name));
  return { ino, size, mode: mode & 0o777 };
};

test("how far the files are is written where it stood, whether it is longer or shorter", async () => {
  expect(await readMark(root)).toBe(0);
  writeMark(root, 123_456);
  const first = fileOf("ledger.mirrored");
  expect(first.mode).toBe(0o600);
  writeMark(root, 7);
  expect(await readMark(root)).toBe(7);
  expect(fileOf("ledger.mirrored")).toEqual(first);
  writeMark(root, 123_456_789);
  expect(await readMark(root)).toBe(123_456_789);
  expect(fileOf("ledger.mirrored").ino).toBe(first.ino);
});

test("indexes are written where they stood, by name, in letters of any kind", () => {
  writeIndexMark(root, "main", [markOf("ä longer stamp"), markOf("before")]);
  const first = fileOf("ledger.indexes");
  for (const stamp of ["ü", "ö", "é"]) writeIndexMark(root, "main", [markOf(stamp)]);
  expect(readIndexMarks(root)).toEqual({ main: [markOf("é")] });
  expect(fileOf("ledger.indexes")).toEqual(first);
  writeIndexMark(root, "other", [markOf("x")]);
  expect(readIndexMarks(root)).toEqual({ main: [markOf("é")], other: [markOf("x")] });
});

test("what is torn is read as if it were not there", async () => {
  writeFileSync(join(root, "ledger.mirrored"), '{"seq":12');
  writeFileSync(join(root, "ledger.indexes"), '{"main":[{"dig');
  expect(await readMark(root)).toBe(0);
  expect(readIndexMarks(root)).toEqual({});
  writeMark(root, 3);
  expect(await readMark(root)).toBe(3);
});
