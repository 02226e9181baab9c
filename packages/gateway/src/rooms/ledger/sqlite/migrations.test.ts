// A ledger of the shape before fewer indexes: everything in it is found again, and what waited still waits.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createFakeClock } from "@chela/sdk/testing";
import type { AuditAction, Change, Logger, UsageRecord } from "@chela/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { createIds } from "../../../base/ids.ts";
import { openDatabase, openOrRecover, SqliteLedger } from "../room.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-shapes-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let count = 0;
const newState = () => join(directory, `state-${++count}`);
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

const AT = Date.UTC(2026, 9, 1);
const OLDER = 8;
const RUNS = 600;
const REPORT = { source: "run", tools: { entries: [{ name: "read" }] }, injectedWorkspaceFiles: [], skills: {} };

/** As the program of that time left it: three messages without an end, one of them long ago. */
function fillOlder(path: string): void {
  using database = openDatabase(path, { shape: OLDER }) as DatabaseSync & Disposable;
  const run = (sql: string, rows: ReadonlyArray<ReadonlyArray<string | number | null>>): void => {
    const statement = database.prepare(sql);
    for (const row of rows) statement.run(...row);
  };
  const ids = Array.from({ length: RUNS }, (_, at) => at + 1);
  const isOpen = (id: number): boolean => id === 40 || id > RUNS - 2;
  run(
    `INSERT INTO inbox (run_id, channel, account, message_id, agent_id, session_key, body, state, admitted_at)
     VALUES (?, 'webchat', 'default', ?, ?, 'agent:main:main', '{"text":"hi"}', ?, ?)`,
    ids.map((id) => [`run-${id}`, `m-${id}`, id % 100 === 0 ? "work" : "main", isOpen(id) ? 0 : 2, AT + id]),
  );
  run(
    `INSERT INTO turns (run_id, session_id, started_at, ended_at, outcome, status) VALUES (?, 's', ?, ?, ?, 'ok')`,
    ids.filter((id) => !isOpen(id)).map((id) => [`run-${id}`, AT, AT, '{"status":"ok","texts":["yes"]}']),
  );
  run(
    `INSERT INTO usage (at, agent_id, session_key, run_id, provider, model, input, output, cache_read, cache_write, person)
     VALUES (?, 'main', 'k', ?, 'p', 'm', 1, 0, 0, 0, 'ada')`,
    ids.map((id) => [AT + (id % 7), `run-${id}`]),
  );
  run(
    `INSERT INTO sessions (key, agent_id, session_id, updated_at, kind, hidden, entry, tokens)
     VALUES (?, ?, ?, ?, 'direct', 0, ?, ?)`,
    ["main", "work"].map((agent, at) => {
      const entry = { sessionId: agent, updatedAt: AT + at, totalTokens: 9 - at, systemPromptReport: REPORT };
      return [`agent:${agent}:main`, agent, agent, AT + at, JSON.stringify(entry), 9 - at];
    }),
  );
  run(
    `INSERT INTO transcripts (session_id, session_key, agent_id, header, file, last_seq, mirrored_seq, mirrored_file)
     VALUES (?, 'agent:main:main', 'main', ?, ?, ?, ?, ?)`,
    [
      [
        "current",
        '{"type":"session","version":3,"id":"current","timestamp":"2026-01-01T00:00:00.000Z"}',
        "current.jsonl",
        2,
        2,
        "current.jsonl",
      ],
      [
        "behind",
        '{"type":"session","version":3,"id":"behind","timestamp":"2026-01-01T00:00:00.000Z"}',
        "behind.jsonl",
        3,
        1,
        "behind.jsonl",
      ],
    ],
  );
  run(
    "INSERT INTO entries (transcript, entry_id, line) VALUES (?, ?, ?)",
    [1, 1, 2].map((transcript, at) => [transcript, `e${at}`, `{"type":"message","id":"e${at}"}`]),
  );
  run(
    `INSERT INTO audit (seq, at, action, actor, target, outcome, trace_id, detail, hash)
     VALUES (?, ?, ?, 'a', 't', 'ok', ?, '{}', 'h')`,
    ids.map((id) => [id, AT + id, id % 300 === 0 ? "config" : "model", id % 300 === 0 ? null : `run-${id}`]),
  );
}

async function expectEverything(ledger: SqliteLedger): Promise<void> {
  const open = (await ledger.unfinishedRuns()).map(({ message }) => message.runId);
  expect(open).toEqual(["run-40", "run-599", "run-600"]);
  const runs = async (query: object) => (await ledger.runs({ limit: 9, ...query })).map(({ runId }) => runId);
  expect(await runs({ state: "queued" })).toEqual(open.toReversed());
  expect(await runs({ agentId: "work", limit: 2 })).toEqual(["run-600", "run-500"]);
  expect(await runs({ agentId: "main", limit: 1 })).toEqual(["run-599"]);
  expect(await ledger.usageTotal({ from: AT, to: AT + 7, of: { person: "ada" } })).toMatchObject({ calls: RUNS });
  expect(await ledger.usageTotal({ from: AT + 1, to: AT + 2 })).toMatchObject({ calls: 86 });
  expect((await ledger.sessions({})).map(({ key }) => key)).toEqual(["agent:work:main", "agent:main:main"]);
  expect((await ledger.sessions({ sort: "tokens", agentId: "main" })).map(({ key }) => key)).toEqual([
    "agent:main:main",
  ]);
  expect((await ledger.session("agent:work:main"))?.systemPromptReport).toEqual(REPORT);
  const actions = async (...wanted: AuditAction[]) => ledger.countAudit({ actions: wanted });
  expect(await actions("config", "login")).toBe(2);
  expect(await actions("model")).toBe(598);
  expect(await actions("model", "config")).toBe(RUNS);
  expect(await ledger.countAudit({})).toBe(RUNS);
  expect(await ledger.audit({ traceId: "run-17", limit: 9 })).toMatchObject([{ seq: 17 }]);
  expect(await ledger.audit({ traceId: "xrun-17", limit: 9 })).toEqual([]);
}

describe("A ledger of an older shape", () => {
  it("is found again in full, and goes on", async () => {
    const path = join(newState(), "ledger.sqlite");
    fillOlder(path);
    const database = openDatabase(path);
    const ledger = new SqliteLedger(database);
    await expectEverything(ledger);
    expect(await ledger.unmirrored(9)).toMatchObject([{ sessionId: "behind", lastSeq: 3 }]);
    expect((await ledger.transcript("current"))?.lastSeq).toBe(2);
    await ledger.commit([{ kind: "entries-append", sessionId: "current", entries: [{ id: "new", line: "{}" }] }]);
    expect(await ledger.newestSeq()).toBe(4);
    await ledger.commit([{ kind: "usage-add", usage: usageAt(AT + 1) }]);
    expect(await ledger.usageTotal({ from: AT + 1, to: AT + 2 })).toMatchObject({ calls: 87 });
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    await ledger.close();
  });

  it("comes back from damage as one of the newest shape", async () => {
    const stateDir = newState();
    const path = join(stateDir, "ledger.sqlite");
    fillOlder(path);
    {
      using database = openDatabase(path, { shape: OLDER }) as DatabaseSync & Disposable;
      database.enableDefensive(false);
      // A page that hangs together with nothing: the check finds it, and every row can still be read.
      database.exec(`PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'jobs_due')
          WHERE name = 'usage_by_time'`);
    }
    const options = { path, stateDir, log: silent, clock: createFakeClock(AT), ids: createIds() };
    const { ledger, notices } = await openOrRecover(options);
    expect(notices.join("\n")).toContain("rebuilt");
    await expectEverything(ledger);
    await ledger.close();
  });
});

describe("What waits for its end", () => {
  it("is found behind any number of messages that have theirs", async () => {
    const path = join(newState(), "ledger.sqlite");
    let ledger = new SqliteLedger(openDatabase(path));
    const admit = (runId: string) =>
      ledger.admit({
        runId,
        channel: "webchat",
        account: "default",
        messageId: runId,
        agentId: "main",
        sessionKey: "agent:main:main",
        body: { text: "hi" },
        admittedAt: AT,
      });
    const end = (runId: string): Change => ({
      kind: "turn-end",
      runId,
      at: AT,
      outcome: { status: "ok", texts: [] },
    });
    await admit("slow");
    for (let at = 0; at < 700; at++) {
      await admit(`r${at}`);
      await ledger.commit([end(`r${at}`)]);
    }
    const waiting = async () => (await ledger.unfinishedRuns()).map(({ message }) => message.runId);
    expect(await waiting()).toEqual(["slow"]);
    await ledger.commit([end("slow")]);
    for (let at = 700; at < 1100; at++) {
      await admit(`r${at}`);
      await ledger.commit(at === 800 ? [] : [end(`r${at}`)]);
    }
    await ledger.close();
    ledger = new SqliteLedger(openDatabase(path));
    expect(await waiting()).toEqual(["r800"]);
    expect(Number(await ledger.value("first-open-run"))).toBeGreaterThan(700);
    await ledger.close();
  });
});

function usageAt(at: number): UsageRecord {
  const whose = { agentId: "main", sessionKey: "k", runId: "r", channel: "", person: "", job: "" };
  return { at, ...whose, provider: "p", model: "m", input: 1, output: 0, cacheRead: 0, cacheWrite: 0 };
}
