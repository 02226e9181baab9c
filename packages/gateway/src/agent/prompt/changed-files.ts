// The line that tells a model that files of its workspace are not any more what its prompt says.

const FIRST = "[Workspace files changed since you saw them: ";
const LAST = ". Read them again before you rely on them.]";

/** To stand before the message, on a line of its own; "" when nothing changed. */
export function changedFilesNote(names: readonly string[]): string {
  return names.length > 0 ? `${FIRST}${names.join(", ")}${LAST}` : "";
}

/** The text without the note at its beginning. */
export function withoutChangedFilesNote(text: string): string {
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  return line.startsWith(FIRST) && line.endsWith(LAST) ? text.slice(line.length).replace(/^\n+/, "") : text;
}
