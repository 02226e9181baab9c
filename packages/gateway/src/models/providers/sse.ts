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
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const end = at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
      this.#line(text, from, end);
      from = at + 1;
    }
    this.#rest = from === 0 ? text : text.slice(from);
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
