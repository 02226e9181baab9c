// What a channel is told about an event: only when nothing could be written does it have to come again.
import { describe, expect, it } from "vitest";
import { GatewayError, type ChannelEvent, type Logger, type OutboxItem } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import { systemClock } from "@chela/sdk/base";
import { answerEvent } from "./answer-event.ts";
import { runIdOf } from "./event-body.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;

function openStage(error: unknown) {
  const delivered: OutboxItem[] = [];
  const outbox = { send: async (item: OutboxItem) => void delivered.push(item) };
  const channels = () => Promise.reject(new TypeError("nothing was accepted"));
  const event: ChannelEvent = {
    id: "e1",
    at: 0,
    chat: { kind: "direct", id: "alice" },
    sender: { id: "alice" },
    replyTarget: { to: "alice" },
    content: { kind: "message", text: "/new", mentionsUs: false },
  };
  const from = { channel: "fake", account: "default", messageId: "e1" };
  const arrival = { door: "channel" as const, ...from, runId: runIdOf("fake", "default", event), event };
  const house = { ledger: createMemoryLedger(), clock: systemClock, log, outbox, channels };
  return { delivered, answer: () => answerEvent(arrival, { kind: "failed", error }, undefined, house as never) };
}

describe("an event that cannot be taken", () => {
  it.each(["STORE_FULL", "STORE_FAILED", "STORE_READONLY"] as const)("comes again after %s", async (code) => {
    const { answer, delivered } = openStage(new GatewayError(code, "no room"));
    await expect(answer()).rejects.toMatchObject({ code });
    expect(delivered).toEqual([]);
  });

  it.each([
    new GatewayError("PROTOCOL_UNAVAILABLE", "session agent:main:main is still active"),
    new TypeError("a fault"),
  ])("is answered after %s, and does not come again for ever", async (thrown) => {
    const { answer, delivered } = openStage(thrown);
    expect(await answer()).toMatchObject({ kind: "settled" });
    expect(delivered).toMatchObject([
      { to: "alice", payload: { content: { markdown: expect.stringMatching(/^⚠️ /) } } },
    ]);
    await answer();
    expect(delivered).toHaveLength(1);
  });
});
