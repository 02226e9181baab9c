// What lies in a folder, and what only looks as if it did.
import { describe, expect, it } from "vitest";
import { isBelow, isInside } from "./inside.ts";

describe("isInside and isBelow", () => {
  it.each([
    ["/a/b", "/a/b/c", true, true],
    ["/a/b", "/a/b", true, false],
    ["/a/b/", "/a/b", true, false],
    ["/a/b", "/a/b/../b/c", true, true],
    ["/", "/a", true, true],
    ["/", "/", true, false],
    ["/a/b", "/a/b/..c", true, true],
    ["/a/b", "/a/b/...", true, true],
    ["/a/b", "/a/bc", false, false],
    ["/a/b", "/a/b-c/d", false, false],
    ["/a/b", "/a", false, false],
    ["/a/b", "/a/b/..", false, false],
    ["/a/b", "/a/b/../../a/c", false, false],
    ["/a/b", "/", false, false],
  ])("in %s: %s", (folder, path, inside, below) => {
    expect([isInside(folder, path), isBelow(folder, path)]).toEqual([inside, below]);
  });
});
