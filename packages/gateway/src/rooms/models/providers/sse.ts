// Reads server-sent events: bytes that are torn anywhere go in, the text of each `data:` comes out.

/**
 * One JSON value per line is what chat servers send, some of them without the empty line that should follow. So each
 * line is offered at once; one that is only a part is kept until the lines behind it complete it.
 */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #take: (data: string) => "taken" | "incomplete";
  #rest = "";
  #part = "";
  /** What came outside of any field, as from a server that answers with something else. */
  #stray = "";

  constructor(take: (data: string) => "taken" | "incomplete") {
    this.#take = take;
  }

  push(bytes: Uint8Array): void {
    const come = this.#decoder.decode(bytes, { stream: true });
    const text = this.#rest + come;
    // Only what is new is looked through, and nothing without an end is kept for ever.
    if (!come.includes("\n")) return this.#keep(text);
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const end = at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
      this.#line(text, from, end);
      from = at + 1;
    }
    this.#rest = from === 0 ? text : text.slice(from);
  }

  #keep(text: string): void {
    if (text.length > MAX_LINE) throw new SyntaxError("a line of the stream is too long");
    this.#rest = text;
  }

  /** Takes a last line that has no end of its own, and returns what was no event at all. */
  close(): string {
    if (this.#rest !== "") this.#line(this.#rest, 0, this.#rest.length);
    this.#rest = "";
    return this.#stray;
  }

  #line(text: string, from: number, end: number): void {
    if (from === end) {
      if (this.#part !== "") throw new SyntaxError("an event of the stream is not valid JSON");
      return;
    }
    if (!text.startsWith("data:", from)) return this.#ignore(text, from, end);
    const start = from + (text.charCodeAt(from + 5) === SPACE ? 6 : 5);
    const data = this.#part === "" ? text.slice(start, end) : `${this.#part}\n${text.slice(start, end)}`;
    this.#part = data !== "" && this.#take(data) === "incomplete" ? data : "";
    if (this.#part.length > MAX_PART) throw new SyntaxError("an event of the stream has no end");
  }

  #ignore(text: string, from: number, end: number): void {
    const isField = text.charCodeAt(from) === COLON || /^(event|id|retry)\b/.test(text.slice(from, from + 6));
    if (!isField && this.#stray.length < MAX_STRAY) this.#stray += text.slice(from, Math.min(end, from + MAX_STRAY));
  }
}

const CARRIAGE_RETURN = 13;
const SPACE = 32;
const COLON = 58;
const MAX_STRAY = 4_096;
const MAX_LINE = 16 * 1024 * 1024;
/** Each line that is added is read together with all before it. */
const MAX_PART = 1024 * 1024;
