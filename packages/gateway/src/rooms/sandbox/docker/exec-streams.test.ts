// The engine's stream, cut at every place, and the note that tells a command's end.
import { describe, expect, it } from "vitest";
import { readFrames } from "./exec-frames.ts";
import { readMarkedText } from "./marked-text.ts";

const MARK = "0123456789abcdef0123456789abcdef";
const NOTE = `\0${MARK} 7\0`;

function frame(kind: number, text: string): Buffer {
  const head = Buffer.alloc(8);
  head[0] = kind;
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

describe("frames", () => {
  it("are told apart, wherever the stream is cut", () => {
    const whole = Buffer.concat([frame(1, "out"), frame(2, "err"), frame(1, ""), frame(1, "more")]);
    for (let size = 1; size <= whole.length; size += 1) {
      const seen = { out: "", err: "" };
      const take = readFrames((kind, piece) => (seen[kind] += piece.toString()));
      for (let at = 0; at < whole.length; at += size) take(whole.subarray(at, at + size));
      expect(seen).toEqual({ out: "outmore", err: "err" });
    }
  });

  it.for([[[9, 0, 0, 0, 0, 0, 0, 1]], [[1, 1, 0, 0, 0, 0, 0, 1]], [[72, 84, 84, 80, 47, 49, 46, 49]]])(
    "that cannot be any end the stream: %j",
    ([bytes = []]) => {
      expect(() => readFrames(() => {})(Buffer.from(bytes))).toThrow(TypeError);
    },
  );
});

describe("the text of a command", () => {
  it.for([
    ["a note at the end", `text${NOTE}`, "text", [7]],
    ["text after a note", `text${NOTE}late`, "textlate", [7]],
    ["NULs of its own", `\0a\0${MARK}\0${NOTE}`, `\0a\0${MARK}\0`, [7]],
    ["what only begins like a note", `\0${MARK} x\0${NOTE}`, `\0${MARK} x\0`, [7]],
    ["a code that is too long", `\0${MARK} 1234\0${NOTE}`, `\0${MARK} 1234\0`, [7]],
    ["characters of several bytes", `ä€😀${NOTE}`, "ä€😀", [7]],
    ["no note", `\0${MARK} 1`, `\0${MARK} 1`, []],
  ] as const)("is whole with %s, wherever it is cut", ([, written, text, codes]) => {
    const whole = Buffer.from(written);
    for (let size = 1; size <= whole.length; size += 1) {
      const seen = { text: "", codes: [] as number[] };
      const reader = readMarkedText(MARK, {
        onText: (piece) => (seen.text += piece),
        onEnded: (code) => seen.codes.push(code),
      });
      for (let at = 0; at < whole.length; at += size) reader.take(whole.subarray(at, at + size));
      reader.end();
      expect(seen).toEqual({ text, codes });
    }
  });
});
