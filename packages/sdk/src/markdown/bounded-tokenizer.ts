// Reads Markdown with marked, but never deeper and never longer than a message deserves: whoever writes to us chooses the input.
import { Lexer, Tokenizer, type Token, type Tokens } from "marked";

/** Quotes in quotes in lists: what is nested deeper stays text. */
const MAX_BLOCK_DEPTH = 12;
const MAX_INLINE_DEPTH = 12;

/** How many characters may still be looked at. What people and models write needs about a hundredth of it. */
export interface WorkBudget {
  left: number;
}

export function workBudgetFor(source: string): WorkBudget {
  return { left: 100_000_000 + source.length * 200 };
}

class TooMuchWork extends Error {}

/** Looking for the end of something that was opened costs, at worst, the rest of the text; all of that is counted. */
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
    return this.#deeperBlock(src, () => super.list(src));
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

  override lheading(src: string): Tokens.Heading | undefined {
    this.#count(src);
    return super.lheading(src);
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#deeperInline(src, () => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    return this.#deeperInline(src, () => super.del(src, maskedSrc, prevChar));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#deeperInline(src, () => super.link(src));
  }

  override inlineText(src: string): Tokens.Text | undefined {
    this.#count(src);
    return super.inlineText(src);
  }

  #deeperBlock<T>(src: string, read: () => T): T | undefined {
    this.#count(src);
    if (this.#blockDepth >= MAX_BLOCK_DEPTH) return undefined;
    this.#blockDepth++;
    try {
      return read();
    } finally {
      this.#blockDepth--;
    }
  }

  #deeperInline<T>(src: string, read: () => T): T | undefined {
    this.#count(src);
    if (this.#inlineDepth >= MAX_INLINE_DEPTH) return undefined;
    this.#inlineDepth++;
    try {
      return read();
    } finally {
      this.#inlineDepth--;
    }
  }

  #count(src: string): void {
    this.#budget.left -= src.length;
    if (this.#budget.left < 0) throw new TooMuchWork();
  }
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
