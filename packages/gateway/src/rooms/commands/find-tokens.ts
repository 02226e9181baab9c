// Finds what looks like `/command` in a message, and takes commands out of it. Code, quotes and paths are left alone.

export interface Token {
  readonly name: string;
  /** Behind the "@", when the command is addressed to somebody. */
  readonly addressee: string | undefined;
  /** Where the token begins, and where what stands behind it begins. */
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A slash behind a blank, a name, and then a blank, a colon or the end: neither a path nor a fraction nor a URL. */
const TOKEN = /(?<!\S)\/([a-z][a-z0-9._-]{0,63})(?:@([a-z0-9_.-]{1,64}))?(?=$|[\s:])/gi;
/** Where people show words instead of using them: code, and lines quoted from another message. */
const SHOWN = /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]+`|^[ \t]*>.*$/gm;
const HTTP_METHOD = /(?:^|\s)(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]+$/;
const LONGEST_METHOD = 16;

export function findTokens(text: string): Token[] {
  if (!text.includes("/")) return [];
  // Hidden at their full length, so that places in the text stay what they are.
  const visible = text.replace(SHOWN, (shown) => "x".repeat(shown.length));
  const tokens: Token[] = [];
  for (const match of visible.matchAll(TOKEN)) {
    const { index } = match;
    if (HTTP_METHOD.test(text.slice(Math.max(0, index - LONGEST_METHOD), index))) continue;
    const nameEnd = index + match[0].length;
    tokens.push({
      name: (match[1] ?? "").toLowerCase(),
      addressee: match[2],
      start: index,
      end: text[nameEnd] === ":" ? nameEnd + 1 : nameEnd,
    });
  }
  return tokens;
}

/** The text without these parts, which come in order; blanks and lines that only they filled go with them. */
export function cutSpans(text: string, spans: readonly Span[]): string {
  return spans.reduceRight((left, { start, end }) => join(left.slice(0, start), left.slice(end)), text).trim();
}

function join(before: string, after: string): string {
  const left = before.slice(0, blanksBefore(before));
  const right = after.replace(/^[ \t]+/, "");
  if (left === "" || left.endsWith("\n")) return left + right.replace(/^\r?\n/, "");
  return /^(?:$|[\r\n.,;!?])/.test(right) ? left + right : `${left} ${right}`;
}

function blanksBefore(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}
