// Texts as telephones show them.
import { chunkMarkdown } from "@chela/sdk/markdown";
import { describe, expect, it } from "vitest";
import { measure, TEXT_LIMIT, writeText } from "./format.ts";

describe("the text of an SMS", () => {
  it.each([
    ["**bold** and _italic_", "bold and italic"],
    ["# Title\n\ntext", "Title\n\ntext"],
    ["`code` and\n\n```js\nlet a = 1;\n```", "code and\n\nlet a = 1;"],
    ["[here](https://example.org)", "here (https://example.org)"],
    ["- one\n- two", "• one\n• two"],
    ["a\u0000b\ud800c", "a b\ufffdc"],
    ["5 * 3 < 20 & so on", "5 * 3 < 20 & so on"],
  ])("%j is shown as %j", (markdown, shown) => {
    expect(writeText(markdown)).toBe(shown);
  });

  it("has lists in place of tables", () => {
    const shown = writeText("| a | b |\n| --- | --- |\n| 1 | 2 |");
    expect(shown).toContain("1");
    expect(shown).not.toContain("|");
  });

  it("is cut so that each piece fits and no character is broken", () => {
    const parts = [
      "**bold 👍🏽** ",
      "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
      "```\ncode\n```\n\n",
      "- item\n",
      "word ",
      "> quote\n\n",
    ];
    for (let seed = 1; seed <= 30; seed++) {
      let state = seed;
      const next = (): number => (state = (state * 48_271) % 2_147_483_647);
      const source = Array.from({ length: 400 }, () => parts[next() % parts.length] ?? "").join("");
      for (const chunk of chunkMarkdown(source, { limit: TEXT_LIMIT, measure })) {
        const text = writeText(chunk);
        expect(text.length).toBeLessThanOrEqual(TEXT_LIMIT);
        expect(text.isWellFormed()).toBe(true);
      }
    }
  });
});
