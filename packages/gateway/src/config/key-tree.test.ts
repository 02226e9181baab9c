// Where keys of the configuration stand in patterns.
import { expect, it } from "vitest";
import { keyTree } from "./key-tree.ts";

const look = keyTree(() => ["logging", "agents.list.*.id", "agents.list.main.model", "agents.list.main.model.primary"]);

it.each<[path: string, isNamed: boolean, isNamedBelow: boolean]>([
  ["logging", true, false],
  ["logging.level", true, false],
  ["agents", false, true],
  ["agents.list", false, true],
  ["agents.list.0", false, true],
  ["agents.list.0.id", true, false],
  ["agents.list.main.id", true, false],
  ["agents.list.main.model", true, true],
  ["agents.list.main.model.fallbacks", true, false],
  ["agents.list.0.model", false, false],
  ["log", false, false],
  ["", false, false],
])("%s", (path, isNamed, isNamedBelow) => {
  expect(look(path.split("."))).toEqual({ isNamed, isNamedBelow });
});

it("reads its patterns when somebody asks", () => {
  let asked = 0;
  const later = keyTree(() => (asked++, ["a"]));
  expect(asked).toBe(0);
  later(["a"]);
  later(["b"]);
  expect(asked).toBe(1);
});
