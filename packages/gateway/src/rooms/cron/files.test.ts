// The files of jobs follow the ledger, and what others write into them is taken over and never lost.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { CronJob, Ledger } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import { HOUR, MINUTE, openWorld, type World } from "./world.test-support.ts";

const HOURLY = { name: "hourly", schedule: { kind: "cron", expr: "0 * * * *", tz: "UTC" }, message: "look" };
const storeOf = ({ directory }: { directory: string }): string => join(directory, "cron", "jobs.json");
const readStore = (world: World): { version: number; jobs: CronJob[] } =>
  JSON.parse(readFileSync(storeOf(world), "utf8")) as { version: number; jobs: CronJob[] };
const logOf = ({ directory }: World, id: string): string => join(directory, "cron", "runs", `${id}.jsonl`);
const readLog = (world: World, id: string): Array<Record<string, unknown>> =>
  readFileSync(logOf(world, id), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const writeStore = (world: { directory: string }, content: unknown): void => {
  mkdirSync(join(world.directory, "cron"), { recursive: true });
  writeFileSync(storeOf(world), typeof content === "string" ? content : JSON.stringify(content));
};

function bound(of: Ledger, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name);
  return typeof value === "function" ? value.bind(of) : value;
}

describe("The mirror", () => {
  it("has the jobs within a second, with the version before beside it, and is left alone when nothing changes", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.pass(1000, 250);
    await world.cron.mirrored();
    expect(readStore(world)).toMatchObject({ version: 1, jobs: [{ id: job.id, name: "hourly" }] });
    expect(statSync(storeOf(world)).mode & 0o777).toBe(0o600);
    const written = statSync(storeOf(world)).mtimeMs;
    await world.pass(10 * MINUTE);
    await world.cron.mirrored();
    expect(statSync(storeOf(world)).mtimeMs).toBe(written);
    await world.cron.update(job.id, { name: "other" });
    await world.cron.mirrored();
    expect(readStore(world).jobs[0]?.name).toBe("other");
    expect(readFileSync(`${storeOf(world)}.bak`, "utf8")).toContain('"hourly"');
  });

  it("has a line for each run that ended, in OpenClaw's words, also when the process died before it could write it", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.pass(2 * HOUR);
    await world.cron.mirrored();
    expect(readLog(world, job.id)).toMatchObject([
      { jobId: job.id, action: "finished", status: "ok", summary: "done", delivered: true, jobName: "hourly" },
      { jobId: job.id, action: "finished", runAtMs: expect.any(Number), durationMs: 0 },
    ]);
    await world.clock.advance(HOUR - 30_000);
    await world.settle();
    await using later = await world.crash();
    await later.pass(1000);
    await later.cron.mirrored();
    expect(readLog(later, job.id).map(({ dueAtMs }) => dueAtMs)).toHaveLength(3);
    await using again = await later.crash();
    await again.pass(1000);
    await again.cron.mirrored();
    expect(readLog(again, job.id)).toHaveLength(3);
    rmSync(logOf(again, job.id));
    await again.pass(HOUR);
    await again.cron.mirrored();
    expect(readLog(again, job.id)).toHaveLength(4);
  });

  it("has a line for a run that ended at the very time of the last one that was written before the process died", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.cron.run(job.id, "force");
    await world.settle();
    await world.cron.mirrored();
    await world.cron.run(job.id, "force");
    await world.settle();
    await using later = await world.crash();
    await later.pass(1000);
    await later.cron.mirrored();
    expect(readLog(later, job.id)).toHaveLength(2);
  });

  it("has a line for a run that ended before one that was written earlier, when the process died in between", async () => {
    const ledger = createMemoryLedger();
    const held = Promise.withResolvers<void>();
    let holds = "";
    const commit: Ledger["commit"] = async (changes) => {
      if (changes.some((one) => one.kind === "errand-state" && one.state === "settled" && one.runId.includes(holds)))
        await (holds === "" ? undefined : held.promise);
      return ledger.commit(changes);
    };
    await using world = await openWorld({
      ledger: new Proxy(ledger, { get: (of, name) => (name === "commit" ? commit : bound(of, name)) }),
    });
    const [slow, quick] = [await world.cron.add(HOURLY), await world.cron.add({ ...HOURLY, name: "quick" })];
    holds = slow.job.id;
    await world.cron.run(slow.job.id, "force");
    await world.settle();
    await world.clock.advance(MINUTE);
    await world.cron.run(quick.job.id, "force");
    await world.settle();
    await world.cron.mirrored();
    expect(readLog(world, quick.job.id)).toHaveLength(1);
    held.resolve();
    await world.settle();
    await using later = await world.crash({ ledger });
    await later.pass(1000);
    await later.cron.mirrored();
    expect(readLog(later, slow.job.id)).toHaveLength(1);
  });

  it("has one line for a run that ended while its log was begun", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.cron.run(job.id, "force");
    await world.settle();
    const writing = world.cron.mirrored();
    await world.cron.run(job.id, "force");
    await world.settle();
    await writing;
    await world.cron.mirrored();
    expect(new Set(readLog(world, job.id).map(({ runId }) => runId)).size).toBe(2);
    expect(readLog(world, job.id)).toHaveLength(2);
  });

  it("drops the oldest lines of a log that grows too long", async () => {
    await using world = await openWorld({ settings: { runLog: { maxBytes: 2_000_000, keepLines: 8 } } });
    const { job } = await world.cron.add({ ...HOURLY, schedule: { kind: "every", everyMs: MINUTE } });
    for (let count = 0; count < 12; count += 1) {
      await world.pass(MINUTE);
      await world.cron.mirrored();
    }
    const lines = readLog(world, job.id);
    expect(lines.length).toBeLessThanOrEqual(8);
    const [newest] = (await world.runs()).slice(-1);
    expect(lines.at(-1)?.["runId"]).toBe(newest?.runId);
  });
});

describe("A file of an older gateway", () => {
  it.each<[string, string, unknown]>([
    [
      "of the usual shape",
      "jobs.json",
      { version: 1, jobs: [{ id: "a", ...HOURLY, payload: { kind: "agentTurn", message: "x" }, enabled: true }] },
    ],
    [
      "with prompts and intervals",
      "jobs.json",
      {
        jobs: [
          {
            id: "a",
            name: "n",
            prompt: "x",
            schedule: { kind: "interval", everyMs: 900_000 },
            enabled: true,
            createdAt: "2026-01-31T00:00:00Z",
          },
        ],
      },
    ],
    ["under its older name", "cron-store.json", { version: 1, jobs: [{ id: "a", ...HOURLY }] }],
  ])("%s is taken over once", async (_what, name, content) => {
    await using empty = await openWorld();
    mkdirSync(join(empty.directory, "cron"), { recursive: true });
    await empty.cron.stop();
    await empty.cron.leave();
    rmSync(storeOf(empty), { force: true });
    writeFileSync(join(empty.directory, "cron", name), JSON.stringify(content));
    await using world = await openWorld({ directory: empty.directory });
    expect(await world.ledger.job("a")).toMatchObject({ enabled: true, state: { nextRunAtMs: expect.any(Number) } });
    expect(world.logged.join("\n")).toContain("jobs were taken over from a file");
    await world.cron.remove("a");
    await world.cron.mirrored();
    await using later = await world.crash();
    expect(await later.ledger.jobs()).toEqual([]);
  });

  it("keeps what cannot be read, and takes the rest", async () => {
    await using empty = await openWorld();
    await empty.cron.leave();
    writeStore(empty, {
      version: 1,
      jobs: [
        { id: "good", ...HOURLY },
        { id: "bad", schedule: "whenever", message: "x" },
      ],
    });
    await using world = await openWorld({ directory: empty.directory });
    expect((await world.ledger.jobs()).map(({ id }) => id)).toEqual(["good"]);
    const kept = readdirSync(join(world.directory, "cron")).filter((name) => name.includes("unreadable"));
    expect(readFileSync(join(world.directory, "cron", kept[0] ?? ""), "utf8")).toContain("whenever");
  });

  it("with a job whose only time is past keeps it, disabled", async () => {
    await using empty = await openWorld();
    await empty.cron.leave();
    const schedule = { kind: "at", at: "2026-01-01T00:00:00Z" };
    writeStore(empty, { version: 1, jobs: [{ id: "old", ...HOURLY, schedule }] });
    await using world = await openWorld({ directory: empty.directory });
    await world.pass(5 * MINUTE);
    expect(world.turns).toEqual([]);
    expect(await world.ledger.job("old")).toMatchObject({ enabled: false });
  });
});

describe("A file that somebody edited while nobody was here", () => {
  it("changes, adds and removes jobs, and their history stays", async () => {
    await using world = await openWorld();
    const ids: string[] = [];
    for (const name of ["one", "two"]) ids.push((await world.cron.add({ ...HOURLY, name })).job.id);
    await world.pass(HOUR);
    await world.cron.mirrored();
    const store = readStore(world);
    const [one] = store.jobs.filter(({ name }) => name === "one");
    writeStore(world, {
      version: 1,
      jobs: [
        { ...one, schedule: "every 20m" },
        { id: "new", ...HOURLY },
      ],
    });
    await using later = await world.crash();
    expect((await later.ledger.jobs()).map(({ id }) => id).toSorted()).toEqual([ids[0], "new"].toSorted());
    expect(await later.ledger.job(ids[0] ?? "")).toMatchObject({
      schedule: { kind: "every", everyMs: 20 * MINUTE },
      state: { lastRunStatus: "ok" },
    });
    expect(later.logged.join("\n")).toMatch(/edits were taken over.*"added":1,"changed":1,"removed":1/);
  });

  it("and broke is put aside; the jobs stay as they were", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.cron.mirrored();
    writeStore(world, "{ not json");
    await using later = await world.crash();
    await later.pass(MINUTE);
    await later.cron.mirrored();
    expect((await later.ledger.jobs()).map(({ id }) => id)).toEqual([job.id]);
    expect(readStore(later).jobs).toHaveLength(1);
    expect(readdirSync(join(later.directory, "cron")).some((name) => name.includes("unreadable"))).toBe(true);
  });

  it("does not take away what the ledger learned after the file was written", async () => {
    await using world = await openWorld();
    await world.cron.add({ ...HOURLY, name: "in the file" });
    await world.cron.mirrored();
    const store = readStore(world);
    await world.clock.advance(100);
    const { job } = await world.cron.add({ ...HOURLY, name: "too late for it" });
    writeStore(world, { ...store, jobs: [...store.jobs, { id: "by-hand", ...HOURLY }] });
    await using later = await world.crash();
    expect(await later.ledger.job(job.id)).toBeDefined();
    expect(await later.ledger.job("by-hand")).toBeDefined();
  });

  it("while the gateway runs is taken over, before the next write and without one", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add(HOURLY);
    await world.cron.mirrored();
    await world.clock.advance(10);
    writeStore(world, readFileSync(storeOf(world), "utf8").replace('"hourly"', '"by hand"'));
    await world.clock.advance(10);
    await world.cron.add({ ...HOURLY, name: "another" });
    await world.cron.mirrored();
    expect(
      readStore(world)
        .jobs.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["another", "by hand"]);
    const store = readStore(world);
    writeStore(world, { ...store, jobs: [...store.jobs, { id: "theirs", ...HOURLY, schedule: "every 1m" }] });
    await vi.waitFor(async () => {
      await world.clock.advance(1000);
      expect(await world.ledger.job("theirs")).toBeDefined();
    });
    await world.pass(2 * MINUTE);
    expect(world.turns.some((turn) => turn.startsWith("theirs@"))).toBe(true);
    expect(await world.ledger.job(job.id)).toMatchObject({ name: "by hand" });
    expect(readdirSync(join(world.directory, "cron")).filter((name) => name.includes(".edited-"))).toEqual([]);
  });

  it("by a program that ran the jobs is not run again for the same instant, and its runs are in the history", async () => {
    await using world = await openWorld();
    const { job } = await world.cron.add({ ...HOURLY, delivery: { mode: "none" } });
    await world.pass(HOUR);
    await world.cron.mirrored();
    const [ours] = await world.runs();
    await world.cron.stop();
    await world.cron.leave();
    const store = readStore(world);
    const ranAt = world.clock.now() + HOUR;
    const state = { lastRunAtMs: ranAt, lastRunStatus: "error", lastStatus: "error", nextRunAtMs: ranAt + HOUR };
    writeStore(world, { ...store, jobs: store.jobs.map((one) => ({ ...one, state: { ...one.state, ...state } })) });
    const line = {
      ts: ranAt + 232,
      jobId: job.id,
      action: "finished",
      status: "error",
      error: "the model was away",
      summary: "half of it",
      delivered: false,
      deliveryStatus: "not-delivered",
      sessionId: "86dc24cd-523f-40a4-ba0c-d4ccf133c6ad",
      sessionKey: `agent:main:cron:${job.id}:run:86dc24cd-523f-40a4-ba0c-d4ccf133c6ad`,
      runAtMs: ranAt,
      durationMs: 232,
      model: "m1",
      provider: "mock",
    };
    appendFileSync(logOf(world, job.id), `${JSON.stringify(line)}\n`);
    await world.clock.advance(HOUR + MINUTE);
    await using later = await world.crash();
    await later.pass(5 * MINUTE);
    expect(later.turns).toEqual([]);
    const { entries } = await later.cron.runs({ jobId: job.id, limit: 10, offset: 0 });
    expect(entries.map(({ status, durationMs, summary }) => ({ status, durationMs, summary }))).toEqual([
      { status: "error", durationMs: 232, summary: "half of it" },
      { status: "ok", durationMs: 0, summary: "done" },
    ]);
    expect(entries[0]).toMatchObject({ error: "the model was away", model: "m1", sessionKey: line.sessionKey });
    expect(entries[1]?.runId).toBe(ours?.runId);
    await later.cron.mirrored();
    await using again = await later.crash();
    expect((await again.cron.runs({ jobId: job.id, limit: 10, offset: 0 })).entries).toHaveLength(2);
    expect(readLog(again, job.id)).toHaveLength(2);
  });

  it("before a start is taken over, and not put aside as well", async () => {
    await using world = await openWorld();
    await world.cron.add(HOURLY);
    await world.cron.mirrored();
    await using later = await world.crash();
    await later.cron.mirrored();
    writeStore(later, readFileSync(storeOf(later), "utf8").replace('"hourly"', '"by hand"'));
    await using again = await later.crash();
    await again.pass(1000);
    await again.cron.mirrored();
    expect(readStore(again).jobs[0]?.name).toBe("by hand");
    expect(readdirSync(join(again.directory, "cron")).filter((name) => name.includes(".edited-"))).toEqual([]);
  });

  it("and that is gone is written anew", async () => {
    await using world = await openWorld();
    await world.cron.add(HOURLY);
    await world.cron.mirrored();
    rmSync(storeOf(world));
    await using later = await world.crash();
    await later.pass(MINUTE);
    await later.cron.mirrored();
    expect(existsSync(storeOf(later))).toBe(true);
    expect(await later.ledger.jobs()).toHaveLength(1);
  });
});
