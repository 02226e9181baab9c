// Up to when everything was received: what a restart asks the server's history for.
import { expect, it } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { createFakeClock, createFakeHost } from "@chela/sdk/testing";
import { createInbound, CURSOR } from "./inbound.ts";

const NOW = 1_760_000_000_000;
const event = (id: string): ChannelEvent => ({
  id,
  at: NOW,
  chat: { kind: "group", id: "#room" },
  sender: { id: "account:ann" },
  replyTarget: { to: "#room" },
  content: { kind: "message", text: id, mentionsUs: false },
});

function openInbound(since: number) {
  const clock = createFakeClock(NOW);
  const host = createFakeHost({ directory: "/nowhere", clock });
  const inbound = createInbound({ host, since, onOverflow: () => {} });
  const take = async (id: string, at: number): Promise<void> => {
    inbound.take("#room", at, async () => event(id));
    await host.next();
    // What follows the receipt is done, too.
    await new Promise(setImmediate);
  };
  return { inbound, take, clock, host };
}

it("is not moved by what is written now while older messages are still being asked for", async () => {
  const { inbound, take, clock, host } = openInbound(NOW - 60_000);
  const letGo = inbound.hold(NOW - 60_000);
  await take("live", NOW);
  await clock.advance(2_000);
  expect(host.memory.get(CURSOR)).toBeUndefined();
  letGo();
  await clock.advance(2_000);
  expect(host.memory.get(CURSOR)).toBe(String(NOW));
});

it("stays where it was when the connection ends before the older messages are here", async () => {
  const { inbound, take, clock, host } = openInbound(NOW - 60_000);
  inbound.hold(NOW - 60_000);
  await take("live", NOW);
  await clock.advance(2_000);
  await inbound.close();
  expect(host.memory.get(CURSOR)).toBeUndefined();
});

it("is never later than now, whatever time the server writes on its lines", async () => {
  const { take, clock, host } = openInbound(NOW - 60_000);
  await take("from the future", NOW + 365 * 86_400_000);
  await clock.advance(2_000);
  expect(host.memory.get(CURSOR)).toBe(String(NOW));
});
