import { expect, it } from "vitest";
import { driftedPages } from "./reference.ts";

it("the reference says what the program does (else run `npm run docs`)", async () => {
  expect(await driftedPages()).toEqual([]);
});
