// The unified diff between two texts: what a person looks at to see what a tool has changed.

export interface TextDiff {
  /** Empty when nothing changed. */
  readonly diff: string;
  /** 1-based, counted in the new text. */
  readonly firstChangedLine: number | undefined;
}

interface Edit {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

const CONTEXT_LINES = 3;
/** Texts that differ in more lines than this are shown as one block that replaces another. */
const MAX_DIFFERENCES = 400;
const MAX_DIFF_CHARACTERS = 20_000;

export function diffTexts(path: string, before: string, after: string): TextDiff {
  const old = linesOf(before);
  const young = linesOf(after);
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head++;
  let tail = 0;
  const room = Math.min(old.length, young.length) - head;
  while (tail < room && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++;
  if (head === old.length && head === young.length) return { diff: "", firstChangedLine: undefined };

  const middle = editsBetween(old.slice(head, old.length - tail), young.slice(head, young.length - tail));
  const keptBefore = old.slice(Math.max(0, head - CONTEXT_LINES), head).map(keep);
  const keptAfter = old.slice(old.length - tail, old.length - tail + CONTEXT_LINES).map(keep);
  const hunks = hunksOf([...keptBefore, ...middle, ...keptAfter], head - keptBefore.length);
  return { diff: [`--- a/${path}`, `+++ b/${path}`, ...hunks, ""].join("\n"), firstChangedLine: head + 1 };
}

/** Leaves out the end of a long diff, and says so. */
export function capDiff(diff: string): string {
  if (diff.length <= MAX_DIFF_CHARACTERS) return diff;
  const cut = diff.slice(0, diff.lastIndexOf("\n", MAX_DIFF_CHARACTERS) + 1);
  const left = diff.slice(cut.length).split("\n").length - 1;
  return `${cut}[${left} more lines of this diff are not shown]\n`;
}

/** Lines with their ending; the last one may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function keep(line: string): Edit {
  return { mark: " ", line };
}

/** The shortest way from one list of lines to the other (Myers), or a plain replacement when that is long. */
function editsBetween(old: readonly string[], young: readonly string[]): Edit[] {
  const replaced = (): Edit[] => [
    ...old.map((line): Edit => ({ mark: "-", line })),
    ...young.map((line): Edit => ({ mark: "+", line })),
  ];
  if (old.length === 0 || young.length === 0) return replaced();
  const trace = walkForward(old, young);
  return trace ? walkBack(old, young, trace) : replaced();
}

/** For every number of differences: how far each diagonal came. Undefined when there are too many. */
function walkForward(old: readonly string[], young: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  for (let differences = 0; differences <= MAX_DIFFERENCES; differences++) {
    const last = trace.at(-1);
    const reach = new Int32Array(2 * differences + 1);
    trace.push(reach);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = differences === 0 ? 0 : firstX(last as Int32Array, differences, diagonal);
      while (x < old.length && x - diagonal < young.length && old[x] === young[x - diagonal]) x++;
      reach[diagonal + differences] = x;
      if (x >= old.length && x - diagonal >= young.length) return trace;
    }
  }
  return undefined;
}

/** `last` holds the diagonals -(differences - 1) … differences - 1. */
function firstX(last: Int32Array, differences: number, diagonal: number): number {
  return comesByInsertion(last, differences, diagonal)
    ? (last[diagonal + 1 + differences - 1] as number)
    : (last[diagonal - 1 + differences - 1] as number) + 1;
}

function comesByInsertion(last: Int32Array, differences: number, diagonal: number): boolean {
  if (diagonal === -differences) return true;
  if (diagonal === differences) return false;
  return (last[diagonal - 1 + differences - 1] as number) < (last[diagonal + 1 + differences - 1] as number);
}

function walkBack(old: readonly string[], young: readonly string[], trace: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [old.length, young.length];
  for (let differences = trace.length - 1; differences > 0; differences--) {
    const last = trace[differences - 1] as Int32Array;
    const diagonal = x - y;
    const inserted = comesByInsertion(last, differences, diagonal);
    const begin = firstX(last, differences, diagonal);
    for (; x > begin; x--, y--) edits.push(keep(old[x - 1] as string));
    if (inserted) edits.push({ mark: "+", line: young[--y] as string });
    else edits.push({ mark: "-", line: old[--x] as string });
  }
  for (; x > 0; x--) edits.push(keep(old[x - 1] as string));
  return edits.reverse();
}

/** Groups changes that are near each other; `skipped` lines stand before the first edit. */
function hunksOf(edits: readonly Edit[], skipped: number): string[] {
  const shown = edits.map((_, index) =>
    edits.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ mark }) => mark !== " "),
  );
  const out: string[] = [];
  let [oldLine, newLine] = [skipped, skipped];
  for (let index = 0; index < edits.length;) {
    let end = index;
    while (end < edits.length && shown[end] === shown[index]) end++;
    const group = edits.slice(index, end);
    const removed = group.filter(({ mark }) => mark !== "+").length;
    const added = group.filter(({ mark }) => mark !== "-").length;
    if (shown[index]) out.push(`@@ -${span(oldLine, removed)} +${span(newLine, added)} @@`, ...group.flatMap(printed));
    oldLine += removed;
    newLine += added;
    index = end;
  }
  return out;
}

/** An empty span names the line before it, as `diff -u` does. */
function span(before: number, count: number): string {
  return `${count === 0 ? before : before + 1},${count}`;
}

function printed({ mark, line }: Edit): string[] {
  return line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"];
}
