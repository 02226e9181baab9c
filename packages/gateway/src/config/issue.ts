// What can be wrong with a config, as values: a place, a sentence, and where in the file it is.
import type { Path } from "./path.ts";

export interface ConfigIssue {
  /** Dotted path; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** An issue before its place in the text is known. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** One line for a log or a terminal. */
export function issueSentence(issue: ConfigIssue): string {
  const where = issue.line === undefined ? "" : `line ${issue.line}: `;
  return `${where}${issue.path ? `${issue.path}: ` : ""}${issue.message}`;
}
