// Which pictures are made smaller.
import { expect, it } from "vitest";
import { pictureType, sizeWithin } from "./picture-size.ts";

it("keeps a picture that is small enough", () => {
  expect(sizeWithin({ width: 2000, height: 100 }, 2000)).toBeUndefined();
});

it("makes the longer side as long as it may be and keeps the proportions", () => {
  expect(sizeWithin({ width: 4000, height: 3000 }, 2000)).toEqual({ width: 2000, height: 1500 });
  expect(sizeWithin({ width: 10, height: 40_000 }, 2000)).toEqual({ width: 1, height: 2000 });
});

it("keeps the type where others can read it, and leaves drawings and moving pictures alone", () => {
  expect(pictureType("image/png")).toBe("image/png");
  expect(pictureType("image/heic")).toBe("image/jpeg");
  expect(pictureType("image/gif")).toBeUndefined();
  expect(pictureType("image/svg+xml")).toBeUndefined();
  expect(pictureType("application/pdf")).toBeUndefined();
});
