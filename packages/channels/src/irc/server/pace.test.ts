// How fast lines go out.
import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { createPace } from "./pace.ts";

function ask(count: number) {
  const clock = createFakeClock();
  const pace = createPace(clock);
  const turns: boolean[] = [];
  for (let index = 0; index < count; index += 1) void pace.turn().then((mayWrite) => turns.push(mayWrite));
  return { clock, pace, turns };
}

describe("the pace of writing", () => {
  it("lets five lines go at once, then one each second and a half", async () => {
    const { clock, pace, turns } = ask(8);
    await clock.advance(0);
    expect(turns).toHaveLength(5);
    expect(pace.waiting).toBe(3);
    await clock.advance(1499);
    expect(turns).toHaveLength(5);
    await clock.advance(1);
    expect(turns).toHaveLength(6);
    await clock.advance(3000);
    expect(turns).toHaveLength(8);
  });

  it("is faster while the server says that it has worked off what it got", async () => {
    const { clock, pace, turns } = ask(6);
    await clock.advance(0);
    pace.confirmed();
    await clock.advance(600);
    expect(turns).toHaveLength(6);
  });

  it("tells everybody who waits when there is nobody to write to any more", async () => {
    const { clock, pace, turns } = ask(7);
    await clock.advance(0);
    pace.stop();
    await clock.advance(0);
    expect(turns).toEqual([true, true, true, true, true, false, false]);
    expect(await pace.turn()).toBe(false);
  });
});
