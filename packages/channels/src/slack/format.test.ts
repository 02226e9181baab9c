// Markdown becomes mrkdwn that Slack shows as meant, whatever a model writes.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measure, toMarkdownBlock, toMrkdwn } from "./format.ts";

/** Stands for the invisible space in what is expected. */
const shown = (text: string): string => toMrkdwn(text).replaceAll("\u200B", "¦");

describe("the dialect", () => {
  it.each([
    ["plain words", "plain words"],
    ["**bold**, *italic*, ~~gone~~", "*bold*, _italic_, ~gone~"],
    ["***both***", "_*both*_"],
    ["# A **bold** title", "*A bold title*"],
    ["a *b* c", "a _b_ c"],
    ["in**side**words", "in¦*side*¦words"],
    ["**two\nlines**", "*two*\n*lines*"],
    ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
    ["`x < y`", "`x &lt; y`"],
    ["`` a`b ``", "`aˋb`"],
    ["```ts\nif (a < b) {}\n```", "```\nif (a &lt; b) {}\n```"],
    ["````\n```\ninner\n```\n````", "```\n`¦``\ninner\n`¦``\n```"],
    ["[label](https://example.org/?a=1&b=2)", "<https://example.org/?a=1&amp;b=2|label>"],
    ["[**bold** <@U0ALICE001>](https://example.org)", "<https://example.org|bold @U0ALICE001>"],
    ["https://example.org", "<https://example.org>"],
    ["[here](notes.md)", "here (notes.md)"],
    ["![a cat](https://example.org/cat.png)", "<https://example.org/cat.png|a cat>"],
    ["- one\n- two\n  - three", "• one\n• two\n  • three"],
    ["1. one\n2. two", "1. one\n2. two"],
    ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
    ["> quoted\n> **twice\n> marked**", "> quoted\n> *twice*\n> *marked*"],
    ["---", "———"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "```\n| a   | b   |\n|-----|-----|\n| 1   | 2   |\n```"],
    ["ask <@U0ALICE001> in <#C0GENERAL1>", "ask <@U0ALICE001> in <#C0GENERAL1>"],
    ["<!channel> <!here> <!subteam^S1>", "&lt;!channel&gt; &lt;!here&gt; &lt;!subteam^S1&gt;"],
    ["\\*not bold\\*", "*¦not bold*"],
    ["snake_case_name", "snake_case_name"],
    ["2 \\* 3 = 6", "2 * 3 = 6"],
    ["\\> no quote", "¦&gt; no quote"],
    ["\uE000 odd \uE001", "odd"],
  ])("writes %j", (markdown, mrkdwn) => {
    expect(shown(markdown).trim()).toBe(mrkdwn);
  });

  it("keeps a channel from being called through the Markdown block", () => {
    expect(toMarkdownBlock("<!channel> **hi**")).toBe("&lt;!channel> **hi**");
  });
});

describe("whatever a model writes", () => {
  const PARTS = [
    "**",
    "*",
    "_",
    "~~",
    "`",
    "```",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "# ",
    "| a | b |\n|--|--|\n| c | d |\n",
    "<",
    ">",
    "&",
    "<!here>",
    "<@U0ALICE001>",
    "[x](https://e.org/a|b)",
    "[",
    "](",
    ")",
    "![",
    "word ",
    "wörd",
    "👩‍👩‍👧",
    "𝒳",
    "\u200B",
    "|",
    "\\",
    "<b>",
    "https://e.org/?q=<a>&b",
    "a".repeat(50),
  ];

  /** Always the same numbers, so that a failure can be repeated. */
  function* numbers(seed: number): Generator<number, never> {
    for (let state = seed; ;) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      yield state / 2_147_483_648;
    }
  }

  function write(seed: number): string {
    const random = numbers(seed);
    const length = 5 + Math.floor(random.next().value * 60);
    return Array.from({ length }, () => PARTS[Math.floor(random.next().value * PARTS.length)] ?? "").join("");
  }

  it("has no mark-up but ours, no half characters, and no marks left over", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const written = toMrkdwn(write(seed));
      const rest = written
        .replace(/<(@[UW][A-Z0-9]+|#C[A-Z0-9]+|(https?:\/\/|mailto:|tel:)[^<>|\s]+(\|[^<>\n]+)?)>/g, "")
        .replace(/^(> ?)+/gm, "");
      expect(rest, `seed ${seed}`).not.toMatch(/<|&(?!(amp|lt|gt);)/);
      expect(written.isWellFormed(), `seed ${seed}`).toBe(true);
      expect(written, `seed ${seed}`).not.toMatch(/[\uE000-\uE005]/);
    }
  });

  it("fits after it was cut", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const source = [1, 2, 3, 4, 5].map((part) => write(seed * 10 + part)).join("\n\n");
      for (const piece of chunkMarkdown(source, { limit: 300, measure })) {
        expect(measure(piece), `seed ${seed}`).toBeLessThanOrEqual(300);
      }
    }
  });
});
