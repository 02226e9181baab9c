// What of a text reaches a terminal.
import { describe, expect, it } from "vitest";
import { cleanForTerminal, cleanJson } from "./clean-text.ts";
import { formatTable } from "./layout.ts";
import { createTerminal } from "./terminal.ts";

describe("a text for the terminal", () => {
  it.each([
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["\u001b[31mred\u001b[0m\u0007", "[31mred[0m"],
    ["a\u009b31mb\u007f", "a31mb"],
    ["ad\u200bm\u200din\u202egpj.\u2066", "admingpj."],
    ["a\rb\u2028c\u3164", "abc"],
    ["👩‍👩‍👧 👍🏽 ❤️‍🔥", "👩‍👩‍👧 👍🏽 ❤️‍🔥"],
    ["می‌خواهم क्‍ष", "می‌خواهم क्‍ष"],
    ["half \ud800", "half \ufffd"],
  ])("%j is shown as %j", (text, shown) => expect(cleanForTerminal(text)).toBe(shown));

  it("keeps its meaning as JSON", () => {
    const value = { name: "\u001b[2J\u009b5m\u202e\u200b👩‍👩‍👧\u{e0041}", "k\u202e": "\n" };
    const text = cleanJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[[\p{Cc}\p{Cf}]--[\n]]/v);
  });

  it("has our colours and nobody else's", () => {
    let out = "";
    const take = (text: string): void => void (out += text);
    const place = { hasColor: true, columns: 80, isInteractive: true, out: take, err: take };
    const { style, print, note, write, control } = createTerminal(place);
    print(style.red("ours \u001b[32mtheirs\u001b[1;32m"));
    expect(out).toBe("\u001b[31mours [32mtheirs[1;32m\u001b[39m\n");
    out = "";
    note("\u001b]0;title\u0007");
    write("\r\u001b[K");
    control("\r\u001b[K");
    expect(out).toBe("]0;title\n[K\r\u001b[K");
  });

  it("begins no row of its own in a table", () => {
    expect(formatTable([["a\nfake  row", "b"]])).toEqual(["a fake  row  b"]);
  });
});
