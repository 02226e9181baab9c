// What a calendar asks for, and what it makes of the answers.
import type { MethodAnswer, MethodName } from "@chela/sdk/protocol";
import { expect, it } from "vitest";
import { gather, type Call } from "./calendar-load.ts";

const NOW = 1_000_000;
const stretch = { from: 0, to: 2_000_000 };
const run = (id: number, more: object = {}) => ({
  ts: id,
  jobId: "j",
  jobName: "Weather",
  action: "finished",
  runId: `r${id}`,
  state: "settled",
  dueAtMs: id,
  runAtMs: id,
  status: "ok",
  executed: "ok",
  ...more,
});

function answering(answers: Partial<Record<MethodName, (params: Readonly<Record<string, unknown>>) => unknown>>) {
  const asked: Array<[string, unknown]> = [];
  const call = (async (method: MethodName, params: Readonly<Record<string, unknown>>) => {
    asked.push([method, params]);
    return answers[method]?.(params) as MethodAnswer<MethodName>;
  }) as unknown as Call;
  return { call, asked };
}

it("tells what ran from what will run", async () => {
  const { call } = answering({
    "cron.runs": () => ({
      entries: [run(5), run(6, { status: "error", executed: "error" }), run(7, { isAlert: true })],
      hasMore: false,
    }),
    "cron.next": () => ({ runs: [{ jobId: "j", name: "Weather", atMs: 1_500_000, text: "", schedule: "" }] }),
  });
  const { marks, isCut } = await gather(call, stretch, NOW);
  expect(marks.map(({ at, outcome }) => [at, outcome])).toEqual([
    [5, "good"],
    [6, "bad"],
    [1_500_000, "future"],
  ]);
  expect(isCut).toBe(false);
});

it("asks for nothing that cannot be", async () => {
  const past = answering({ "cron.runs": () => ({ entries: [], hasMore: false }) });
  await gather(past.call, { from: 0, to: 10 }, NOW);
  expect(past.asked.map(([method]) => method)).toEqual(["cron.runs"]);
  const coming = answering({ "cron.next": () => ({ runs: [] }) });
  await gather(coming.call, { from: NOW + 1, to: NOW + 2 }, NOW);
  expect(coming.asked.map(([method]) => method)).toEqual(["cron.next"]);
});

it("reads on while there is more, and says where it stopped", async () => {
  const endless = answering({
    "cron.runs": ({ offset }) => ({ entries: [run(Number(offset))], hasMore: true }),
  });
  const { marks, isCut } = await gather(endless.call, { from: 0, to: 10 }, NOW);
  expect(marks).toHaveLength(5);
  expect(isCut).toBe(true);
});

it("names jobs that run all the time instead of drawing each of their runs", async () => {
  const job = (id: string) => ({ id, name: id, schedule: { kind: "every", everyMs: 1000 }, says: { schedule: "" } });
  const next = (id: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ jobId: id, name: id, atMs: NOW + at, text: "", schedule: "" }));
  const { call } = answering({
    "cron.runs": () => ({ entries: [], hasMore: false }),
    "cron.list": () => ({ jobs: [job("busy"), job("rare")] }),
    "cron.next": ({ id, limit }) => ({ runs: id === "rare" ? next("rare", 2) : next("busy", Number(limit)) }),
  });
  const { marks, often } = await gather(call, stretch, NOW);
  expect(marks.map(({ jobId }) => jobId)).toEqual(["rare", "rare"]);
  expect(often).toEqual([job("busy")]);
});
