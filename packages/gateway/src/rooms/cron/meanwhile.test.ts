// What people do to a job while it runs or is about to: nothing of it costs the job a run.
import { describe, expect, it } from "vitest";
import type { ErrandDelivered, ErrandOutcome, ErrandRecord } from "@chela/sdk";
import { failed, HOUR, MINUTE, ok, openWorld, START, type World } from "./world.test-support.ts";
import { createFakeClock } from "@chela/sdk/testing";

const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);
const HOURLY = { name: "hourly", schedule: { kind: "cron", expr: "0 * * * *", tz: "UTC" }, message: "look" };
const ONCE = { name: "once", schedule: { kind: "at", at: "2026-06-01T08:00:00Z" }, message: "look" };
const add = async ({ cron }: World, job: object): Promise<string> => (await cron.add(job)).job.id;
const dueOf = (runs: readonly ErrandRecord[]): string[] =>
  runs.filter(({ work }) => work["trigger"] === "due").map(({ dueAt }) => new Date(dueAt).toISOString().slice(11, 16));

interface Held {
  finish?: (outcome: ErrandOutcome) => void;
}
const slow = (held: Held) => ({
  turn: () => new Promise<ErrandOutcome>((resolve) => (held.finish = resolve)),
});

describe("A job for one instant that is set for another while it runs", () => {
  it.each([
    ["and goes well", ok()],
    ["and fails", failed()],
  ])("%s is still there, and runs then", async (_how, outcome) => {
    const held: Held = {};
    await using world = await openWorld(slow(held));
    const id = await add(world, ONCE);
    await world.pass(HOUR);
    await world.cron.update(id, { schedule: { kind: "at", at: "2026-06-01T10:00:00Z" } });
    held.finish?.(outcome);
    await world.settle();
    expect(await world.ledger.job(id)).toMatchObject({ enabled: true, state: { nextRunAtMs: at("10:00:00") } });
    await world.pass(2 * HOUR);
    expect(dueOf(await world.runs(id))).toEqual(["08:00", "10:00"]);
  });

  it.each([
    ["before that", 0],
    ["after that", 3],
  ])("is still there when the result of its run arrives %s", async (_when, hours) => {
    let arrive = (_delivered: ErrandDelivered): void => {};
    await using world = await openWorld({ deliver: () => new Promise((resolve) => (arrive = resolve)) });
    const id = await add(world, ONCE);
    await world.pass(HOUR);
    await world.cron.update(id, { schedule: { kind: "at", at: "2026-06-01T10:00:00Z" } });
    await world.pass(hours * HOUR);
    arrive({ status: "delivered" });
    await world.pass(2 * HOUR);
    expect(dueOf(await world.runs(id))).toEqual(["08:00", "10:00"]);
  });

  it("goes after its run when nobody changed its time", async () => {
    const held: Held = {};
    await using world = await openWorld(slow(held));
    const id = await add(world, ONCE);
    await world.pass(HOUR);
    await world.cron.update(id, { name: "renamed" });
    held.finish?.(ok());
    await world.settle();
    expect(await world.ledger.job(id)).toBeUndefined();
  });
});

describe("A run by hand", () => {
  it.each([
    ["one instant", ONCE],
    ["every hour", HOURLY],
  ])("that is under way when a job for %s is due does not take its place", async (_what, job) => {
    const held: Held = {};
    await using world = await openWorld(slow(held));
    const id = await add(world, job);
    await world.pass(50 * MINUTE);
    await world.cron.run(id, "force");
    await world.pass(20 * MINUTE);
    expect(dueOf(await world.runs(id))).toEqual([]);
    held.finish?.(ok());
    await world.pass(MINUTE);
    expect(dueOf(await world.runs(id))).toEqual(["08:00"]);
    held.finish?.(ok());
    await world.settle();
    const left = await world.ledger.job(id);
    expect(left?.state.nextRunAtMs).toBe(job === ONCE ? undefined : at("09:00:00"));
  });
});

describe("A clock that is put back", () => {
  it("plans the other jobs anew, though the schedule of one cannot be computed", async () => {
    const clock = createFakeClock(START);
    let shift = 0;
    const shifted = { ...clock, now: () => clock.now() + shift, waiting: 0 };
    await using world = await openWorld({ clock: shifted });
    const id = await add(world, { ...HOURLY, schedule: { kind: "cron", expr: "*/10 * * * *", tz: "UTC" } });
    const broken = await world.cron.get(await add(world, HOURLY));
    const schedule = { kind: "cron" as const, expr: "0 * * * *", tz: "Mars/Base" };
    await world.ledger.commit([{ kind: "job-put", job: { ...broken, schedule } }]);
    await world.pass(25 * MINUTE);
    shift = -5 * HOUR;
    await world.pass(15 * MINUTE);
    expect(dueOf(await world.runs(id))).toEqual(["07:10", "07:20", "02:30", "02:40"]);
  });
});
