// Markdown in Discord's dialect.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measure, toDiscord } from "./format.ts";

const cases: ReadonlyArray<readonly [string, string, string]> = [
  ["marks", "**bold** *it* ~~gone~~ `code`", "**bold** *it* ~~gone~~ `code`"],
  ["headings", "# One\n\n#### Four", "# One\n\n**Four**"],
  ["links", "[docs](https://example.com/a_b)", "[docs](https://example.com/a_b)"],
  ["bare addresses", "see https://example.com/a_b_c", "see https://example.com/a_b_c"],
  ["a link whose words are another address", "[https://a.com](https://b.com)", "https://a.com (https://b.com)"],
  ["other schemes", "[me](mailto:a@b.c)", "me (mailto:a@b.c)"],
  ["images", "![a cat](https://example.com/cat.png)", "[a cat](https://example.com/cat.png)"],
  ["code blocks", "```ts\nlet a = 1;\n```", "```ts\nlet a = 1;\n```"],
  ["lists", "- a\n- b\n  - c\n\n1. x\n2. y", "- a\n- b\n  - c\n\n1. x\n2. y"],
  ["tasks", "- [x] done\n- [ ] open", "- ☑ done\n- ☐ open"],
  ["quotes with an empty line", "> a\n>\n> b", "> a\n> \n> b"],
  ["mentions", "hi <@200000000000000001> and @everyone", "hi \\<@200000000000000001> and @\u200beveryone"],
  ["marks that are none", "2 \\* 3 and __init__.py and snake_case", "2 \\* 3 and **init**.py and snake_case"],
  ["a line that begins like a quote", "\\> not a quote", "\\> not a quote"],
  ["backticks in code", "`` a`b ``", "`` a`b ``"],
];

describe("Markdown becomes what Discord shows", () => {
  for (const [name, markdown, discord] of cases) {
    it(`for ${name}`, () => expect(toDiscord(markdown)).toBe(discord));
  }

  it("with tables drawn in a code block", () => {
    const table = toDiscord("| a | b |\n|---|---|\n| 1 | 2 |");
    expect(table).toMatch(/^```\n[\s\S]*\| 1 +\| 2 +\|[\s\S]*\n```$/);
  });

  it("with a fence inside code that does not end it", () => {
    const written = toDiscord("````\na\n```\nb\n````");
    expect(written.match(/```/g)).toHaveLength(2);
  });
});

describe("whatever a model writes", () => {
  const pieces = [
    "word ",
    "**bold** ",
    "*it* ",
    "`co``de` ",
    "\n\n",
    "\n",
    "```js\nconst a = `x`;\n```\n",
    "# Head\n",
    "> quote\n",
    "- item\n",
    "  - nested\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
    "[l](https://example.com/(x))",
    "![i](https://example.com/i.png)",
    "<@200000000000000001> ",
    "<#300000000000000001> @here ",
    "||spoiler|| ",
    "__u__ ~~s~~ ",
    "😀👩‍👩‍👧‍👦 ",
    "a_b_c *unclosed ",
    "\\ ` ``` ",
    "1. one\n",
  ];
  const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const texts = Array.from({ length: 150 }, (_, index) => {
    const next = random(index + 1);
    return Array.from({ length: 5 + Math.floor(next() * 60) }, () => pieces[Math.floor(next() * pieces.length)]).join(
      "",
    );
  });
  const outsideCode = (text: string): string => text.replace(/```[\s\S]*?```/g, "").replace(/(`+)[^`][\s\S]*?\1/g, "");

  it("fits after it was cut, with whole characters and whole fences, and calls nobody", () => {
    for (const text of texts) {
      for (const chunk of chunkMarkdown(text, { limit: 300, measure })) {
        const written = toDiscord(chunk);
        expect(written.length).toBeLessThanOrEqual(300);
        expect(written.isWellFormed()).toBe(true);
        expect((written.replace(/\\`/g, "").match(/```/g) ?? []).length % 2, written).toBe(0);
        expect(outsideCode(written)).not.toMatch(/(?<!\\)<[@#]|@(?:everyone|here)/);
      }
    }
  });
});
