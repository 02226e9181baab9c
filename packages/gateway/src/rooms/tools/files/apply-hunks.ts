// Applies the changes of a patch to the text of one file. Lines that are only context stay as the file has them.
import { GatewayError } from "@chela/sdk";
import { loosenLine } from "./loose-text.ts";
import type { Hunk } from "./patch-format.ts";
import type { LineEnding } from "./text-content.ts";

interface FileLine {
  readonly text: string;
  readonly ending: "" | LineEnding;
}

const SHOWN_LINES = 12;

/** Changes are applied from top to bottom; each must have exactly one place below the one before. */
export function applyHunks(path: string, text: string, ending: LineEnding, hunks: readonly Hunk[]): string {
  const old = splitLines(text);
  const views = viewsOf(old);
  const out: FileLine[] = [];
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = new HunkPlace(path, index + 1, views, cursor).find(hunk);
    out.push(...old.slice(cursor, at));
    cursor = at;
    for (const { mark, text } of hunk.lines) {
      if (mark === "+") out.push({ text, ending });
      else if (mark === " ") out.push(old[cursor++] as FileLine);
      else cursor++;
    }
  }
  out.push(...old.slice(cursor));
  return joinLines(out, ending, old.at(-1));
}

function splitLines(text: string): FileLine[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line): FileLine => {
    if (line.endsWith("\r\n")) return { text: line.slice(0, -2), ending: "\r\n" };
    return line.endsWith("\n") ? { text: line.slice(0, -1), ending: "\n" } : { text: line, ending: "" };
  });
}

/** Every line is ended; only the old last line may stay without an ending if it still is the last. */
function joinLines(lines: readonly FileLine[], ending: LineEnding, oldLast: FileLine | undefined): string {
  return lines
    .map((line, index) => {
      const mayBeOpen = index === lines.length - 1 && line === oldLast;
      return line.text + (line.ending === "" && !mayBeOpen ? ending : line.ending);
    })
    .join("");
}

/** One way to look at lines: what is equal in it is the same line. */
interface View {
  see(line: string): string;
  lines(): readonly string[];
}

/** Exactly first, then loosely; the loose lines are made once, and only when they are needed. */
function viewsOf(lines: readonly FileLine[]): readonly View[] {
  const exact = lines.map(({ text }) => text);
  let loose: readonly string[] | undefined;
  return [
    { see: (line) => line, lines: () => exact },
    { see: loosenLine, lines: () => (loose ??= exact.map(loosenLine)) },
  ];
}

/** Where one change belongs. */
class HunkPlace {
  readonly #path: string;
  readonly #number: number;
  readonly #views: readonly View[];
  readonly #length: number;
  readonly #from: number;

  constructor(path: string, number: number, views: readonly View[], from: number) {
    this.#path = path;
    this.#number = number;
    this.#views = views;
    this.#length = views[0]?.lines().length ?? 0;
    this.#from = from;
  }

  find(hunk: Hunk): number {
    let from = this.#from;
    for (const header of hunk.headers) from = this.#afterHeader(header, from);
    const sought = hunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
    // Only additions: behind the header, or at the end of the file when there is none.
    if (sought.length === 0) return hunk.headers.length > 0 && !hunk.atEnd ? from : this.#length;
    const positions = this.#positionsOf(sought, from);
    const last = this.#length - sought.length;
    if (hunk.atEnd && positions.includes(last)) return last;
    if (positions.length === 0) throw this.#notFound(sought, from);
    if (positions.length > 1 && hunk.headers.length === 0) throw this.#ambiguous(positions);
    return positions[0] as number;
  }

  #afterHeader(header: string, from: number): number {
    for (const { see, lines } of this.#views) {
      const wanted = see(header).trim();
      const at = lines().findIndex((line, index) => index >= from && line.trim() === wanted);
      if (at >= 0) return at + 1;
    }
    throw this.#failure(`the line after @@ was not found${this.#below(from)}:\n${header}`);
  }

  /** Exact places if there are any, else those that look the same. */
  #positionsOf(sought: readonly string[], from: number): number[] {
    for (const { see, lines } of this.#views) {
      const wanted = sought.map(see);
      const there = lines();
      const positions: number[] = [];
      for (let at = from; at + wanted.length <= there.length; at++) {
        if (wanted.every((line, index) => there[at + index] === line)) positions.push(at);
      }
      if (positions.length > 0) return positions;
    }
    return [];
  }

  #notFound(sought: readonly string[], from: number): GatewayError {
    const above = this.#positionsOf(sought, 0)[0];
    const hint =
      above === undefined ? "" : `\nThey stand at line ${above + 1}; changes must be in the order of the file.`;
    const more = sought.length > SHOWN_LINES ? `\n… ${sought.length - SHOWN_LINES} more` : "";
    const shown = sought.slice(0, SHOWN_LINES).join("\n");
    return this.#failure(`these lines were not found${this.#below(from)}:\n${shown}${more}${hint}`);
  }

  #ambiguous(positions: readonly number[]): GatewayError {
    const lines = positions.slice(0, 10).map((position) => position + 1);
    return this.#failure(
      `its lines stand at several places (lines ${lines.join(", ")}). Add lines around them, or a line "@@ <line above>".`,
    );
  }

  #below(from: number): string {
    return from === 0 ? "" : ` below line ${from}`;
  }

  #failure(why: string): GatewayError {
    return new GatewayError(
      "TOOL_EDIT",
      `The patch does not fit, so nothing was changed. In "${this.#path}", change ${this.#number}: ${why}`,
    );
  }
}
