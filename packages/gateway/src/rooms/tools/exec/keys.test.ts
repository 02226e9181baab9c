import { expect, it } from "vitest";
import { encodeHex, encodeKey } from "./keys.ts";

it.each([
  ["Enter", "\r"],
  ["TAB", "\t"],
  ["S-Tab", "\u001b[Z"],
  ["Escape", "\u001b"],
  ["Space", " "],
  ["Backspace", "\u007f"],
  ["Up", "\u001b[A"],
  ["C-Left", "\u001b[1;5D"],
  ["C-M-S-Right", "\u001b[1;8C"],
  ["Home", "\u001b[H"],
  ["End", "\u001b[F"],
  ["PgUp", "\u001b[5~"],
  ["S-PageDown", "\u001b[6;2~"],
  ["Delete", "\u001b[3~"],
  ["F1", "\u001bOP"],
  ["C-F4", "\u001b[1;5S"],
  ["F5", "\u001b[15~"],
  ["F12", "\u001b[24~"],
  ["C-c", "\u0003"],
  ["c-C", "\u0003"],
  ["C-[", "\u001b"],
  ["C-Space", "\0"],
  ["M-x", "\u001bx"],
  ["M-Enter", "\u001b\r"],
  ["C-M-a", "\u001b\u0001"],
  ["S-a", "A"],
  ["x", "x"],
  ["-", "-"],
  ["ä", "ä"],
])("the key %s is sent as %j", (key, sent) => expect(encodeKey(key)).toBe(sent));

it.each(["", "Enterr", "F13", "C-", "C-ä", "constructor"])("%j is no key", (key) => {
  expect(() => encodeKey(key)).toThrow(/There is no key/);
});

it.each([
  ["1b", [0x1b]],
  ["0x0D", [0x0d]],
  ["1b5b 41", [0x1b, 0x5b, 0x41]],
])("the bytes %s are read as hexadecimal", (written, bytes) => expect([...encodeHex(written)]).toEqual(bytes));
