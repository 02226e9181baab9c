// Puts Slack's marks around words so that Slack sees them: once, on each line, and apart from letters beside them.

/** Characters nobody types stand for the marks until the whole text is known. */
export const MARKS = {
  bold: { open: "\uE000", close: "\uE001", sign: "*" },
  italic: { open: "\uE002", close: "\uE003", sign: "_" },
  strike: { open: "\uE004", close: "\uE005", sign: "~" },
} as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

const INVISIBLE = "\u200B";
const KINDS: readonly Mark[] = Object.values(MARKS);
const OPENING = new Map<string, Mark>(KINDS.map((mark) => [mark.open, mark]));
const CLOSING = new Map<string, Mark>(KINDS.map((mark) => [mark.close, mark]));

export function withoutMarks(text: string): string {
  return text.replace(/[\uE000-\uE005]/g, "");
}

export function placeMarks(text: string): string {
  const writer = new MarkWriter();
  for (const character of text) {
    const opening = OPENING.get(character);
    const closing = CLOSING.get(character);
    if (opening) writer.open(opening);
    else if (closing) writer.close(closing);
    else if (character === "\n") writer.endLine();
    else writer.write(character);
  }
  return writer.finish();
}

class MarkWriter {
  /** What should be on, outermost first; the same mark twice is one mark. */
  readonly #wanted: Mark[] = [];
  /** What is on in the text written so far. */
  #shown: Mark[] = [];
  #text = "";
  #isLineStart = true;
  /** A mark was just closed: a letter right behind it would keep Slack from seeing it. */
  #hasJustClosed = false;

  open(mark: Mark): void {
    this.#wanted.push(mark);
  }

  close(mark: Mark): void {
    const index = this.#wanted.lastIndexOf(mark);
    if (index >= 0) this.#wanted.splice(index, 1);
    if (!this.#wanted.includes(mark)) this.#hide(mark);
  }

  write(character: string): void {
    // Blanks and the signs of a quote stay outside of marks.
    const isLead = character === " " || (this.#isLineStart && character === ">");
    if (isLead) {
      this.#hasJustClosed = false;
      this.#text += character;
      return;
    }
    this.#isLineStart = false;
    this.#show();
    if (this.#hasJustClosed && isWord(character)) this.#text += INVISIBLE;
    this.#hasJustClosed = false;
    this.#text += character;
  }

  endLine(): void {
    this.#hideFrom(0);
    this.#text += "\n";
    this.#isLineStart = true;
    this.#hasJustClosed = false;
  }

  finish(): string {
    this.#hideFrom(0);
    return this.#text;
  }

  #show(): void {
    for (const mark of this.#wanted) {
      if (this.#shown.includes(mark)) continue;
      if (this.#shown.length === 0 && isWord(this.#text.at(-1) ?? "")) this.#text += INVISIBLE;
      if (this.#hasJustClosed) this.#text += INVISIBLE;
      this.#hasJustClosed = false;
      this.#text += mark.sign;
      this.#shown.push(mark);
    }
  }

  #hide(mark: Mark): void {
    const index = this.#shown.indexOf(mark);
    if (index >= 0) this.#hideFrom(index);
  }

  /** Marks are closed in turn, and behind the last word, not behind a blank. */
  #hideFrom(index: number): void {
    if (this.#shown.length <= index) return;
    const words = this.#text.trimEnd();
    const blanks = this.#text.slice(words.length);
    const signs = this.#shown
      .slice(index)
      .map(({ sign }) => sign)
      .reverse()
      .join("");
    this.#shown = this.#shown.slice(0, index);
    this.#text = words + signs + blanks;
    this.#hasJustClosed = blanks === "";
  }
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
