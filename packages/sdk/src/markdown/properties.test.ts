// Whatever is written, cutting it loses nothing: thousands of random texts, cut in several ways.
import { describe, expect, test } from "vitest";
import { BlockStream, chunkMarkdown, parseMarkdown, plainText, type Block } from "./index.ts";
import { fenceAfter, type Fence } from "./lines.ts";
import { textContent } from "./text-content.ts";

type Random = () => number;

/** mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const times = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make);

const WORDS = [
  ..."lorem ipsum dolor sit amet consectetur snake_case_name 3.14 C# a*b 1. - # > x=1 &amp; <b> </b> AT&T it's (so) [x] end. Why? Yes! é 你好 日本語テキスト".split(
    " ",
  ),
  "👩‍👩‍👧‍👦",
  "🇩🇪🇫🇷",
  "e\u0301\u0302",
  "👍🏽",
  "\\*",
  "a||b",
  "https://example.org/a_b?c=d&e=f",
  "someone@example.org",
  "averyveryverylongwordwithoutanyplacetocutitin".repeat(2),
];

function words(random: Random): string {
  return times(random, 6, () => pick(random, WORDS)).join(" ");
}

function inline(random: Random, depth = 0): string {
  return times(random, 3, () => {
    const inner = () => (depth < 1 ? inline(random, depth + 1) : words(random));
    const kinds = [
      () => words(random),
      () => words(random),
      () => `**${inner()}**`,
      () => `*${inner()}*`,
      () => `_${inner()}_`,
      () => `~~${inner()}~~`,
      () => `||${inner()}||`,
      () => `\`${words(random)}\``,
      () => `[${words(random)}](https://a.b/c)`,
      () => `![${pick(random, ["alt", "two words"])}](https://a.b/i.png)`,
    ];
    return pick(random, kinds)();
  }).join(pick(random, [" ", " ", " ", "\n", "  \n", ""]));
}

function indent(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}

function block(random: Random, depth: number, withTables: boolean): string {
  const line = () => inline(random).replace(/\s*\n/g, " ");
  const nested = () => (depth < 2 ? block(random, depth + 1, withTables) : words(random));
  const fence = pick(random, ["```", "````", "~~~"]);
  const code = () =>
    times(random, 12, () => pick(random, ["", "  x = `1`", "if (a || b) {", "}", words(random)])).join("\n");
  const kinds = [
    () => inline(random),
    () => inline(random),
    () => times(random, 5, () => inline(random)).join("\n"),
    () => `${"#".repeat(1 + Math.floor(random() * 6))} ${line()}`,
    () => times(random, 4, () => `- ${indent(nested(), "  ")}`).join("\n"),
    () => times(random, 4, () => `- [${pick(random, [" ", "x"])}] ${line()}`).join("\n"),
    () => `7. ${times(random, 3, () => indent(nested(), "   ")).join("\n8. ")}`,
    () => `> ${indent(nested(), "> ")}`,
    () => `${fence}${pick(random, ["", "js", "python title=x"])}\n${code()}\n${fence}`,
    () => "---",
    () => "<div>\nsome *html*\n</div>",
    ...(withTables ? [() => table(random)] : []),
  ];
  return pick(random, kinds)();
}

const TABLE_WORDS = ["a", "bcd", "**e** f", "`g`", "_h_", "ijklm", "日本", "👍🏽", "1.5", ""];

function table(random: Random): string {
  const cell = () => times(random, 3, () => pick(random, TABLE_WORDS)).join(" ");
  const row = () => `| ${cell()} | ${cell()} | ${cell()} |`;
  return `${row()}\n|---|:-:|--:|\n${times(random, 6, row).join("\n")}`;
}

function noise(random: Random): string {
  const signs = [..."**__~~``[[]]()<>!|#>-+=\\&;:. \n\n\t", "a", "b c", "1. ", "- ", "> ", "```", "😀", "\u0301"];
  return times(random, 80, () => pick(random, signs)).join("");
}

function markdown(random: Random, withTables: boolean): string {
  const blocks = times(random, 3, () => (random() < 0.1 ? noise(random) : block(random, 0, withTables)));
  const end = random() < 0.1 ? `\n\n\`\`\`js\n${words(random)}` : "";
  return blocks.join(pick(random, ["\n\n", "\n\n", "\n"])) + end;
}

const MEASURES = {
  length: (text: string) => text.length,
  rendered: (text: string) => plainText(text).length,
  bytes: (text: string) => Buffer.byteLength(text),
};

/** What is written below it is no code. */
function leavesNoFenceOpen(source: string): boolean {
  return parseMarkdown(`${source}\n\nbelow`).at(-1)?.kind !== "code";
}

/** The same by its lines alone, as a stream sees it. */
function endsOutsideFences(source: string): boolean {
  let open: Fence | undefined;
  for (const line of source.split("\n")) open = fenceAfter(line, open);
  return open === undefined;
}

function hasTable(block: Block): boolean {
  if (block.kind === "table") return true;
  if (block.kind === "quote") return block.blocks.some(hasTable);
  return block.kind === "list" && block.items.some((item) => item.blocks.some(hasTable));
}

const SEEDS = Array.from({ length: 10 }, (_, index) => index * 1000);

/** An address that does not fit any other way is written out, which adds to the text. */
const said = (blocks: readonly Block[]) => textContent(blocks).replace(/https:\/\/a\.b\/(?:c|i\.png)/g, "");

describe.each(Object.entries(MEASURES))("measured by %s", (_name, measure) => {
  test.each(SEEDS)("every chunk fits, is whole, and together they say the same (seed %i)", (seed) => {
    for (let index = 0; index < 70; index++) {
      const random = createRandom(seed + index);
      const source = markdown(random, false);
      const limit = pick(random, [40, 60, 120, 300, 1000]);
      const chunks = chunkMarkdown(source, { limit, measure, mode: pick(random, ["length", "newline"]) });
      const context = `seed ${seed + index}, limit ${limit}\n${source}\n=====\n${chunks.join("\n-----\n")}`;
      expect(
        chunks.filter((chunk) => measure(chunk) > limit),
        context,
      ).toEqual([]);
      expect(
        chunks.filter((chunk) => chunk.trim() === ""),
        context,
      ).toEqual([]);
      expect(
        chunks.filter((chunk) => !chunk.isWellFormed()),
        context,
      ).toEqual([]);
      const blocks = parseMarkdown(source);
      if (blocks.some(hasTable)) continue;
      expect(said(chunks.flatMap((chunk) => parseMarkdown(chunk))), context).toBe(said(blocks));
      if (measure(source) <= limit) expect(chunks, context).toEqual(source.trim() === "" ? [] : [source]);
      else if (leavesNoFenceOpen(source))
        expect(
          chunks.filter((chunk) => !leavesNoFenceOpen(chunk)),
          context,
        ).toEqual([]);
    }
  });

  test.each(SEEDS.slice(0, 4))("tables are cut without losing a word (seed %i)", (seed) => {
    for (let index = 0; index < 25; index++) {
      const random = createRandom(seed + index + 500_000);
      const source = markdown(random, true);
      const limit = pick(random, [150, 300, 1000]);
      const chunks = chunkMarkdown(source, { limit, measure });
      const context = `seed ${seed + index}, limit ${limit}\n${source}\n=====\n${chunks.join("\n-----\n")}`;
      expect(
        chunks.filter((chunk) => measure(chunk) > limit),
        context,
      ).toEqual([]);
      expect(isSpreadOver(textContent(parseMarkdown(source)), chunks), context).toBe(true);
    }
  });
});

/** Repeated headers put letters in between, but all that was there comes in its order. */
function isSpreadOver(letters: string, chunks: readonly string[]): boolean {
  const all = textContent(chunks.flatMap((chunk) => parseMarkdown(chunk)));
  let at = 0;
  for (const letter of letters) {
    at = all.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const withoutFences = (text: string) => text.replace(/^[ \t>]*(?:`{3,}[^`\n]*|~{3,}.*)$/gm, "").replace(/[\s>]+/g, "");

test.each(SEEDS)("what a stream gives is what was added, and no fence is left open (seed %i)", (seed) => {
  for (let index = 0; index < 200; index++) {
    const random = createRandom(seed + index);
    // Tildes at the start of a line may open a fence with a whole paragraph as its language, which is not repeated.
    const source = markdown(random, true).replaceAll("~", "=");
    const options = pick(random, [{}, { minChars: 40, maxChars: 90 }, { minChars: 200, maxChars: 300 }]);
    const stream = new BlockStream({ ...options, prefer: pick(random, ["paragraph", "newline", "sentence"]) });
    const given: string[] = [];
    for (let at = 0; at < source.length;) {
      const length = 1 + Math.floor(random() * 30);
      given.push(...stream.add(source.slice(at, at + length)));
      at += length;
    }
    given.push(...stream.finish());
    const context = `seed ${seed + index}\n${source}\n=====\n${given.join("\n-----\n")}`;
    expect(withoutFences(given.join("\n")), context).toBe(withoutFences(source));
    expect(
      given.filter((piece) => piece.trim() === ""),
      context,
    ).toEqual([]);
    if (endsOutsideFences(source))
      expect(
        given.filter((piece) => !endsOutsideFences(piece)),
        context,
      ).toEqual([]);
    const longest = (options.maxChars ?? 1200) + 80;
    expect(
      given.filter((piece) => piece.length > longest),
      context,
    ).toEqual([]);
  }
});

test("nothing makes the reader fail", () => {
  for (let seed = 0; seed < 3000; seed++) {
    const source = noise(createRandom(seed));
    expect(() => parseMarkdown(source), JSON.stringify(source)).not.toThrow();
  }
});
