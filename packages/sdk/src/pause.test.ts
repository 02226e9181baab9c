// A pause ends by itself or by its signal, and leaves no trace on it.
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { pause } from "./pause.ts";
import { createFakeClock } from "./testing/fake-clock.ts";

it("leaves nothing on a signal, however often it is taken", async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  for (let at = 0; at < 30; at++) {
    const over = pause(clock, 100, signal);
    await clock.advance(100);
    await over;
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("ends at once when its signal aborts, or has", async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const over = pause(clock, 100, stop.signal);
  stop.abort();
  await over;
  await pause(clock, 100, stop.signal);
  expect(clock.waiting).toBe(0);
});
