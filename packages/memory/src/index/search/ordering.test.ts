// What orders and shows results: snippets, age, difference, and the words of a query.
import { describe, expect, it } from "vitest";
import { chooseSnippet, MOST_SNIPPET_CHARS } from "./choose-snippet.ts";
import { decayOf, timeOf } from "./decay.ts";
import { diversify } from "./diversify.ts";
import { wordsOfQuery } from "./words-to-find.ts";

const DAY = 86_400_000;

describe("A snippet", () => {
  const filler = Array.from({ length: 60 }, (_, at) => `Line ${at} says nothing of interest here.`);

  it("of a short text is the text", () => {
    expect(chooseSnippet("short\ntext", ["text"])).toEqual({ text: "short\ntext", line: 1 });
  });

  it("shows where most of the words are together", () => {
    const lines = [...filler];
    lines[5] = "The dentist is mentioned.";
    lines[40] = "The dentist has time on Friday.";
    const { text, line } = chooseSnippet(lines.join("\n"), ["dentist", "friday"]);
    expect(line).toBe(40);
    expect(text).toContain("The dentist has time on Friday.");
    expect(text).toMatch(/^…Line/);
  });

  it.each([
    filler.join("\n"),
    "x".repeat(5000),
    "word ".repeat(1000),
    "🙂".repeat(2000),
    `${"y".repeat(3000)} needle ${"z".repeat(3000)}`,
  ])("is never too long and never half a character", (text) => {
    const snippet = chooseSnippet(text, ["needle"]);
    expect(snippet.text.length).toBeLessThanOrEqual(MOST_SNIPPET_CHARS);
    expect(snippet.text.isWellFormed()).toBe(true);
    if (text.includes("needle")) expect(snippet.text).toContain("needle");
  });
});

describe("The age of a note", () => {
  it.each<[string, number | undefined, number | undefined]>([
    ["MEMORY.md", 5, undefined],
    ["memory.md", 5, undefined],
    ["memory/2026-01-15.md", 5, Date.UTC(2026, 0, 15)],
    ["memory/2026-01-15-trip.md", 5, Date.UTC(2026, 0, 15)],
    ["memory/deep/MEMORY.md", 5, 5],
    ["memory/notes.md", 5, 5],
    ["memory/2026-01-15/notes.md", 5, 5],
    ["memory/notes.md", undefined, undefined],
  ])("%s changed at %s is from %s", (path, changedAt, expected) => {
    expect(timeOf(path, changedAt)).toBe(expected);
  });

  it.each<[number | undefined, number, number]>([
    [100 * DAY, 30, 1],
    [70 * DAY, 30, 0.5],
    [40 * DAY, 30, 0.25],
    [101 * DAY, 30, 1],
    [undefined, 30, 1],
    [0, 0, 1],
  ])("counts: what is from %s with a half-life of %i keeps %f", (at, halfLife, expected) => {
    expect(decayOf(at, 100 * DAY, halfLife)).toBeCloseTo(expected, 6);
  });
});

describe("Different things first", () => {
  const results = [
    { score: 0.9, snippet: "green tea is good" },
    { score: 0.85, snippet: "green tea is good" },
    { score: 0.5, snippet: "a kettle of steel" },
  ];
  it.each<[number, number[]]>([
    [1, [0.9, 0.85, 0.5]],
    [0.7, [0.9, 0.5, 0.85]],
    [0, [0.9, 0.5, 0.85]],
  ])("with %f orders %j", (lambda, expected) => {
    expect(diversify(results, lambda, 3).map(({ score }) => score)).toEqual(expected);
  });

  it("takes no more than asked for, and nothing from nothing", () => {
    expect(diversify(results, 0.7, 1)).toHaveLength(1);
    expect(diversify([], 0.7, 5)).toEqual([]);
  });
});

describe("The words of a query", () => {
  it.each<[string, string[]]>([
    ["When is the Dentist?", ["when", "is", "the", "dentist"]],
    ["a a A", ["a"]],
    ["牙医预约", ["牙 医", "医 预", "预 约"]],
    ["牙", ["牙"]],
    ["牙 医 ab预约cd", ["牙", "医", "ab", "预 约", "cd"]],
    ['"x" OR y*', ["x", "or", "y"]],
    ["Crème", ["creme"]],
    ["", []],
  ])("%j are %j", (query, expected) => {
    expect(wordsOfQuery(query)).toEqual(expected);
  });
});
