// Where texts are cut, by example. That nothing is lost is shown in properties.test.ts.
import { describe, expect, test } from "vitest";
import { BlockStream, chunkMarkdown } from "./index.ts";

const measure = (text: string) => text.length;
const chunk = (source: string, limit: number, mode?: "length" | "newline") =>
  chunkMarkdown(source, { limit, measure, ...(mode !== undefined && { mode }) });

describe("chunks", () => {
  test.each<[string, string, number, string[]]>([
    ["what fits is left alone", "  a\r\n\r\n\r\n**b", 20, ["  a\r\n\r\n\r\n**b"]],
    ["blanks are nothing to send", " \n\n ", 1, []],
    ["between blocks", "aaaa\n\nbbbb\n\ncccc", 11, ["aaaa\n\nbbbb", "cccc"]],
    ["a heading stays with what follows", "aaaa\n\n# b\n\ncccccc", 12, ["aaaa", "# b\n\ncccccc"]],
    ["between lines", "one two\nthree four", 12, ["one two", "three four"]],
    ["behind sentences", "One two. Three four five", 16, ["One two.", "Three four five"]],
    ["between words", "one two three", 9, ["one two", "three"]],
    ["between letters", "abcdefgh", 3, ["abc", "def", "gh"]],
    ["never inside a letter", "👩‍👩‍👧👩‍👩‍👧", 10, ["👩‍👩‍👧", "👩‍👩‍👧"]],
    ["never inside a pair, even where a letter does not fit", "👩‍👩‍👧", 4, ["👩\u200d", "👩\u200d", "👧"]],
    ["outside of marks, if there is a place", "one **two three** four", 20, ["one **two three**", "four"]],
    ["marks are closed and opened again", "**one two three**", 12, ["**one two**", "**three**"]],
    ["fences too, with their language", "```js\none\ntwo\n```", 15, ["```js\none\n```", "```js\ntwo\n```"]],
    ["quotes go on", "> one\n>\n> two", 7, ["> one", "> two"]],
    ["between items, with their numbers", "1. one\n2. two\n3. three", 14, ["1. one\n2. two", "3. three"]],
    ["inside an item, which goes on without a marker", "- one two\n- three", 8, ["- one", "two", "- three"]],
    [
      "tables repeat their header",
      "|a|\n|-|\n|11111111|\n|22222222|",
      28,
      ["| a |\n| --- |\n| 11111111 |", "| a |\n| --- |\n| 22222222 |"],
    ],
    ["a link that fits nowhere becomes words", "[one](https://x.y/zzzz)", 15, ["one", "https://x.y/zzz", "z"]],
    ["a limit below one letter gives letters", "😀a", 1, ["😀", "a"]],
  ])("%s", (_name, source, limit, expected) => {
    expect(chunk(source, limit)).toEqual(expected);
  });

  test("a block too long for any message begins in the one before, unless empty lines come first", () => {
    const long = "Some sentence of the text. ".repeat(12).trim();
    const source = `Intro.\n\n${long}`;
    expect(chunk(source, 200)[0]).toMatch(/^Intro\.\n\nSome sentence/);
    expect(chunk(source, 200, "newline")[0]).toBe("Intro.");
  });

  test("few questions are asked, since each may be expensive", () => {
    const source = "word ".repeat(4000);
    let questions = 0;
    const chunks = chunkMarkdown(source, { limit: 2000, measure: (text) => (questions++, text.length) });
    expect(chunks).toHaveLength(10);
    expect(questions).toBeLessThan(chunks.length * 30);
  });
});

describe("a stream of blocks", () => {
  const feed = (stream: BlockStream, text: string) => [...text].flatMap((letter) => stream.add(letter));

  test("gives paragraphs as soon as there is enough", () => {
    const stream = new BlockStream({ minChars: 5, maxChars: 30 });
    expect(stream.add("one two\n")).toEqual([]);
    expect(stream.add("\nthree")).toEqual(["one two"]);
    expect(stream.finish()).toEqual(["three"]);
  });

  test("waits for a paragraph to end as long as it may", () => {
    const stream = new BlockStream({ minChars: 5, maxChars: 30 });
    expect(feed(stream, "One two three. Four five six")).toEqual([]);
    expect(feed(stream, " seven")).toEqual(["One two three."]);
    expect(stream.finish()).toEqual(["Four five six seven"]);
  });

  test.each([
    ["newline" as const, "one two\nthree four", ["one two"]],
    ["sentence" as const, "One two. Three four", ["One two."]],
  ])("cuts at each %s if that is preferred", (prefer, text, expected) => {
    expect(feed(new BlockStream({ minChars: 5, maxChars: 30, prefer }), text)).toEqual(expected);
  });

  test("never ends inside a fence", () => {
    const stream = new BlockStream({ minChars: 5, maxChars: 40 });
    expect(feed(stream, "text\n```js\na\n\nb\n```\n\nmore")).toEqual(["text\n```js\na\n\nb\n```"]);
  });

  test("gives what stands before a fence that gets too long", () => {
    const stream = new BlockStream({ minChars: 20, maxChars: 24 });
    expect(feed(stream, "text\n\n```js\naaaa\nbbbb\ncccc")).toEqual(["text"]);
  });

  test("closes and opens a fence it has to cut", () => {
    const stream = new BlockStream({ minChars: 10, maxChars: 20 });
    const given = feed(stream, "```js\naaaa\nbbbb\ncccc\ndddd\n```\nend");
    expect([...given, ...stream.finish()]).toEqual(["```js\naaaa\nbbbb\n```", "```js\ncccc\ndddd\n```", "end"]);
  });

  test("can be used again after its end", () => {
    const stream = new BlockStream();
    stream.add("a");
    expect(stream.finish()).toEqual(["a"]);
    expect(stream.finish()).toEqual([]);
  });
});
