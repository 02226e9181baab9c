// A program in a terminal of its own: keys go in, and what is on the screen can be waited for.
import { stripVTControlCharacters } from "node:util";
import { spawn, type IPty } from "@lydell/node-pty";

export const COLUMNS = 60;

export class TerminalProgram {
  readonly #terminal: IPty;
  readonly #ended: Promise<number>;
  readonly #watchers = new Set<() => void>();
  #written = "";
  #hasEnded = false;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#terminal = spawn(process.execPath, [...args], { name: "xterm", cols: COLUMNS, rows: 40, env: { ...env } });
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#ended = promise;
    this.#terminal.onData((text) => {
      this.#written += text;
      this.#look();
    });
    this.#terminal.onExit(({ exitCode }) => {
      this.#hasEnded = true;
      resolve(exitCode);
      this.#look();
    });
  }

  /** Everything that was ever on the screen, without colours and movements. */
  get text(): string {
    return stripVTControlCharacters(this.#written).replaceAll("\r", "");
  }

  press(keys: string): void {
    this.#terminal.write(keys);
  }

  /** Resolves when the text matches; fails with all of it when the program ends before. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const match = pattern.exec(this.text);
      if (match) resolve(match);
      else if (this.#hasEnded) reject(new Error(`ended before ${pattern}:\n${this.text}`));
    };
    this.#watchers.add(look);
    look();
    return promise.finally(() => this.#watchers.delete(look));
  }

  finished(): Promise<number> {
    return this.#ended;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.#hasEnded) this.#terminal.kill(signal);
    await this.#ended;
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}
