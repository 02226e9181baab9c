import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { Lanes, type LaneJob } from "./lanes.ts";

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
