// Reads Markdown with marked, but never deeper and never longer than a message deserves: whoever writes to us chooses the input.
import { Lexer, Tokenizer, type Token, type Tokens } from "marked";

/** Quotes in quotes in lists: what is nested deeper stays text. */
const MAX_BLOCK_DEPTH = 12;
const MAX_INLINE_DEPTH = 12;

/** A quote or an entry of a list; all else is no work for those who read these. */
const BLOCK_OPENS = /^ {0,3}(?:>|(?:[*+-]|\d{1,9}[.)])(?:\s|$))/;

/** How many characters may still be looked at. */
export interface WorkBudget {
  left: number;
}

/** Looking through stars and lines for the one that closes costs more than looking through letters. */
const MARKS_WEIGH = 3;

/** At worst a tenth of a second or two. What people and models write in paragraphs needs a tenth of it. */
export function workBudgetFor(source: string): WorkBudget {
  return { left: 15_000_000 + source.length * 10 };
}

/** `\(…\)`, as models write it, within one paragraph and not endless. `\[…\]` is also how brackets are written that are none of a link. */
const FORMULA = /^\\\((?:(?!\n\s*\n)[^]){1,2000}?\\\)/;

class TooMuchWork extends Error {}

/**
 * Looking for the end of something that was opened costs its length, and where it is never closed the rest of the text.
 * Letters cost the rest of the text too: what may follow them is looked for at each place.
 */
class BoundedTokenizer extends Tokenizer {
  #blockDepth = 0;
  #inlineDepth = 0;
  readonly #budget: WorkBudget;

  constructor(budget: WorkBudget) {
    super();
    this.#budget = budget;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#deeperBlock(src, () => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#deeperBlock(src, () => {
      if (this.#blockDepth > 1) return super.list(src);
      // Each entry with a box is looked for among all that was read; how many there are is known before, so that is asked first.
      if (boxWork(src) > this.#budget.left) throw new TooMuchWork();
      const list = super.list(src);
      if (list) this.#count(boxWork(list.raw));
      return list;
    });
  }

  /** A definition would change the meaning of other paragraphs, which may be sent in another message. */
  override def(): undefined {
    return undefined;
  }

  override reflink(): undefined {
    return undefined;
  }

  /** Without definitions nothing refers to one, and looking for it is what costs most. */
  skipReferences(): void {
    this.rules = { ...this.rules, inline: { ...this.rules.inline, reflinkSearch: /(?!)/g } };
  }

  /** HTML is text, so what stands between its tags is Markdown like any other. */
  override html(): undefined {
    return undefined;
  }

  override tag(src: string): Tokens.Tag | undefined {
    const tag = super.tag(src);
    this.lexer.state.inRawBlock = false;
    this.lexer.state.inLink = false;
    return tag;
  }

  /** A formula stays as it was written: its backslashes are no marks of Markdown, and who copies it needs them. */
  override escape(src: string): Tokens.Escape | undefined {
    const formula = FORMULA.exec(src)?.[0];
    if (formula === undefined) return super.escape(src);
    this.#count(formula.length);
    return { type: "escape", raw: formula, text: formula };
  }

  override lheading(src: string): Tokens.Heading | undefined {
    // The line below it is looked for up to the next blank one.
    const blank = src.search(/\n[ \t]*\n/);
    this.#count(blank < 0 ? src.length : blank);
    return super.lheading(src);
  }

  override emStrong(src: string, maskedSrc: string, prevChar = ""): Tokens.Em | Tokens.Strong | undefined {
    return this.#deeperInline(src, this.#opensStress(src, prevChar), () => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    return this.#deeperInline(src, src.startsWith("~"), () => super.del(src, maskedSrc, prevChar));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#deeperInline(src, /^!?\[/.test(src), () => super.link(src));
  }

  override inlineText(src: string): Tokens.Text | undefined {
    this.#count(src.length);
    return super.inlineText(src);
  }

  /** A star before a blank and a line inside a word open nothing, and nobody looks for their end. */
  #opensStress(src: string, prevChar: string): boolean {
    const [mark = "", next = " "] = src;
    if (mark === "_" && /[\p{L}\p{N}]/u.test(prevChar)) return false;
    return (mark === "*" || mark === "_") && next.trim() !== "";
  }

  #deeperBlock<T>(src: string, read: () => T): T | undefined {
    if (!BLOCK_OPENS.test(src)) return undefined;
    this.#count(src.length);
    if (this.#blockDepth >= MAX_BLOCK_DEPTH) return undefined;
    this.#blockDepth++;
    try {
      return read();
    } finally {
      this.#blockDepth--;
    }
  }

  #deeperInline<T extends Token>(src: string, opens: boolean, read: () => T | undefined): T | undefined {
    if (this.#inlineDepth >= MAX_INLINE_DEPTH) return undefined;
    this.#inlineDepth++;
    try {
      const found = read();
      if (opens) this.#count(MARKS_WEIGH * (found ?? { raw: src }).raw.length);
      return found;
    } finally {
      this.#inlineDepth--;
    }
  }

  #count(characters: number): void {
    this.#budget.left -= characters;
    if (this.#budget.left < 0) throw new TooMuchWork();
  }
}

function boxWork(text: string): number {
  const boxes = text.match(/^[ \t]*(?:[*+-]|\d{1,9}[.)])[ \t]+\[[ xX]\]/gm)?.length ?? 0;
  return boxes === 0 ? 0 : boxes * text.split("\n").length;
}

/** Nothing where reading would take too long, or where marked gives up. */
export function readTokens(source: string, budget: WorkBudget): Token[] | undefined {
  if (budget.left < 0) return undefined;
  try {
    const tokenizer = new BoundedTokenizer(budget);
    const lexer = new Lexer({ gfm: true, tokenizer });
    tokenizer.skipReferences();
    return lexer.lex(source);
  } catch {
    // The text is shown as it is: whatever the reason, a message must not be lost because of its mark-up.
    return undefined;
  }
}
