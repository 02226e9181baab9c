// Estimates how many tokens a text has, in one walk over its characters and without a tokenizer.

/** Tokens per character, by script. Tokenizers know Latin words best and spell out what they rarely saw. */
const ACCENTED = 0.5;
const ALPHABET = 0.4;
const SYLLABLE = 0.75;
const IDEOGRAPH = 0.85;
const OTHER = 0.6;
/** Each half of a pair: an emoji takes two or three tokens. */
const SURROGATE_HALF = 1.2;
const PUNCTUATION = 0.65;

/** A single space belongs to the word behind it; indentation is put together. */
const SINGLE_SPACE = 0.05;
const LINE_BREAK = 0.6;
const SPACES_PER_TOKEN = 8;

/** Words up to this length are mostly one token; longer ones consist of several. */
const PLAIN_WORD = 6;
const LONG_WORD_PER_TOKEN = 3.5;
const DIGITS_PER_TOKEN = 2.5;

/** Unbroken runs of this length that mix cases and digits are encoded bytes, in which there are no words to know. */
const ENCODED_RUN = 64;
const ENCODED = 0.65;

export function estimateText(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      const end = endOfSpaces(text, at);
      tokens += tokensOfSpaces(code, end - at);
      at = end;
    } else if (isEncoding(code)) {
      const end = endOfRun(text, at);
      tokens += tokensOfRun(text, at, end);
      at = end;
    } else {
      tokens += code < 128 ? PUNCTUATION : tokensOfCharacter(code);
      at++;
    }
  }
  return tokens;
}

const SPACE = 1;
const SIGN = 2;
const DIGIT = 3;
const UPPER = 4;
const LOWER = 5;

/** The kind of each ASCII character: one look instead of many comparisons, because megabytes pass here. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[+/=]/.test(character)) return SIGN;
  if (/\d/.test(character)) return DIGIT;
  if (/[A-Z]/.test(character)) return UPPER;
  return /[a-z]/.test(character) ? LOWER : 0;
});

const kindOf = (code: number): number => KINDS[code] ?? 0;
const isSpace = (code: number): boolean => kindOf(code) === SPACE;
const isDigit = (code: number): boolean => kindOf(code) === DIGIT;
const isUpper = (code: number): boolean => kindOf(code) === UPPER;
const isLower = (code: number): boolean => kindOf(code) === LOWER;
/** The alphabet of base64. */
const isEncoding = (code: number): boolean => kindOf(code) >= SIGN;

function endOfSpaces(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function endOfRun(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isEncoding(text.charCodeAt(at))) at++;
  return at;
}

function tokensOfSpaces(first: number, length: number): number {
  if (length > 1) return Math.max(1, length / SPACES_PER_TOKEN);
  return first === 32 ? SINGLE_SPACE : LINE_BREAK;
}

function tokensOfRun(text: string, start: number, end: number): number {
  let tokens = 0;
  let uppers = 0;
  let digits = 0;
  for (let at = start; at < end;) {
    const from = at;
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      while (at < end && isDigit(text.charCodeAt(at))) at++;
      digits += at - from;
      tokens += (at - from) / DIGITS_PER_TOKEN;
    } else if (isUpper(code) || isLower(code)) {
      // `HelloWorld` is two words; `Hello` and `HTTP` are one.
      while (at < end && isUpper(text.charCodeAt(at))) at++;
      uppers += at - from;
      while (at < end && isLower(text.charCodeAt(at))) at++;
      tokens += tokensOfWord(at - from);
    } else {
      tokens += PUNCTUATION;
      at++;
    }
  }
  const length = end - start;
  return length >= ENCODED_RUN && digits > 0 && uppers > length / 8 ? length * ENCODED : tokens;
}

function tokensOfWord(length: number): number {
  return length <= PLAIN_WORD ? 1 : 1 + (length - PLAIN_WORD) / LONG_WORD_PER_TOKEN;
}

function tokensOfCharacter(code: number): number {
  if (code < 0x250) return ACCENTED;
  if (code < 0x700) return ALPHABET;
  if (code >= 0x3040 && code < 0x3100) return SYLLABLE;
  if (code >= 0xac00 && code < 0xd7b0) return SYLLABLE;
  if (code >= 0x2e80 && code < 0xa000) return IDEOGRAPH;
  if (code >= 0xd800 && code < 0xe000) return SURROGATE_HALF;
  return OTHER;
}
