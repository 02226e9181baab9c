import { expect, it } from "vitest";
import { sameJson } from "./same-json.ts";

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, "1", false],
  [null, undefined, false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: undefined, b: 1 }, { c: 1, b: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [JSON.parse(`{"__proto__":{"a":1}}`), {}, false],
  [{}, JSON.parse(`{"__proto__":{"a":1}}`), false],
])("%j and %j: %s", (one, other, isSame) => {
  expect(sameJson(one, other)).toBe(isSame);
});
