// Cuts a text into the word pieces of BERT models, as those were trained with: small letters, no accents, longest piece first.

export const CLASS_PIECE = 101;
export const END_PIECE = 102;
export const UNKNOWN_PIECE = 100;

/** Longer words are unknown, whatever they are made of. */
const LONGEST_WORD = 100;
const CONTROL = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ACCENT = /\p{Mn}/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** Ideographs are words of one character, and so is punctuation; all other words are what stands between spaces. */
const IDEOGRAPH =
  "\\u4e00-\\u9fff\\u3400-\\u4dbf\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2b73f}\\u{2b740}-\\u{2b81f}\\u{2b820}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}";
const PUNCTUATION = "\\p{P}!-\\/:-@\\[-`{-~";
const WORD = new RegExp(`[${IDEOGRAPH}${PUNCTUATION}]|[^\\s${IDEOGRAPH}${PUNCTUATION}]+`, "gu");

export class WordPieces {
  /** Pieces a word begins with, and those it goes on with. */
  readonly #first = new Map<string, number>();
  readonly #next = new Map<string, number>();
  #longest = 1;

  /** One token on each line. */
  constructor(vocabulary: string) {
    vocabulary
      .trimEnd()
      .split("\n")
      .forEach((token, id) => {
        const goesOn = token.startsWith("##") && token.length > 2;
        const piece = goesOn ? token.slice(2) : token;
        (goesOn ? this.#next : this.#first).set(piece, id);
        if (!token.startsWith("[")) this.#longest = Math.max(this.#longest, piece.length);
      });
  }

  /** Ids of the pieces, without those that begin and end a text. Nothing in a text is read as one of the special ones. */
  cut(text: string): number[] {
    const ids: number[] = [];
    for (const [word] of fold(text).matchAll(WORD)) this.#cutWord(word, ids);
    return ids;
  }

  /** A word that cannot be cut to its end is unknown as a whole. */
  #cutWord(word: string, ids: number[]): void {
    const known = ids.length;
    let at = 0;
    if (word.length <= LONGEST_WORD || [...word].length <= LONGEST_WORD) {
      while (at < word.length) {
        const pieces = at === 0 ? this.#first : this.#next;
        let end = Math.min(word.length, at + this.#longest);
        let id = pieces.get(word.slice(at, end));
        while (id === undefined && end > at + 1) id = pieces.get(word.slice(at, --end));
        if (id === undefined) break;
        ids.push(id);
        at = end;
      }
    }
    if (at === word.length) return;
    ids.length = known;
    ids.push(UNKNOWN_PIECE);
  }
}

function fold(text: string): string {
  const clean = text.replace(CONTROL, "");
  if (!NOT_ASCII.test(clean)) return clean.toLowerCase();
  return clean.toLowerCase().normalize("NFD").replace(ACCENT, "");
}
