// Both ledgers pass one contract; what only a file can do (survive, be damaged, be newer) is tested on top.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemoryLedger, testLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase, SqliteLedger } from "./room.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-ledger-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(directory, `ledger-${++count}.sqlite`);
const open = (path: string) => new SqliteLedger(openDatabase(path));

testLedger("The ledger in memory", { open: async () => createMemoryLedger() });
testLedger("The SQLite ledger", { open: async () => open(newPath()) });

const message = {
  runId: "r1",
  channel: "webchat",
  account: "default",
  messageId: "m1",
  agentId: "main",
  sessionKey: "agent:main:main",
  body: { text: "hi" },
  admittedAt: 1,
};

describe("A ledger file", () => {
  it("is whole for a reader that opens a copy right after an admission, without a clean close", async () => {
    const path = newPath();
    const ledger = open(path);
    await ledger.admit(message);
    for (const end of ["", "-wal"]) copyFileSync(path + end, `${path}.copy${end}`);
    const copy = open(`${path}.copy`);
    expect(await copy.run("r1")).toMatchObject({ state: "queued" });
    await copy.close();
    await ledger.close();
  });

  it("can be copied while it is in use", async () => {
    const path = newPath();
    const ledger = open(path);
    await ledger.admit(message);
    await ledger.backup(`${path}.backup`);
    const copy = open(`${path}.backup`);
    expect(await copy.run("r1")).toBeDefined();
    await copy.close();
    await ledger.close();
  });

  it("of a newer version is refused and left alone", () => {
    const path = newPath();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 999");
    database.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(/newer version/);
    expect(readFileSync(path)).toEqual(before);
  });

  it("that is no database is named as damaged", () => {
    const path = newPath();
    writeFileSync(path, "this is not a database, but long enough to look like one ".repeat(40));
    expect(() => openDatabase(path)).toThrow(/damaged/);
  });

  it("gets a snapshot before its shape changes", () => {
    const path = newPath();
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE old (a); PRAGMA user_version = 0");
    database.close();
    openDatabase(path).close();
    expect(existsSync(`${path}.before-v1`)).toBe(true);
  });
});
