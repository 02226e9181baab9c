// Markdown as IRC shows it, cut into lines.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measureIrc, renderIrc } from "./format.ts";
import { splitText } from "./split.ts";

const B = "\u0002";
const I = "\u001d";
const M = "\u0011";

describe("Markdown on IRC", () => {
  it.each([
    ["plain", "plain"],
    ["**bold** and *italic*", `${B}bold${B} and ${I}italic${I}`],
    ["`code`", `${M}code${M}`],
    ["# Title **now**", `${B}Title now${B}`],
    ["```js\na\n\n  b\n```", `${M}a${M}\n\n${M}  b${M}`],
    ["one\n\ntwo", "one\ntwo"],
    ["- a\n- b", "• a\n• b"],
    ["> said", "> said"],
    ["[here](https://example.com)", "here (https://example.com)"],
    ["~~gone~~", "~gone~"],
    ["a\u000304red\u0001x\u0002", "aredx"],
  ])("%j", (markdown, text) => {
    expect(renderIrc(markdown)).toBe(text);
  });

  it("shows tables in some readable way", () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    for (const mode of [undefined, "off", "bullets", "code"] as const) {
      expect(renderIrc(table, mode)).toMatch(/1[^]*2/);
    }
  });
});

describe("cutting into lines", () => {
  it("cuts between words, keeps the space, and says what goes on", () => {
    expect(splitText("aaaa bbbb cccc dddd eeee", 16)).toEqual([
      { text: "aaaa bbbb cccc ", continues: false },
      { text: "dddd eeee", continues: true },
    ]);
    expect(splitText("one\n\ntwo  ", 100).map(({ text }) => text)).toEqual(["one", "", "two"]);
  });

  it("switches on again what was on where it cut, also at the end of a line", () => {
    expect(splitText(`${B}aaaa bbbb cccc dddd${B} e`, 17).map(({ text }) => text)).toEqual([
      `${B}aaaa bbbb cccc `,
      `${B}dddd${B} e`,
    ]);
    expect(splitText(`${B}${I}one\ntwo${I}${B} three`, 100).map(({ text }) => text)).toEqual([
      `${B}${I}one`,
      `${B}${I}two${I}${B} three`,
    ]);
  });

  it("never breaks a character, never exceeds the limit, and loses nothing", () => {
    for (const text of generated(60)) {
      for (const limit of [16, 47, 350]) {
        const pieces = splitText(text, limit);
        for (const piece of pieces) {
          expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(limit);
          expect(piece.text.isWellFormed()).toBe(true);
          expect(piece.text).not.toMatch(/[\r\n\0]/);
        }
        expect(bare(pieces.map((piece) => piece.text).join(""))).toBe(bare(text));
      }
    }
  });
});

describe("any Markdown", () => {
  it("gives only text and our codes, and fits after it was cut", () => {
    for (const markdown of generated(60)) {
      for (const piece of chunkMarkdown(markdown, { limit: 350, measure: measureIrc })) {
        expect(measureIrc(piece)).toBeLessThanOrEqual(350);
        // oxlint-disable-next-line no-control-regex -- only the three codes and line breaks may be there
        expect(renderIrc(piece)).not.toMatch(/[\u0000\u0001\u0003-\u0008\u000b-\u0010\u0012-\u001c\u001e\u001f\u007f]/);
        expect(renderIrc(piece).isWellFormed()).toBe(true);
      }
    }
  });
});

// oxlint-disable-next-line no-control-regex -- the codes are control characters
const bare = (text: string): string => text.replaceAll(/[\s\u0002\u001d\u0011]/g, "");

/** Texts made of pieces that go wrong together, the same in each run. */
function generated(count: number): string[] {
  const parts = [
    "**b**",
    "*i*",
    "`c`",
    "\n\n",
    "\n- x ",
    "🦞",
    "é",
    "\u00034",
    "word ",
    "```\ncode 🦞\n```\n",
    "# h\n",
    "|a|b|\n|-|-|\n|1|2|\n",
    "\u0001",
    "  ",
    "x".repeat(40),
    "[l](http://e.x/y)",
    "~~s~~",
    "> q\n",
    "__",
    "**",
  ];
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  return Array.from({ length: count }, () =>
    Array.from({ length: 5 + next(60) }, () => parts[next(parts.length)] ?? "").join(""),
  );
}
