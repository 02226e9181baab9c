// Parts what somebody wrote now from what mail programs add below: the mail that is answered, and a signature.

export interface CutText {
  readonly text: string;
  /** What was cut off. */
  readonly history: string;
}

/** Nothing is cut where somebody wrote between the lines of the other mail, and of a mail that is no answer. */
export function cutHistory(whole: string, isAnswer: boolean): CutText {
  const lines = whole.replaceAll("\r\n", "\n").split("\n");
  const start = isAnswer ? findHistory(lines) : lines.length;
  const { own, signature } = splitSignature(lines.slice(0, start));
  const text = own.join("\n").trim();
  if (text === "") return { text: whole.trim(), history: "" };
  return { text, history: [...signature, ...lines.slice(start)].join("\n").trim() };
}

/** The usual mark is two dashes and a blank, which some programs trim. */
function splitSignature(lines: readonly string[]): { own: readonly string[]; signature: readonly string[] } {
  const at = lines.findLastIndex((line) => line === "-- " || line === "--");
  // What is long was written for this mail.
  const isSignature = at >= 0 && lines.length - at <= 12;
  return isSignature ? { own: lines.slice(0, at), signature: lines.slice(at) } : { own: lines, signature: [] };
}

function findHistory(lines: readonly string[]): number {
  const marked = lines.findIndex((line, index) => beginsHistory(line, lines, index));
  const quoted = findTrailingQuote(lines);
  if (marked >= 0 && (quoted < 0 || marked <= quoted)) {
    return isAnsweredInside(lines, marked) ? lines.length : marked;
  }
  return quoted < 0 ? lines.length : quoted;
}

const LINE_MARKS = [
  /^-{3,}\s{0,3}(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s{0,3}-{3,}$/i,
  /^_{20,}$/,
];
const WROTE =
  /^(?:on|am|le|el|il|op|em|den)\b.{1,300}(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev)\b.{0,120}:$/i;
const OUTLOOK_FROM = /^\*{0,2}(?:from|von|de|da|van):\*{0,2} .{1,300}$/i;
const OUTLOOK_NEXT = /^\*{0,2}(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden):\*{0,2} .{1,200}$/i;

function beginsHistory(line: string, lines: readonly string[], index: number): boolean {
  const text = line.trim();
  if (text.length > 600) return false;
  if (LINE_MARKS.some((mark) => mark.test(text))) return true;
  // "On … wrote:" is often broken into two lines.
  const joined = `${text} ${lines[index + 1]?.trim().slice(0, 200) ?? ""}`.trim();
  if (WROTE.test(text) || (!text.endsWith(":") && WROTE.test(joined))) return true;
  return OUTLOOK_FROM.test(text) && OUTLOOK_NEXT.test(lines[index + 1]?.trim() ?? "");
}

const isQuoted = (line: string): boolean => line.startsWith(">");

/** Where quoted lines begin after which nothing else comes; -1 when there are none. */
function findTrailingQuote(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (last < 0 || !isQuoted(lines[last] ?? "")) return -1;
  const above = lines.findLastIndex((line, index) => index < last && line.trim() !== "" && !isQuoted(line));
  return above + 1;
}

/** With quote marks one sees what is new below the mark; without them everything there is the old mail. */
function isAnsweredInside(lines: readonly string[], mark: number): boolean {
  const below = lines.slice(mark + 1);
  const firstQuoted = below.findIndex(isQuoted);
  if (firstQuoted < 0) return false;
  const { own } = splitSignature(below.slice(firstQuoted));
  return own.some((line) => line.trim() !== "" && !isQuoted(line));
}
