// Turns the names of keys into what a terminal sends for them.
import { GatewayError } from "@chela/sdk";

const ESCAPE = "\u001b";
const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  return: "\r",
  tab: "\t",
  btab: `${ESCAPE}[Z`,
  escape: ESCAPE,
  esc: ESCAPE,
  space: " ",
  backspace: "\u007f",
  bspace: "\u007f",
};
/** Keys that end in a letter: `ESC [ letter`. */
const BY_LETTER: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D", end: "F", home: "H" };
/** Keys that have a number: `ESC [ number ~`. */
const BY_NUMBER: Readonly<Record<string, number>> = {
  insert: 2,
  ic: 2,
  delete: 3,
  del: 3,
  dc: 3,
  pageup: 5,
  pgup: 5,
  ppage: 5,
  pagedown: 6,
  pgdn: 6,
  npage: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const FIRST_FUNCTIONS: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };
const MODIFIERS: Readonly<Record<string, number>> = { s: 1, m: 2, c: 4 };

/** `Enter`, `Up`, `C-c`, `M-x`, `S-Tab`, `C-M-Left`, or one character. */
export function encodeKey(written: string): string {
  const { key, modifiers } = splitModifiers(written);
  const name = key.toLowerCase();
  const code =
    encodeSpecial(name, modifiers) ?? encodePlain(name === "tab" && modifiers & 1 ? "btab" : name, key, modifiers);
  if (code !== undefined) return code;
  throw new GatewayError(
    "PROCESS_REQUEST",
    `There is no key ${JSON.stringify(written)}. Keys are Enter, Tab, Escape, Space, Backspace, Delete, Insert, Up, Down, ` +
      "Left, Right, Home, End, PgUp, PgDn, F1 to F12 and single characters, with C-, M- or S- before them. " +
      "Use literal for text.",
  );
}

/** Bytes written in hexadecimal, as in `1b`, `0x0d` or `1b5b41`. */
export function encodeHex(written: string): Buffer {
  const digits = written.replace(/^0x/i, "").replaceAll(" ", "");
  if (/^([0-9a-f]{2})+$/i.test(digits)) return Buffer.from(digits, "hex");
  throw new GatewayError(
    "PROCESS_REQUEST",
    `${JSON.stringify(written)} is not hexadecimal; write bytes such as "1b" or "0d".`,
  );
}

/** Tells the program that the text is pasted, not typed. The text cannot end the paste by itself. */
export function encodePaste(text: string): string {
  return `${ESCAPE}[200~${text.replaceAll(`${ESCAPE}[201~`, "")}${ESCAPE}[201~`;
}

function splitModifiers(written: string): { key: string; modifiers: number } {
  let key = written;
  let modifiers = 0;
  for (let match = /^([CMS])-(.+)$/is.exec(key); match; match = /^([CMS])-(.+)$/is.exec(key)) {
    modifiers |= MODIFIERS[(match[1] ?? "").toLowerCase()] ?? 0;
    key = match[2] ?? "";
  }
  return { key, modifiers };
}

/** Keys beyond the letters carry their modifiers as a number. */
function encodeSpecial(name: string, modifiers: number): string | undefined {
  const letter = own(BY_LETTER, name);
  if (letter) return modifiers ? `${ESCAPE}[1;${modifiers + 1}${letter}` : `${ESCAPE}[${letter}`;
  const first = own(FIRST_FUNCTIONS, name);
  if (first) return modifiers ? `${ESCAPE}[1;${modifiers + 1}${first}` : `${ESCAPE}O${first}`;
  const number = own(BY_NUMBER, name);
  if (number === undefined) return undefined;
  return modifiers ? `${ESCAPE}[${number};${modifiers + 1}~` : `${ESCAPE}[${number}~`;
}

/** Shift makes a capital, Control makes a control character, Meta puts Escape before it. */
function encodePlain(name: string, key: string, modifiers: number): string | undefined {
  const typed = own(NAMED, name) ?? ([...key].length === 1 ? key : undefined);
  if (typed === undefined) return undefined;
  const shifted = modifiers & 1 && typed.length === 1 ? typed.toUpperCase() : typed;
  const code = modifiers & 4 ? controlOf(shifted) : shifted;
  return code === undefined ? undefined : (modifiers & 2 ? ESCAPE : "") + code;
}

function controlOf(typed: string): string | undefined {
  if (typed === " ") return "\0";
  if (typed === "?") return "\u007f";
  const code = typed.toUpperCase().charCodeAt(0);
  return typed.length === 1 && code >= 64 && code < 96 ? String.fromCharCode(code - 64) : undefined;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
