// The sign that somebody writes: shown again and again until the answer is there, or nothing has happened for too long.
import type { LiveLine } from "./live-line.ts";

/** Without any sign of progress. */
const PATIENCE_MS = 120_000;
const DEFAULT_EVERY_MS = 6000;
/** Renewed a little before the platform would take it away. */
const EARLIER = 0.8;

export class LiveTyping {
  readonly #line: LiveLine;
  #until = 0;
  #cancel: (() => void) | undefined;
  #hasBegun = false;
  #isOver = false;

  constructor(line: LiveLine) {
    this.#line = line;
  }

  start(): void {
    this.#hasBegun = true;
    this.touch();
  }

  /** Something happened: the answer is still on its way. */
  touch(): void {
    this.#until = this.#line.parts.clock.steady() + PATIENCE_MS;
    if (this.#hasBegun && !this.#cancel) this.#show();
  }

  /** For good. */
  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #show(): void {
    const { clock } = this.#line.parts;
    this.#cancel = undefined;
    if (this.#isOver || clock.steady() >= this.#until) return;
    // Asked for in turn, and by then perhaps not wanted any more.
    this.#line.ask("show that somebody writes", (connection) =>
      this.#isOver ? undefined : connection.typing?.(this.#line.chat.target),
    );
    this.#cancel = clock.after(this.#everyMs(), () => this.#show());
  }

  #everyMs(): number {
    const lasts = this.#line.traits?.typingMs;
    const wanted = this.#line.settings.typingEveryMs ?? DEFAULT_EVERY_MS;
    return lasts === undefined ? wanted : Math.min(wanted, lasts * EARLIER);
  }
}
