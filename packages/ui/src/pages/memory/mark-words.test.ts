import { describe, expect, test } from "vitest";
import { excerptOf, findWords } from "./mark-words.ts";

const marked = (text: string, query: string): string[] =>
  findWords(text, query).map(([start, end]) => text.slice(start, end));

describe("words that were looked for", () => {
  test.for([
    ["whatever their case", "Plant TOMATOES in May", "tomatoes", ["TOMATOES"]],
    ["without their accents", "Zoë likes the café", "zoe cafe", ["Zoë", "café"]],
    ["whole ones only", "Adam called Ada", "ada", ["Ada"]],
    ["not those of every sentence", "where does it lie: in the shed", "where is the key", []],
    ["those of every sentence when there are no others", "Where was it?", "where", ["Where"]],
    ["sign by sign where there are no spaces", "我喜欢花园里的番茄", "番茄", ["番", "茄"]],
    ["none when nothing was asked", "anything", "  ?! ", []],
  ] as const)("are marked %s", ([, text, query, expected]) => {
    expect(marked(text, query)).toEqual(expected);
  });
});

describe("an excerpt", () => {
  const textOf = (text: string, query: string): string =>
    excerptOf(text, query)
      .map((piece) => piece.text)
      .join("");

  test("begins shortly before the first of the words", () => {
    const text = `${"Clay and stones. ".repeat(20)}Tomatoes want sun.`;
    const shown = textOf(text, "tomatoes");
    expect(shown.startsWith("…")).toBe(true);
    expect(shown.endsWith("Tomatoes want sun.")).toBe(true);
    expect(shown.length).toBeLessThan(130);
  });

  test("is everything when the words come early, or only the meaning fits", () => {
    expect(textOf("Tomatoes want sun.", "tomatoes")).toBe("Tomatoes want sun.");
    const text = "Clay and stones. ".repeat(20).trim();
    expect(textOf(text, "soil")).toBe(text);
  });

  test("has no empty lines, and its marks stand on the words", () => {
    expect(excerptOf("## Garden\n\n  \nTomatoes", "tomatoes")).toEqual([
      { text: "## Garden\n", isMarked: false },
      { text: "Tomatoes", isMarked: true },
    ]);
  });
});
