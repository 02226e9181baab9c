// Whoever can write to the ledger's file cannot change the audit trail without being found out.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AUDIT_ORIGIN, auditText, type Change } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { AuditTrail, loadAuditCheck, openAuditKey, readAuditKey } from "../../src/rooms/audit/room.ts";
import type { SqliteLedger } from "../../src/rooms/ledger/room.ts";
import { AT, createTrailOnDisk, event, type TrailOnDisk } from "../support/durability/trail-on-disk.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} } as never;
const DAY = 86_400_000;

let trail: TrailOnDisk;
/** Whether the key was made by the gateway that runs. */
let isNew = false;
beforeEach(async () => {
  trail = createTrailOnDisk();
  await withTrail(async (_, ledger) => ledger.commit([1, 2, 3, 4, 5, 6, 7].map((one) => event(`tool${one}`))));
});
afterEach(() => trail[Symbol.dispose]());

/** As a gateway does: it follows the commits, and writes the anchor when it stops. */
function withTrail<T>(work: (audit: AuditTrail, ledger: SqliteLedger) => Promise<T>, at = AT): Promise<T> {
  return trail.use(async (ledger) => {
    const clock = createFakeClock(at);
    const key = readAuditKey(trail.stateDir);
    const auditKey = key && { key, isNew };
    const audit = new AuditTrail({ ledger, clock, log: silent, stateDir: trail.stateDir, auditKey, changed() {} });
    try {
      return await work(audit, ledger);
    } finally {
      await audit.close();
    }
  });
}

const found = async (): Promise<string[]> =>
  (await trail.verify()).problems.map(({ kind, seq, to }) => `${kind} ${seq}${to === undefined ? "" : `-${to}`}`);

test("a trail nobody touched is whole", async () => {
  const report = await trail.verify();
  expect(report).toMatchObject({ ok: true, checked: 7, from: 1, to: 7, problems: [] });
  expect(report.head).toMatch(/^[0-9a-f]{64}$/);
});

test("an empty one is, too", async () => {
  using empty = createTrailOnDisk();
  expect(await empty.verify()).toEqual({ ok: true, checked: 0, from: 0, to: 0, head: AUDIT_ORIGIN, problems: [] });
});

const COLUMNS: ReadonlyArray<readonly [column: string, value: string]> = [
  ["at", "at + 1"],
  ["action", "'model'"],
  ["actor", "'telegram:default:8'"],
  ["target", "'other'"],
  ["outcome", "'denied'"],
  ["agent_id", "'work'"],
  ["agent_id", "NULL"],
  ["session_key", "'agent:main:other'"],
  ["channel", "''"],
  ["trace_id", "'r2'"],
  ["detail", `'{"args":{"path":"b"},"cost":0.25}'`],
  ["detail", `'{"args": {"path":"a"},"cost":0.25}'`],
  ["detail", `'{"args":{"path":"a"},"cost":0.25,"cost":0.25}'`],
  ["detail", "'no json'"],
];

describe("a change of one value", () => {
  test.for(COLUMNS)("of %s to %s is found", async ([column, value]) => {
    trail.tamper(`UPDATE audit SET ${column} = ${value} WHERE seq = 4`);
    expect(await found()).toEqual(["changed 4"]);
    expect((await trail.verify()).problems[0]?.says).toContain("Event 4");
  });

  test("of a hash is found", async () => {
    trail.tamper(`UPDATE audit SET hash = '${"a".repeat(64)}' WHERE seq = 4`);
    expect(await found()).toEqual(["changed 4-5"]);
  });

  test("with the hash that fits it is found by the event behind it", async () => {
    const [before, row] = await trail.use((ledger) =>
      ledger.audit({ afterSeq: 2, beforeSeq: 5, limit: 2, order: "oldest" }),
    );
    if (!before || !row) throw new Error("no such rows");
    const forged = { ...row, target: "forged" };
    const link = hash("sha256", auditText(before.hash, 4, forged, JSON.stringify(row.detail)));
    trail.tamper(`UPDATE audit SET target = 'forged', hash = '${link}' WHERE seq = 4`);
    expect(await found()).toEqual(["changed 5"]);
    expect((await trail.verify()).problems[0]?.says).toContain("event 4 was replaced");
  });

  test("with all the hashes that follow is found by the anchor", async () => {
    await rewriteFrom(4, "forged");
    expect(await found()).toEqual(["anchor 7"]);
  });
});

/** What somebody does who knows how the chain is made. */
async function rewriteFrom(seq: number, target: string): Promise<void> {
  const rows = await trail.use((ledger) => ledger.audit({ limit: 100, order: "oldest" }));
  let before = rows.find((row) => row.seq === seq - 1)?.hash ?? AUDIT_ORIGIN;
  for (const row of rows.filter((one) => one.seq >= seq)) {
    const forged = row.seq === seq ? { ...row, target } : row;
    before = hash("sha256", auditText(before, row.seq, forged, JSON.stringify(row.detail)));
    trail.tamper(`UPDATE audit SET target = '${forged.target}', hash = '${before}' WHERE seq = ${row.seq}`);
  }
}

describe("a row", () => {
  test.for([
    ["first", "seq = 1", ["missing 1"]],
    ["in the middle", "seq = 4", ["missing 4"]],
    ["in the middle, with its neighbours", "seq BETWEEN 3 AND 5", ["missing 3-5"]],
    ["last", "seq = 7", ["cut 7-7"]],
    ["each", "seq > 0", ["cut 1-7"]],
  ] as const)("that is taken away is found: %s", async ([, which, problems]) => {
    trail.tamper(`DELETE FROM audit WHERE ${which}`);
    expect(await found()).toEqual(problems);
  });

  test.for([
    [3, 6],
    [3, 4],
    [1, 7],
  ] as const)("that was exchanged with another is found: %i and %i", async ([one, other]) => {
    trail.tamper(
      `UPDATE audit SET seq = -1 WHERE seq = ${one}`,
      `UPDATE audit SET seq = ${one} WHERE seq = ${other}`,
      `UPDATE audit SET seq = ${other} WHERE seq = -1`,
    );
    const { ok, problems } = await trail.verify();
    expect(ok).toBe(false);
    expect(problems).toContainEqual(expect.objectContaining({ kind: "moved", seq: one }));
    const places: readonly number[] = [one, other];
    expect(problems.every(({ kind, seq }) => ["moved", "anchor"].includes(kind) && places.includes(seq))).toBe(true);
  });

  test.for([
    ["before the beginning", 0, "added 0"],
    ["behind the end", 8, "changed 8"],
    ["far behind the end", 12, "missing 8-11"],
  ] as const)("that was added is found: %s", async ([, seq, problem]) => {
    trail.tamper(
      `INSERT INTO audit SELECT ${seq}, at, action, actor, target, outcome, agent_id, session_key, channel, trace_id, detail, hash
       FROM audit WHERE seq = 4`,
    );
    expect(await found()).toContain(problem);
  });
});

describe("the beginning", () => {
  const base = (value: object) =>
    `INSERT OR REPLACE INTO ledger_values (key, value) VALUES ('audit-base', '${JSON.stringify(value)}')`;

  test("cannot be moved to hide what was taken away", async () => {
    const [second] = await trail.use((ledger) => ledger.audit({ beforeSeq: 3, limit: 1 }));
    trail.tamper("DELETE FROM audit WHERE seq <= 2", base({ seq: 2, hash: second?.hash }));
    expect(await found()).toEqual(["base 3"]);
  });

  test("cannot have another hash", async () => {
    trail.tamper(base({ seq: 0, hash: "f".repeat(64) }));
    expect(await found()).toEqual(["changed 1", "base 1"]);
  });
});

describe("the end", () => {
  test("that was cut stays found when new events came since, also after a restart", async () => {
    trail.tamper("DELETE FROM audit WHERE seq > 5");
    await withTrail(async (_, ledger) => ledger.commit([event("new1"), event("new2"), event("new3")]));
    const first = await trail.verify();
    expect(first.ok).toBe(false);
    expect(first.problems).toMatchObject([{ kind: "cut", seq: 9 }]);
    expect(first.problems[0]?.says).toContain("event 7 had been taken away");
    await withTrail(async (_, ledger) => ledger.commit([event("new4")]));
    expect(await found()).toEqual(["cut 9"]);
  });

  test("cannot be told without an anchor, once there were many events", async () => {
    rmSync(join(trail.stateDir, "audit.head"));
    expect(await found()).toEqual([]);
    await withTrail(async (_, ledger) => ledger.commit(Array.from({ length: 1000 }, (_one, at) => event(`t${at}`))));
    rmSync(join(trail.stateDir, "audit.head"));
    expect(await found()).toEqual(["anchor 1007"]);
  });

  test("gaps are told as such when the ledger was rebuilt from damage", async () => {
    trail.tamper("DELETE FROM audit WHERE seq IN (3, 4)");
    const detail = { step: "ledger rebuilt", notices: ["…"] };
    await trail.write(event("ledger", { action: "audit", actor: "gateway", outcome: "failed", detail }));
    const { problems } = await trail.verify();
    expect(problems).toMatchObject([{ kind: "lost", seq: 3, to: 4 }]);
    expect(problems[0]?.says).toContain("rebuilt at 2026-01-15");
  });
});

describe("retention", () => {
  const later = AT + 400 * DAY;
  const forget = () => withTrail((audit) => audit.forgetBefore(later - 365 * DAY), later);

  test("lets the oldest go, and the rest can be verified", async () => {
    await trail.write(event("young", { at: later - DAY }));
    expect(await forget()).toBe(7);
    const report = await trail.verify();
    expect(report).toMatchObject({ ok: true, checked: 2, from: 8, to: 9 });
    const [newest] = await trail.use((ledger) => ledger.audit({ limit: 1 }));
    expect(newest).toMatchObject({ action: "audit", target: "forgotten", detail: { seq: 7, count: 7 } });
    expect(await forget()).toBe(0);
    expect(await found()).toEqual([]);
  });

  test("that lets everything go leaves the event that says so", async () => {
    expect(await forget()).toBe(7);
    expect(await trail.verify()).toMatchObject({ ok: true, checked: 1, from: 8, to: 8 });
  });

  test("is one commit: what is gone and what is said of it", async () => {
    await withTrail(async (audit, ledger) => {
      const commits: Array<readonly Change[]> = [];
      ledger.onCommit((note) => void commits.push(...note.commits));
      await audit.forgetBefore(later);
      expect(commits.map((changes) => changes.map(({ kind }) => kind))).toEqual([["audit-add", "audit-forget"]]);
    }, later);
  });

  test("is no way to take more away", async () => {
    await trail.write(event("young", { at: later - DAY }), event("young too", { at: later - DAY }));
    await forget();
    const [eighth] = await trail.use((ledger) => ledger.audit({ limit: 1, order: "oldest" }));
    trail.tamper(
      "DELETE FROM audit WHERE seq = 8",
      `UPDATE ledger_values SET value = '${JSON.stringify({ seq: 8, hash: eighth?.hash })}' WHERE key = 'audit-base'`,
    );
    expect(await found()).toEqual(["base 9"]);
  });
});

describe("a file that was written earlier", () => {
  async function keep(change: (lines: string[]) => string[] = (lines) => lines): Promise<string[]> {
    const rows = await trail.use((ledger) => ledger.audit({ limit: 100, order: "oldest" }));
    const last = rows.at(-1);
    const end = { head: { seq: last?.seq, hash: last?.hash }, count: rows.length, exportedAt: AT };
    return change([...rows, end].map((row) => JSON.stringify(row)));
  }
  const compare = (lines: readonly string[]) =>
    trail.use(async (ledger) => (await loadAuditCheck()).compareExport(asLines(lines), ledger));
  async function* asLines(lines: readonly string[]): AsyncGenerator<string> {
    yield* lines;
  }

  test("agrees with the trail, however much came since", async () => {
    const lines = await keep();
    await trail.write(event("newer"));
    expect(await compare(lines)).toEqual({ ok: true, same: 7, gone: 0, problems: [] });
  });

  test("finds a trail that was written anew with all its hashes, and its anchor", async () => {
    const lines = await keep();
    await rewriteFrom(4, "forged");
    const { ok, problems } = await compare(lines);
    expect(ok).toBe(false);
    expect(problems.map(({ kind, seq }) => [kind, seq])).toEqual([
      ["changed", 4],
      ["changed", 5],
      ["changed", 6],
      ["changed", 7],
      ["cut", 7],
    ]);
  });

  test("finds an end that was cut", async () => {
    const lines = await keep();
    trail.tamper("DELETE FROM audit WHERE seq > 5");
    expect((await compare(lines)).problems.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
      "missing 6",
      "missing 7",
      "cut 7",
    ]);
  });

  test("knows what was let go since", async () => {
    const lines = await keep();
    await withTrail((audit) => audit.forgetBefore(AT + DAY), AT + DAY);
    expect(await compare(lines)).toMatchObject({ ok: true, same: 0, gone: 7 });
  });

  test.for([
    ["a line is missing", (lines: string[]) => lines.toSpliced(2, 1), "says that it has"],
    ["its end is missing", (lines: string[]) => lines.slice(0, -1), "not whole"],
    [
      "a line was changed",
      (lines: string[]) => lines.map((line) => line.replace("tool3", "tool9")),
      "Event 3 of the file",
    ],
    ["a line is no event", (lines: string[]) => ["{}", ...lines], "Line 1 of the file is no event"],
  ] as const)("that was changed itself is found: %s", async ([, change, says]) => {
    const { ok, problems } = await compare(await keep(change));
    expect(ok).toBe(false);
    expect(problems.map((problem) => problem.says).join(" ")).toContain(says);
  });
});

test("ten thousand events are checked", async () => {
  const many = Array.from({ length: 9_993 }, (_, at) => event(`tool${at}`, { detail: { at, args: "x".repeat(200) } }));
  await trail.write(...many);
  expect(await trail.verify()).toMatchObject({ ok: true, checked: 10_000 });
  trail.tamper("UPDATE audit SET outcome = 'denied' WHERE seq = 9000");
  expect(await found()).toEqual(["changed 9000"]);
});

describe("a trail that goes on with a key", () => {
  beforeEach(async () => {
    ({ isNew } = openAuditKey(trail.stateDir));
    await withTrail(async (_, ledger) => ledger.commit([event("keyed8"), event("keyed9"), event("keyed10")]));
    isNew = false;
  });

  test("is whole with what was written before there was one", async () => {
    expect(await trail.verify()).toMatchObject({ ok: true, checked: 10, problems: [] });
    expect(statSync(join(trail.stateDir, "identity", "audit.key")).mode & 0o777).toBe(0o600);
  });

  test("cannot be written anew by whoever knows how a chain is made", async () => {
    await rewriteFrom(8, "forged");
    expect(await found()).toEqual(["changed 10", "anchor 10"]);
  });

  test("nor with an anchor that fits", async () => {
    await rewriteFrom(8, "forged");
    const [last] = await trail.use((ledger) => ledger.audit({ limit: 1 }));
    const head = { seq: 10, hash: last?.hash };
    writeFileSync(join(trail.stateDir, "audit.head"), JSON.stringify({ ...head, mac: "a".repeat(64) }));
    expect((await trail.verify()).problems.map(({ says }) => says).join()).toContain("not written by the gateway");
    writeFileSync(join(trail.stateDir, "audit.head"), JSON.stringify(head));
    await withTrail(async (_, ledger) => ledger.commit([event("after")]));
    expect((await trail.verify()).problems.map(({ says }) => says).join()).toContain("audit.head had no seal");
  });

  test("nor cut to where it had none", async () => {
    trail.tamper("DELETE FROM audit WHERE seq > 7");
    expect(await found()).toEqual(["cut 8-10"]);
  });

  test("misses its anchor from the first event on", async () => {
    rmSync(join(trail.stateDir, "audit.head"));
    expect(await found()).toEqual(["anchor 10"]);
  });

  test("says so when its key is gone", async () => {
    rmSync(join(trail.stateDir, "identity", "audit.key"));
    expect((await trail.verify()).problems.map(({ says }) => says).join()).toContain("audit.key is missing");
  });

  test.for([
    ["cut off", "DELETE FROM audit WHERE seq > 9", "cut 10-11"],
    ["replaced", "UPDATE audit SET target = 'forged' WHERE seq = 11", "changed 11"],
    ["emptied", "DELETE FROM audit", "cut 1-11"],
  ] as const)(
    "while the gateway runs: an end that was %s is found at once, and told by the next event",
    async ([, sql, problem]) => {
      await withTrail(async (audit, ledger) => {
        await ledger.commit([event("running11")]);
        trail.tamper(sql);
        const { ok, problems } = await audit.verify();
        expect(ok).toBe(false);
        expect(problems.map(({ kind, seq, to }) => `${kind} ${seq}${to === undefined ? "" : `-${to}`}`)).toContain(
          problem,
        );
        await ledger.commit([event("next")]);
      });
      const { problems } = await trail.verify();
      const wasReplaced = sql.startsWith("UPDATE");
      expect(problems.some(({ kind }) => kind === (wasReplaced ? "changed" : "cut"))).toBe(true);
      if (wasReplaced) return;
      const notes = await trail.use((ledger) => ledger.audit({ actions: ["audit"], limit: 9 }));
      expect(notes).toContainEqual(
        expect.objectContaining({
          target: "head",
          detail: expect.objectContaining({ expected: { seq: 11, hash: expect.any(String) } }),
        }),
      );
    },
  );

  test("has an anchor from the first event on, also when nobody stops it in order", async () => {
    using fresh = createTrailOnDisk();
    const auditKey = openAuditKey(fresh.stateDir);
    await fresh.use(async (ledger) => {
      const clock = createFakeClock(AT);
      const audit = new AuditTrail({ ledger, clock, log: silent, stateDir: fresh.stateDir, auditKey, changed() {} });
      await ledger.commit([event("first")]);
      await clock.advance(0);
      expect(JSON.parse(readFileSync(join(fresh.stateDir, "audit.head"), "utf8"))).toMatchObject({
        seq: 1,
        keyedFrom: 1,
        mac: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect((await audit.verify()).ok).toBe(true);
    });
  });
});
