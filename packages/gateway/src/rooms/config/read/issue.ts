// Issues of a config, as values: a place, a sentence, and where in the file it is.
import type { Path } from "../edit/path.ts";

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

const MOST_NAMED = 4;

/** What is said of keys that have no effect, wherever it is said. Undefined when there are none. */
export function unusedSentence(paths: readonly string[], most = MOST_NAMED): string | undefined {
  const [first] = paths;
  if (first === undefined) return undefined;
  if (paths.length === 1) return `${first} has no effect in this version.`;
  const more = paths.length > most ? ` and ${paths.length - most} more` : "";
  return `${paths.length} settings have no effect in this version: ${paths.slice(0, most).join(", ")}${more}.`;
}
