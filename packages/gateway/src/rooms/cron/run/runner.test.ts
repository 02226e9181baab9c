// The one timer: nothing that is due waits for anything but its instant.
import { describe, expect, it } from "vitest";
import type { ErrandRecord, Ledger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import { MINUTE, openWorld, START, type World } from "../world.test-support.ts";

const SECOND = 1000;
const startsOf = (runs: readonly ErrandRecord[]): Array<[job: unknown, startedAfterMs: number]> =>
  runs.map(({ work, startedAt = 0 }) => [work["name"], startedAt - START]);

const addAt = ({ cron }: World, name: string, afterMs: number, channel = "webchat"): Promise<unknown> =>
  cron.add({
    name,
    schedule: { kind: "at", at: new Date(START + afterMs).toISOString() },
    message: "look",
    delivery: { mode: "announce", channel, to: "agent:main:main" },
  });

/** Reading when the next one is due takes so long that it is due by then. */
function slowLedger(clock: FakeClock, takesMs: () => number): Ledger {
  const ledger = createMemoryLedger();
  const nextJobAt = async (): Promise<number | undefined> => {
    await clock.advance(takesMs());
    return ledger.nextJobAt();
  };
  return new Proxy(ledger, {
    get: (target, name) => {
      if (name === "nextJobAt") return nextJobAt;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

describe("The timer", () => {
  it("does not let an instant wait that came while it looked for the next one", async () => {
    const clock = createFakeClock(START);
    let takesMs = 0;
    await using world = await openWorld({ clock, ledger: slowLedger(clock, () => takesMs) });
    await addAt(world, "first", 10 * SECOND);
    await addAt(world, "second", 10 * SECOND + 200);
    takesMs = 300;
    await world.pass(11 * SECOND, SECOND);
    expect(startsOf(await world.runs())).toEqual([
      ["first", 10 * SECOND],
      ["second", 10 * SECOND + 300],
    ]);
  });

  it("tries a job again that could not be begun, and lets the others run meanwhile", async () => {
    let isBroken = true;
    let tries = 0;
    await using world = await openWorld({
      house: {
        async placeFor(_agent, { channel = "", to = "" }) {
          if (channel === "broken") tries += 1;
          if (channel === "broken" && isBroken) throw new TypeError("no place");
          return { mode: "chat", channel, to };
        },
      },
    });
    await addAt(world, "broken", 10 * SECOND, "broken");
    await addAt(world, "one", 11 * SECOND);
    await addAt(world, "other", 12 * SECOND);
    // It was looked for once when the job was made.
    tries = 0;
    await world.pass(13 * SECOND, 100);
    expect(startsOf(await world.runs())).toEqual([
      ["one", 11 * SECOND],
      ["other", 12 * SECOND],
    ]);
    expect(tries).toBe(1);
    await world.pass(2 * SECOND, 100);
    expect(tries).toBe(2);
    isBroken = false;
    await world.pass(MINUTE, 100);
    expect(startsOf(await world.runs()).at(-1)).toEqual(["broken", 20 * SECOND]);
    expect(tries).toBe(3);
  });
});
