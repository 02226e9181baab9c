import { describe, expect, it } from "vitest";
import { applyPatch, listChanges, patchBetween, unpatchable } from "./merge-patch.ts";

describe("a patch between two configurations", () => {
  const cases: ReadonlyArray<readonly [string, unknown, unknown, unknown]> = [
    ["says nothing when nothing changed", { a: 1, b: [1] }, { a: 1, b: [1] }, undefined],
    ["holds only what changed", { a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 2, d: 4 } }, { b: { d: 4 } }],
    ["takes a key away with null", { a: 1, b: { c: 2 } }, { b: {} }, { a: null, b: { c: null } }],
    ["replaces a list as a whole", { a: ["x"] }, { a: ["x", "y"] }, { a: ["x", "y"] }],
    ["puts an object in the place of a text", { model: "m" }, { model: { primary: "m" } }, { model: { primary: "m" } }],
    [
      "names entries with ids, and only what changed in them",
      {
        list: [
          { id: "a", n: 1 },
          { id: "b", n: 2, o: 3 },
        ],
      },
      {
        list: [
          { id: "a", n: 1 },
          { id: "b", n: 5 },
        ],
      },
      { list: [{ id: "b", n: 5, o: null }] },
    ],
    [
      "adds entries with ids at the end",
      { list: [{ id: "a" }] },
      { list: [{ id: "a" }, { id: "b", n: 1 }] },
      { list: [{ id: "b", n: 1 }] },
    ],
    ["empties a list of entries with ids", { list: [{ id: "a" }] }, { list: [] }, { list: [] }],
  ];

  it.each(cases)("%s", (_name, before, after, patch) => {
    expect(patchBetween(before, after)).toEqual(patch);
    if (patch !== undefined) expect(applyPatch(before, patch)).toEqual(after);
  });

  it("makes the same change in another version", () => {
    const mine = patchBetween({ a: 1, b: 2 }, { a: 5 });
    expect(applyPatch({ a: 1, b: 2, c: 3 }, mine)).toEqual({ a: 5, c: 3 });
  });
});

describe("what a patch cannot say", () => {
  it("is that an entry with an id is gone or moved", () => {
    const [one, two] = [{ id: "a" }, { id: "b" }];
    expect(unpatchable({ x: { list: [one, two] } }, { x: { list: [two] } })).toEqual([["x", "list"]]);
    expect(unpatchable({ list: [one, two] }, { list: [two, one] })).toEqual([["list"]]);
    expect(unpatchable({ list: [one] }, { list: [one, two] })).toEqual([]);
    expect(unpatchable({ list: ["a", "b"] }, { list: ["b"] })).toEqual([]);
  });
});

describe("the list of changes", () => {
  it("names each key once, with what it was and what it will be", () => {
    expect(listChanges({ a: { b: 1, c: 2 } }, { a: { b: 3 }, d: { e: "x" } })).toEqual([
      { path: ["a", "b"], before: 1, after: 3 },
      { path: ["a", "c"], before: 2, after: undefined },
      { path: ["d", "e"], before: undefined, after: "x" },
    ]);
  });

  it("looks into entries with ids", () => {
    expect(listChanges({ list: [{ id: "a", n: 1 }] }, { list: [{ id: "a", n: 2 }] })).toEqual([
      { path: ["list", "0", "n"], before: 1, after: 2 },
    ]);
  });
});
