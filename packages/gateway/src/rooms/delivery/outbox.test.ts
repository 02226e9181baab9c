import { describe, expect, it } from "vitest";
import type { Change, Logger, OutboxItem } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Outbox } from "./room.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

const auditOf = (target: string, attempts: number, at: number): Change => ({
  kind: "audit-add",
  event: { at, action: "delivery", actor: "gateway", target, outcome: "ok", detail: { attempts } },
});

async function createStage() {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  const told: string[] = [];
  const posted: Array<[string, boolean]> = [];
  const outbox = new Outbox({
    ledger,
    clock,
    log: silent,
    isOwn: ({ channel }) => channel === "webchat",
    tell: ({ id }) => void told.push(id),
    toldChanges: ({ id }, attempts, at) => [auditOf(id, attempts, at)],
    queue: { add: ({ id }: OutboxItem, mayHaveArrived = false) => void posted.push([id, mayHaveArrived]) } as never,
  });
  const add = async (id: string, channel: string): Promise<OutboxItem> => {
    const item = { id, runId: "r", channel, account: "default", to: "t", payload: {}, createdAt: 1 };
    await ledger.commit([{ kind: "outbox-add", item }]);
    return { ...item, attempts: 0, state: "pending" };
  };
  return { ledger, clock, outbox, told, posted, add };
}

describe("Outbox", () => {
  it("tells our own clients at once and notes it soon after", async () => {
    const { ledger, clock, outbox, told, add } = await createStage();
    await outbox.send(await add("r:reply", "webchat"));
    expect(told).toEqual(["r:reply"]);
    await clock.advance(250);
    expect(await ledger.outbox("delivered", 5)).toMatchObject([{ id: "r:reply", attempts: 1 }]);
    expect(await ledger.audit({ limit: 5 })).toMatchObject([{ target: "r:reply", detail: { attempts: 1 } }]);
  });

  it("writes what is for our own clients as delivered, in the commit that makes it true", async () => {
    const { ledger, outbox, told, posted } = await createStage();
    const item = (id: string, channel: string) => {
      return { id, runId: "r", channel, account: "default", to: "t", payload: {}, createdAt: 1 };
    };
    const items = [item("r:own", "webchat"), item("r:away", "telegram")];
    await ledger.commit(outbox.rows(items, 7));
    expect(await ledger.outbox("delivered", 5)).toMatchObject([{ id: "r:own", attempts: 1, updatedAt: 7 }]);
    expect(await ledger.outbox("pending", 5)).toMatchObject([{ id: "r:away", attempts: 0 }]);
    expect(await ledger.audit({ limit: 5 })).toMatchObject([{ target: "r:own", at: 7 }]);
    await outbox.sendRows(items);
    expect([told, posted]).toEqual([["r:own"], [["r:away", false]]]);
  });

  it("hands what goes to a channel to the post, and says what may have been sent before", async () => {
    const { outbox, posted, told, add } = await createStage();
    await add("r:old", "telegram");
    await outbox.recover();
    await outbox.send(await add("r:new", "telegram"));
    expect(posted).toEqual([
      ["r:old", true],
      ["r:new", false],
    ]);
    expect(told).toEqual([]);
  });

  it("keeps what it could not note yet", async () => {
    const { ledger, outbox, add } = await createStage();
    await outbox.send(await add("r:reply", "webchat"));
    const { commit } = ledger;
    ledger.commit = async () => Promise.reject(new Error("the disk is full"));
    await expect(outbox.flush()).rejects.toThrow("full");
    ledger.commit = commit;
    await outbox.flush();
    expect(await ledger.outbox("pending", 5)).toEqual([]);
  });
});
