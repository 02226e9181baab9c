// Contract tests for every ledger about jobs and errands. Part of the ledger's contract.
import { describe, expect, it } from "vitest";
import type { CronJob } from "../cron.ts";
import type { Errand, ErrandQuery } from "../errands.ts";
import type { Ledger } from "../ledger.ts";

const AT = Date.UTC(2026, 0, 15, 12);

const errand = (runId: string, over: Partial<Errand> = {}): Errand => ({
  runId,
  kind: "cron",
  owner: "job-1",
  agentId: "main",
  sessionKey: "agent:main:cron:job-1",
  dueAt: AT,
  createdAt: AT + 5,
  work: { message: "look" },
  ...over,
});

const job = (id: string, over: Partial<CronJob> = {}): CronJob => ({
  id,
  name: `name of ${id}`,
  enabled: true,
  createdAtMs: AT,
  updatedAtMs: AT,
  schedule: { kind: "every", everyMs: 60_000 },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "look" },
  state: { nextRunAtMs: AT + 1000 },
  ...over,
});

type WithLedger = (work: (ledger: Ledger) => Promise<void>) => () => Promise<void>;

export function testErrands(name: string, withLedger: WithLedger): void {
  describe(`${name} keeps the ledger's promises: errands`, () => {
    it(
      "keeps an errand with what it was given, and takes none of its name a second time",
      withLedger(async (ledger) => {
        const delivery = { mode: "chat", channel: "irc", to: "#room" } as const;
        await ledger.commit([{ kind: "errand-add", errand: errand("e1", { delivery }) }]);
        expect(await ledger.errand("e1")).toMatchObject({ ...errand("e1"), delivery, state: "waiting" });
        const again = ledger.commit([
          { kind: "job-put", job: job("j") },
          { kind: "errand-add", errand: errand("e1", { owner: "another" }) },
        ]);
        await expect(again).rejects.toMatchObject({ code: "STORE_CONFLICT" });
        expect(await ledger.job("j")).toBeUndefined();
        expect((await ledger.errand("e1"))?.owner).toBe("job-1");
      }),
    );
    it(
      "notes when each state was reached, once, and what came of it",
      withLedger(async (ledger) => {
        await ledger.commit([{ kind: "errand-add", errand: errand("e1") }]);
        const outcome = { status: "ok", texts: ["done"] } as const;
        const delivered = { status: "not-delivered", error: "nobody there" } as const;
        await ledger.commit([{ kind: "errand-state", runId: "e1", state: "running", at: AT + 10 }]);
        await ledger.commit([{ kind: "errand-state", runId: "e1", state: "running", at: AT + 11 }]);
        await ledger.commit([{ kind: "errand-state", runId: "e1", state: "executed", at: AT + 20, outcome }]);
        await ledger.commit([{ kind: "errand-state", runId: "e1", state: "settled", at: AT + 30, delivered }]);
        expect(await ledger.errand("e1")).toMatchObject({
          state: "settled",
          startedAt: AT + 10,
          endedAt: AT + 20,
          settledAt: AT + 30,
          outcome,
          delivered,
        });
        await ledger.commit([{ kind: "errand-add", errand: errand("e2") }]);
        await ledger.commit([{ kind: "errand-state", runId: "e2", state: "settled", at: AT + 40, outcome }]);
        expect(await ledger.errand("e2")).toMatchObject({ endedAt: AT + 40, settledAt: AT + 40 });
        await ledger.commit([{ kind: "errand-state", runId: "unknown", state: "running", at: AT }]);
        expect(await ledger.errand("unknown")).toBeUndefined();
      }),
    );
    it(
      "finds errands by kind, owner, conversation, state, end, delivery, time and words",
      withLedger(async (ledger) => {
        await ledger.commit([
          { kind: "errand-add", errand: errand("a") },
          { kind: "errand-add", errand: errand("b", { owner: "job-2", dueAt: AT + 1000 }) },
          { kind: "errand-add", errand: errand("c", { kind: "subagent", owner: "agent:main:main", sessionKey: "s" }) },
          { kind: "errand-add", errand: errand("d", { dueAt: AT + 2000 }) },
          {
            kind: "errand-state",
            runId: "a",
            state: "settled",
            at: AT,
            outcome: { status: "error", texts: [], error: "No Such Model" },
            delivered: { status: "not-requested" },
          },
        ]);
        const ids = async (query: Omit<ErrandQuery, "limit">): Promise<string[]> => {
          const found = await ledger.errands({ ...query, limit: 10 });
          const { order: _order, ...conditions } = query;
          expect(await ledger.countErrands(conditions)).toBe(found.length);
          return found.map(({ runId }) => runId);
        };
        expect(await ids({})).toEqual(["d", "c", "b", "a"]);
        expect(await ids({ order: "oldest" })).toEqual(["a", "b", "c", "d"]);
        expect(await ids({ kind: "cron", owner: "job-1" })).toEqual(["d", "a"]);
        expect(await ids({ sessionKey: "s" })).toEqual(["c"]);
        expect(await ids({ states: ["waiting", "running"] })).toEqual(["d", "c", "b"]);
        expect(await ids({ states: ["settled"] })).toEqual(["a"]);
        expect(await ids({ statuses: ["error", "ok"] })).toEqual(["a"]);
        expect(await ids({ deliveryStatuses: ["not-requested"] })).toEqual(["a"]);
        expect(await ids({ dueFrom: AT + 1000, dueBefore: AT + 2000 })).toEqual(["b"]);
        expect(await ids({ search: "no such" })).toEqual(["a"]);
        expect(await ids({ search: "100%_" })).toEqual([]);
        expect((await ledger.errands({ limit: 2, offset: 1 })).map(({ runId }) => runId)).toEqual(["c", "b"]);
      }),
    );
    it(
      "forgets old errands of an owner, and none that is under way",
      withLedger(async (ledger) => {
        for (const runId of ["a", "b", "c", "d"]) {
          await ledger.commit([{ kind: "errand-add", errand: errand(runId) }]);
          if (runId !== "b") await ledger.commit([{ kind: "errand-state", runId, state: "settled", at: AT }]);
        }
        await ledger.commit([{ kind: "errands-forget", errandKind: "cron", owner: "job-1", keep: 1 }]);
        expect((await ledger.errands({ limit: 10 })).map(({ runId }) => runId)).toEqual(["d", "b"]);
        await ledger.commit([{ kind: "errands-forget", errandKind: "hook", owner: "job-1", keep: 0 }]);
        expect(await ledger.countErrands({})).toBe(2);
      }),
    );
    it(
      "still knows those it emptied, until they are old enough to be forgotten",
      withLedger(async (ledger) => {
        const runIds = ["a", "b", "c", "d"];
        for (const [at, runId] of runIds.entries()) {
          const outcome = { status: "ok" as const, texts: ["done"] };
          await ledger.commit([
            { kind: "errand-add", errand: { ...errand(runId), createdAt: AT + at } },
            { kind: "errand-state", runId, state: "settled", at: AT, outcome },
          ]);
        }
        const forget = (knownSince: number) =>
          ledger.commit([{ kind: "errands-forget", errandKind: "cron", owner: "job-1", keep: 1, knownSince }]);
        await forget(AT + 1);
        const left = await ledger.errands({ limit: 10 });
        expect(left.map(({ runId, work, outcome }) => [runId, Object.keys(work).length > 0, outcome?.texts])).toEqual([
          ["d", true, ["done"]],
          ["c", false, undefined],
          ["b", false, undefined],
        ]);
        await forget(AT + 1);
        await forget(AT + 100);
        expect((await ledger.errands({ limit: 10 })).map(({ runId }) => runId)).toEqual(["d"]);
      }),
    );
    it(
      "forgets old errands of a kind, whoever gave them",
      withLedger(async (ledger) => {
        for (const runId of ["a", "b", "c"]) {
          await ledger.commit([
            { kind: "errand-add", errand: { ...errand(runId), owner: `owner of ${runId}` } },
            { kind: "errand-state", runId, state: "settled", at: AT },
          ]);
        }
        await ledger.commit([{ kind: "errands-forget", errandKind: "hook", keep: 0 }]);
        await ledger.commit([{ kind: "errands-forget", errandKind: "cron", keep: 2 }]);
        expect((await ledger.errands({ limit: 10 })).map(({ runId }) => runId)).toEqual(["c", "b"]);
      }),
    );
  });

  describe(`${name} keeps the ledger's promises: jobs`, () => {
    it(
      "knows which jobs are due, the longest due first, and when the next one is",
      withLedger(async (ledger) => {
        expect(await ledger.nextJobAt()).toBeUndefined();
        await ledger.commit([
          { kind: "job-put", job: job("late", { state: { nextRunAtMs: AT + 3000 } }) },
          { kind: "job-put", job: job("soon", { state: { nextRunAtMs: AT + 1000 } }) },
          { kind: "job-put", job: job("off", { enabled: false, state: { nextRunAtMs: AT } }) },
          { kind: "job-put", job: job("never", { state: {} }) },
        ]);
        expect(await ledger.nextJobAt()).toBe(AT + 1000);
        expect((await ledger.dueJobs(AT + 999, 10)).map(({ id }) => id)).toEqual([]);
        expect((await ledger.dueJobs(AT + 3000, 10)).map(({ id }) => id)).toEqual(["soon", "late"]);
        expect((await ledger.dueJobs(AT + 3000, 1)).map(({ id }) => id)).toEqual(["soon"]);
      }),
    );
    it(
      "replaces a job as a whole, lists all by name, and deletes one",
      withLedger(async (ledger) => {
        await ledger.commit([
          { kind: "job-put", job: job("b", { name: "B" }) },
          { kind: "job-put", job: job("a", { name: "A", description: "old" }) },
        ]);
        await ledger.commit([{ kind: "job-put", job: job("a", { name: "C" }) }]);
        expect((await ledger.jobs()).map(({ name }) => name)).toEqual(["B", "C"]);
        expect((await ledger.job("a"))?.description).toBeUndefined();
        await ledger.commit([{ kind: "job-delete", id: "a" }]);
        expect(await ledger.job("a")).toBeUndefined();
      }),
    );
  });
}
