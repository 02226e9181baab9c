// Text of a model that is meant for people. Everything that is shown, streamed or sent goes through here: thinking in
// tags, "say nothing" tokens, directives to the gateway and echoed time stamps stay behind.
import { withoutTimePrefix } from "./time-prefix.ts";

export interface VisibleReply {
  readonly text: string;
  /** What the model told the gateway in the text, such as reply_to_current. */
  readonly directives: readonly string[];
  /** Files or addresses the model wants to send along. Nothing may be read because of them alone. */
  readonly media: readonly string[];
}

/** The whole answer of an agent that has nothing to say. */
const SILENT = "NO_REPLY";
/** Others that only the gateway understands: nothing to report, and the ends of a talk between agents. */
const TOKENS = [SILENT, "HEARTBEAT_OK", "REPLY_SKIP", "ANNOUNCE_SKIP"];
/** What a token may begin with: its letters, or simple markup around it. */
const TOKEN_STARTS = "NHRA*_~";
const MARKS = "[*`_~]*";
/** Room for a token with marks around it. */
const LONGEST_END = 64;
/** Punctuation belongs to the token only when nothing else follows. */
const LEADING_TOKEN = new RegExp(`^${MARKS}(?:${TOKENS.join("|")})${MARKS}(?![A-Za-z0-9_])(?:[.!]{1,3}\\s*$)?`);

const OPEN_TAG = /^<(think|thinking|thought|antthinking)>/i;
const CLOSE_TAG = /<\/(think|thinking|thought|antthinking)>/i;
const FINAL_TAG = /^<\/?final>/i;
const TAG_STARTS = ["<thinking>", "<thought>", "<antthinking>", "</thinking>", "</thought>", "<final>", "</final>"];
const DIRECTIVE = /^\[\[\s*(reply_to_current|reply_to\s*:[^\]]*|audio_as_voice|tts(?::[^\]]*)?|\/tts:text)\s*\]\]/i;
const LONGEST_DIRECTIVE = 300;
const LONGEST_TIME_PREFIX = 48;
/** What is longer is no token and names no file, whatever it begins with: text that never ends is not held back for ever. */
const LONGEST_TOKEN = 1_000;
const LONGEST_MEDIA_LINE = 4_096;
const LONGEST_CLOSE_TAG = "</antthinking>".length;
const MEDIA_LINE = /^[ \t]*MEDIA:[ \t]*(.*)$/;

/** Reads a model's text as it comes; gives back what may be shown, and never takes it back. */
export class VisibleText {
  #waiting = "";
  #isThinking = false;
  #isCode = false;
  #atLineStart = true;
  #shown = "";
  /** What became visible by the piece that came last: taking it from the end of all would copy all for each piece. */
  #fresh = "";
  readonly #directives: string[] = [];
  readonly #media: string[] = [];

  /** Takes more text; returns what became visible by it. */
  add(delta: string): string {
    this.#waiting += delta;
    return this.#advance(false);
  }

  /** No more text comes: what was held back is decided. */
  finish(): VisibleReply {
    this.#advance(true);
    return { text: withoutTokens(this.#shown).trim(), directives: this.#directives, media: this.#media };
  }

  /** No more text comes: what of it becomes visible only now. */
  rest(): string {
    const told = this.#shown.trimStart();
    const { text } = this.finish();
    return text.startsWith(told) ? text.slice(told.length) : "";
  }

  #advance(isEnd: boolean): string {
    this.#fresh = "";
    while (this.#waiting.length > 0 && this.#step(isEnd));
    return this.#fresh;
  }

  /** Decides over the beginning of what waits; false when more text is needed. */
  #step(isEnd: boolean): boolean {
    if (this.#isThinking) return this.#skipThinking(isEnd);
    if (this.#shown === "" && !this.#isCode && this.#mayBeHidden(isEnd)) return false;
    const next = this.#waiting.search(this.#atLineStart ? /[<[`*_~NHRA \tM\n]/ : /[<[`*_~NHRA\n]/);
    if (next !== 0) return this.#show(next < 0 ? this.#waiting.length : next);
    const first = this.#waiting[0];
    if (first === "`" && !isEnd && !this.#isCode && !this.#waiting.startsWith("```") && this.#mayBeToken())
      return false;
    if (first === "`") return this.#takeFence(isEnd);
    if (this.#isCode) return this.#show(1);
    if (first === "<") return this.#takeTag(isEnd);
    if (first === "[") return this.#takeDirective(isEnd);
    if (this.#atLineStart && first !== "\n" && this.#mayBeMedia()) return this.#takeMedia(isEnd);
    if (first && TOKEN_STARTS.includes(first) && !isEnd && this.#mayBeToken()) return false;
    return this.#show(1);
  }

  /** The beginning of an answer may be a token or a time stamp the model copied. */
  #mayBeHidden(isEnd: boolean): boolean {
    const start = this.#waiting.trimStart();
    if (start.startsWith("[") && !start.startsWith("[[")) {
      if (!/\][^]/.test(start) && start.length < LONGEST_TIME_PREFIX && !isEnd) return true;
      this.#waiting = withoutTimePrefix(start);
      return this.#waiting === "";
    }
    if (!isEnd && start !== "" && mayBecomeToken(start)) return true;
    if (LEADING_TOKEN.test(start)) this.#waiting = start.replace(LEADING_TOKEN, "").trimStart();
    return this.#waiting === "";
  }

  #skipThinking(isEnd: boolean): boolean {
    const close = CLOSE_TAG.exec(this.#waiting);
    if (close) {
      this.#waiting = this.#waiting.slice(close.index + close[0].length);
      this.#isThinking = false;
      return true;
    }
    // Only the beginning of a closing tag is waited with.
    this.#waiting = isEnd ? "" : this.#waiting.slice(1 - LONGEST_CLOSE_TAG);
    return false;
  }

  #takeTag(isEnd: boolean): boolean {
    const open = OPEN_TAG.exec(this.#waiting);
    const hidden =
      open ?? FINAL_TAG.exec(this.#waiting) ?? /^<\/(think|thinking|thought|antthinking)>/i.exec(this.#waiting);
    if (hidden) {
      this.#isThinking = open !== null;
      this.#waiting = this.#waiting.slice(hidden[0].length);
      return true;
    }
    const lower = this.#waiting.toLowerCase();
    if (!isEnd && [...TAG_STARTS, "<think>", "</think>", "</antthinking>"].some((tag) => tag.startsWith(lower)))
      return false;
    return this.#show(1);
  }

  #takeDirective(isEnd: boolean): boolean {
    const found = DIRECTIVE.exec(this.#waiting);
    if (found) {
      this.#directives.push((found[1] ?? "").trim());
      this.#waiting = this.#waiting.slice(found[0].length);
      return true;
    }
    const isOpen = this.#waiting === "[" || (this.#waiting.startsWith("[[") && !this.#waiting.includes("]]"));
    if (!isEnd && isOpen && this.#waiting.length < LONGEST_DIRECTIVE) return false;
    return this.#show(1);
  }

  #mayBeMedia(): boolean {
    const line = this.#waiting.trimStart();
    return line.startsWith("MEDIA:") || (line.length < 6 && "MEDIA:".startsWith(line));
  }

  #takeMedia(isEnd: boolean): boolean {
    const end = this.#waiting.indexOf("\n");
    const line = end < 0 ? this.#waiting : this.#waiting.slice(0, end);
    if (line.length > LONGEST_MEDIA_LINE) return this.#show(1);
    if (end < 0 && !isEnd) return false;
    const found = MEDIA_LINE.exec(line);
    if (!found) return this.#show(1);
    this.#media.push(...mediaIn(found[1] ?? ""));
    this.#waiting = end < 0 ? "" : this.#waiting.slice(end + 1);
    return true;
  }

  /** Code is shown as it is: what looks like a directive in it is somebody's example. */
  #takeFence(isEnd: boolean): boolean {
    if (this.#waiting.length < 3 && !isEnd && /^`+$/.test(this.#waiting)) return false;
    if (!this.#waiting.startsWith("```")) return this.#show(1);
    this.#isCode = !this.#isCode;
    return this.#show(3);
  }

  /** A token at the end of an answer is cut there, so it must not be shown before we know. */
  #mayBeToken(): boolean {
    return mayBecomeToken(this.#waiting);
  }

  #show(count: number): true {
    const text = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#shown += text;
    this.#fresh += text;
    this.#atLineStart = text.endsWith("\n") || (this.#atLineStart && text.trim() === "");
    return true;
  }
}

/** The visible part of a complete text. */
export function visibleText(text: string): VisibleReply {
  const visible = new VisibleText();
  visible.add(text);
  return visible.finish();
}

/** Whether the text is the beginning of a token, or a whole one that nothing but markup follows. */
function mayBecomeToken(text: string): boolean {
  if (text.length > LONGEST_TOKEN) return false;
  const bare = text.replace(/^[*`_~]+/, "");
  return TOKENS.some(
    (token) =>
      token.startsWith(bare) || (bare.startsWith(token) && /^[*`_~]*[.!]{0,3}\s*$/.test(bare.slice(token.length))),
  );
}

/** Tokens that mean "nothing" count at the end as well, also in simple markup. */
function withoutTokens(text: string): string {
  let bare = text.trim();
  // Most texts end with none of them; looking for their last letters is quick.
  if (!TOKENS.some((token) => bare.slice(-LONGEST_END).includes(token))) return bare;
  for (const token of TOKENS) {
    bare = bare.replace(new RegExp(`(^|[^A-Za-z0-9_])${MARKS}${token}${MARKS}[.!]{0,3}$`), "$1").trim();
  }
  return bare;
}

function mediaIn(written: string): string[] {
  return [...written.matchAll(/"([^"]+)"|'([^']+)'|`([^`]+)`|(\S+)/g)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").replace(/^file:\/\//, ""),
  );
}
