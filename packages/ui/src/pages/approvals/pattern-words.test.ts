// What a pattern is said to mean.
import { expect, it } from "vitest";
import { isWide, meaningOf } from "./pattern-words.ts";

it.each([
  ["", { kind: "nothing" }],
  ["git status", { kind: "nothing" }],
  ["./x", { kind: "nothing" }],
  ["jq", { kind: "name", name: "jq" }],
  ["/usr/bin/jq", { kind: "file", path: "/usr/bin/jq" }],
  ["~/bin/hello", { kind: "file", path: "~/bin/hello" }],
  ["~/bin/*", { kind: "directory", directory: "~/bin", isDeep: false }],
  ["/opt/tools/**", { kind: "directory", directory: "/opt/tools", isDeep: true }],
  ["/*", { kind: "directory", directory: "/", isDeep: false }],
  ["/opt/*/run-?", { kind: "pattern", isDeep: false, example: "/opt/name/run-x" }],
  ["/opt/**/run", { kind: "pattern", isDeep: true, example: "/opt/some/where/run" }],
])("%j means %j", (pattern, meaning) => {
  expect(meaningOf(pattern)).toEqual(meaning);
});

it.each([
  ["/**", true],
  ["/usr/bin/*", true],
  ["~/**", true],
  ["/tmp/*", true],
  ["~/bin/*", false],
  ["/opt/tools/*", false],
  ["/usr/bin/jq", false],
])("%j means hardly anything less than everything: %s", (pattern, isMeant) => {
  expect(isWide(pattern)).toBe(isMeant);
});
