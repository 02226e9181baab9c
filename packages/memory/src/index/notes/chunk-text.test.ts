// Chunking: what every chunk promises about its lines, whatever the note looks like, and where notes are cut.
import { describe, expect, it } from "vitest";
import { chunkText, TextChunker, type ChunkLimits, type TextChunk } from "./chunk-text.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const LIMITS: ChunkLimits = { tokens: 40, overlap: 8 };

const linesOf = (text: string): string[] =>
  text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));

function expectPromises(note: string, chunks: readonly TextChunk[], { tokens }: ChunkLimits): void {
  const lines = linesOf(note);
  const covered = new Set<number>();
  for (const { startLine, endLine, text } of chunks) {
    expect(startLine).toBeGreaterThan(0);
    expect(endLine).toBeGreaterThanOrEqual(startLine);
    expect(lines.slice(startLine - 1, endLine).join("\n")).toContain(text);
    expect(text.trim()).not.toBe("");
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens);
    for (let line = startLine; line <= endLine; line++) covered.add(line);
  }
  const missing = lines.flatMap((line, at) => (line.trim() !== "" && !covered.has(at + 1) ? [at + 1] : []));
  expect(missing).toEqual([]);
}

/** The same numbers on every machine. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const LINES: readonly ((random: (most: number) => number) => string)[] = [
  () => "",
  () => "   ",
  (random) => `${"#".repeat(1 + random(6))} Heading ${random(100)}`,
  (random) => `- point ${random(1000)} with a few words`,
  (random) => "A sentence that is not long. Another one! And a third? ".repeat(1 + random(8)),
  (random) => "x".repeat(random(700)),
  (random) => "牙医的预约在星期五下午三点。".repeat(1 + random(6)),
  (random) => "🙂".repeat(random(150)),
  () => "```",
  () => "~~~~",
  () => "---",
  () => "# not # a # note #",
  (random) => `key${random(9)}: value`,
  (random) => "Слова другого алфавита ".repeat(random(20)),
];

function makeNote(random: (most: number) => number): string {
  const end = random(2) === 0 ? "\n" : "\r\n";
  const lines = Array.from({ length: random(40) }, () => LINES[random(LINES.length)]?.(random) ?? "");
  return lines.join(end);
}

describe("Whatever a note looks like", () => {
  it.each(Array.from({ length: 150 }, (_, seed) => seed))("its chunks keep what they promise (%i)", (seed) => {
    const random = createRandom(seed);
    const note = makeNote(random);
    const limits = { tokens: 5 + random(80), overlap: random(20) };
    const chunks = chunkText(note, limits);
    expectPromises(note, chunks, limits);
    const chunker = new TextChunker(limits);
    const streamed: TextChunk[] = [];
    for (let at = 0; at < note.length;) {
      const next = at + 1 + random(200);
      streamed.push(...chunker.write(note.slice(at, next)));
      at = next;
    }
    expect([...streamed, ...chunker.end()]).toEqual(chunks);
  });

  it("a line of a million characters is cut hard, and the lines after it keep their numbers", () => {
    const note = `# Log\n${"a".repeat(1_000_000)}\nafter`;
    const limits = { tokens: 512, overlap: 64 };
    const chunks = chunkText(note, limits);
    expectPromises(note, chunks, limits);
    expect(chunks.at(-1)?.endLine).toBe(3);
    expect(chunks.at(-1)?.text).toContain("after");
  });

  it("a line without end is not held in memory", () => {
    const chunker = new TextChunker({ tokens: 512, overlap: 64 });
    let chunks = 0;
    for (let slice = 0; slice < 50; slice++) chunks += chunker.write("word and word ".repeat(5_000)).length;
    expect(chunks).toBeGreaterThan((50 * 5_000 * 14) / 4 / 512 - 40);
    expect(chunker.end().every(({ startLine, endLine }) => startLine === 1 && endLine === 1)).toBe(true);
  });

  it.each(["......".repeat(20_000), `# ${" ".repeat(60_000)}x`, "!)".repeat(30_000), "`".repeat(60_000)])(
    "odd lines are read in one go",
    (line) => {
      expectPromises(line, chunkText(line, { tokens: 512, overlap: 64 }), { tokens: 512, overlap: 64 });
    },
  );
});

describe("A note is cut", () => {
  const cut = (note: string, limits = LIMITS) =>
    chunkText(note, limits).map(({ startLine, endLine, headings }) => [startLine, endLine, headings]);

  it.each<[string, string, unknown[]]>([
    ["not at all when it is short", "one\n\ntwo", [[1, 3, ""]]],
    [
      "at headings",
      "# A\none\n# B\ntwo",
      [
        [1, 2, ""],
        [3, 4, ""],
      ],
    ],
    [
      "with the headings above",
      "# A\none\n## B\ntwo\n### C\nthree",
      [
        [1, 2, ""],
        [3, 4, "A"],
        [5, 6, "A > B"],
      ],
    ],
    [
      "with the headings that still hold",
      "# A\none\n## B\ntwo\n## C\nthree",
      [
        [1, 2, ""],
        [3, 4, "A"],
        [5, 6, "A"],
      ],
    ],
    ["keeping a heading with the next when nothing is between", "# A\n\n## B\ntwo", [[1, 4, ""]]],
    ["not inside code", "# A\n```sh\n# comment\nls\n```\ntext", [[1, 6, ""]]],
    [
      "not at a fence of another kind",
      "~~~\n```\n# comment\n~~~\n# B\nx",
      [
        [1, 4, ""],
        [5, 6, ""],
      ],
    ],
    [
      "after front matter",
      "---\ntitle: x\n# comment\n---\ntext\n# B\nmore",
      [
        [1, 4, ""],
        [5, 5, ""],
        [6, 7, ""],
      ],
    ],
    [
      "as usual after a rule at the top",
      "---\nplain words here\n# B\ntext",
      [
        [1, 2, ""],
        [3, 4, ""],
      ],
    ],
    ["not at a hash without a space", "#tag\ntext\n#tag", [[1, 3, ""]]],
    ["nowhere when there is nothing", "\n  \n\n", []],
  ])("%s", (_says, note, expected) => {
    expect(cut(note)).toEqual(expected);
  });

  it("between paragraphs when a section is too long", () => {
    const paragraph =
      "Nineteen words make a paragraph that is about twenty five tokens long in this small test of ours.";
    expect(cut(`# A\n${paragraph}\n\n${paragraph}\n\n${paragraph}`)).toEqual([
      [1, 2, ""],
      [4, 4, "A"],
      [6, 6, "A"],
    ]);
  });

  it("between sentences when a paragraph is too long, and repeats a little", () => {
    const sentences = Array.from({ length: 12 }, (_, at) => `Sentence number ${at} is here.`).join(" ");
    const chunks = chunkText(sentences, LIMITS);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text).toMatch(/^Sentence .*\.\s?$/);
    for (const [at, { text }] of chunks.entries()) {
      if (at > 0) expect(chunks[at - 1]?.text.trim().endsWith(text.slice(0, text.indexOf(".") + 1))).toBe(true);
    }
  });
});

describe("Tokens are estimated", () => {
  it.each<[string, number]>([
    ["", 0],
    ["word", 1],
    ["12345678", 2],
    ["Größe", 2],
    ["слово", 3],
    ["牙医", 2],
    ["🙂", 1],
  ])("%j as %i", (text, expected) => {
    expect(estimateTokens(text)).toBe(expected);
  });
});
