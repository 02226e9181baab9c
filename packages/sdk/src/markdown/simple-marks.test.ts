// The few marks of messengers on telephones.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "./chunk.ts";
import { writeSimpleMarks } from "./simple-marks.ts";

const write = (markdown: string) => writeSimpleMarks(markdown, "bullets");
const measure = (markdown: string) => write(markdown).length;

describe("text in simple marks", () => {
  it.each([
    ["**bold** and *italic* and ~~gone~~", "*bold* and _italic_ and ~gone~"],
    ["# Title with **bold**", "*Title with bold*"],
    ["`code` and ``a`b``", "`code` and ```a`b```"],
    ["```ts\nlet a = 1;\n```", "```\nlet a = 1;\n```"],
    ["- one\n- two\n  - three", "- one\n- two\n  • three"],
    ["1. one\n2. two", "1. one\n2. two"],
    ["> quoted", "> quoted"],
    ["[docs](https://example.org/a)", "docs (https://example.org/a)"],
    ["![cat](https://example.org/cat.png)", "cat (https://example.org/cat.png)"],
    ["**two\nlines**", "*two*\n*lines*"],
    ["**a `x*y` b**", "*a `x*y` b*"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "- 1: 2"],
    ["***", "———"],
  ])("%j becomes %j", (markdown, text) => {
    expect(write(markdown)).toBe(text);
  });

  it("fits after it was cut, with every fence closed and no character halved", () => {
    const pieces = [
      "**b** ",
      "😀".repeat(40),
      "\n\n```\ncode ``` x\n```\n\n",
      "- item *i*\n",
      "word ",
      "\ud800",
      "~~s~~ ",
    ];
    for (let seed = 1; seed <= 40; seed++) {
      const source = Array.from({ length: 120 }, (_, index) => pieces[(index * seed * 7 + seed) % pieces.length]).join(
        "",
      );
      for (const limit of [200, 4000]) {
        for (const chunk of chunkMarkdown(source, { limit, measure })) {
          const text = write(chunk);
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(text.isWellFormed()).toBe(true);
          expect((text.match(/```/g) ?? []).length % 2).toBe(0);
        }
      }
    }
  });
});
