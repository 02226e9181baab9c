// Tells whether HEARTBEAT.md asks for anything: where it does not, nobody needs to ask a model.

/** Of a line without blanks around it. */
const NOTHING = /^(?:#+(?:\s.*)?|[-*+]?\s*(?:\[[ xX]?\])?)$/;

/** Headings, comments, blank lines and checkboxes without a text are no work. */
export function isEmptyHeartbeat(text: string): boolean {
  return text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, "")
    .split(/\r?\n/)
    .every((line) => NOTHING.test(line.trim()));
}
