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

test("the end of a turn that cannot be read is damage, one that has not come yet is none", () => {
  using database = openWith("{}");
  database.exec(`INSERT INTO inbox (run_id, channel, account, message_id, agent_id, session_key, body, admitted_at)
    VALUES ('r1', 'c', 'a', 'm', 'main', 'agent:main:main', '{}', 1)`);
  database.exec("INSERT INTO turns (run_id, session_id, started_at) VALUES ('r1', 's', 1)");
  expect(() => checkIntegrity(database)).not.toThrow();
  database.exec(`UPDATE turns SET ended_at = 2, outcome = '{"status":"o'`);
  expect(() => checkIntegrity(database)).toThrow(/the end of run r1 is not readable/);
  expect(() => checkNewestTexts(database)).toThrow(/the end of run r1 is not readable/);
});
