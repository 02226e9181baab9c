// Sessions past their bounds are reported or cleared away, and nothing that is in use goes.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createIds } from "../../../base/ids.ts";
import { createMirror, maintainSessions, openDatabase, SqliteLedger, type MaintenanceConfig } from "../room.ts";

const root = mkdtempSync(join(tmpdir(), "chela-maintain-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const NOW = Date.UTC(2026, 1, 26, 10, 11, 12, 345);
const DAY = 86_400_000;
const STAMP = "2026-02-26T10-11-12.345Z";
const MAIN = "agent:main:main";
const entryOf = (id: string, over: object = {}) => ({
  id,
  line: JSON.stringify({ type: "message", id, parentId: null, timestamp: new Date(NOW).toISOString(), ...over }),
});
const open = (sessionId: string, key: string, daysOld: number): Change[] => [
  {
    kind: "transcript-open",
    sessionId,
    sessionKey: key,
    agentId: "main",
    header: { type: "session", version: 3, id: sessionId, timestamp: new Date(NOW).toISOString() },
    file: `${sessionId}.jsonl`,
  },
  { kind: "entries-append", sessionId, entries: [entryOf("00000001")] },
  { kind: "session-put", key, entry: { sessionId, updatedAt: NOW - daysOld * DAY } },
];

let count = 0;
for (const kind of ["memory", "sqlite"] as const) {
  const setUp = async (changes: readonly Change[]) => {
    const stateDir = join(root, `state-${++count}`);
    mkdirSync(stateDir);
    const ledger: Ledger =
      kind === "memory" ? createMemoryLedger() : new SqliteLedger(openDatabase(join(stateDir, "l.sqlite")));
    await ledger.commit(changes);
    const mirror = createMirror({
      ledger,
      stateDir,
      clock: createFakeClock(NOW),
      log: silent,
      ids: createIds(),
      homeSessionKey: () => MAIN,
    });
    mirror.start();
    await mirror.flush();
    const file = (name: string): string => join(stateDir, "agents/main/sessions", name);
    const maintain = async (config: Partial<MaintenanceConfig>) => {
      const report = await maintainSessions({
        ledger,
        config: { mode: "enforce", pruneAfterMs: 30 * DAY, maxEntries: 500, rotateBytes: 10_000_000, ...config },
        keep: (key) => key === MAIN,
        now: NOW,
        stateDir,
        log: silent,
      });
      await mirror.flush();
      return report;
    };
    return { ledger, file, maintain, mirror };
  };

  describe(`Maintenance of a ${kind} ledger`, () => {
    it("only reports in warn mode", async () => {
      const { ledger, maintain, mirror, file } = await setUp([
        ...open("a", "agent:main:a", 31),
        ...open("b", MAIN, 99),
      ]);
      expect(await maintain({ mode: "warn" })).toMatchObject({ applied: false, tooOld: ["agent:main:a"] });
      expect(await ledger.countSessions()).toBe(2);
      expect(existsSync(file("a.jsonl"))).toBe(true);
      await mirror.stop();
      await ledger.close();
    });

    it("archives sessions that are too old or too many, never a kept one", async () => {
      const { ledger, maintain, mirror, file } = await setUp([
        ...open("m", MAIN, 99),
        ...open("old", "agent:main:old", 31),
        ...[1, 2, 3].flatMap((days) => open(`d${days}`, `agent:main:d${days}`, days)),
      ]);
      expect(await maintain({ maxEntries: 2 })).toMatchObject({
        tooOld: ["agent:main:old"],
        tooMany: ["agent:main:d3", "agent:main:d2"],
      });
      expect((await ledger.sessions({})).map(({ key }) => key)).toEqual(["agent:main:d1", MAIN]);
      expect(readdirSync(file(".")).sort()).toEqual([
        "d1.jsonl",
        `d2.jsonl.deleted.${STAMP}`,
        `d3.jsonl.deleted.${STAMP}`,
        "m.jsonl",
        `old.jsonl.deleted.${STAMP}`,
        "sessions.json",
      ]);
      await mirror.stop();
      await ledger.close();
    });

    it("removes archives after their time, but only what the ledger has", async () => {
      const { ledger, maintain, mirror, file } = await setUp(open("m", MAIN, 0));
      const [old, young] = ["x.jsonl.reset.2026-01-01T00-00-00.000Z", "y.jsonl.deleted.2026-02-20T00-00-00.000Z"];
      const stray = "nobody.jsonl.reset.2026-01-01T00-00-00.000Z";
      for (const name of [old, young, stray]) writeFileSync(file(name), "x");
      for (const [id, name] of [
        ["x", old],
        ["y", young],
      ] as const) {
        await ledger.commit([
          ...open(id, `agent:main:${id}`, 0).filter(({ kind }) => kind === "transcript-open"),
          { kind: "transcript-archive", sessionId: id, reason: "reset", at: 1, file: name },
        ]);
      }
      expect((await maintain({ resetArchiveRetentionMs: false })).removedFiles).toEqual([]);
      expect((await maintain({})).removedFiles).toEqual([file(old)]);
      expect([old, young, stray].map((name) => existsSync(file(name)))).toEqual([false, true, true]);
      await mirror.stop();
      await ledger.close();
    });

    it("keeps to a disk budget: copies first, then the oldest sessions", async () => {
      const { ledger, maintain, mirror, file } = await setUp([
        ...open("m", MAIN, 9),
        ...open("a", "agent:main:a", 2),
        ...open("b", "agent:main:b", 1),
      ]);
      writeFileSync(file("m.jsonl.bak.2026-02-20T00-00-00.000Z"), "x".repeat(10_000));
      expect(await maintain({ maxDiskBytes: 5_000 })).toMatchObject({ overBudget: [], bytesFreed: 10_000 });
      expect(existsSync(file("m.jsonl.bak.2026-02-20T00-00-00.000Z"))).toBe(false);
      const total = readdirSync(file(".")).reduce((sum, name) => sum + statSync(file(name)).size, 0);
      expect(await maintain({ maxDiskBytes: total - 1, highWaterBytes: total - 2 })).toMatchObject({
        overBudget: ["agent:main:a"],
      });
      await mirror.stop();
      await ledger.close();
    });

    it("begins a large transcript anew from its last summary, and keeps the long file", async () => {
      const before = Array.from({ length: 300 }, (_, n) => entryOf((100 + n).toString(16).padStart(8, "0")));
      const summary = entryOf("cccccccc", { type: "compaction", summary: "s", firstKeptEntryId: before[290]?.id });
      const { ledger, maintain, mirror, file } = await setUp([
        ...open("m", MAIN, 0),
        { kind: "entries-append", sessionId: "m", entries: [...before, summary] },
        ...open("n", "agent:main:n", 0),
        { kind: "entries-append", sessionId: "n", entries: before },
      ]);
      expect(await maintain({ rotateBytes: 10_000 })).toMatchObject({ rotated: ["m"], tooLarge: ["n"] });
      const live = (await ledger.entries("m")).map(({ line }) => JSON.parse(line).id);
      expect(live).toContain(before[290]?.id);
      expect(live.length).toBeLessThan(100);
      expect((await ledger.entries("m", { all: true })).length).toBe(302);
      expect(existsSync(file(`m.jsonl.bak.${STAMP}`))).toBe(true);
      expect(statSync(file("m.jsonl")).size).toBeLessThan(10_000);
      expect((await maintain({ rotateBytes: 10_000 })).rotated).toEqual([]);
      await mirror.stop();
      await ledger.close();
    });
  });
}
