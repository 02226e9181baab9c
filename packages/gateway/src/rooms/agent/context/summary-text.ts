// The text that stands in the transcript for what was summarised: what it replaces, the summary, failures and files.
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { firstChars } from "./cut-text.ts";
import type { ContextEntry, PlannedCompaction } from "./plan-compaction.ts";
import type { CompactionDetails } from "./touched-files.ts";

const MAX_FAILURES = 8;
const MAX_FAILURE_CHARS = 240;

const HEADER = /^Summary of (\d+) earlier messages? \(entr(?:y|ies) (\S+?)(?: … \S+)?\)\. .*\n*/;
const FILE_LISTS = /\n*<(read-files|modified-files)>\n[^<]*<\/\1>/g;

/** The earlier summary as its model wrote it: what we added is added anew. */
export function writtenPart(summary: string): string {
  return summary.replace(HEADER, "").replace(FILE_LISTS, "").trim();
}

export function composeSummary(plan: PlannedCompaction, written: string, details: CompactionDetails): string {
  return [
    headerOf(plan),
    written,
    ...failuresOf(plan.replaced),
    ...fileList("read-files", details.readFiles),
    ...fileList("modified-files", details.modifiedFiles),
  ].join("\n\n");
}

/** Covers what the earlier summary stood for as well, so that the originals are always found. */
function headerOf({ replaced, previous }: PlannedCompaction): string {
  const [, earlierCount = "0", earlierFirst] = HEADER.exec(previous?.summary ?? "") ?? [];
  const count = Number(earlierCount) + replaced.length;
  const first = earlierFirst ?? replaced[0]?.id ?? "";
  const last = replaced.at(-1)?.id ?? "";
  const range = count === 1 ? `entry ${first}` : `entries ${first} … ${last}`;
  const messages = count === 1 ? "message" : "messages";
  return `Summary of ${count} earlier ${messages} (${range}). The originals can be read with sessions_history (entryId).`;
}

function failuresOf(replaced: readonly ContextEntry[]): string[] {
  const failures = replaced
    .map(({ message }) => message)
    .filter((message) => message.role === "toolResult" && message.isError) as ToolResultMessage[];
  if (failures.length === 0) return [];
  const newest = failures.slice(-MAX_FAILURES);
  const left = failures.length - newest.length;
  return [
    [
      "## Tool failures",
      ...newest.map((failure) => `- ${failure.toolName}: ${oneLine(textOf(failure)) || "(no message)"}`),
      ...(left > 0 ? [`- and ${left} earlier`] : []),
    ].join("\n"),
  ];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_FAILURE_CHARS ? `${firstChars(line, MAX_FAILURE_CHARS - 1)}…` : line;
}

function fileList(tag: string, files: readonly string[]): string[] {
  return files.length === 0 ? [] : [`<${tag}>\n${files.join("\n")}\n</${tag}>`];
}
