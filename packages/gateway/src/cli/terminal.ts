// Where a command's words go: lines on stdout and stderr, colours only for people who look at a terminal.

export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
  readonly cyan: (text: string) => string;
}

export interface Terminal {
  readonly style: Style;
  readonly columns: number;
  /** A person is at both ends. */
  readonly isInteractive: boolean;
  write(text: string): void;
  print(text: string): void;
  printJson(value: unknown): void;
  /** To stderr: notes and failures, so that stdout stays clean for programs. */
  note(text: string): void;
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  cyan: [36, 39],
} as const;
const DEFAULT_COLUMNS = 80;

export function openTerminal(env: Readonly<Record<string, string | undefined>>, wantsColor: boolean): Terminal {
  const { stdout, stderr, stdin } = process;
  const hasColor = wantsColor && stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    style: createStyle(hasColor),
    get columns() {
      return stdout.columns || DEFAULT_COLUMNS;
    },
    isInteractive: Boolean(stdout.isTTY && stdin.isTTY),
    write: (text) => void stdout.write(text),
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void stderr.write(`${text}\n`),
  };
}

function createStyle(hasColor: boolean): Style {
  const paint = (name: keyof typeof CODES) => (text: string) =>
    hasColor ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text;
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
