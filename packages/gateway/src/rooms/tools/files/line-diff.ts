// Unified diff between two texts: what a person looks at to see what a tool has changed.
import { structuredPatch, type StructuredPatchHunk } from "diff";

export interface TextDiff {
  /** Empty when nothing changed. */
  readonly diff: string;
  /** 1-based, counted in the new text. */
  readonly firstChangedLine: number | undefined;
}

const CONTEXT_LINES = 3;
/** Texts that differ in more lines than this are shown as one block that replaces another. */
const MAX_DIFFERENCES = 400;
const MAX_DIFF_CHARACTERS = 20_000;
const NO_NEWLINE = "\\ No newline at end of file";

export function diffTexts(path: string, before: string, after: string): TextDiff {
  if (before === after) return { diff: "", firstChangedLine: undefined };
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_DIFFERENCES };
  const hunks = structuredPatch("", "", before, after, "", "", options)?.hunks ?? [replaced(before, after)];
  const lines = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]);
  return {
    diff: [`--- a/${path}`, `+++ b/${path}`, ...lines, ""].join("\n"),
    firstChangedLine: sharedLines(linesOf(before), linesOf(after)) + 1,
  };
}

/** Leaves out the end of a long diff, and says so. */
export function capDiff(diff: string): string {
  if (diff.length <= MAX_DIFF_CHARACTERS) return diff;
  const cut = diff.slice(0, diff.lastIndexOf("\n", MAX_DIFF_CHARACTERS) + 1);
  const left = diff.slice(cut.length).split("\n").length - 1;
  return `${cut}[${left} more lines of this diff are not shown]\n`;
}

function headOf({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

/** How many lines both begin with. */
function sharedLines(old: readonly string[], young: readonly string[]): number {
  const first = old.findIndex((line, at) => line !== young[at]);
  return first < 0 ? old.length : first;
}

/** Everything between what both begin and end with. */
function replaced(before: string, after: string): StructuredPatchHunk {
  const [old, young] = [linesOf(before), linesOf(after)];
  const room = Math.min(old.length, young.length);
  const head = sharedLines(old, young);
  let tail = 0;
  while (tail < room - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT_LINES);
  const behind = Math.min(tail, CONTEXT_LINES);
  const [removed, added] = [old.slice(head, old.length - tail), young.slice(head, young.length - tail)];
  const lines = [
    ...old.slice(from, head).flatMap((line) => printed(" ", line)),
    ...removed.flatMap((line) => printed("-", line)),
    ...added.flatMap((line) => printed("+", line)),
    ...old.slice(old.length - tail, old.length - tail + behind).flatMap((line) => printed(" ", line)),
  ];
  const around = head - from + behind;
  const oldLines = around + removed.length;
  const newLines = around + added.length;
  const startOf = (count: number): number => (count === 0 ? from : from + 1);
  return { oldStart: startOf(oldLines), oldLines, newStart: startOf(newLines), newLines, lines };
}

/** Lines with their ending; the last one may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function printed(mark: string, line: string): string[] {
  return line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, NO_NEWLINE];
}
