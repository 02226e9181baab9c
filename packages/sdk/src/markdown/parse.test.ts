// What is read from Markdown, and how it is written in a dialect.
import { describe, expect, test } from "vitest";
import {
  chunkMarkdown,
  parseMarkdown,
  plainText,
  renderBlocks,
  writeListItem,
  writeQuote,
  type Dialect,
} from "./index.ts";

/** A dialect in which every part can be told apart. */
const MARKED: Dialect = {
  text: (text) => text.replace(/[<>]/g, (sign) => (sign === "<" ? "‹" : "›")),
  bold: (inner) => `<b ${inner}>`,
  italic: (inner) => `<i ${inner}>`,
  strike: (inner) => `<s ${inner}>`,
  spoiler: (inner) => `<spoiler ${inner}>`,
  codeSpan: (text) => `<code ${text}>`,
  link: (label, href) => `<a ${href} ${label}>`,
  image: (alt, href) => `<img ${href} ${alt}>`,
  heading: (level, inner) => `<h${level} ${inner}>`,
  codeBlock: (text, language) => `<pre ${language ?? "-"} ${text}>`,
  quote: writeQuote,
  listItem: writeListItem,
  rule: () => "<hr>",
};

const write = (source: string, dialect: Partial<Dialect> = {}) =>
  renderBlocks(parseMarkdown(source), { ...MARKED, ...dialect });

describe("reading and writing", () => {
  test.each([
    ["bold, italic, strike", "**a** _b_ *c* ~~d~~", "<b a> <i b> <i c> <s d>"],
    ["formulas as they were written", "so \\(a_1\\,b\\) and \\(*c*\\)", "so \\(a_1\\,b\\) and \\(*c*\\)"],
    ["a bracket that is no formula", "\\(a and \\[b\\]", "(a and [b]"],
    ["marks in marks", "**a _b_ c**", "<b a <i b> c>"],
    ["the same mark twice says it once", "**a __b__ c**", "<b a b c>"],
    ["bold and italic", "***a***", "<i <b a>>"],
    ["spoilers", "||a **b** c|| d", "<spoiler a <b b> c> d"],
    ["no spoilers: operators", "a || b || c", "a || b || c"],
    ["no spoilers: escaped", "\\||a||", "||a||"],
    ["code keeps what is in it", "`**a** &amp; <b>`", "<code **a** &amp; <b>>"],
    ["links", "[a **b**](https://x.y/z)", "<a https://x.y/z a <b b>>"],
    ["a link without a label", "[](https://x.y)", "<a https://x.y https://x.y>"],
    ["bare addresses", "see https://x.y/a_b?c=d&e=f.", "see <a https://x.y/a_b?c=d&e=f https://x.y/a_b?c=d&e=f>."],
    ["angle brackets", "<https://x.y>", "<a https://x.y https://x.y>"],
    ["mail addresses", "a@b.co", "<a mailto:a@b.co a@b.co>"],
    ["images", "![alt](https://x.y/i.png)", "<img https://x.y/i.png alt>"],
    ["links that run something stay text", "[a](javascript:alert(1))", "[a](javascript:alert(1))"],
    ["links that bring their own page stay text", "[a](DATA:text/html,x)", "[a](DATA:text/html,x)"],
    ["headings", "# a\n\nb\n=\n\n### c ###", "<h1 a>\n\n<h1 b>\n\n<h3 c>"],
    ["line breaks", "a  \nb\\\nc\nd", "a\nb\nc\nd"],
    ["fences", "```js title=x\na\n\n  b\n```", "<pre js a\n\n  b>"],
    ["fences that are never closed", "a\n\n~~~\nb", "a\n\n<pre - b>"],
    ["indented code", "    a\n    b", "<pre - a\nb>"],
    ["quotes", "> a\n> > b", "> a\n>\n> > b"],
    ["lists", "- a\n- b\n  - c\n    more\n- d", "• a\n• b\n  • c\n    more\n• d"],
    ["numbered lists", "3. a\n4. b", "3. a\n4. b"],
    ["code in lists is not indented", "- a\n  ```\n  x\n  ```\n- b", "• a\n<pre - x>\n• b"],
    ["tasks", "- [ ] a\n- [x] b", "☐ a\n☑ b"],
    ["tasks with blank lines between", "- [ ] a\n\n- [x] b", "☐ a\n☑ b"],
    ["rules", "a\n\n---\n\nb", "a\n\n<hr>\n\nb"],
    ["HTML is text", "<b>a</b> <script>**x**</script>", "‹b›a‹/b› ‹script›<b x>‹/script›"],
    ["HTML blocks are text with Markdown in it", "<div>\n- a\n</div>", "‹div›\n\n• a\n\n‹/div›"],
    ["but for line breaks", "a<br>b<br/>c", "a\nb\nc"],
    ["entities, once", "&lt;a&gt; &amp;lt; &#8212; &#x1F600; &nope; &#0;", "‹a› &lt; — 😀 &nope; \ufffd"],
    ["escapes", "\\*a\\* \\&amp;", "*a* &amp;"],
    ["definitions are text: they may be in another message", "[a]: https://x.y", "[a]: <a https://x.y https://x.y>"],
    ["nothing is marked that is empty", "** ** ____ ~~~~x", "** ** ____ ~~~~x"],
    ["Windows lines", "a\r\n\r\nb", "a\n\nb"],
    ["blanks", " \n\t\n", ""],
  ])("%s", (_name, source, expected) => {
    expect(write(source)).toBe(expected);
  });

  test("blanks at the edge of a mark go outside", () => {
    const blocks = [
      { kind: "paragraph", inline: [{ kind: "bold", inline: [{ kind: "text", text: " a " }] }] },
    ] as const;
    expect(renderBlocks(blocks, MARKED)).toBe(" <b a> ");
  });

  test("a mark without words is not written", () => {
    const blocks = [
      {
        kind: "paragraph",
        inline: [
          { kind: "bold", inline: [] },
          { kind: "text", text: "a" },
        ],
      },
    ] as const;
    expect(renderBlocks(blocks, MARKED)).toBe("a");
  });
});

describe("tables", () => {
  test("say to which side their columns are set", () => {
    const [table] = parseMarkdown("|a|b|c|\n|:-|-|-:|\n|1|2|3|");
    expect(table).toMatchObject({ align: ["left", undefined, "right"] });
    expect(parseMarkdown("|a|\n|-|\n|1|")[0]).not.toHaveProperty("align");
  });

  const SOURCE = "| Name | Price | Size |\n|---|--:|---|\n| **Tea** | 3 | `s` |\n| 日本 | 12 | |";

  test("are drawn in a code block", () => {
    expect(write(SOURCE)).toBe(
      "<pre - | Name | Price | Size |\n|------|-------|------|\n| Tea  | 3     | s    |\n| 日本 | 12    |      |>",
    );
  });

  test("become bullets", () => {
    expect(write(SOURCE, { tables: "bullets" })).toBe("<b Tea>\n• Price: 3\n• Size: <code s>\n\n<b 日本>\n• Price: 12");
  });

  test("with two columns become one bullet per row", () => {
    expect(write("|a|b|\n|-|-|\n|1|2|\n|3|4|", { tables: "bullets" })).toBe("• 1: 2\n• 3: 4");
  });

  test("stay lines when that is wanted", () => {
    expect(write(SOURCE, { tables: "off" })).toBe("Name | Price | Size\n<b Tea> | 3 | <code s>\n日本 | 12 | ");
  });

  test("are left to a dialect that has them", () => {
    const table: Dialect["table"] = (header, rows) =>
      `${header.join(",")};${rows.map((row) => row.join(",")).join(";")}`;
    expect(write(SOURCE, { table })).toBe("Name,Price,Size;<b Tea>,3,<code s>;日本,12,");
    expect(write("|a|b|\n|-|-|\n|1|2|", { table, tables: "bullets" })).toBe("• 1: 2");
  });
});

test("a dialect with lists of its own gets whole items", () => {
  const list: Dialect["list"] = (items, start) => `<list ${start ?? "-"} ${items.join(" / ")}>`;
  expect(write("2. a\n   - [x] b\n3. c", { list })).toBe("<list 2 a\n<list - ☑ b> / c>");
});

test.each([
  ["**a** [b](https://x.y) `c`", "a b (https://x.y) c"],
  ["https://x.y [mail](mailto:a@b.co) a@b.co", "https://x.y mail (mailto:a@b.co) a@b.co"],
  ["# T\n\n> q\n\n1. a\n2. b\n\n![i](https://x.y/i.png)", "T\n\n> q\n\n1. a\n2. b\n\ni (https://x.y/i.png)"],
])("plain text of %j", (source, expected) => {
  expect(plainText(source)).toBe(expected);
});

describe("input that is made to be hard", () => {
  const LENGTH = 100_000;
  const repeat = (part: string) => part.repeat(Math.ceil(LENGTH / part.length));
  const HARD = (
    "*,*a ,**a ,a**b,_a_ ,~~a ,[,[a](,![,[a],[a](<b ,`a ,<a ,<!--,&,\\,\\[," +
    "> ,>,- ,1. ,|,||a,a\n-\n,a\n,- a\n,>a\n,#,a@,www.,http://a.,*_~`[<,[a]: "
  )
    .split(",")
    .map(repeat);
  const OTHERS = [
    `${"a".repeat(LENGTH)}@`,
    `${"*".repeat(500)}a${"*".repeat(500)}`,
    Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
    Array.from({ length: 400 }, (_, index) => "`".repeat(index + 1)).join(" "),
  ];

  // Each would take minutes or overflow the stack if it were read without limits: the test would time out.
  test.each([...HARD, ...OTHERS].map((source) => [source.slice(0, 12), source]))("%j is read", (_name, source) => {
    expect(plainText(source).length).toBeGreaterThan(0);
  });

  test.each(["[", "*_~`[<", "> ", "1. "])("many %j are cut", (part) => {
    const source = repeat(part);
    const chunks = chunkMarkdown(source, { limit: 4000, measure: (text) => text.length });
    expect(chunks.length).toBeGreaterThan(LENGTH / 4000);
  });

  test("what is nested too deeply is text", () => {
    expect(plainText(`${"> ".repeat(40)}deep`)).toMatch(/^(?:> )+deep$/);
  });

  test("what is too long for any message is text", () => {
    expect(plainText("**a** ".repeat(200_000)).startsWith("**a** **a**")).toBe(true);
  });

  // How much work is too much is counted, so this is the same on every machine.
  test.each(["_a*", "*é_*", "[*a](", "a_"])("thousands of %j in one paragraph are text", (part) => {
    const source = part.repeat(20_000 / part.length);
    expect(parseMarkdown(source)).toEqual([{ kind: "paragraph", inline: [{ kind: "text", text: source }] }]);
  });

  test("so are boxes by the thousands, but not those of a long list", () => {
    const list = (count: number) => parseMarkdown("- [ ] a\n".repeat(count));
    expect(list(6_000)).toMatchObject([{ kind: "paragraph" }]);
    expect(list(1_000)).toMatchObject([{ kind: "list", items: { length: 1_000 } }]);
  });

  const SENTENCE =
    "This is **bold** and *it*, `code`, a [link](https://example.com/a_b) and ~~gone~~: 3 * 4 = 12, snake_case, a < b. ";
  test.each([
    ["paragraphs", `${SENTENCE.repeat(5)}\n\n`, 60_000],
    ["a list", `- ${SENTENCE}\n  - ${SENTENCE}\n`, 60_000],
    ["lines without a blank one between them", `${SENTENCE}\n`, 16_000],
    ["a quote", `> ${SENTENCE}\n`, 16_000],
    ["one paragraph", SENTENCE, 16_000],
  ])("a long answer of %s is formatted to its end", (_name, part, length) => {
    const source = part.repeat(Math.ceil(length / part.length));
    expect(JSON.stringify(parseMarkdown(source)).match(/"kind":"strike"/g)).toHaveLength(
      source.split("~~gone~~").length - 1,
    );
  });

  test("a long text of ordinary paragraphs is read to its end", () => {
    const source = "**a** b\n\n```\ncode\n\nmore\n```\n\n".repeat(5000);
    expect(parseMarkdown(source).filter((block) => block.kind === "code")).toHaveLength(5000);
  });
});
