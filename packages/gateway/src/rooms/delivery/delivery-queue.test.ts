// The delivery queue: order, patience, limits, and nothing that is lost silently.
import { describe, expect, it } from "vitest";
import type { Logger, OutboxItem } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { DeliveryQueue, type Pace, type AttemptOutcome } from "./room.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;
const SECOND = 1000;
const failed = (reason: string, more: object = {}) =>
  ({ kind: "failed", reason, why: reason, ...more }) as AttemptOutcome;

function createStage(
  options: {
    pace?: Pace;
    answers?: Record<string, AttemptOutcome[]>;
    slow?: Record<string, Promise<AttemptOutcome>>;
  } = {},
) {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  const posted: string[] = [];
  const times: number[] = [];
  const doubts: string[] = [];
  const lost: string[] = [];
  const queue = new DeliveryQueue({
    ledger,
    clock,
    log: silent,
    random: () => 0.5,
    pace: async () => options.pace,
    afterSending: ({ id }, attempts, at, messageId) => [
      {
        kind: "audit-add",
        event: { at, action: "delivery", actor: "gateway", target: id, outcome: "ok", detail: { attempts, messageId } },
      },
    ],
    async afterGivingUp({ id }, why) {
      lost.push(`${id}: ${why}`);
      return [{ kind: "aside-add", aside: { sessionKey: "s", kind: "note", key: id, at: 0, body: {} } }];
    },
    async attempt({ id }, mayHaveArrived) {
      posted.push(id);
      times.push(clock.now());
      if (mayHaveArrived) doubts.push(id);
      return (await options.slow?.[id]) ?? options.answers?.[id]?.shift() ?? { kind: "sent", messageId: `m-${id}` };
    },
  });
  const add = async (id: string, to = "alice", more: Partial<OutboxItem> = {}): Promise<OutboxItem> => {
    const item = { id, runId: "r", channel: "c", account: "a", to, payload: {}, createdAt: clock.now(), ...more };
    await ledger.commit([{ kind: "outbox-add", item }]);
    const whole: OutboxItem = { ...item, attempts: 0, state: "pending" };
    queue.add(whole);
    return whole;
  };
  const start = clock.now();
  /** Time passes in steps, so that what follows one thing can begin before the next. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(Math.min(left, 500));
    }
  };
  return { ledger, clock, pass, queue, posted, doubts, lost, add, since: () => times.map((at) => at - start) };
}

describe("the post", () => {
  it("sends in the order it was given, for each recipient, and notes each receipt", async () => {
    const { add, pass, posted, ledger } = createStage();
    for (const id of ["1", "2", "3"]) await add(id);
    await pass(10);
    expect(posted).toEqual(["1", "2", "3"]);
    expect(await ledger.delivery("2")).toMatchObject({
      state: "delivered",
      receipt: { messageId: "m-2" },
      attempts: 1,
    });
    const events = await ledger.audit({ limit: 5, order: "oldest" });
    expect(events.map(({ target, detail }) => [target, detail?.["messageId"]])).toEqual(
      ["1", "2", "3"].map((id) => [id, `m-${id}`]),
    );
  });

  it("lets a message that has to wait hold up its own recipient and nobody else", async () => {
    const { add, pass, posted } = createStage({ answers: { a1: [failed("unavailable")] } });
    await add("a1", "alice");
    await add("a2", "alice");
    await add("b1", "bob");
    await pass(10);
    expect(posted).toEqual(["a1", "b1"]);
    await pass(2 * SECOND);
    expect(posted).toEqual(["a1", "b1", "a1", "a2"]);
  });

  it("waits longer after each failure, and gives up at last, visibly", async () => {
    const answers = { x: Array.from({ length: 9 }, () => failed("unavailable")) };
    const { add, pass, posted, lost, ledger, since } = createStage({ answers });
    await add("x");
    await add("y");
    await pass(20 * 60 * SECOND);
    expect(posted).toEqual(["x", "x", "x", "x", "x", "x", "y"]);
    expect(since().slice(0, 6)).toEqual([0, 1, 6, 36, 156, 756].map((seconds) => seconds * SECOND));
    expect(lost).toEqual(["x: unavailable"]);
    expect(await ledger.delivery("x")).toMatchObject({ state: "undeliverable", error: "unavailable" });
    expect(await ledger.delivery("y")).toMatchObject({ state: "delivered" });
  });

  it.each(["rejected", "unreachable"])("does not try a message again that was %s", async (reason) => {
    const { add, pass, posted, lost } = createStage({ answers: { x: [failed(reason)] } });
    await add("x");
    await add("y");
    await pass(10);
    expect([posted, lost]).toEqual([["x", "y"], [`x: ${reason}`]]);
  });

  it("waits as long as the platform asks, without counting that as an attempt", async () => {
    const limit = failed("rate-limited", { retryAfterMs: 30 * SECOND });
    const { add, pass, ledger, since } = createStage({ answers: { x: [limit, limit] } });
    await add("x");
    await pass(100 * SECOND);
    const [, second = 0, third = 0] = since();
    expect(second).toBeGreaterThanOrEqual(30 * SECOND);
    expect(third).toBeGreaterThanOrEqual(60 * SECOND);
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered", attempts: 1 });
  });

  it("holds back the whole account when the platform says so", async () => {
    const limit = failed("rate-limited", { retryAfterMs: 30 * SECOND, holdsFor: "account" });
    const { add, pass, posted } = createStage({ answers: { a: [limit] } });
    await add("a", "alice");
    await pass(10);
    await add("b", "bob");
    await add("c", "carol", { account: "another" });
    await pass(10 * SECOND);
    expect(posted).toEqual(["a", "c"]);
    await pass(30 * SECOND);
    expect(posted.toSorted()).toEqual(["a", "a", "b", "c"]);
  });

  it("says that a message may have arrived once nobody knows", async () => {
    const { add, pass, doubts } = createStage({ answers: { x: [failed("uncertain")] } });
    await add("x");
    await pass(10 * SECOND);
    expect(doubts).toEqual(["x"]);
  });

  it("waits for a connection without using up its attempts, and goes on at once when there is one", async () => {
    const offline: AttemptOutcome = { kind: "offline", why: "no connection" };
    const { add, pass, queue, posted, ledger } = createStage({
      answers: { x: Array.from({ length: 40 }, () => offline) },
    });
    await add("x");
    await pass(195 * SECOND);
    expect(posted).toHaveLength(40);
    queue.connected({ channel: "c", account: "a" });
    await pass(1);
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered", attempts: 1 });
  });

  it("gives up a message that is a day old", async () => {
    const offline: AttemptOutcome = { kind: "offline", why: "no connection" };
    const { add, clock, pass, lost } = createStage({ answers: { x: [offline, offline] } });
    await add("x", "alice", { createdAt: clock.now() - 24 * 3600 * SECOND - 1 });
    await pass(10);
    expect(lost).toEqual(["x: no connection"]);
  });

  it("tells those who listen when a message is done with, and the ledger knows by then", async () => {
    const { add, pass, queue, ledger } = createStage({
      answers: { a: [failed("unavailable")], b: [failed("rejected")] },
    });
    const heard: Array<Promise<unknown>> = [];
    const stop = queue.onSettled((id) => heard.push(ledger.delivery(id)));
    await add("a", "alice");
    await add("b", "bob");
    await pass(2 * SECOND);
    stop();
    await add("c", "carol");
    await pass(10);
    expect(await Promise.all(heard)).toMatchObject([
      { id: "b", state: "undeliverable" },
      { id: "a", state: "delivered" },
    ]);
  });

  it("sends what was given up when somebody asks for it", async () => {
    const { add, pass, queue, posted, ledger, doubts } = createStage({ answers: { x: [failed("rejected")] } });
    await add("x");
    await pass(10);
    expect(await queue.resend("x")).toMatchObject({ id: "x", state: "pending" });
    expect(await queue.resend("unknown")).toBeUndefined();
    await pass(10);
    expect([posted, doubts]).toEqual([["x", "x"], ["x"]]);
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered" });
  });

  it("is not faster than the channel wants it", async () => {
    const { add, pass, since } = createStage({ pace: { perChat: 1 } });
    for (const id of ["1", "2", "3"]) await add(id);
    await pass(5 * SECOND);
    expect(since()).toEqual([0, SECOND, 2 * SECOND]);
  });

  it("waits a moment before a message that is to look written by hand", async () => {
    const { add, pass, since } = createStage();
    await add("1", "alice", { payload: { delayMs: 700 } });
    await pass(SECOND);
    expect(since()).toEqual([700]);
  });

  it("lets nobody wait because another chat of the account has to", async () => {
    const limit = failed("rate-limited", { retryAfterMs: 30 * SECOND });
    const { add, pass, posted } = createStage({ pace: { perAccount: 10 }, answers: { a1: [limit] } });
    await add("a1", "alice");
    await pass(10);
    await add("d", "dora", { payload: { delayMs: 20 * SECOND } });
    await pass(10);
    await add("b1", "bob");
    await pass(SECOND);
    expect(posted).toEqual(["a1", "b1"]);
  });

  it("is not faster than the channel wants it when the messages come one by one, either", async () => {
    const { add, pass, since, clock } = createStage({ pace: { perChat: 1 } });
    await add("1");
    await pass(10);
    await add("2");
    await pass(5 * SECOND);
    expect(since()).toEqual([0, SECOND]);
    expect(clock.waiting).toBe(0);
  });

  it("does not wait for an hour because the clock was set back", async () => {
    const { add, pass, posted, clock } = createStage({ pace: { perChat: 1, perAccount: 1 } });
    await add("1");
    await pass(10);
    clock.jump(-3600 * SECOND);
    await add("2");
    await pass(3 * SECOND);
    expect(posted).toEqual(["1", "2"]);
    expect(clock.waiting).toBeLessThan(3);
  });

  it("does not give up what is young because the clock was put forward", async () => {
    const { add, pass, posted, clock, ledger } = createStage({ answers: { x: [failed("unavailable")] } });
    await add("x");
    clock.jump(30 * 24 * 3600 * SECOND);
    await pass(3 * SECOND);
    expect(posted).toEqual(["x", "x"]);
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered" });
  });

  it("notes what is given up together with what follows from it, however long the disk is in the way", async () => {
    const { add, pass, ledger, lost, posted } = createStage({ answers: { x: [failed("rejected")] } });
    const { commit } = ledger;
    let isFull = true;
    ledger.commit = (changes) =>
      isFull && changes.some(({ kind }) => kind === "outbox-state")
        ? Promise.reject(new Error("no room"))
        : commit.call(ledger, changes);
    await add("x");
    await add("y");
    await pass(5 * SECOND);
    expect(await ledger.delivery("x")).toMatchObject({ state: "pending" });
    isFull = false;
    await pass(5 * SECOND);
    expect(await ledger.delivery("x")).toMatchObject({ state: "undeliverable" });
    expect((await ledger.asides("s")).map(({ key }) => key)).toEqual(["x"]);
    expect(lost).toContain("x: rejected");
    expect(posted).toEqual(["x", "y"]);
  });

  it("does not call a message old that somebody wants to be sent again", async () => {
    const { add, pass, queue, clock, ledger } = createStage({
      answers: { x: [failed("rejected"), failed("unavailable")] },
    });
    await add("x");
    await pass(10);
    await clock.advance(48 * 3600 * SECOND);
    await queue.resend("x");
    await pass(10 * SECOND);
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered" });
  });

  it("waits, when it is closed, for what is just being sent", async () => {
    const arrival = Promise.withResolvers<AttemptOutcome>();
    const { add, pass, queue, ledger } = createStage({ slow: { x: arrival.promise } });
    await add("x");
    await pass(10);
    const closed = queue.close();
    arrival.resolve({ kind: "sent", messageId: "m-x" });
    await closed;
    expect(await ledger.delivery("x")).toMatchObject({ state: "delivered" });
  });

  it("does not wait for ever for a platform that says nothing", async () => {
    const { add, pass, queue } = createStage({ slow: { x: new Promise<AttemptOutcome>(() => {}) } });
    await add("x");
    await pass(10);
    const closed = queue.close();
    await pass(20 * SECOND);
    await closed;
  });

  it("sends nothing more once it is closed", async () => {
    const { add, pass, queue, posted, ledger } = createStage({ answers: { x: [failed("unavailable")] } });
    await add("x");
    await pass(10);
    queue.close();
    await pass(10 * SECOND);
    expect(posted).toEqual(["x"]);
    expect(await ledger.outbox("pending", 5)).toMatchObject([{ id: "x", attempts: 1 }]);
  });
});
