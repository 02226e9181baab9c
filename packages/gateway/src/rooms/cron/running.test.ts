// Jobs run at their instants, each once: while time passes, after absences, crashes and set clocks, and never over themselves.
import { describe, expect, it } from "vitest";
import type { CronJob, ErrandOutcome, ErrandRecord } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { failed, HOUR, MINUTE, ok, openWorld, skippedOf, START, type World } from "./world.test-support.ts";

const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);
const HOURLY = { name: "hourly", schedule: { kind: "cron", expr: "0 * * * *", tz: "UTC" }, message: "look" };
const add = async ({ cron }: World, over: object = {}): Promise<string> =>
  (await cron.add({ ...HOURLY, ...over })).job.id;
const statesOf = async (world: World, id: string): Promise<Partial<CronJob["state"]>> =>
  (await world.ledger.job(id))?.state ?? {};
const dueOf = (runs: readonly ErrandRecord[]): string[] =>
  runs.filter(({ work }) => work["kind"] === "run").map(({ dueAt }) => new Date(dueAt).toISOString().slice(11, 16));
const noted = (runs: readonly ErrandRecord[]): object[] =>
  runs.filter(({ work }) => work["kind"] === "skipped").map(skippedOf);

describe("While time passes", () => {
  it("a job runs at each of its instants, once, and knows the next", async () => {
    await using world = await openWorld();
    const id = await add(world);
    await world.pass(3 * HOUR);
    expect(dueOf(await world.runs())).toEqual(["08:00", "09:00", "10:00"]);
    expect(await statesOf(world, id)).toMatchObject({
      nextRunAtMs: at("11:00:00"),
      lastRunStatus: "ok",
      lastDeliveryStatus: "delivered",
      lastDelivered: true,
      consecutiveErrors: 0,
    });
    expect((await world.runs())[0]).toMatchObject({
      runId: `cron:${id}:${at("08:00:00")}`,
      owner: id,
      sessionKey: `agent:main:cron:${id}:run:${at("08:00:00").toString(36)}`,
      state: "settled",
    });
    expect(world.asked[0]).toMatchObject({
      text: `[cron:${id} hourly] look\nCurrent time: Mon 2026-06-01 08:00 UTC`,
      sender: { id: `cron:${id}`, isOwner: false },
      timeoutMs: HOUR,
    });
  });

  it("there is one timer, and none while nothing is to come", async () => {
    await using world = await openWorld();
    await world.pass(MINUTE);
    // Whoever writes a file has a timer, too, until the disk is done.
    const waiting = async () => {
      await world.pass(1_000);
      return world.clock.waiting;
    };
    // Old runs are looked for once a day.
    const idle = 1;
    await expect.poll(waiting).toBe(idle);
    for (let count = 0; count < 50; count += 1) await add(world, { name: `job ${count}` });
    // The timer, and the files that are to be written.
    expect(world.clock.waiting).toBe(idle + 2);
    await world.pass(MINUTE);
    await expect.poll(waiting).toBe(idle + 1);
    const { jobs } = await world.cron.list({ limit: 100, offset: 0 });
    for (const { id } of jobs) await world.cron.update(id, { enabled: false });
    await world.pass(2 * MINUTE);
    await expect.poll(waiting).toBe(idle);
  });

  it("two hundred jobs that are due in one minute all run", async () => {
    await using world = await openWorld();
    for (let count = 0; count < 200; count += 1)
      await add(world, { payload: { kind: "systemEvent", text: "x" }, message: undefined });
    await world.pass(HOUR, 10 * MINUTE);
    expect(new Set((await world.runs()).map(({ owner }) => owner)).size).toBe(200);
    expect(world.woken).toHaveLength(200);
  });

  it("a reminder wakes the main conversation, with its own key", async () => {
    await using world = await openWorld();
    const id = await add(world, {
      message: undefined,
      payload: { kind: "systemEvent", text: "stretch" },
      wakeMode: "next-heartbeat",
    });
    await world.pass(HOUR);
    expect(world.woken).toEqual([`next-heartbeat stretch cron:${id}:${at("08:00:00")}`]);
    expect((await world.runs())[0]).toMatchObject({ sessionKey: "agent:main:main", outcome: { status: "ok" } });
  });

  it("a job that is disabled or removed runs no more, and one that is enabled makes up for nothing", async () => {
    await using world = await openWorld();
    const [one, other] = [await add(world), await add(world, { name: "other" })];
    await world.cron.update(one, { enabled: false });
    expect(await world.cron.remove(other)).toBe(true);
    expect(await world.cron.remove(other)).toBe(false);
    await world.pass(2 * HOUR);
    expect(await world.runs()).toEqual([]);
    await world.cron.update(one, { enabled: true });
    await world.pass(HOUR);
    expect(dueOf(await world.runs())).toEqual(["10:00"]);
    expect(world.events.map(({ action }) => action)).toEqual([
      "added",
      "added",
      "updated",
      "removed",
      "updated",
      "started",
      "finished",
    ]);
  });
});

describe("A run that takes long", () => {
  const slow = (world: { finish?: (outcome: ErrandOutcome) => void }) => ({
    turn: () => new Promise<ErrandOutcome>((resolve) => (world.finish = resolve)),
  });

  it("is not overtaken: the instants meanwhile are one note", async () => {
    const held: { finish?: (outcome: ErrandOutcome) => void } = {};
    await using world = await openWorld(slow(held));
    const id = await add(world);
    await world.pass(3 * HOUR + 10 * MINUTE);
    expect(dueOf(await world.runs())).toEqual(["08:00"]);
    expect(await world.cron.run(id, "force")).toEqual({ ran: false, reason: "already-running" });
    held.finish?.(ok());
    await world.pass(MINUTE);
    expect(noted(await world.runs())).toEqual([
      { reason: "still-running", count: 2, first: at("09:00:00"), last: at("10:00:00") },
    ]);
    await world.pass(HOUR);
    expect(dueOf(await world.runs())).toEqual(["08:00", "11:00"]);
  });

  it("is followed by each of them when the job catches up on all", async () => {
    const held: { finish?: (outcome: ErrandOutcome) => void } = {};
    await using world = await openWorld(slow(held));
    await add(world, { catchUp: "all" });
    await world.pass(3 * HOUR + 10 * MINUTE);
    for (let count = 0; count < 3; count += 1) {
      held.finish?.(ok());
      await world.pass(MINUTE);
    }
    expect(dueOf(await world.runs())).toEqual(["08:00", "09:00", "10:00"]);
    expect(noted(await world.runs())).toEqual([]);
  });

  it("keeps what somebody changes of its job meanwhile", async () => {
    const held: { finish?: (outcome: ErrandOutcome) => void } = {};
    await using world = await openWorld(slow(held));
    const id = await add(world);
    await world.pass(HOUR);
    await world.cron.update(id, { name: "renamed", schedule: { kind: "cron", expr: "30 * * * *", tz: "UTC" } });
    held.finish?.(ok());
    await world.settle();
    expect(await world.ledger.job(id)).toMatchObject({
      name: "renamed",
      state: { lastRunStatus: "ok", nextRunAtMs: at("08:30:00") },
    });
    expect(await statesOf(world, id)).not.toHaveProperty("runningAtMs");
  });

  it("whose job is removed meanwhile comes to its end", async () => {
    const held: { finish?: (outcome: ErrandOutcome) => void } = {};
    await using world = await openWorld(slow(held));
    const id = await add(world);
    await world.pass(HOUR);
    await world.cron.remove(id);
    held.finish?.(ok());
    await world.settle();
    expect(await world.runs()).toMatchObject([{ state: "settled", outcome: { status: "ok" } }]);
    expect(await world.ledger.job(id)).toBeUndefined();
  });

  it("only in the delivery of its result does not hold its job up", async () => {
    const arrivals: Array<() => void> = [];
    await using world = await openWorld({
      deliver: () => new Promise((resolve) => arrivals.push(() => resolve({ status: "delivered", receipts: [] }))),
    });
    const id = await add(world);
    await world.pass(3 * HOUR);
    expect(dueOf(await world.runs())).toEqual(["08:00", "09:00", "10:00"]);
    expect(await statesOf(world, id)).toMatchObject({ lastRunStatus: "ok", lastDeliveryStatus: "unknown" });
    expect(await world.cron.run(id, "force")).toMatchObject({ ran: true });
    await world.settle();
    for (const arrive of arrivals) arrive();
    await world.settle();
    expect(await statesOf(world, id)).toMatchObject({ lastDeliveryStatus: "delivered", nextRunAtMs: at("11:00:00") });
    expect((await world.runs()).every(({ state }) => state === "settled")).toBe(true);
  });
});

describe("After an absence", () => {
  const cases: ReadonlyArray<[string, object, string[], object[]]> = [
    [
      "the newest instant runs, the others are one note",
      {},
      ["11:00"],
      [{ reason: "missed", count: 3, first: at("08:00:00"), last: at("10:00:00") }],
    ],
    [
      "a job that skips notes them all",
      { catchUp: "skip" },
      [],
      [{ reason: "missed", count: 4, first: at("08:00:00"), last: at("11:00:00") }],
    ],
    ["a job that wants all gets each, the oldest first", { catchUp: "all" }, ["08:00", "09:00", "10:00", "11:00"], []],
  ];
  it.each(cases)("%s", async (_what, over, expected, notes) => {
    await using world = await openWorld();
    await add(world, over);
    await using later = await world.crash({ clock: createFakeClock(at("11:20:00")) });
    await later.pass(5 * MINUTE);
    expect(dueOf(await later.runs())).toEqual(expected);
    expect(noted(await later.runs())).toEqual(notes);
    await later.pass(40 * MINUTE);
    expect(dueOf(await later.runs())).toEqual([...expected, "12:00"]);
  });

  it("of a few seconds nothing was missed", async () => {
    await using world = await openWorld();
    await add(world, { catchUp: "skip" });
    await using later = await world.crash({ clock: createFakeClock(at("08:00:40")) });
    await later.pass(MINUTE);
    expect(dueOf(await later.runs())).toEqual(["08:00"]);
  });

  it("of a month a job of every second is looked at in a moment, and counted", async () => {
    await using world = await openWorld();
    const id = await add(world, { schedule: { kind: "every", everyMs: 1000, anchorMs: START }, catchUp: "skip" });
    const back = START + 30 * 24 * HOUR;
    await using later = await world.crash({ clock: createFakeClock(back) });
    await later.pass(1000, 1000);
    expect(noted(await later.runs(id))[0]).toMatchObject({
      first: START + 1000,
      count: expect.closeTo(30 * 24 * 3600, -1),
    });
  });

  it("of very long only the newest thousand are made up for", async () => {
    await using world = await openWorld();
    await add(world, { schedule: { kind: "every", everyMs: MINUTE, anchorMs: START }, catchUp: "all" });
    const turn = () => new Promise<ErrandOutcome>(() => {});
    await using later = await world.crash({ clock: createFakeClock(START + 1500 * MINUTE), turn });
    await later.settle();
    await later.pass(MINUTE, 1000);
    const runs = await later.runs();
    const [first] = runs.filter(({ work }) => work["kind"] === "run");
    expect(first?.dueAt).toBe(START + 501 * MINUTE);
    expect(noted(runs)[0]).toEqual({ reason: "missed", count: 500, first: START + MINUTE, last: START + 500 * MINUTE });
  });

  it("a job for one instant runs late, or is kept disabled when it skips", async () => {
    await using world = await openWorld();
    const schedule = { kind: "at", at: "2026-06-01T08:00:00Z" };
    const [late, skips] = [await add(world, { schedule }), await add(world, { schedule, catchUp: "skip" })];
    await using later = await world.crash({ clock: createFakeClock(at("11:20:00")) });
    await later.pass(MINUTE);
    expect(dueOf(await later.runs(late))).toEqual(["08:00"]);
    expect(await later.ledger.job(late)).toBeUndefined();
    expect(await later.ledger.job(skips)).toMatchObject({ enabled: false, state: { lastRunStatus: "skipped" } });
  });
});

describe("After a crash", () => {
  const never = () => new Promise<ErrandOutcome>(() => {});

  it("a run goes on, and its instant is not run again", async () => {
    await using world = await openWorld({ turn: never });
    const id = await add(world);
    await world.pass(HOUR);
    await using later = await world.crash({ turn: async () => ok() });
    await later.pass(MINUTE);
    expect(later.turns).toEqual([`${id}@08:00:00`]);
    expect(dueOf(await later.runs())).toEqual(["08:00"]);
    expect(await statesOf(later, id)).toMatchObject({ lastRunStatus: "ok", nextRunAtMs: at("09:00:00") });
  });

  it("a job that reports says that its run was broken off", async () => {
    await using world = await openWorld({ turn: never });
    const id = await add(world, { onCrash: "report" });
    await world.pass(HOUR);
    await using later = await world.crash({ turn: async () => ok() });
    await later.settle();
    expect(later.turns).toEqual([]);
    expect(await statesOf(later, id)).toMatchObject({
      lastRunStatus: "error",
      lastErrorReason: "crash",
      lastError: expect.stringContaining("The gateway stopped while this ran"),
    });
  });

  it("instants that went by while nobody was there are made up for behind the run that goes on", async () => {
    await using world = await openWorld({ turn: never });
    await add(world);
    await world.pass(HOUR);
    await using later = await world.crash({ clock: createFakeClock(at("11:20:00")), turn: async () => ok() });
    await later.pass(5 * MINUTE);
    expect(dueOf(await later.runs())).toEqual(["08:00", "11:00"]);
    expect(noted(await later.runs())).toEqual([
      { reason: "missed", count: 2, first: at("09:00:00"), last: at("10:00:00") },
    ]);
  });

  it("a job that says it runs, though no errand knows of it, is free again", async () => {
    await using world = await openWorld();
    const id = await add(world);
    const job = await world.cron.get(id);
    await world.ledger.commit([{ kind: "job-put", job: { ...job, state: { ...job.state, runningAtMs: 1 } } }]);
    await using later = await world.crash();
    await later.pass(HOUR);
    expect(dueOf(await later.runs())).toEqual(["08:00"]);
  });
});

describe("When the clock is put back", () => {
  it("no instant is run twice, and no job waits until the old time is reached", async () => {
    await using world = await openWorld();
    const [hourly, often] = [
      await add(world),
      await add(world, { schedule: { kind: "cron", expr: "*/10 * * * *", tz: "UTC" } }),
    ];
    await world.pass(2 * HOUR);
    const before = (await world.runs()).length;
    await using later = await world.crash({ clock: createFakeClock(at("08:25:00")) });
    await later.pass(34 * MINUTE);
    expect((await later.runs()).length).toBe(before);
    await later.pass(HOUR + 6 * MINUTE);
    expect(dueOf(await later.runs(hourly))).toEqual(["08:00", "09:00", "10:00"]);
    expect(new Set(dueOf(await later.runs(often))).size).toBe(dueOf(await later.runs(often)).length);
    expect(dueOf(await later.runs(often)).at(-1)).toBe("10:00");
  });

  it("jobs are planned anew within a minute, though the gateway goes on running", async () => {
    const clock = createFakeClock(START);
    let shift = 0;
    const shifted = {
      ...clock,
      now: () => clock.now() + shift,
      after: clock.after,
      advance: clock.advance,
      waiting: 0,
    };
    await using world = await openWorld({ clock: shifted });
    const id = await add(world, { schedule: { kind: "cron", expr: "*/10 * * * *", tz: "UTC" } });
    await world.pass(25 * MINUTE);
    shift = -5 * HOUR;
    await world.pass(15 * MINUTE);
    expect(dueOf(await world.runs(id))).toEqual(["07:10", "07:20", "02:30", "02:40"]);
  });
});

describe("A run that fails", () => {
  const failing = { turn: async () => failed() };

  it("is tried again after a longer and longer time; the instants left out are noted", async () => {
    await using world = await openWorld(failing);
    const id = await add(world, {
      schedule: { kind: "cron", expr: "* * * * *", tz: "UTC" },
      delivery: { mode: "none" },
    });
    await world.pass(30 * MINUTE, 10_000);
    expect(dueOf(await world.runs())).toEqual(["07:01", "07:02", "07:03", "07:08", "07:23"]);
    expect(noted(await world.runs())).toEqual([
      { reason: "back-off", count: 4, first: at("07:04:00"), last: at("07:07:00") },
      { reason: "back-off", count: 14, first: at("07:09:00"), last: at("07:22:00") },
    ]);
    expect(await statesOf(world, id)).toMatchObject({
      consecutiveErrors: 5,
      lastRunStatus: "error",
      nextRunAtMs: at("08:23:00"),
    });
  });

  it("of a job for one instant is tried three times more, and then the job is kept, disabled", async () => {
    await using world = await openWorld(failing);
    const id = await add(world, { schedule: { kind: "at", at: "2026-06-01T08:00:00Z" } });
    await world.pass(2 * HOUR);
    expect(world.turns).toHaveLength(4);
    expect(await world.ledger.job(id)).toMatchObject({ enabled: false, state: { lastError: "no model answered" } });
  });

  it("of an agent that does not exist says so, once", async () => {
    await using world = await openWorld();
    const id = await add(world);
    const job = await world.cron.get(id);
    await world.ledger.commit([{ kind: "job-put", job: { ...job, agentId: "nobody" } }]);
    await world.pass(HOUR);
    expect(await statesOf(world, id)).toMatchObject({
      lastErrorReason: "agent",
      lastError: expect.stringContaining('no agent "nobody"'),
    });
    // Its own conversation is one that nobody looks into.
    expect((await world.runs(id)).at(-1)).toMatchObject({ agentId: "main", work: { kind: "alert" } });
    await expect(world.cron.add({ ...HOURLY, agentId: "nobody" })).rejects.toMatchObject({ code: "AGENT_UNKNOWN" });
  });

  it("whose schedule cannot be computed three times disables its job, with the reason", async () => {
    await using world = await openWorld();
    const id = await add(world);
    const job = await world.cron.get(id);
    const broken = { ...job, schedule: { kind: "cron" as const, expr: "99 * * * *" } };
    await world.ledger.commit([{ kind: "job-put", job: broken }]);
    await world.pass(HOUR + 5 * MINUTE);
    expect(await world.ledger.job(id)).toMatchObject({
      enabled: false,
      state: {
        scheduleErrorCount: 3,
        lastErrorReason: "schedule",
        lastError: expect.stringContaining("disabled after 3 attempts"),
      },
    });
  });
});

describe("A result that does not arrive", () => {
  const undelivered = { deliver: async () => ({ status: "not-delivered" as const, error: "irc is away" }) };

  it("makes the run a failure, though it was carried out", async () => {
    await using world = await openWorld(undelivered);
    const id = await add(world, { failureAlert: false });
    await world.pass(HOUR);
    expect(await statesOf(world, id)).toMatchObject({
      lastRunStatus: "error",
      lastErrorReason: "delivery",
      lastError: "It ran, but its result did not arrive: irc is away",
      lastDeliveryError: "irc is away",
      consecutiveErrors: 1,
    });
    const { entries } = await world.cron.runs({ jobId: id, limit: 10, offset: 0, statuses: ["error"] });
    expect(entries).toMatchObject([
      { status: "error", executed: "ok", delivered: false, deliveryStatus: "not-delivered" },
    ]);
  });

  it("is no failure for a job that only tries its best", async () => {
    await using world = await openWorld(undelivered);
    const id = await add(world, { delivery: { mode: "announce", bestEffort: true } });
    await world.pass(HOUR);
    expect(await statesOf(world, id)).toMatchObject({ lastRunStatus: "ok", lastDeliveryStatus: "not-delivered" });
  });
});

describe("An alert", () => {
  const alerts = (world: World): string[] => world.delivered.filter((line) => line.includes("failed"));

  it("names the job, the error and the next attempt, once an hour at most", async () => {
    await using world = await openWorld({ turn: async () => failed() });
    const id = await add(world, { schedule: { kind: "cron", expr: "* * * * *", tz: "UTC" } });
    await world.pass(50 * MINUTE, 15_000);
    expect(alerts(world)).toEqual([
      `${id}: The job "hourly" failed: no model answered. Next attempt: Mon 07:02 UTC, in 60 s.`,
    ]);
    await world.pass(HOUR, 15_000);
    expect(alerts(world)).toHaveLength(2);
    expect(alerts(world)[1]).toContain("times in a row");
  });

  it.each<[string, object, number]>([
    ["is not sent for a job that promised nobody anything", { delivery: { mode: "none" } }, 0],
    ["is not sent when the job says so", { failureAlert: false }, 0],
    ["waits for as many failures as the job says", { failureAlert: { after: 3 } }, 1],
  ])("%s", async (_what, over, count) => {
    await using world = await openWorld({ turn: async () => failed() });
    await add(world, { schedule: { kind: "cron", expr: "* * * * *", tz: "UTC" }, ...over });
    await world.pass(2 * MINUTE, 15_000);
    expect(alerts(world)).toHaveLength(0);
    await world.pass(2 * MINUTE, 15_000);
    expect(alerts(world)).toHaveLength(count);
  });

  it.each<[string, object, string, object]>([
    [
      "a page that did not take it",
      { mode: "webhook", to: "https://example.org/x" },
      "irc",
      { mode: "chat", channel: "irc" },
    ],
    ["a chat", { mode: "announce", channel: "irc", to: "#home" }, "matrix", { mode: "chat", channel: "matrix" }],
    [
      "the only channel",
      { mode: "announce", channel: "irc", to: "#home" },
      "irc",
      { mode: "chat", channel: "webchat" },
    ],
  ])("that a result did not arrive at %s goes another way", async (_what, delivery, last, expected) => {
    await using world = await openWorld({
      deliver: async ({ work }) =>
        work["kind"] === "alert" ? { status: "delivered" } : { status: "not-delivered", error: "nobody is there" },
      house: { placeFor: async (_agent, { channel = last, to = "alice" }) => ({ mode: "chat", channel, to }) },
    });
    await add(world, { delivery });
    await world.pass(HOUR);
    const [alert] = (await world.runs()).filter(({ work }) => work["kind"] === "alert");
    expect(alert?.delivery).toMatchObject(expected);
  });

  it("that a crash kept back is sent by the next process, and not twice", async () => {
    await using world = await openWorld({ turn: async () => failed() });
    const id = await add(world);
    await world.pass(HOUR);
    const [alert] = (await world.runs()).filter(({ work }) => work["kind"] === "alert");
    expect(alert).toMatchObject({ runId: `cron:${id}:${at("08:00:00")}:alert`, state: "settled" });
    await using later = await world.crash();
    await later.settle();
    expect(alerts(later)).toEqual([]);
  });
});

describe("By hand", () => {
  it("a job runs now without losing its own time, and is not taken away by it", async () => {
    await using world = await openWorld();
    const id = await add(world, { schedule: { kind: "at", at: "2026-06-01T08:00:00Z" } });
    expect(await world.cron.run(id, "due")).toEqual({ ran: false, reason: "not-due" });
    expect(await world.cron.run(id, "force")).toMatchObject({
      ran: true,
      runId: expect.stringMatching(/^cron:.+:force:/),
    });
    await world.settle();
    expect(world.turns).toHaveLength(1);
    await world.pass(HOUR);
    expect(world.turns).toHaveLength(2);
    expect(await world.ledger.job(id)).toBeUndefined();
    await expect(world.cron.run("gone", "force")).rejects.toMatchObject({ code: "CRON_UNKNOWN" });
  });
});

it("conversations of runs go when they are old enough; others stay", async () => {
  const gone: string[] = [];
  await using world = await openWorld({ parts: { deleteSession: async (key) => void gone.push(key) } });
  const day = 24 * HOUR;
  for (const [key, age] of [
    ["agent:main:cron:j:run:old", day],
    ["agent:main:cron:j:run:new", HOUR],
    ["agent:main:cron:j", 9 * day],
    ["agent:main:main", 9 * day],
  ] as const) {
    await world.ledger.commit([{ kind: "session-put", key, entry: { sessionId: key, updatedAt: START - age } }]);
  }
  await world.pass(HOUR + MINUTE, HOUR);
  expect(gone).toEqual(["agent:main:cron:j:run:old"]);
});

describe("A job that cannot be", () => {
  it.each<[string, object, RegExp]>([
    ["is past", { schedule: { kind: "at", at: "2026-05-01T08:00:00Z" } }, /past/],
    ["never comes", { schedule: { kind: "cron", expr: "0 0 30 2 *" } }, /never be due/],
    ["cannot be read", { schedule: { kind: "cron", expr: "99 * * * *" } }, /minute is "99"/],
  ])("because its time %s is refused, and nothing is kept", async (_what, over, why) => {
    await using world = await openWorld();
    await expect(world.cron.add({ ...HOURLY, ...over })).rejects.toThrow(why);
    expect(await world.ledger.jobs()).toEqual([]);
  });
});
