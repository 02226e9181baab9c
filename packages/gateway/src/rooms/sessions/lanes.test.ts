import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { Lanes, type LaneJob } from "./lanes.ts";
import type { QueueRule } from "./queue-rules.ts";

/** A job that runs until the test ends it, and notes what happens. */
function createStage(cap: number) {
  const notes: string[] = [];
  const ends = new Map<string, () => void>();
  const clock = createFakeClock();
  const lanes = new Lanes(() => ({ total: cap, cron: 1, subagent: 8 }), clock);
  const job = (sessionKey: string, runId: string): LaneJob => ({
    runId,
    sessionKey,
    run: (signal) => {
      notes.push(`start ${runId}`);
      return new Promise<void>((resolve) => {
        const end = () => {
          notes.push(`end ${runId}`);
          resolve();
        };
        ends.set(runId, end);
        signal.addEventListener("abort", () => {
          notes.push(`abort ${runId}: ${String(signal.reason)}`);
          end();
        });
      });
    },
    dropped: (reason) => notes.push(`drop ${runId}: ${String(reason)}`),
  });
  const end = async (runId: string) => {
    ends.get(runId)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { notes, lanes, end, add: (sessionKey: string, runId: string) => lanes.enqueue(job(sessionKey, runId)) };
}

describe("Lanes", () => {
  it("run one turn of a session at a time, in order", async () => {
    const stage = createStage(8);
    for (const id of ["a1", "a2", "a3"]) stage.add("a", id);
    await stage.end("a1");
    await stage.end("a2");
    expect(stage.notes).toEqual(["start a1", "end a1", "start a2", "end a2", "start a3"]);
  });

  it("let no busy session starve another", async () => {
    const stage = createStage(1);
    for (const id of ["a1", "a2", "a3", "a4"]) stage.add("a", id);
    stage.add("b", "b1");
    await stage.end("a1");
    await stage.end("b1");
    expect(stage.notes).toEqual(["start a1", "end a1", "start b1", "end b1", "start a2"]);
  });

  it("lend the place of a turn that waits for other turns, and take it back", async () => {
    const stage = createStage(1);
    stage.add("parent", "p1");
    stage.add("child", "c1");
    const { promise: result, resolve } = Promise.withResolvers<string>();
    const waited = stage.lanes.whileWaiting("parent", result);
    expect(stage.notes).toEqual(["start p1", "start c1"]);
    expect(stage.lanes.running).toBe(2);
    resolve("done");
    expect(await waited).toBe("done");
    stage.add("other", "o1");
    await stage.end("c1");
    expect(stage.notes.slice(2)).toEqual(["end c1"]);
    await stage.end("p1");
    expect(stage.notes.slice(3)).toEqual(["end p1", "start o1"]);
  });

  it("count right when a turn ends while its place is lent", async () => {
    const stage = createStage(1);
    stage.add("parent", "p1");
    const { promise: never, resolve } = Promise.withResolvers<void>();
    const waited = stage.lanes.whileWaiting("parent", never);
    await stage.end("p1");
    expect(stage.lanes.running).toBe(0);
    resolve();
    await waited;
    for (const session of ["a", "b"]) stage.add(session, session);
    expect(stage.lanes.running).toBe(1);
  });

  it("never exceed the cap", () => {
    const stage = createStage(2);
    for (const session of ["a", "b", "c"]) stage.add(session, session);
    expect(stage.notes).toEqual(["start a", "start b"]);
    expect(stage.lanes.running).toBe(2);
  });

  it("stop the active run and drop the waiting ones", async () => {
    const stage = createStage(2);
    for (const id of ["a1", "a2"]) stage.add("a", id);
    expect(stage.lanes.stop("a", "user")).toEqual(["a1", "a2"]);
    await stage.lanes.settled("a");
    expect(stage.notes).toEqual(["start a1", "abort a1: user", "end a1", "drop a2: user"]);
    expect(stage.lanes.runIds("a")).toEqual([]);
  });

  it("stop only the run that was named", async () => {
    const stage = createStage(2);
    for (const id of ["a1", "a2", "a3"]) stage.add("a", id);
    expect(stage.lanes.stop("a", "x", "a2")).toEqual(["a2"]);
    await stage.end("a1");
    expect(stage.notes).toEqual(["start a1", "drop a2: x", "end a1", "start a3"]);
  });

  it("keep to one turn at a time after a session was emptied and filled again", async () => {
    const stage = createStage(1);
    stage.add("b", "b1");
    stage.add("a", "a1");
    stage.lanes.stop("a", "x");
    for (const id of ["a2", "a3"]) stage.add("a", id);
    await stage.end("b1");
    expect(stage.notes.filter((note) => note.startsWith("start a"))).toEqual(["start a2"]);
  });

  it("start nothing more once held, and tell when all is quiet", async () => {
    const stage = createStage(2);
    for (const id of ["a1", "a2"]) stage.add("a", id);
    stage.lanes.hold();
    const quiet = stage.lanes.idle();
    await stage.end("a1");
    await quiet;
    expect(stage.notes).toEqual(["start a1", "end a1"]);
  });
});

/** Jobs with rules, on a clock that stands still; what was answered together stands in one note. */
function createQueue(caps = { total: 8, cron: 1, subagent: 2 }) {
  const clock = createFakeClock();
  const lanes = new Lanes(() => caps, clock);
  const started: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (runId: string, queue?: QueueRule, sessionKey = "s") =>
    lanes.enqueue({
      runId,
      sessionKey,
      ...(queue ? { queue } : {}),
      run: (signal, others) => {
        started.push([...others.map((job) => job.runId), runId].join("+"));
        return new Promise<void>((resolve) => {
          const end = () => (ended.push(runId), resolve());
          ends.set(runId, end);
          signal.addEventListener("abort", end);
        });
      },
      dropped: (reason) => ended.push(`${runId} dropped: ${String(reason)}`),
    });
  const end = async (runId: string) => {
    ends.get(runId)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, lanes, started, ended, add, end };
}

const collect = (together = "alice"): QueueRule => ({ mode: "collect", debounceMs: 1000, together });

describe("messages that come while a session is busy", () => {
  it("start at once when nothing is going on", () => {
    const { add, started } = createQueue();
    add("1", collect());
    expect(started).toEqual(["1"]);
  });

  it("are answered together after a quiet moment", async () => {
    const { add, started, end, clock } = createQueue();
    add("1", collect());
    add("2", collect());
    await clock.advance(900);
    add("3", collect());
    await end("1");
    await clock.advance(999);
    expect(started).toEqual(["1"]);
    await clock.advance(1);
    expect(started).toEqual(["1", "2+3"]);
  });

  it("are coalesced when they follow closely, even on a lane that is idle again", async () => {
    const { add, started, end, clock } = createQueue();
    add("1", collect());
    await end("1");
    add("2", collect());
    add("3", collect());
    expect(started).toEqual(["1"]);
    await clock.advance(1000);
    expect(started).toEqual(["1", "2+3"]);
    await end("3");
    await clock.advance(5000);
    add("4", collect());
    expect(started).toEqual(["1", "2+3", "4"]);
  });

  it("of two people are not answered together", async () => {
    const { add, started, end, clock } = createQueue();
    add("1", collect("alice"));
    add("2", collect("alice"));
    add("3", collect("bob"));
    add("4", collect("alice"));
    for (const id of ["1", "2", "3"]) {
      await end(id);
      await clock.advance(1000);
    }
    expect(started).toEqual(["1", "2", "3", "4"]);
  });

  it("follow one by one in mode followup", async () => {
    const { add, started, end } = createQueue();
    for (const id of ["1", "2", "3"]) add(id, { mode: "followup", debounceMs: 1000 });
    await end("1");
    await end("2");
    expect(started).toEqual(["1", "2", "3"]);
  });

  it("take the place of what runs and waits in mode interrupt", async () => {
    const { add, started, ended, end } = createQueue();
    const rule: QueueRule = { mode: "interrupt", debounceMs: 1000 };
    add("1", rule);
    add("2", { mode: "followup", debounceMs: 0 });
    add("3", rule);
    await end("nobody");
    expect(ended).toEqual(["1", "2 dropped: interrupt"]);
    expect(started).toEqual(["1", "3"]);
  });

  it("take no place from work that waits without a rule, such as what another agent said", async () => {
    const { add, lanes, started, ended, end } = createQueue();
    add("1", { mode: "followup", debounceMs: 0 });
    add("chore");
    add("2", { mode: "followup", debounceMs: 0 });
    expect(lanes.waitingCount("s")).toBe(1);
    expect(lanes.takeOldest("s", () => true)?.runId).toBe("2");
    expect(lanes.takeOldest("s", () => true)).toBeUndefined();
    add("3", { mode: "interrupt", debounceMs: 0 });
    await end("nobody");
    await end("chore");
    expect([started, ended]).toEqual([
      ["1", "chore", "3"],
      ["1", "chore"],
    ]);
  });

  it("can be said to the running turn in mode steer, once", async () => {
    const { add, lanes, started, end } = createQueue();
    for (const id of ["1", "2", "3"]) add(id, { mode: "steer", debounceMs: 0 });
    const take = (wanted: string) => lanes.takeSteering("s", ({ runId }) => runId === wanted).map(({ runId }) => runId);
    expect(take("2")).toEqual(["2"]);
    expect(take("2")).toEqual([]);
    await end("1");
    expect(started).toEqual(["1", "3"]);
  });

  it.each(["steer-backlog", "steer+backlog"] as const)("are said and answered as well in mode %s", async (mode) => {
    const { add, lanes, started, end } = createQueue();
    for (const id of ["1", "2"]) add(id, { mode, debounceMs: 0, staysInQueue: true });
    expect(lanes.takeSteering("s", () => true).map(({ runId }) => runId)).toEqual(["2"]);
    expect(lanes.takeSteering("s", () => true)).toEqual([]);
    await end("1");
    expect(started).toEqual(["1", "2"]);
  });

  it("do not wait for ever for somebody who never pauses", async () => {
    const { add, started, end, clock } = createQueue();
    add("0", collect());
    await end("0");
    for (let n = 1; n <= 20 && started.length < 2; n += 1) {
      add(String(n), collect());
      await clock.advance(900);
    }
    expect(started[1]).toMatch(/^1\+2\+3/);
  });

  it("do not wait for an hour because the clock was set back", async () => {
    const { add, started, end, clock } = createQueue();
    add("1", collect());
    add("2", collect());
    clock.jump(-3600_000);
    await end("1");
    await clock.advance(2000);
    expect(started).toEqual(["1", "2"]);
  });

  it("wait even on an idle lane when more is to come", async () => {
    const { add, started, clock } = createQueue();
    const album: QueueRule = { mode: "followup", debounceMs: 0, holdMs: 700, together: "album" };
    add("1", album);
    await clock.advance(300);
    add("2", album);
    await clock.advance(699);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(started).toEqual(["1+2"]);
  });
});

describe("kinds of work", () => {
  it("have places of their own, within the places of all", async () => {
    const { add, started, end } = createQueue({ total: 3, cron: 1, subagent: 2 });
    for (const n of [1, 2, 3]) add(`cron${n}`, undefined, `agent:a:cron:${n}`);
    for (const n of [1, 2, 3]) add(`sub${n}`, undefined, `agent:a:subagent:${n}`);
    add("main1", undefined, "agent:a:main");
    expect(started).toEqual(["cron1", "sub1", "sub2"]);
    await end("sub1");
    expect(started.at(-1)).toBe("sub3");
    await end("cron1");
    expect(started.at(-1)).toBe("cron2");
    await end("sub2");
    expect(started.at(-1)).toBe("main1");
  });
});
