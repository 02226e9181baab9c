// What is told about hooks.
import { expect, it } from "vitest";
import en from "./words.ts";
import { canSwitch, eventWords, groupOf, needsOf, safeLink } from "./hook-facts.ts";

it("hooks stand in three groups", () => {
  const sources = ["bundled", "managed", "extra", "workspace"] as const;
  expect(sources.map((source) => groupOf({ source }))).toEqual(["bundled", "own", "own", "workspace"]);
});

it("events are told in words, and unknown ones by their names", () => {
  expect(eventWords(["command:new", "moon:full", "constructor"], en)).toEqual([
    "somebody writes /new",
    "moon:full",
    "constructor",
  ]);
});

it("needs are a flat list; alternatives stay together", () => {
  const requires = { bins: ["git"], anyBins: ["npm", "pnpm"], env: ["TOKEN"], os: ["linux"] };
  expect(needsOf({ requires })).toEqual(["git", "npm | pnpm", "$TOKEN", "linux"]);
});

it.each([
  ["https://example.org/hook", true],
  ["http://example.org", true],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
  ["no address", false],
  [undefined, false],
])("%j becomes a link: %s", (url, isLink) => {
  expect(safeLink(url)).toBe(isLink ? url : undefined);
});

it.each([
  ["on", true, true],
  ["off", false, true],
  ["changed", true, true],
  ["missing", false, false],
  ["missing", true, true],
  ["broken", true, true],
  ["shadowed", false, false],
] as const)("one that is %s and wanted=%s can be switched: %s", (state, enabled, can) => {
  expect(canSwitch({ state, enabled })).toBe(can);
});
