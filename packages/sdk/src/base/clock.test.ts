// The real clock waits as long as it is asked to, also where a timer could not.
import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";

afterEach(() => void vi.useRealTimers());

it("does not take a very long time for none", () => {
  vi.useFakeTimers();
  const done: string[] = [];
  systemClock.after(2 ** 40, () => done.push("years"));
  systemClock.after(1000, () => done.push("a second"));
  vi.advanceTimersByTime(60_000);
  expect(done).toEqual(["a second"]);
});
