// Texts that were overwritten are noticed, though every page of the file is in order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkIntegrity, openDatabase } from "./open.ts";
import { checkNewestTexts } from "./check-texts.ts";

const root = mkdtempSync(join(tmpdir(), "chela-texts-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const openWith = (line: string) => {
  const database = openDatabase(join(root, `${++count}.sqlite`));
  database.prepare("INSERT INTO entries (transcript, entry_id, line) VALUES (1, 'e1', ?)").run(line);
  return database;
};

test.each([
  ["half a line", '{"type":"message","te'],
  ["zeros in the middle", '{"type":"mess\0\0\0"}'],
  ["no text at all", ""],
])("%s is damage", (_what, line) => {
  using database = openWith(line);
  expect(() => checkIntegrity(database)).toThrow(/row 1 of entries is not readable/);
  expect(() => checkNewestTexts(database)).toThrow(/row 1 of entries is not readable/);
});

test.each([
  ["an ordinary line", '{"type":"message"}'],
  ["a line nested deeper than SQLite reads", `${"[".repeat(1500)}${"]".repeat(1500)}`],
])("%s is none", (_what, line) => {
  using database = openWith(line);
  expect(() => checkIntegrity(database)).not.toThrow();
});
