// Markdown as Signal shows it, and what the ranges point to.
import { chunkMarkdown } from "@chela/sdk/markdown";
import { describe, expect, it } from "vitest";
import { measure, TEXT_LIMIT, toStyledText } from "./format.ts";

/** The text, and each style with what it covers. */
function seen(markdown: string) {
  const { text, styles } = toStyledText(markdown);
  const covered = styles.map((range) => {
    const [start = "", length = "", style = ""] = range.split(":");
    return `${style} ${text.slice(Number(start), Number(start) + Number(length))}`;
  });
  return [text, ...covered];
}

describe("Markdown on Signal", () => {
  it.each<[string, string[]]>([
    ["plain", ["plain"]],
    ["**bold** and *italic*", ["bold and italic", "BOLD bold", "ITALIC italic"]],
    ["~~gone~~ ||secret||", ["gone secret", "STRIKETHROUGH gone", "SPOILER secret"]],
    ["**a *b* c**", ["a b c", "ITALIC b", "BOLD a b c"]],
    ["👍 **👎x** `c`", ["👍 👎x c", "BOLD 👎x", "MONOSPACE c"]],
    ["# Title\n\ntext", ["Title\n\ntext", "BOLD Title"]],
    ["# **Title**", ["Title", "BOLD Title"]],
    ["```js\nlet a;\n```", ["let a;", "MONOSPACE let a;"]],
    ["- one\n- **two**", ["• one\n• two", "BOLD two"]],
    ["[site](https://example.com)", ["site (https://example.com)"]],
    ["[https://example.com](https://example.com)", ["https://example.com"]],
    ["[**https://example.com**](https://example.com)", ["https://example.com", "BOLD https://example.com"]],
    ["![a cat](https://example.com/c.png)", ["a cat (https://example.com/c.png)"]],
    ["> quoted **b**", ["> quoted b", "BOLD b"]],
    ["a\u0001b\u000e &#1;c `\u0002d`", ["ab c d", "MONOSPACE d"]],
    ["half \ud83d", ["half \ufffd"]],
  ])("%j", (markdown, expected) => {
    expect(seen(markdown)).toEqual(expected);
  });

  it("draws tables in code, or as the settings say", () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    const { text, styles } = toStyledText(table);
    expect(text).toContain("| a   | b   |");
    expect(styles).toEqual([`0:${text.length}:MONOSPACE`]);
    expect(toStyledText(table, "bullets").text).toBe("• 1: 2");
  });

  it("never gives a range outside the text or a broken character, and every piece fits", () => {
    const pieces = [
      "**b 👍**",
      "*i*",
      "~~s~~",
      "`c`",
      "||x||",
      "# h",
      "- l",
      "> q",
      "\u0003",
      "&#14;",
      "\ud83d",
      "**",
      "_",
      "```\ncode 👩‍👩‍👧\n```",
      "[a](b)",
      "\n\n",
      "| a |\n|--|\n| 1 |",
      "word ",
    ];
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (let round = 0; round < 200; round += 1) {
      const markdown = Array.from({ length: 1 + next(60) }, () => pieces[next(pieces.length)]).join(next(2) ? "" : " ");
      for (const chunk of chunkMarkdown(markdown, { limit: 120, measure })) {
        const { text, styles } = toStyledText(chunk);
        expect(text.length).toBeLessThanOrEqual(120);
        expect(text.isWellFormed()).toBe(true);
        // eslint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0001-\u0008\u000e-\u001f]/);
        for (const range of styles) {
          const [, start, length] = /^(\d+):(\d+):[A-Z]+$/.exec(range) ?? [];
          expect(Number(length)).toBeGreaterThan(0);
          expect(Number(start) + Number(length)).toBeLessThanOrEqual(text.length);
        }
      }
    }
  });

  it("cuts long texts below what Signal shows whole", () => {
    const chunks = chunkMarkdown("**word** ".repeat(2000), { limit: TEXT_LIMIT, measure });
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(measure(chunk)).toBeLessThanOrEqual(TEXT_LIMIT);
  });
});
