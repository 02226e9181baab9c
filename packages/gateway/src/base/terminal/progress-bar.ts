// One line that tells how far something is, drawn over itself. Only for people at a terminal; programs see nothing of it.
import type { Terminal } from "@chela/sdk/command-line";

const BAR_CELLS = 20;
const START_OF_LINE = "\r\u001b[K";

export class ProgressBar {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  #line = "";

  constructor(terminal: Terminal, isWanted = true) {
    this.#terminal = terminal;
    this.#isShown = isWanted && terminal.isInteractive;
  }

  show(what: string, done: number, of: number): void {
    const line = progressLine(what, { done, of, columns: this.#terminal.columns });
    if (!this.#isShown || line === this.#line) return;
    this.#line = line;
    this.#terminal.control(START_OF_LINE);
    this.#terminal.write(line);
  }

  /** Before anything else is written. */
  clear(): void {
    if (this.#line === "") return;
    this.#line = "";
    this.#terminal.control(START_OF_LINE);
  }
}

/** Never as long as the terminal is wide: a line that wraps cannot be drawn over. */
export function progressLine(what: string, how: { done: number; of: number; columns: number }): string {
  const { done, of, columns } = how;
  const share = of > 0 ? Math.min(1, done / of) : 1;
  const words = `${what}: ${Math.floor(share * 100)} % (${Math.min(done, of)} of ${of})`;
  const cells = Math.min(BAR_CELLS, columns - words.length - 4);
  if (cells < 5) return words.slice(0, columns - 1);
  const full = Math.round(share * cells);
  return `${words} [${"#".repeat(full)}${"-".repeat(cells - full)}]`;
}
