// The lines that are kept in memory, and those of them that pass the filter.
import { readLine, type Level, type LogLine } from "./log-line.ts";

export interface LogFilter {
  readonly levels: ReadonlySet<Level>;
  readonly text: string;
  /** Only lines of this part; empty for all. */
  readonly of: string;
}

/** Beyond this the oldest are forgotten, some at a time. */
const MOST_LINES = 20_000;
const FORGET_LINES = 2_000;

export class LogBook {
  #lines: LogLine[] = [];
  #shown: LogLine[] = [];
  #filter: LogFilter;
  #count = 0;
  readonly #parts = new Set<string>();

  constructor(filter: LogFilter) {
    this.#filter = filter;
  }

  get shown(): readonly LogLine[] {
    return this.#shown;
  }

  get size(): number {
    return this.#lines.length;
  }

  /** Who has written so far, in order of the alphabet. */
  get parts(): readonly string[] {
    return [...this.#parts].toSorted();
  }

  /** How many of the new lines are shown. */
  add(raw: readonly string[]): number {
    const fresh = raw.map((text) => readLine(++this.#count, text));
    for (const { of } of fresh) if (of) this.#parts.add(of);
    this.#lines.push(...fresh);
    const passing = fresh.filter((line) => passes(line, this.#filter));
    this.#shown.push(...passing);
    if (this.#lines.length > MOST_LINES) this.#forget();
    return passing.length;
  }

  /** What was there before and what is there now, after the connection was lost: only what is new is added. */
  catchUp(raw: readonly string[]): number {
    const last = this.#lines.at(-1)?.raw;
    const known = last === undefined ? -1 : raw.lastIndexOf(last);
    return this.add(raw.slice(known + 1));
  }

  setFilter(filter: LogFilter): void {
    this.#filter = filter;
    this.#shown = this.#lines.filter((line) => passes(line, filter));
  }

  clear(): void {
    this.#lines = [];
    this.#shown = [];
  }

  #forget(): void {
    this.#lines.splice(0, Math.max(FORGET_LINES, this.#lines.length - MOST_LINES));
    const oldest = this.#lines[0]?.id ?? 0;
    this.#shown = this.#shown.filter(({ id }) => id >= oldest);
  }
}

function passes(line: LogLine, { levels, text, of }: LogFilter): boolean {
  if (!levels.has(line.level)) return false;
  if (of !== "" && line.of !== of && line.rest["channel"] !== of) return false;
  return text === "" || line.raw.toLowerCase().includes(text.toLowerCase());
}
