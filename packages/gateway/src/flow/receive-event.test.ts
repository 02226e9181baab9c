// What a channel is told about an event: only when nothing could be written does it have to come again.
import { describe, expect, it } from "vitest";
import { GatewayError, type ChannelEvent, type Logger, type OutboxItem } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import { systemClock } from "../base/clock.ts";
import { createChannelInbound } from "./receive-event.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

function openStage(thrown: unknown) {
  const delivered: OutboxItem[] = [];
  const receive = createChannelInbound({
    ledger: createMemoryLedger(),
    clock: systemClock,
    log,
    route: () => ({ agentId: "main", sessionKey: "agent:main:main", matchedBy: "default" }),
    standingOf: async () => "owner",
    judge: async () => ({ kind: "allowed", isAuthorised: true, isOwner: true, wasMentioned: false }),
    mayQuote: async () => true,
    introduce: async () => undefined,
    receive: () => Promise.reject(thrown),
    deliver: async (item) => void delivered.push(item),
    accepted() {},
  });
  const event: ChannelEvent = {
    id: "e1",
    at: 0,
    chat: { kind: "direct", id: "alice" },
    sender: { id: "alice" },
    replyTarget: { to: "alice" },
    content: { kind: "message", text: "/new", mentionsUs: false },
  };
  return { delivered, receive: () => receive("fake", "default", event) };
}

describe("an event that cannot be taken", () => {
  it.each(["STORE_FULL", "STORE_FAILED", "STORE_READONLY"] as const)("comes again after %s", async (code) => {
    const { receive, delivered } = openStage(new GatewayError(code, "no room"));
    await expect(receive()).rejects.toMatchObject({ code });
    expect(delivered).toEqual([]);
  });

  it.each([
    new GatewayError("PROTOCOL_UNAVAILABLE", "session agent:main:main is still active"),
    new TypeError("a fault"),
  ])("is answered after %s, and does not come again for ever", async (thrown) => {
    const { receive, delivered } = openStage(thrown);
    expect(await receive()).toMatchObject({ kind: "settled" });
    expect(delivered).toMatchObject([
      { to: "alice", payload: { content: { markdown: expect.stringMatching(/^⚠️ /) } } },
    ]);
    await receive();
    expect(delivered).toHaveLength(1);
  });
});
