// Takes out of a text what could make it look like something else: line breaks in names, invisible letters.

/** Characters nobody sees: directions, joiners of words, tags. Those that join letters and emoji stay. */
const INVISIBLE =
  /[\u00AD\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** One line of at most `max` characters. Nobody makes us look at a megabyte for a name. */
export function oneLine(text: string, max: number): string {
  return cut(toLine(text.slice(0, max * 4)), max);
}

function toLine(text: string): string {
  const line = withoutInvisible(text.replaceAll(/[\r\n\t\u0085\u2028\u2029]/g, " "));
  return line.replaceAll(/ {2,}/g, " ").trim();
}

function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(CONTROL, "").toWellFormed();
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
