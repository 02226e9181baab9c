import { getTdjson } from "prebuilt-tdlib";
import * as tdl from "tdl";
import { beforeAll, describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measure, TEXT_LIMIT, toHtml, visibleText } from "./format.ts";

beforeAll(() => tdl.configure({ tdjson: getTdjson(), verbosityLevel: 0 }));

/** Telegram's own parser: what people see, or what is wrong with the mark-up. */
function parseByTelegram(html: string): { text: string } | { error: string } {
  const answer = tdl.execute({
    _: "parseTextEntities",
    text: html,
    parse_mode: { _: "textParseModeHTML" },
  }) as unknown as { _: string; text?: string; message?: string };
  return answer._ === "formattedText" ? { text: answer.text ?? "" } : { error: answer.message ?? "no answer" };
}

describe("Markdown becomes Telegram's HTML", () => {
  it.each([
    ["**bold** and *italic* and ~~gone~~", "<b>bold</b> and <i>italic</i> and <s>gone</s>"],
    ["||hidden||", "<tg-spoiler>hidden</tg-spoiler>"],
    ["`a < b`", "<code>a &lt; b</code>"],
    ["# Title\n\ntext", "<b>Title</b>\n\ntext"],
    ["```ts\nconst a = 1 && 2;\n```", '<pre><code class="language-ts">const a = 1 &amp;&amp; 2;</code></pre>'],
    ["```\nplain\n```", "<pre>plain</pre>"],
    ["[site](https://example.org/?a=1&b=2)", '<a href="https://example.org/?a=1&amp;b=2">site</a>'],
    ["[write](mailto:me@example.org)", "write (mailto:me@example.org)"],
    ["![a cat](https://example.org/cat.png)", '<a href="https://example.org/cat.png">a cat</a>'],
    ["> said\n> > before", "<blockquote>said\n\nbefore</blockquote>"],
    ["- one\n- two\n  - inner", "• one\n• two\n  • inner"],
    ["1. one\n2. two", "1. one\n2. two"],
    ["- [ ] open\n- [x] done", "☐ open\n☑ done"],
    ["<script>alert(1)</script> & <b>x</b>", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;x&lt;/b&gt;"],
    ["before\n\n---\n\nafter", "before\n\n———\n\nafter"],
  ])("%j", (markdown, html) => expect(toHtml(markdown)).toBe(html));

  it("draws tables as code, and as bullets where that is asked for", () => {
    const table = "| a | b |\n|---|---|\n| 1 | 2 |";
    expect(toHtml(table)).toMatch(/^<pre>\| a {3}\| b {3}\|\n/);
    expect(toHtml(table, "bullets")).toBe("• 1: 2");
  });

  it("falls back to the tables that were measured when bullets would be too long", () => {
    const header = `| ${["x".repeat(600), "y".repeat(600), "z".repeat(600)].join(" | ")} |\n|---|---|---|\n`;
    const table = header + "| 1 | 2 | 3 |\n".repeat(9);
    expect(toHtml(table, "bullets")).toMatch(/^<pre>/);
  });
});

describe("Telegram's own parser", () => {
  it("refuses broken mark-up, so that it can tell", () => {
    expect(parseByTelegram("<b>x")).toHaveProperty("error");
  });

  it("takes whatever we write, and counts it as we do", () => {
    for (let seed = 1; seed <= 2500; seed++) {
      const markdown = randomMarkdown(seed);
      for (const tables of ["code", "bullets", "off"] as const) {
        const shown = parseByTelegram(toHtml(markdown, tables));
        expect(shown, `seed ${seed}: ${JSON.stringify(markdown)}`).toEqual({ text: visibleText(markdown, tables) });
      }
      expect(measure(markdown)).toBe(visibleText(markdown).length);
    }
  });

  it("takes every piece a long text is cut into, none of them too long or with half a character", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const long = Array.from({ length: 60 }, (_, part) => randomMarkdown(seed * 1000 + part)).join("\n\n");
      for (const limit of [TEXT_LIMIT, 300]) {
        for (const piece of chunkMarkdown(long, { limit, measure })) {
          expect(measure(piece)).toBeLessThanOrEqual(limit);
          expect(visibleText(piece).isWellFormed()).toBe(true);
          expect(parseByTelegram(toHtml(piece))).toEqual({ text: visibleText(piece) });
        }
      }
    }
  });
});

const ATOMS = [
  "word", "two words", " ", "\n", "\n\n", "**", "*", "_", "__", "~~", "||", "`", "``", "```", "```js\n", "\n```\n", "~~~\n",
  "<b>", "</b>", "<a href='x'>", "</a>", "<!--", "-->", "<tg-spoiler>", "&amp;", "&", "&lt;", "&#65;", "&quot;", "<", ">",
  "[link](https://example.org/a?b=c&d=\"e\")", "[x](javascript:y)", "[y]()", "![pic](http://example.org/p.png)", "[", "](",
  ")", "https://example.org", "# ", "## ", "\n# head\n", "> ", "\n> quote\n", "> > deep\n", "- item\n", "  - inner\n",
  "1. first\n", "- [ ] task\n", "| a | b |\n|---|---|\n| **1** | `2` |\n", "|", "---\n", "\\", "\\*", "😀", "👨‍👩‍👧", "é", "日本語",
  "\u200b", "\u0000", "\u0007", "\u2028", "\r\n", "\t", "\ud83d", "\udc00", "٣", "שלום", "$x^2$", "@name", "/command", "#tag",
]; // prettier-ignore

/** The same text for the same seed. */
function randomMarkdown(seed: number): string {
  let state = seed * 2654435761;
  const next = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
  return Array.from({ length: 1 + next(30) }, () => ATOMS[next(ATOMS.length)] ?? "").join("");
}
