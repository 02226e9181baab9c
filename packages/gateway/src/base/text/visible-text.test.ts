import { describe, expect, it } from "vitest";
import { visibleText, VisibleText } from "./visible-text.ts";

const CASES: ReadonlyArray<readonly [raw: string, shown: string]> = [
  ["hello", "hello"],
  ["NO_REPLY", ""],
  ["  NO_REPLY\n", ""],
  ["**NO_REPLY**", ""],
  ["HEARTBEAT_OK", ""],
  ["`HEARTBEAT_OK`", ""],
  ["All done. NO_REPLY", "All done."],
  ["All done.\nHEARTBEAT_OK", "All done."],
  ["NO_REPLY is the token to use", "is the token to use"],
  ["NOT now", "NOT now"],
  ["Hello NO_ONE", "Hello NO_ONE"],
  ["<think>secret plan</think>The answer", "The answer"],
  ["<thinking>a</thinking>b<thought>c</thought>d", "bd"],
  ["<antThinking>x</antThinking>\n\nHi", "Hi"],
  ["<think>never closed", ""],
  ["stray</think> end", "stray end"],
  ["<final>The answer</final>", "The answer"],
  ["1 < 2 and <b>bold</b>", "1 < 2 and <b>bold</b>"],
  ["[[reply_to_current]] Sure", "Sure"],
  ["Sure [[ reply_to: 12345 ]]", "Sure"],
  ["[[audio_as_voice]]\nhi", "hi"],
  ["[[wiki]] link", "[[wiki]] link"],
  ["a [link](x) b", "a [link](x) b"],
  ["[Thu 2026-01-15 12:00 UTC] Good day", "Good day"],
  ["[1] is the first", "[1] is the first"],
  ["Here:\nMEDIA:/tmp/a.png\nbye", "Here:\nbye"],
  ['  MEDIA: "a b.png" c.png', ""],
  ["see MEDIA: types", "see MEDIA: types"],
  [
    "```\nMEDIA:x\n<think>y</think>\n[[reply_to_current]]\n```",
    "```\nMEDIA:x\n<think>y</think>\n[[reply_to_current]]\n```",
  ],
  ["`NO_REPLY` means silence", "means silence"],
  ["日本語のテキスト", "日本語のテキスト"],
  ["", ""],
];

describe("what people see of a model's text", () => {
  it.each(CASES)("%j → %j", (raw, shown) => expect(visibleText(raw).text).toBe(shown));

  it("is the same, whatever pieces the text comes in, and is never taken back", () => {
    for (const [raw, shown] of CASES) {
      for (const size of [1, 2, 3, 7]) {
        const visible = new VisibleText();
        let streamed = "";
        for (let at = 0; at < raw.length; at += size) streamed += visible.add(raw.slice(at, at + size));
        expect(visible.finish().text).toBe(shown);
        expect(shown.startsWith(streamed.trim()) || streamed.trim() === "" || streamed.includes(shown), raw).toBe(true);
      }
    }
  });

  // Looking through all that came for each piece that comes would take longer than a test may.
  it.each([
    ["that is shown", "word ", (shown: string, all: string) => shown === all],
    ["in a thought that has no end", "<think>", (shown: string) => shown === ""],
    ["of marks", "*", (shown: string, all: string) => shown === all],
    ["behind a line of files", "MEDIA: ", (shown: string, all: string) => shown === all],
  ] as const)("takes a long text %s in small pieces", (_, start, isRight) => {
    const visible = new VisibleText();
    const pieces = [start, ...Array.from({ length: 250_000 }, () => (start === "*" ? "********" : "a word, "))];
    let shown = "";
    for (const piece of pieces) shown += visible.add(piece);
    shown += visible.rest();
    expect(isRight(shown, pieces.join("")) || isRight(shown.trim(), pieces.join("").trim())).toBe(true);
  });

  it.each(["NO_REPLY", "HEARTBEAT_OK", "<think>secret</think>", "[[reply_to_current]]", "[Thu 2026-01-15 12:00 UTC] "])(
    "streams nothing of %j",
    (raw) => {
      const visible = new VisibleText();
      expect(
        [...raw]
          .map((letter) => visible.add(letter))
          .join("")
          .trim(),
      ).toBe("");
    },
  );

  it("hands on what was meant for the gateway", () => {
    const reply = visibleText("[[reply_to: 77]] Look\nMEDIA:./a.png file:///b.png\n[[audio_as_voice]]");
    expect(reply).toEqual({
      text: "Look",
      directives: ["reply_to: 77", "audio_as_voice"],
      media: ["./a.png", "/b.png"],
    });
  });

  it("passes ordinary text on at once", () => {
    const visible = new VisibleText();
    expect(["Good", " morn", "ing, ", "Ann!"].map((piece) => visible.add(piece))).toEqual([
      "Good",
      " morn",
      "ing, ",
      "Ann!",
    ]);
  });
});
