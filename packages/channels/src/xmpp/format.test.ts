// Markdown as XMPP shows it.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measureStyling, toStyling } from "./format.ts";

describe("Markdown in message styling", () => {
  it.each([
    ["**bold** and *italic* ~~gone~~", "*bold* and _italic_ ~gone~"],
    ["`code`", "`code`"],
    ["# Title", "*Title*"],
    ["```js\na\n```", "```\na\n```"],
    ["> said", "> said"],
    ["[here](https://example.com)", "here (https://example.com)"],
    ["a < b & c", "a < b & c"],
    ["half \ud83e end\uffff", "half \ufffd end"],
  ])("%j becomes %j", (markdown, text) => {
    expect(toStyling(markdown)).toBe(text);
  });

  it("shows tables in some readable way", () => {
    for (const mode of ["off", "bullets", "code"] as const) {
      expect(toStyling("| a | b |\n|---|---|\n| 1 | 2 |", mode)).toMatch(/1[^]*2/);
    }
  });
});

describe("any Markdown", () => {
  it("fits after it was cut, and holds nothing XML cannot carry", () => {
    for (const markdown of generated(60)) {
      for (const piece of chunkMarkdown(markdown, { limit: 300, measure: measureStyling })) {
        const written = toStyling(piece);
        expect(written.length).toBeLessThanOrEqual(300);
        expect(written.isWellFormed()).toBe(true);
        // oxlint-disable-next-line no-control-regex -- these are what is looked for
        expect(written).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      }
    }
  });
});

/** Texts made of pieces that go wrong together, the same in each run. */
function generated(count: number): string[] {
  const parts = [
    "**b**",
    "*i*",
    "`c`",
    "\n\n",
    "\n- x ",
    "🦞",
    "\ud83e",
    "word ",
    "```\ncode\n```\n",
    "# h\n",
    "\u0000",
  ];
  parts.push("|a|b|\n|-|-|\n|1|2|\n", "[l](http://e.x/y)", "~~s~~", "> q\n", "\ufffe", "]]>", "<b>", "&amp;", "_");
  let seed = 5;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  return Array.from({ length: count }, () =>
    Array.from({ length: 5 + next(50) }, () => parts[next(parts.length)] ?? "").join(""),
  );
}
