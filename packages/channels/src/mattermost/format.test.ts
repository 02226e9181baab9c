// Markdown as Mattermost gets it.
import { describe, expect, it } from "vitest";
import { chunkMarkdown, parseMarkdown, plainText } from "@chela/sdk/markdown";
import { measureMattermost, toMattermost } from "./format.ts";

describe("Markdown for Mattermost", () => {
  it.each([
    ["**bold** and *italic* ~~gone~~", "**bold** and *italic* ~~gone~~"],
    ["`code` and ``a`b``", "`code` and ``a`b``"],
    ["# Title", "# Title"],
    ["```js\na\n```", "```js\na\n```"],
    ["````\n```\n````", "````\n```\n````"],
    ["- a\n- b\n  - c", "- a\n- b\n    - c"],
    ["2. a\n3. b", "2. a\n3. b"],
    ["> said", "> said"],
    ["[here](https://example.com/a_(b))", "[here](https://example.com/a_%28b%29)"],
    ["https://example.com/x_y", "<https://example.com/x_y>"],
    ["[bad](javascript:alert)", "\\[bad\\](javascript:alert)"],
    ["[a file](files/a.txt)", "a file (files/a.txt)"],
    ["![a cat](https://example.com/cat.png)", "[a cat](https://example.com/cat.png)"],
    ["2 \\* 3 \\* 4", "2 \\* 3 \\* 4"],
    ["\\# no title", "\\# no title"],
    ["1\\. no list", "1\\. no list"],
    ["some_snake_name", "some_snake_name"],
    ["@alice look", "@alice look"],
    ["||secret||", "secret"],
  ])("%j becomes %j", (markdown, written) => {
    expect(toMattermost(markdown)).toBe(written);
  });

  it.each(["@all", "@channel", "@here", "**@all**", "[@here](https://example.com)", "> @Channel", "- @ALL"])(
    "%j calls nobody",
    (markdown) => {
      expect(toMattermost(`hello ${markdown} there\n\n${markdown}`)).not.toMatch(/@(?:all|channel|here)/i);
    },
  );

  it("keeps tables as tables, unless told otherwise", () => {
    const table = "| a | b |\n|---|---|\n| 1 | `x|y` |";
    expect(toMattermost(table)).toContain("| a | b |\n| --- | --- |");
    expect(toMattermost(table, "bullets")).not.toContain("---");
  });
});

describe("any Markdown", () => {
  it("fits after it was cut, closes what it opens, and calls nobody", () => {
    for (const markdown of generated(60)) {
      for (const piece of chunkMarkdown(markdown, { limit: 400, measure: measureMattermost })) {
        const written = toMattermost(piece);
        expect(written.length).toBeLessThanOrEqual(400);
        expect(written.isWellFormed()).toBe(true);
        expect(written.replaceAll(/`[^`]*`/g, "")).not.toMatch(/@(?:all|channel|here)\b/i);
      }
    }
  });

  it("says the same when it is read again", () => {
    for (const markdown of generated(40)) {
      const again = toMattermost(markdown);
      expect(lettersOf(plainText(again))).toBe(lettersOf(plainText(markdown)));
      expect(codeIn(again)).toBe(codeIn(markdown));
    }
  });
});

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
const codeIn = (markdown: string): number => parseMarkdown(markdown).filter(({ kind }) => kind === "code").length;

/** Texts made of pieces that go wrong together, the same in each run. */
function generated(count: number): string[] {
  const parts = ["**b**", "*i*", "`c`", "\n\n", "\n- x ", "🦞", "@all ", "word ", "\n```\ncode\n```\n", "\n# h\n"];
  parts.push("\n\n|a|b|\n|-|-|\n|1|2|\n\n", "[l](http://e.x/y)", "~~s~~", "\n> q\n", "1. ", "x_y", "\u0001", "<b>");
  let seed = 11;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  return Array.from({ length: count }, () =>
    Array.from({ length: 5 + next(50) }, () => parts[next(parts.length)] ?? "").join(""),
  );
}
