// How often a text is told while it is written: the whole of it each time, so the longer it is the less often.
import { expect, test } from "vitest";
import type { Client } from "@chela/sdk/protocol";
import { createFakeClock } from "@chela/sdk/testing";
import { Hub } from "./hub.ts";
import { LiveRuns } from "./live-runs.ts";
import { RunEvents } from "./run-events.ts";
import { SessionSubscribers } from "./session-subscribers.ts";
import { Watchers } from "./watchers.ts";

const RUN = { runId: "r", sessionKey: "agent:main:main" };

function setUp() {
  const clock = createFakeClock(0);
  const hub = new Hub();
  const texts: string[] = [];
  hub.add({
    connId: "c",
    role: "operator",
    scopes: ["operator.read"],
    caps: new Set(),
    method: "token",
    info: { id: "test", mode: "test" },
    buffered: 0,
    send: (text) => {
      const { event, payload } = JSON.parse(text) as { event: string; payload: { data: { text: string } } };
      if (event === "agent") texts.push(payload.data.text);
    },
    close: () => {},
  } satisfies Client);
  const events = new RunEvents({
    hub,
    clock,
    liveRuns: new LiveRuns(),
    watchers: new Watchers(),
    subscribers: new SessionSubscribers(),
    ledger: { session: async () => undefined },
    config: { current: () => ({}) },
  });
  return { clock, texts, say: (delta: string) => events.handle({ kind: "text", delta, ...RUN }) };
}

test("a short text is told as it is written", async () => {
  const { clock, texts, say } = setUp();
  for (let at = 0; at < 10; at++) {
    say("a word ");
    await clock.advance(40);
  }
  expect(texts).toHaveLength(10);
});

test("of a long text not much more is sent than it is long, again and again", async () => {
  const { clock, texts, say } = setUp();
  for (let at = 0; at < 1_000; at++) {
    say("w".repeat(1_000));
    await clock.advance(10);
  }
  const sent = texts.reduce((sum, text) => sum + text.length, 0);
  // Told every 40 ms it would be 125 million.
  expect(sent).toBeLessThan(25_000_000);
  await clock.advance(1_000);
  expect(texts.at(-1)).toHaveLength(1_000_000);
});
