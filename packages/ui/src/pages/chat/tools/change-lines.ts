// Changed lines of a tool call: read from a unified diff, or from the patch the tool was asked to apply.

export type ChangeLine =
  | { readonly kind: "file"; readonly text: string }
  | { readonly kind: "gap"; readonly text: string }
  /** `number` is counted in the old text for what is gone, in the new one otherwise; a patch has no numbers. */
  | { readonly kind: "gone" | "new" | "same"; readonly text: string; readonly number?: number };

export interface ChangeCount {
  readonly added: number;
  readonly removed: number;
}

export function readDiff(diff: string): ChangeLine[] {
  const lines: ChangeLine[] = [];
  let before = 0;
  let after = 0;
  let left = { before: 0, after: 0 };
  for (const line of linesOf(diff)) {
    const isInside = left.before > 0 || left.after > 0;
    const hunk = isInside ? null : /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[3])];
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
      if (lines.at(-1) && lines.at(-1)?.kind !== "file") lines.push({ kind: "gap", text: "" });
    } else if (!isInside) {
      const other = outside(line);
      if (other) lines.push(other);
    } else if (line.startsWith("-")) {
      lines.push({ kind: "gone", text: line.slice(1), number: before++ });
      left.before -= 1;
    } else if (line.startsWith("+")) {
      lines.push({ kind: "new", text: line.slice(1), number: after++ });
      left.after -= 1;
    } else if (line.startsWith("[")) {
      // The end of a long diff is left out.
      lines.push({ kind: "gap", text: line.replace(/^\[|\]$/g, "") });
    } else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text: line.slice(1), number: after++ });
      before += 1;
      left.before -= 1;
      left.after -= 1;
    }
  }
  return withoutLoneFile(lines);
}

/** Between two hunks: a file's name, or a word that something was left out. */
function outside(line: string): ChangeLine | undefined {
  if (line.startsWith("+++ ")) return { kind: "file", text: line.slice(4).replace(/^b\//, "") };
  return line.startsWith("[") ? { kind: "gap", text: line.replace(/^\[|\]$/g, "") } : undefined;
}

/** The format of `apply_patch`. */
export function readPatch(patch: string): ChangeLine[] {
  const lines: ChangeLine[] = [];
  for (const line of linesOf(patch)) {
    const [, path] = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    if (path !== undefined) lines.push({ kind: "file", text: path.trim() });
    else if (line.startsWith("*** Move to: ")) lines.push({ kind: "gap", text: `→ ${line.slice(13).trim()}` });
    else if (line.startsWith("@@")) lines.push({ kind: "gap", text: line.slice(2).trim() });
    else if (line.startsWith("-")) lines.push({ kind: "gone", text: line.slice(1) });
    else if (line.startsWith("+")) lines.push({ kind: "new", text: line.slice(1) });
    else if (line.startsWith(" ")) lines.push({ kind: "same", text: line.slice(1) });
  }
  return withoutLoneFile(lines);
}

export function countChanges(lines: readonly ChangeLine[]): ChangeCount {
  const of = (kind: ChangeLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { added: of("new"), removed: of("gone") };
}

/** The one file of a change stands in the line above already. */
function withoutLoneFile(lines: readonly ChangeLine[]): ChangeLine[] {
  const files = lines.filter(({ kind }) => kind === "file").length;
  return lines.filter(({ kind }) => files > 1 || kind !== "file");
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
