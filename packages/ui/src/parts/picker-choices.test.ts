// Searching in a picker.
import { expect, it } from "vitest";
import { matching } from "./picker-choices.ts";

const CHOICES = [
  { id: "", label: "Default" },
  { id: "anthropic/claude-opus", label: "Claude Opus", group: "anthropic" },
  { id: "openai/gpt-mini", label: "GPT mini", group: "openai" },
];
const found = (search: string) => matching(CHOICES, search).map(({ label }) => label);

it("shows everything while nothing is typed", () => {
  expect(found("  ")).toEqual(["Default", "Claude Opus", "GPT mini"]);
});

it("finds words in any order, in the name, the id and the group", () => {
  expect(found("opus claude")).toEqual(["Claude Opus"]);
  expect(found("OPENAI mini")).toEqual(["GPT mini"]);
  expect(found("gpt opus")).toEqual([]);
});
