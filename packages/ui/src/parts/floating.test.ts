// Where a popover comes to stand.
import { describe, expect, it } from "vitest";
import { placeBeside } from "./floating.ts";

const PHONE = { width: 360, height: 640 };
const button = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 30 });

describe("a popover", () => {
  it("stands below its button when there is room", () => {
    expect(placeBeside(button(20, 100), { width: 200, height: 150 }, PHONE)).toMatchObject({ left: 20, top: 136 });
  });

  it("stands above a button at the bottom", () => {
    expect(placeBeside(button(20, 600), { width: 200, height: 150 }, PHONE)).toMatchObject({ left: 20, top: 444 });
  });

  it("ends where its button ends when it would leave the screen", () => {
    expect(placeBeside(button(250, 100), { width: 200, height: 100 }, PHONE).left).toBe(150);
  });

  it("stays on the screen however wide it is", () => {
    expect(placeBeside(button(120, 100), { width: 344, height: 100 }, PHONE).left).toBe(8);
  });

  it("is no higher than the room it has, on the side with more of it", () => {
    const place = placeBeside(button(20, 400), { width: 200, height: 900 }, PHONE);
    expect(place).toEqual({ left: 20, top: 8, maxHeight: 386 });
  });
});
