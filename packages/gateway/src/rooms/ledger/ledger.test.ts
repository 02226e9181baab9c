// Both ledgers pass one contract; what only a file can do (survive, be damaged, be newer) is tested on top.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemoryLedger, testLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase, SqliteLedger } from "./room.ts";
import { MIGRATIONS, NEWEST_VERSION } from "./sqlite/migrations.ts";

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

  it.for([
    ["all", {}],
    ["the newest", { newest: 10 }],
  ] as const)("with an overwritten text is found damaged by whoever reads %s of it", async ([, options]) => {
    const database = openDatabase(newPath());
    let found = 0;
    const ledger = new SqliteLedger(database, { foundDamage: () => (found += 1) });
    const header = { type: "session" as const, version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z" };
    const opening = { sessionId: "s", sessionKey: "agent:main:main", agentId: "main", header, file: "s.jsonl" };
    const entries = [{ id: "aaaaaaaa", line: '{"type":"message"}' }];
    await ledger.commit([
      { kind: "transcript-open", ...opening },
      { kind: "entries-append", sessionId: "s", entries },
    ]);
    database.exec("UPDATE entries SET line = '{oops'");
    await expect(ledger.entries("s", options)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    expect(found).toBe(1);
    await ledger.close();
  });

  it("of an older shape gets a snapshot, and then the new shape with all its rows", async () => {
    const path = newPath();
    const database = new DatabaseSync(path);
    database.exec(`${MIGRATIONS[0]?.sql}; PRAGMA user_version = 1;
      INSERT INTO usage VALUES (5, 'main', 'k', 'r', 'p', 'm', 7, 1, 0, 0, 1, 1, 0, 0)`);
    database.close();
    const ledger = new SqliteLedger(openDatabase(path));
    expect(await ledger.usageTotal({ from: 0, to: 10, of: { channel: "" } })).toMatchObject({ calls: 1, input: 7 });
    await ledger.close();
    expect(existsSync(`${path}.before-v${NEWEST_VERSION}`)).toBe(true);
  });

  it("of an older shape knows which of its runs failed", async () => {
    const path = newPath();
    const database = new DatabaseSync(path);
    const older = MIGRATIONS.filter(({ version }) => version <= 3).map(({ sql }) => sql);
    const run = (id: string) =>
      `INSERT INTO inbox (run_id, channel, account, message_id, agent_id, session_key, body, state, admitted_at)
       VALUES ('${id}', 'c', 'a', '${id}', 'main', 'k', '{"text":"hi"}', 2, 1)`;
    database.exec(`${older.join(";")}; PRAGMA user_version = 3; ${run("good")}; ${run("bad")};
      INSERT INTO turns VALUES ('good', 's', 1, 2, '{"texts":[],"status":"ok"}');
      INSERT INTO turns VALUES ('bad', 's', 1, 2, '{"texts":[],"status":"error"}');
      INSERT INTO outbox (id, run_id, channel, account, recipient, payload, created_at)
        VALUES ('bad:1', 'bad', 'c', 'a', 't', '{}', 1)`);
    database.close();
    const ledger = new SqliteLedger(openDatabase(path));
    expect((await ledger.runs({ limit: 5, state: "error" })).map(({ runId }) => runId)).toEqual(["bad"]);
    expect((await ledger.delivery("bad:1"))?.updatedAt).toBeUndefined();
    await ledger.close();
  });
});
