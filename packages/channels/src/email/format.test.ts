// Markdown in mails: as text, as HTML that is always well formed, and as a subject.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measure, toHtml, toSubject, toText } from "./format.ts";

const inner = (markdown: string): string => toHtml(markdown).split("<body>\n")[1]?.split("\n</body>")[0] ?? "";

describe("Markdown as HTML", () => {
  it.each([
    ["**a** _b_ ~~c~~ `d`", "<p><b>a</b> <i>b</i> <s>c</s> <code>d</code></p>"],
    ["# Title", "<h1>Title</h1>"],
    ["a\nb", "<p>a<br>\nb</p>"],
    ["- a\n- b", "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>"],
    ["3. a", '<ol start="3">\n<li><p>a</p></li>\n</ol>'],
    ["> a", "<blockquote><p>a</p></blockquote>"],
    ["```js\na < b\n```", "<pre><code>a &lt; b</code></pre>"],
    ["[a](https://b.c/?d=1&e=2)", '<p><a href="https://b.c/?d=1&amp;e=2">a</a></p>'],
    ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
    ["![a](https://b.c/d.png)", '<p><a href="https://b.c/d.png">a</a></p>'],
    ["[![a](https://b.c/d.png)](https://e.f)", '<p><a href="https://e.f">a</a></p>'],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["---", "<hr>"],
  ])("%s", (markdown, html) => expect(inner(markdown)).toBe(html));

  it("has tables", () => {
    expect(inner("| a | b |\n|---|---|\n| 1 | <2> |")).toContain("<tr><td>1</td><td>&lt;2&gt;</td></tr>");
  });

  it("is well formed whatever is in it, and each piece fits", () => {
    const limit = 300;
    for (let seed = 1; seed <= 120; seed += 1) {
      const markdown = inventMarkdown(seed);
      for (const piece of chunkMarkdown(markdown, { limit, measure })) {
        expect(measure(piece)).toBeLessThanOrEqual(limit);
        const html = inner(piece);
        expect(html.isWellFormed()).toBe(true);
        expect(findFault(html), html).toBeUndefined();
      }
    }
  });
});

describe("Markdown as text", () => {
  it("has no marks, and says where links lead", () => {
    expect(toText("# Hi\n\n**bold** [site](https://a.b)\n\n- x")).toBe("Hi\n\nbold site (https://a.b)\n\n• x");
  });
});

describe("a subject", () => {
  it.each([
    ["# Good **news**\n\nmore", "Good news"],
    ["", "Message"],
    ["\n\n", "Message"],
    ["a\u0000b\tc", "a b c"],
    [`${"word ".repeat(30)}`, `${"word ".repeat(14)}word…`],
    ["x".repeat(200), `${"x".repeat(79)}…`],
    ["😀".repeat(60), `${"😀".repeat(39)}…`],
  ])("%j", (markdown, subject) => expect(toSubject(markdown)).toEqual(subject));
});

const PIECES = [
  "**a**",
  "_b",
  "`c",
  "~~d~~",
  "[x](y",
  "[x](https://y.z)",
  "![](q)",
  "<b>",
  "&amp;",
  "> q\n",
  "- l\n",
  "1. n\n",
];
const MORE = [
  "```\ncode\n```\n",
  "# h\n",
  "| a | b |\n|---|---|\n| c | d |\n",
  "\n\n",
  "😀",
  "\ud83d",
  "||s||",
  '"',
  "</p>",
  "---\n",
];

/** The same text for the same seed. */
function inventMarkdown(seed: number): string {
  let state = seed;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const pieces = [...PIECES, ...MORE];
  return Array.from({ length: 5 + next(80) }, () => pieces[next(pieces.length)]).join(next(2) === 0 ? " " : "");
}

const ALONE = new Set(["br", "hr"]);

/** Undefined when every tag that is opened is closed in the right order, and nothing else looks like a tag. */
function findFault(html: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)(?: [a-z]+="[^"<>]*")*>/g)) {
    if (ALONE.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return `${tag} closes something else`;
    if (name === "a" && slash === "" && open.indexOf("a") !== open.lastIndexOf("a")) return "a link in a link";
  }
  if (open.length > 0) return `${open.join(", ")} never closed`;
  return /[<>]/.test(html.replace(/<\/?[a-z0-9]+(?: [a-z]+="[^"<>]*")*>/g, "")) ? "a stray sign" : undefined;
}
