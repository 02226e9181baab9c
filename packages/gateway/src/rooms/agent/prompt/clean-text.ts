// Takes out of a text what could make it look like something else: line breaks in names, invisible letters, our own marks.

/** Characters nobody sees: directions, joiners of words, tags. Those that join letters and emoji stay. */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
const OUTSIDE_MARK =
  /[<〈‹«《⟨⟪]{2,}\s*(END[_\s-]*)?EXTERNAL[_\s-]*UNTRUSTED[_\s-]*CONTENT[^>〉›»》⟩⟫\n]{0,100}[>〉›»》⟩⟫]{0,3}/gi;

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  return cut(toLine(ahead(text, max)), max);
}

/** One line chosen by a stranger. */
export function untrustedLine(text: string, max: number): string {
  return cut(withoutMarks(toLine(ahead(text, max))), max);
}

/** Lines chosen by a stranger. */
export function untrustedText(text: string, max: number): string {
  const lines = withoutInvisible(ahead(text, max).replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n"));
  return cut(withoutMarks(lines.trim()), max);
}

/** Nobody makes us look at a megabyte for a name. */
function ahead(text: string, max: number): string {
  return text.slice(0, max * 4);
}

function toLine(text: string): string {
  const line = withoutInvisible(text.replaceAll(/[\r\n\t\u0085\u2028\u2029]/g, " "));
  return line.replaceAll(/ {2,}/g, " ").trim();
}

/** Marks that delimit foreign text, code fences and the control words of chat templates lose their meaning. */
function withoutMarks(text: string): string {
  return replaceOutsideMarks(text).replaceAll(/`{3,}/g, "'''").replaceAll("<|", "< |").replaceAll("|>", "| >");
}

function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(CONTROL, "").toWellFormed();
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function replaceOutsideMarks(text: string): string {
  let result = "";
  let done = 0;
  for (const mark of foldWidth(text).matchAll(OUTSIDE_MARK)) {
    result += text.slice(done, mark.index) + (mark[1] ? "[[END_MARKER_SANITIZED]]" : "[[MARKER_SANITIZED]]");
    done = mark.index + mark[0].length;
  }
  return result + text.slice(done);
}

/** Full-width letters become plain ones; every character stays at its place. */
function foldWidth(text: string): string {
  return text.replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}
