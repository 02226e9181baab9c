// Reads the text of a patch: which files are added, deleted, changed, and how.
import { GatewayError } from "@chela/sdk";

export type PatchOperation =
  | { readonly kind: "add"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  /** Lines that stand somewhere before the change, outermost first. */
  readonly headers: readonly string[];
  readonly lines: readonly HunkLine[];
  /** The change is at the end of the file. */
  readonly atEnd: boolean;
}

interface HunkLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const FILE_HEADER = /^\*\*\* (Add|Update|Delete) File:\s*(\S.*?)\s*$/;
const MOVE_HEADER = /^\*\*\* Move to:\s*(\S.*?)\s*$/;
/** `@@ -1,3 +1,4 @@ something`, as git writes it: the numbers help nobody who has not counted. */
const NUMBERED = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const MAX_INPUT_CHARACTERS = 2_000_000;

export function parsePatch(input: string): PatchOperation[] {
  if (input.length > MAX_INPUT_CHARACTERS) throw malformed("it is too long; use several smaller ones");
  const lines = new PatchLines(input);
  const operations: PatchOperation[] = [];
  for (let line = lines.current; line !== END; line = lines.current) {
    if (line.trim() === "") lines.advance();
    else operations.push(parseOperation(lines));
  }
  if (operations.length === 0) throw malformed("it changes nothing");
  return operations;
}

function malformed(why: string): GatewayError {
  return new GatewayError(
    "TOOL_EDIT",
    `The patch cannot be read, so nothing was changed: ${why}. It begins with "${BEGIN}", has sections "*** Add File: path", ` +
      `"*** Update File: path" or "*** Delete File: path", and ends with "${END}".`,
  );
}

/** The lines between Begin and End, with a cursor. Wrappings such as a here-document are left out. */
class PatchLines {
  readonly #lines: readonly string[];
  readonly #offset: number;
  #at = 0;

  constructor(input: string) {
    const all = input.split(/\r?\n/);
    const begin = all.findIndex((line) => line.trim() === BEGIN);
    if (begin < 0) throw malformed(`"${BEGIN}" is missing`);
    const end = all.findIndex((line, index) => index > begin && line.trimEnd() === END);
    if (end < 0) throw malformed(`"${END}" is missing, perhaps because the text was cut off`);
    if (all.slice(end + 1).some((line) => line.trim() === BEGIN)) throw malformed("there are two patches in one text");
    this.#lines = all.slice(begin + 1, end);
    this.#offset = begin + 2;
  }

  /** The End line when there are no more. */
  get current(): string {
    return this.#lines[this.#at] ?? END;
  }

  advance(): void {
    this.#at++;
  }

  get startsSection(): boolean {
    return this.#at >= this.#lines.length || FILE_HEADER.test(this.current);
  }

  wrong(expected: string): GatewayError {
    return malformed(`line ${this.#at + this.#offset} is "${this.current.slice(0, 80)}", but ${expected}`);
  }
}

function parseOperation(lines: PatchLines): PatchOperation {
  const [, verb, path] = FILE_HEADER.exec(lines.current) ?? [];
  if (verb === undefined || path === undefined) throw lines.wrong("a section must begin here");
  lines.advance();
  if (verb === "Delete") return { kind: "delete", path };
  return verb === "Add" ? { kind: "add", path, lines: parseAddedLines(lines) } : parseUpdate(lines, path);
}

function parseAddedLines(lines: PatchLines): string[] {
  const added: string[] = [];
  let blanks = 0;
  for (; !lines.startsSection; lines.advance()) {
    const line = lines.current;
    if (line === "") {
      blanks++;
      continue;
    }
    if (!line.startsWith("+")) throw lines.wrong("every line of a new file begins with +");
    // Empty lines without a + count when more follows.
    for (; blanks > 0; blanks--) added.push("");
    added.push(line.slice(1));
  }
  return added;
}

function parseUpdate(lines: PatchLines, path: string): PatchOperation {
  const moveTo = MOVE_HEADER.exec(lines.current)?.[1];
  if (moveTo !== undefined) lines.advance();
  const hunks: Hunk[] = [];
  while (!lines.startsSection) {
    const hunk = parseHunk(lines);
    if (hunk.lines.length > 0) hunks.push(hunk);
  }
  if (hunks.length === 0 && moveTo === undefined) throw malformed(`the section for "${path}" has no changes`);
  return { kind: "update", path, moveTo, hunks };
}

function parseHunk(lines: PatchLines): Hunk {
  const headers: string[] = [];
  for (; lines.current.startsWith("@@"); lines.advance()) {
    const header = NUMBERED.test(lines.current) ? "" : lines.current.slice(2).trim();
    if (header !== "") headers.push(header);
  }
  const found: (HunkLine & { isBare?: true })[] = [];
  for (; !lines.startsSection && !lines.current.startsWith("@@"); lines.advance()) {
    if (lines.current.trimEnd() === END_OF_FILE) {
      lines.advance();
      return { headers, lines: withoutBareEnd(found), atEnd: true };
    }
    found.push(parseHunkLine(lines));
  }
  return { headers, lines: withoutBareEnd(found), atEnd: false };
}

function parseHunkLine(lines: PatchLines): HunkLine & { isBare?: true } {
  const line = lines.current;
  if (line === "") return { mark: " ", text: "", isBare: true };
  const mark = line[0];
  if (mark === " " || mark === "-" || mark === "+") return { mark, text: line.slice(1) };
  throw lines.wrong("lines of a change begin with a space, + or -");
}

/** Empty lines at the end of a change divide it from the next one; they do not belong to the file. */
function withoutBareEnd(found: readonly (HunkLine & { isBare?: true })[]): HunkLine[] {
  const end = found.findLastIndex((line) => !line.isBare) + 1;
  return found.slice(0, end).map(({ mark, text }) => ({ mark, text }));
}
