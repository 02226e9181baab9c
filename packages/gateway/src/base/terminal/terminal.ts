// Output of a command: lines on stdout and stderr, colours only for people who look at a terminal. Whatever is written
// is cleaned here, since most of it was written by others.
import type { Style, Terminal } from "@chela/sdk/command-line";
import { cleanForTerminal, cleanJson } from "./clean-text.ts";

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  cyan: [36, 39],
} as const;
const DEFAULT_COLUMNS = 80;

/** What a terminal writes to. */
export interface TerminalPlace {
  readonly hasColor: boolean;
  readonly columns: number;
  readonly isInteractive: boolean;
  out(text: string): void;
  err(text: string): void;
}

export function openTerminal(env: Readonly<Record<string, string | undefined>>, wantsColor: boolean): Terminal {
  const { stdout, stderr } = process;
  const hasColor = wantsColor && stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return createTerminal({
    hasColor,
    get columns() {
      return stdout.columns || DEFAULT_COLUMNS;
    },
    // A standard input that is no terminal is opened by who reads it: that loads streams, promises and readline.
    isInteractive: Boolean(stdout.isTTY && process.stdin.isTTY),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
  });
}

export function createTerminal(place: TerminalPlace): Terminal {
  // Only our own colours are colours: nobody else knows the number in them.
  const mark = place.hasColor ? process.getBuiltinModule("node:crypto").randomInt(1e9, 1e10) : 0;
  const clean = (text: string): string => {
    if (mark === 0) return cleanForTerminal(text);
    const pieces = text.split(new RegExp(`\u001b\\[${mark};(\\d+)m`));
    return pieces.map((piece, at) => (at % 2 === 0 ? cleanForTerminal(piece) : `\u001b[${piece}m`)).join("");
  };
  return {
    style: createStyle(mark),
    get columns() {
      return place.columns;
    },
    isInteractive: place.isInteractive,
    write: (text) => place.out(clean(text)),
    control: (code) => place.out(code),
    print: (text) => place.out(`${clean(text)}\n`),
    printJson: (value) => place.out(`${cleanJson(JSON.stringify(value, null, 2))}\n`),
    note: (text) => place.err(`${clean(text)}\n`),
  };
}

function createStyle(mark: number): Style {
  const paint = (name: keyof typeof CODES) => (text: string) =>
    mark > 0 ? `\u001b[${mark};${CODES[name][0]}m${text}\u001b[${mark};${CODES[name][1]}m` : text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    green: paint("green"),
    yellow: paint("yellow"),
    red: paint("red"),
    cyan: paint("cyan"),
  };
}

/** Waits until everything is with the system, then ends: open sockets are not waited for. */
export function exitWhenWritten(code: number): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}
