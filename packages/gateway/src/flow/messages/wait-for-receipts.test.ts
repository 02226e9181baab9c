// How long somebody waits for receipts, and what they are told then.
import { expect, it } from "vitest";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { waitForReceipts } from "./wait-for-receipts.ts";

function createStage() {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  const listeners = new Set<(id: string) => void>();
  const queue = {
    onSettled(listener: (id: string) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const add = async (id: string): Promise<void> => {
    const item = { id, runId: "r", channel: "c", account: "a", to: "bob", payload: {}, createdAt: 0 };
    await ledger.commit([{ kind: "outbox-add", item }]);
  };
  const settle = async (id: string): Promise<void> => {
    const receipt = { messageId: `m-${id}` };
    await ledger.commit([{ kind: "outbox-state", id, state: "delivered", attempts: 1, at: 1, receipt }]);
    for (const listener of listeners) listener(id);
  };
  const wait = (signal?: AbortSignal) => waitForReceipts(["1", "2"], { ledger, clock, queue }, signal);
  const states = async (rows: ReturnType<typeof wait>) => (await rows).map(({ state }) => state);
  return { clock, add, settle, wait, states, listeners };
}

it("ends with the last receipt, whether it came before or meanwhile", async () => {
  const { add, settle, wait, states, listeners } = createStage();
  await add("1");
  await add("2");
  await settle("1");
  const rows = wait();
  await settle("2");
  expect(await states(rows)).toEqual(["delivered", "delivered"]);
  expect(listeners.size).toBe(0);
});

it("ends after twenty seconds with what is known then", async () => {
  const { clock, add, settle, wait, states, listeners } = createStage();
  await add("1");
  await add("2");
  const rows = wait();
  await settle("1");
  await clock.advance(20_000);
  expect(await states(rows)).toEqual(["delivered", "pending"]);
  expect(listeners.size).toBe(0);
});

it("ends with the turn that waits", async () => {
  const { add, wait, states } = createStage();
  await add("1");
  await add("2");
  const stop = new AbortController();
  const rows = wait(stop.signal);
  stop.abort();
  expect(await states(rows)).toEqual(["pending", "pending"]);
});
