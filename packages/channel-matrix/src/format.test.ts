// Markdown in Matrix's HTML: only allowed tags, closed in order, never too long.
import { describe, expect, it } from "vitest";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { measure, TEXT_LIMIT, write } from "./format.ts";

const TAGS = new Set(
  "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul".split(" "),
);
const EMPTY = new Set(["br", "hr"]);

/** Throws unless every tag is allowed and closed where it should be. */
function check(html: string): void {
  const open: string[] = [];
  for (const [whole, slash, name = ""] of html.matchAll(/<(\/?)([a-z0-9]*)[^>]*>/g)) {
    if (!TAGS.has(name)) throw new Error(`${whole} is not allowed`);
    if (EMPTY.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) throw new Error(`${whole} closes nothing in ${html}`);
  }
  if (open.length > 0) throw new Error(`${open.join(", ")} not closed in ${html}`);
  const rest = html.replaceAll(/<\/?[a-z0-9]+(?: (?:href|class|start)="[^"<>]*"| data-mx-spoiler)?>/g, "");
  if (/[<>]/.test(rest)) throw new Error(`bare bracket in ${rest}`);
}

describe("a text for Matrix", () => {
  it.each([
    ["plain words", "plain words", undefined],
    ["**bold** and *soft*", "bold and soft", "<p><strong>bold</strong> and <em>soft</em></p>"],
    ["~~old~~ `code <b>`", "old code <b>", "<p><del>old</del> <code>code &lt;b&gt;</code></p>"],
    ["# Title\n\ntext", "Title\n\ntext", "<h1>Title</h1><p>text</p>"],
    ["- a\n- b", "• a\n• b", "<ul><li>a</li><li>b</li></ul>"],
    ["3. a\n4. b", "3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
    ["> said", "> said", "<blockquote><p>said</p></blockquote>"],
    ["```js\nx < 1\n```", "x < 1", '<pre><code class="language-js">x &lt; 1\n</code></pre>'],
    ["[a](https://example.org/?x=1&y=2)", undefined, '<p><a href="https://example.org/?x=1&amp;y=2">a</a></p>'],
    ["[a](javascript:alert)", "[a](javascript:alert)", undefined],
    ["||hidden||", undefined, "<p><span data-mx-spoiler>hidden</span></p>"],
    [
      "| a | b |\n|---|---|\n| 1 | 2 |",
      undefined,
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
  ])("%j", (markdown, body, html) => {
    const written = write(markdown);
    expect(written.html).toBe(html);
    if (body !== undefined) expect(written.body).toBe(body);
  });

  it("shows tables as the operator wants them", () => {
    expect(write("| a | b |\n|---|---|\n| 1 | 2 |", "code").html).toContain("<pre>");
  });

  it("has no mark-up but the allowed, and fits, whatever was written", () => {
    const parts = [
      "**",
      "_",
      "`",
      "```",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "1. ",
      "# ",
      "[x](",
      ")",
      "https://a.b/c",
      "<b>",
      "&amp;",
      "😀",
      "\ud83d",
      "\u0007",
      "|",
      "| a | b |\n|---|---|\n",
      "word ",
      "ﷺ",
      "~~",
      "||",
      "![i](mxc://a/b)",
      '"',
      "<mx-reply>",
    ];
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < 300; round++) {
      const source = Array.from({ length: 1 + random(60) }, () => parts[random(parts.length)]).join("");
      const { body, html = "" } = write(source);
      check(html);
      expect(body.isWellFormed() && html.isWellFormed()).toBe(true);
    }
    const long = Array.from({ length: 9000 }, () => parts[random(parts.length)]).join("");
    for (const piece of chunkMarkdown(long, { limit: TEXT_LIMIT, measure })) {
      expect(measure(piece)).toBeLessThanOrEqual(TEXT_LIMIT);
      const { body, html = "" } = write(piece);
      check(html);
      expect(Buffer.byteLength(JSON.stringify([body, html]))).toBeLessThan(46_000);
    }
  });
});
