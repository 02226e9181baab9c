import { describe, expect, it } from "vitest";
import type { Logger, OutboxItem } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Outbox, type DeliveryOutcome } from "./room.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;
const item: OutboxItem = {
  id: "r:reply",
  runId: "r",
  channel: "c",
  account: "default",
  to: "t",
  payload: { texts: ["hi"] },
  createdAt: 1,
  attempts: 0,
  state: "pending",
};

async function createStage(...outcomes: DeliveryOutcome[]) {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  const { attempts: _attempts, state: _state, ...added } = item;
  await ledger.commit([{ kind: "outbox-add", item: added }]);
  const sent: number[] = [];
  const send = async ({ attempts }: OutboxItem) => {
    sent.push(attempts);
    return outcomes.shift() ?? ({ kind: "delivered" } as const);
  };
  const outbox = new Outbox({ ledger, clock, log: silent, senders: new Map([["c", send]]) });
  return { ledger, clock, outbox, sent };
}

describe("Outbox", () => {
  it("notes the receipt of a delivery", async () => {
    const { ledger, outbox } = await createStage();
    await outbox.send(item);
    await outbox.flush();
    expect(await ledger.outbox("pending", 5)).toEqual([]);
    expect(await ledger.outbox("delivered", 5)).toMatchObject([{ id: "r:reply", attempts: 1 }]);
  });

  it("tries again, later each time, until it succeeds", async () => {
    const again = { kind: "retry", why: "busy" } as const;
    const { outbox, clock, sent, ledger } = await createStage(again, again);
    await outbox.send(item);
    await clock.advance(999);
    expect(sent).toEqual([0]);
    await clock.advance(1);
    await clock.advance(5000);
    expect(sent).toEqual([0, 1, 2]);
    await outbox.flush();
    expect(await ledger.outbox("delivered", 5)).toMatchObject([{ attempts: 3 }]);
  });

  it("gives up visibly when a channel says it never will, or does not exist", async () => {
    const { outbox, ledger } = await createStage({ kind: "undeliverable", why: "blocked" });
    await outbox.send(item);
    const { attempts: _attempts, state: _state, ...lost } = { ...item, id: "other", channel: "nowhere" };
    await ledger.commit([{ kind: "outbox-add", item: lost }]);
    await outbox.send({ ...item, ...lost });
    await outbox.flush();
    expect(await ledger.outbox("undeliverable", 5)).toMatchObject([{ id: "r:reply" }, { id: "other" }]);
    expect(await ledger.outbox("pending", 5)).toEqual([]);
  });

  it("sends what an earlier process left", async () => {
    const { outbox, sent } = await createStage();
    expect(await outbox.recover()).toBe(1);
    expect(sent).toEqual([0]);
  });
});
