// Finds the one place in a text that a passage names, exactly if possible, loosely if that is unmistakable.
import { loosen, type Looseness } from "./loose-text.ts";

export type FoundPassage =
  | { readonly kind: "one"; readonly start: number; readonly end: number; readonly how: "exact" | Looseness }
  | { readonly kind: "several"; readonly lines: readonly number[]; readonly more: boolean }
  /** `line`: where the passage's first line stands, if at one place only. */
  | { readonly kind: "none"; readonly line: number | undefined };

const SHOWN_LINES = 10;
/** Looking twice at a very long text would hold up everybody else. */
const MAX_LOOSE_CHARACTERS = 1_000_000;

export function findPassage(text: string, passage: string): FoundPassage {
  const exact = positionsOf(text, passage);
  if (exact.length === 1) {
    const start = exact[0] as number;
    return { kind: "one", start, end: start + passage.length, how: "exact" };
  }
  if (exact.length > 1) return several(text, exact);
  if (text.length <= MAX_LOOSE_CHARACTERS) {
    const found = findLoosely(text, passage, "endings") ?? findLoosely(text, passage, "typography");
    if (found) return found;
  }
  return { kind: "none", line: lineLike(text, passage) };
}

function findLoosely(text: string, passage: string, how: Looseness): FoundPassage | undefined {
  const sought = loosen(passage, how, "passage").text;
  if (sought.trim() === "") return undefined;
  const loose = loosen(text, how, "whole");
  const positions = positionsOf(loose.text, sought);
  if (positions.length === 0) return undefined;
  const starts = positions.map((position) => loose.starts[position] ?? 0);
  if (starts.length > 1) return several(text, starts);
  const end = loose.ends[(positions[0] as number) + sought.length - 1] ?? text.length;
  return { kind: "one", start: starts[0] as number, end, how };
}

function several(text: string, positions: readonly number[]): FoundPassage {
  const lines = positions.slice(0, SHOWN_LINES).map((position) => lineAt(text, position));
  return { kind: "several", lines, more: positions.length > SHOWN_LINES };
}

/** Every position, overlapping ones too; one more than is ever shown is enough. */
function positionsOf(text: string, sought: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(sought); at >= 0 && positions.length <= SHOWN_LINES; at = text.indexOf(sought, at + 1)) {
    positions.push(at);
  }
  return positions;
}

/** 1-based. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function lineLike(text: string, passage: string): number | undefined {
  const first = passage
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  if (first === undefined) return undefined;
  const positions = positionsOf(text, first);
  return positions.length === 1 ? lineAt(text, positions[0] as number) : undefined;
}
