// Text of models: read, cut, streamed, and written in every channel's dialect.
import { BlockStream, chunkMarkdown, parseMarkdown, plainText, type Block } from "@chela/sdk/markdown";
import { textContent } from "../../packages/sdk/src/markdown/text-content.ts";
import { writeMarkdown } from "../../packages/sdk/src/markdown/write-markdown.ts";
import { hashOf } from "../random.ts";
import { promise, type Target } from "../target.ts";

const SEEDS = [
  "# Title\n\nSome *emphasis*, **strong** and `code` with a [link](https://example.org/a_b?c=d).\n\n- one\n- two\n  - three\n",
  "```js\nconst a = `1`;\n\nif (a || b) {}\n```\n\n> quoted\n> - list\n>\n> ```\n> code\n> ```\n",
  "| a | b |\n|---|:-:|\n| 1 | **2** |\n| 日本 | 👍🏽 |\n\n1. x\n2. y\n\n---\n\n~~~\nopen",
  "||spoiler|| ~~gone~~ <b>html</b> &amp; ![alt](https://a.b/i.png) <https://c.d>\\*\n\nline  \nbreak<br>next",
  "a*b_c* __d__e *f **g* h** [i](j [k](l) `m ``n` o\\` ***p*** \u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "- [ ] task\n- [x] done\n\n    indented code\n\nsetext\n===\n\n[ref]: https://e.f\n[ref]",
];
const WORDS = [
  ..."** * __ _ ~~ || ` `` ``` ```` ~~~ > >> - + 1. # ## | --- :-: [ ]( ) ![ <br> &amp; &#x41; \\ --- === <!-- -->".split(
    " ",
  ),
  ..."\n\n \n\t    https://a.b/c".split(" "),
  "\n```\n",
  "\n> ",
  "\n- ",
  "  \n",
];

export const markdown: Target = {
  name: "markdown",
  promises:
    "Reading never fails; pieces of a text fit, are whole, and say together what the text said, and leave no fence open that it closed. What was read is written so that it reads the same.",
  kind: "text",
  seeds: () => SEEDS,
  words: WORDS,
  maxLength: 2500,
  open: () => ({
    run(input) {
      const blocks = parseMarkdown(input);
      plainText(input);
      const choice = hashOf(input);
      checkChunks(input, blocks, 40 + (choice % 7) * 150, choice & 1 ? "newline" : "length");
      checkStream(input, choice);
      const written = writeMarkdown(blocks);
      parseMarkdown(written);
    },
  }),
};

function checkChunks(source: string, blocks: readonly Block[], limit: number, mode: "newline" | "length"): void {
  const measure = (text: string): number => text.length;
  const chunks = chunkMarkdown(source, { limit, measure, mode });
  for (const chunk of chunks) {
    promise(chunk.length <= limit, `a piece has ${chunk.length} characters, ${limit} fit`);
    promise(chunk.trim() !== "", "a piece is empty");
    promise(chunk.isWellFormed() || !source.isWellFormed(), "a character was cut in two");
  }
  const wanted = lettersOf(textContent(blocks));
  const got = lettersOf(textContent(chunks.flatMap((chunk) => parseMarkdown(chunk)).map(withNumbers)));
  // A table that does not fit is written as a list, its heads beside its cells: then only the letters are counted.
  const [left, right] = blocks.some(hasTable) ? [sorted(wanted), sorted(got)] : [wanted, got];
  promise(isSpreadOver(left, right), () => `words were lost at ${limit}: ${firstLost(left, right)}`);
  if (closesItsFences(source) && source.length > limit) {
    promise(chunks.every(closesItsFences), "a piece leaves a fence open");
  }
}

/** A line "2. y" of a paragraph may come to begin a list, which shows the 2 as its number. */
function withNumbers(block: Block): Block {
  if (block.kind === "quote") return { ...block, blocks: block.blocks.map(withNumbers) };
  if (block.kind !== "list") return block;
  const number: Block[] =
    block.start === undefined ? [] : [{ kind: "paragraph", inline: [{ kind: "text", text: String(block.start) }] }];
  const items = block.items.map((item, at) => ({
    ...item,
    blocks: [...(at === 0 ? number : []), ...item.blocks.map(withNumbers)],
  }));
  return { ...block, items };
}

function hasTable(block: Block): boolean {
  if (block.kind === "table") return true;
  if (block.kind === "quote") return block.blocks.some(hasTable);
  return block.kind === "list" && block.items.some((item) => item.blocks.some(hasTable));
}

function sorted(letters: string): string {
  return [...letters].sort().join("");
}

/** Marks are not words, and blanks may go where a text is cut. */
function lettersOf(text: string): string {
  return text.replace(/[\s\p{P}\p{S}\p{C}\p{M}]/gu, "");
}

/** Repeated table heads and written-out addresses put letters in between, but all come in their order. */
function isSpreadOver(wanted: string, got: string): boolean {
  return firstLost(wanted, got) === undefined;
}

function firstLost(wanted: string, got: string): string | undefined {
  let at = 0;
  for (let index = 0; index < wanted.length; index += 1) {
    at = got.indexOf(wanted.charAt(index), at) + 1;
    if (at === 0) return wanted.slice(index, index + 20);
  }
  return undefined;
}

function closesItsFences(source: string): boolean {
  return parseMarkdown(`${source}\n\nbelow`).at(-1)?.kind !== "code";
}

function checkStream(source: string, choice: number): void {
  const sizes = { minChars: 20 + (choice % 60), maxChars: 100 + (choice % 300) };
  const stream = new BlockStream({ ...sizes, prefer: (["paragraph", "newline", "sentence"] as const)[choice % 3]! });
  const given: string[] = [];
  for (let at = 0; at < source.length; at += 17) given.push(...stream.add(source.slice(at, at + 17)));
  given.push(...stream.finish());
  promise(
    given.every((piece) => piece.trim() !== ""),
    "a streamed piece is empty",
  );
  const [wanted, got] = [lettersOf(source), lettersOf(given.join("\n"))];
  promise(isSpreadOver(wanted, got), () => `a stream lost words: ${firstLost(wanted, got)}`);
}
