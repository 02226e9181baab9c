// Takes what a person wrote out of what a model was given: without the time, news and marked data before it.
import { withoutTimePrefix } from "./time-prefix.ts";

/** Titles of the blocks of data about a message, ours and those in transcripts of other versions. */
const BLOCK_TITLES: ReadonlySet<string> = new Set([
  "Conversation info (untrusted metadata):",
  "Sender (untrusted metadata):",
  "Thread starter (untrusted, for context):",
  "Replied message (untrusted, for context):",
  "Forwarded message context (untrusted metadata):",
  "Chat history since last reply (untrusted, for context):",
]);
const BLOCK = /^([^\n]{1,80})\n```json\n[^]*?\n```(?:\n+|$)/;

const FILES_FIRST = "[Workspace files changed since you saw them: ";
const FILES_LAST = ". Read them again before you rely on them.]";
const SYSTEM_LINE = /^System: \[[^\]\n]{1,40}\] [^\n]*(?:\n+|$)/;

/** The last line of what a model is told about files that came with a message. */
export const HOW_TO_SEND_FILES =
  "To send a file back, call attach with its path, then write the MEDIA: line it gives you on a line of its own.";

/** Tells a model that files of its workspace are not any more what its prompt says; "" when nothing changed. */
export function changedFilesNote(names: readonly string[]): string {
  return names.length > 0 ? `${FILES_FIRST}${names.join(", ")}${FILES_LAST}` : "";
}

/** Tells a model what happened while nobody was talking; one line each. */
export function systemLine(text: string, at: number): string {
  const stamp = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return `System: [${stamp}] ${text.replace(/\s*\n\s*/g, " ")}`;
}

/** For displays and for comparing. Only the first block of each kind is the gateway's; a second one was typed by somebody. */
export function asWritten(text: string): string {
  const seen = new Set<string>();
  let rest = withoutNews(text);
  for (;;) {
    rest = withoutTimePrefix(rest);
    const [whole = "", title = ""] = BLOCK.exec(rest) ?? [];
    if (!BLOCK_TITLES.has(title) || seen.has(title)) return withoutFiles(rest);
    seen.add(title);
    rest = rest.slice(whole.length);
  }
}

function withoutNews(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const isNote = line.startsWith(FILES_FIRST) && line.endsWith(FILES_LAST);
  let rest = isNote ? text.slice(line.length).replace(/^\n+/, "") : text;
  for (let system = SYSTEM_LINE.exec(rest); system; system = SYSTEM_LINE.exec(rest))
    rest = rest.slice(system[0].length);
  return rest;
}

/** Those who show a message show its files themselves; what could not be fetched, and what was spoken, stays. */
function withoutFiles(text: string): string {
  const end = text.startsWith("[media attached") ? text.indexOf(HOW_TO_SEND_FILES) : -1;
  if (end < 0) return text;
  const lines = text.slice(0, end).split("\n");
  const isOurs = lines.pop() === "" && lines.every((line) => line.startsWith("[media") && line.endsWith("]"));
  const rest = text.slice(end + HOW_TO_SEND_FILES.length);
  return isOurs && /^(?:\n|$)/.test(rest) ? rest.replace(/^\n/, "") : text;
}
