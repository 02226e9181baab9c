import { expect, test } from "vitest";
import { pathOfName, titleOfName } from "./note-path.ts";

test.for([
  ["Garden plans", "memory/garden-plans.md"],
  ["  Zoë & Müller  ", "memory/zoë-müller.md"],
  ["memory/boat.md", "memory/boat.md"],
  ["2026-11-16", "memory/2026-11-16.md"],
  ["../../etc/passwd", "memory/etc-passwd.md"],
  ["v1.2", "memory/v1.2.md"],
  ["花园", "memory/花园.md"],
  ["…", undefined],
  [".md", undefined],
] as const)("%s becomes %s", ([name, path]) => {
  expect(pathOfName(name)).toBe(path);
});

test("its heading is the name as it was written, without the file's ending", () => {
  expect(titleOfName(" memory/Garden plans.md ")).toBe("Garden plans");
});
