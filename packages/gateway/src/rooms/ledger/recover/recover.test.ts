// A damaged ledger comes back with everything that its own pages or the mirrored files still hold.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIds } from "../../../base/ids.ts";
import { createImporter, createMirror, openDatabase, openOrRecover, SqliteLedger } from "../room.ts";

const root = mkdtempSync(join(tmpdir(), "chela-recover-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const AT = Date.UTC(2026, 1, 26, 10, 11, 12, 345);
const SESSIONS = 10;
const ENTRIES = 50;
const PAGE = 1024;

const idOf = (session: number, n: number): string => (session * 1000 + n).toString(16).padStart(8, "0");
const lineOf = (session: number, n: number): string =>
  JSON.stringify({
    type: "message",
    id: idOf(session, n),
    parentId: n === 0 ? null : idOf(session, n - 1),
    timestamp: new Date(AT + n).toISOString(),
    message: { role: "user", content: `session ${session} entry ${n} ${"x".repeat(200)}`, timestamp: AT + n },
  });
const append = (session: number, from: number, to: number): Change => ({
  kind: "entries-append",
  sessionId: `s${session}`,
  entries: Array.from({ length: to - from }, (_, n) => ({
    id: idOf(session, from + n),
    line: lineOf(session, from + n),
  })),
});
const optionsFor = (stateDir: string) => ({
  path: join(stateDir, "ledger.sqlite"),
  stateDir,
  log: silent,
  clock: createFakeClock(AT),
  ids: createIds(),
});
const mirrorOf = (ledger: Ledger, stateDir: string) =>
  createMirror({
    ledger,
    stateDir,
    clock: createFakeClock(AT),
    log: silent,
    ids: createIds(),
    homeSessionKey: () => "agent:main:s0",
  });

const pristine = join(root, "pristine");

/** Ten sessions, their entries interleaved so that every page holds some of each; s9 is cut, s8 is archived. */
async function fill(stateDir: string): Promise<void> {
  mkdirSync(stateDir, { recursive: true });
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  for (let session = 0; session < SESSIONS; session++) {
    await ledger.commit([
      {
        kind: "transcript-open",
        sessionId: `s${session}`,
        sessionKey: `agent:main:s${session}`,
        agentId: "main",
        header: { type: "session", version: 3, id: `s${session}`, timestamp: new Date(AT).toISOString() },
        file: `s${session}.jsonl`,
      },
      {
        kind: "session-put",
        key: `agent:main:s${session}`,
        entry: { sessionId: `s${session}`, updatedAt: AT + session, label: `label ${session}` },
      },
    ]);
    await ledger.admit({
      runId: `r${session}`,
      channel: "webchat",
      account: "a",
      messageId: `m${session}`,
      agentId: "main",
      sessionKey: `agent:main:s${session}`,
      body: { text: "hi" },
      admittedAt: AT,
    });
    await ledger.commit([
      { kind: "turn-end", runId: `r${session}`, at: AT, outcome: { status: "ok", texts: ["yes"] } },
    ]);
  }
  for (let n = 0; n < ENTRIES; n += 5) {
    await ledger.commit(Array.from({ length: SESSIONS }, (_, session) => append(session, n, n + 5)));
  }
  const stamp = "2026-02-26T10-11-12.345Z";
  await ledger.commit([
    { kind: "transcript-archive", sessionId: "s8", reason: "reset", at: AT, file: `s8.jsonl.reset.${stamp}` },
  ]);
  await mirrorOf(ledger, stateDir).flush();
  await ledger.close();
}

beforeAll(() => fill(pristine));

let count = 0;
function copyState(): string {
  const stateDir = join(root, `state-${++count}`);
  cpSync(pristine, stateDir, { recursive: true, preserveTimestamps: true });
  return stateDir;
}

async function expectEverything(ledger: Ledger): Promise<void> {
  for (let session = 0; session < SESSIONS; session++) {
    const lines = (await ledger.entries(`s${session}`, { all: true })).map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: ENTRIES }, (_, n) => lineOf(session, n)));
    expect(await ledger.session(`agent:main:s${session}`)).toMatchObject({
      sessionId: `s${session}`,
      label: `label ${session}`,
    });
    expect((await ledger.transcript(`s${session}`))?.sessionKey).toBe(`agent:main:s${session}`);
  }
}

/** A small generator of reproducible chance. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe("A damaged ledger", () => {
  it.each([1, 2, 3, 4, 5, 6])("with garbage in random pages loses nothing the mirror had (seed %i)", async (seed) => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    const bytes = readFileSync(options.path);
    const random = createRandom(seed);
    for (let hit = 0; hit < 4; hit++) {
      const page = 1 + random(bytes.length / PAGE - 1);
      // The head of a page, where a flipped byte breaks the tree; text further down is not checked by anybody.
      for (let n = 0; n < 12; n++) bytes[page * PAGE + n] = random(256);
    }
    writeFileSync(options.path, bytes);
    const { ledger, notices } = await openOrRecover(options);
    expect(notices.join("\n")).toContain("damaged");
    await expectEverything(ledger);
    expect(readdirSync(stateDir).some((name) => name.startsWith("ledger.sqlite.damaged."))).toBe(true);
    await ledger.close();
    const again = await openOrRecover(options);
    expect(again.notices).toEqual([]);
    await again.ledger.close();
  });

  it.each([
    ["whose last page is zeroed", (path: string) => overwrite(path, statSync(path).size - PAGE, Buffer.alloc(PAGE))],
    ["whose first page is zeroed", (path: string) => overwrite(path, 0, Buffer.alloc(PAGE))],
    [
      "that lost its second half",
      (path: string) => truncateSync(path, Math.floor(statSync(path).size / PAGE / 2) * PAGE),
    ],
    ["that is not a database at all", (path: string) => writeFileSync(path, "no ".repeat(5000))],
  ])("%s comes back from pages and files", async (_, damage) => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    damage(options.path);
    const { ledger, notices } = await openOrRecover(options);
    expect(notices.length).toBeGreaterThan(2);
    await expectEverything(ledger);
    await ledger.close();
  });

  it("keeps what only its pages have: messages, answers, and entries the mirror did not write yet", async () => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    const before = new SqliteLedger(openDatabase(options.path));
    await before.commit([append(3, ENTRIES, ENTRIES + 2)]);
    await before.admit({
      runId: "late",
      channel: "webchat",
      account: "a",
      messageId: "late",
      agentId: "main",
      sessionKey: "agent:main:s3",
      body: { text: "!" },
      admittedAt: AT,
    });
    await before.close();
    breakIndex(options.path);
    const { ledger } = await openOrRecover(options);
    expect((await ledger.entries("s3")).length).toBe(ENTRIES + 2);
    expect(await ledger.run("late")).toMatchObject({ state: "queued" });
    expect(await ledger.run("r4")).toMatchObject({ state: "done", outcome: { texts: ["yes"] } });
    await ledger.close();
  });

  it("gets a lost transcript row back from the file", async () => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    const database = new DatabaseSync(options.path);
    database.exec(
      "DELETE FROM transcripts WHERE session_id = 's4'; DELETE FROM entries WHERE transcript = 5 AND seq % 3 = 0",
    );
    database.close();
    breakIndex(options.path);
    const { ledger } = await openOrRecover(options);
    await expectEverything(ledger);
    await ledger.close();
  });

  it("remembers where a transcript was cut", async () => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    const before = new SqliteLedger(openDatabase(options.path));
    await before.commit([{ kind: "transcript-cut", sessionId: "s9", keep: 10 }]);
    await mirrorOf(before, stateDir).flush();
    await before.close();
    const database = new DatabaseSync(options.path);
    database.exec(`DELETE FROM entries WHERE entry_id IN ('${idOf(9, 43)}', '${idOf(9, 44)}', '${idOf(9, 49)}')`);
    database.close();
    breakIndex(options.path);
    const { ledger } = await openOrRecover(options);
    const ids = (await ledger.entries("s9")).map(({ line }) => JSON.parse(line).id);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => idOf(9, 40 + n)));
    expect((await ledger.entries("s9", { all: true })).length).toBe(ENTRIES);
    await ledger.close();
  });

  it("is exchanged at the next start when the process died before that", async () => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    copyFileSync(options.path, `${options.path}.recovered`);
    rmSync(options.path);
    const { ledger } = await openOrRecover(options);
    await expectEverything(ledger);
    expect(existsSync(`${options.path}.recovered`)).toBe(false);
    await ledger.close();
  });
});

describe("A ledger that lost its end", () => {
  it("takes it back from the mirrored files", async () => {
    const stateDir = copyState();
    const options = optionsFor(stateDir);
    const first = new SqliteLedger(openDatabase(options.path));
    await first.commit([append(0, ENTRIES, ENTRIES + 1)]);
    await mirrorOf(first, stateDir).flush();
    for (const ending of ["", "-wal"]) copyFileSync(options.path + ending, join(root, `cut-${count}${ending}`));
    await first.commit([
      append(0, ENTRIES + 1, ENTRIES + 3),
      { kind: "session-put", key: "agent:main:new", entry: { sessionId: "n", updatedAt: AT } },
    ]);
    const running = mirrorOf(first, stateDir);
    await running.flush();
    await first.close();
    for (const ending of ["", "-wal"]) copyFileSync(join(root, `cut-${count}${ending}`), options.path + ending);
    // The log is cut in the middle of its last frame, too.
    truncateSync(`${options.path}-wal`, statSync(`${options.path}-wal`).size - 100);
    const { ledger, notices } = await openOrRecover(options);
    expect(notices.join()).toContain("ends earlier");
    const lines = (await ledger.entries("s0")).map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: ENTRIES + 3 }, (_, n) => lineOf(0, n)));
    expect(await ledger.session("agent:main:new")).toBeDefined();
    await ledger.close();
    const again = await openOrRecover(options);
    expect(again.notices).toEqual([]);
    await again.ledger.close();
  });

  it("takes everything back when it lost all but the note that there was nothing to import", async () => {
    const stateDir = join(root, `state-${++count}`);
    const options = optionsFor(stateDir);
    const first = new SqliteLedger(openDatabase(options.path));
    expect(await createImporter({ ...options, ledger: first }).isNeeded()).toBe(false);
    for (const ending of ["", "-wal"]) copyFileSync(options.path + ending, join(root, `cut-${count}${ending}`));
    await first.commit([
      {
        kind: "transcript-open",
        sessionId: "s0",
        sessionKey: "agent:main:s0",
        agentId: "main",
        header: { type: "session", version: 3, id: "s0", timestamp: new Date(AT).toISOString() },
        file: "s0.jsonl",
      },
      { kind: "session-put", key: "agent:main:s0", entry: { sessionId: "s0", updatedAt: AT } },
      append(0, 0, 3),
    ]);
    await mirrorOf(first, stateDir).flush();
    await first.close();
    for (const ending of ["", "-wal"]) copyFileSync(join(root, `cut-${count}${ending}`), options.path + ending);
    const { ledger, notices } = await openOrRecover(options);
    expect(notices.join()).toContain("ends earlier");
    expect((await ledger.entries("s0")).map(({ line }) => line)).toEqual([0, 1, 2].map((n) => lineOf(0, n)));
    await ledger.close();
  });

  it("is not suspected when nothing is wrong", async () => {
    const { ledger, notices } = await openOrRecover(optionsFor(copyState()));
    expect(notices).toEqual([]);
    await ledger.close();
  });
});

function overwrite(path: string, at: number, patch: Buffer): void {
  const bytes = readFileSync(path);
  patch.copy(bytes, at);
  writeFileSync(path, bytes);
}

/** Damages only an index page, so that the check fails and every row is still there. */
function breakIndex(path: string): void {
  const database = new DatabaseSync(path);
  const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions_listed'").get();
  database.close();
  overwrite(path, (Number(row?.["rootpage"]) - 1) * PAGE, Buffer.from([0xff, 0xff, 0xff, 0xff]));
}
