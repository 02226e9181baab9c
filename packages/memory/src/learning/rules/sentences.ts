// Cuts a text into sentences. Code and quotations, which are not the speaker's own words, are taken out of what is read.

export interface Sentence {
  /** Of the sentences of its text. */
  readonly position: number;
  /** As it was written, on one line. */
  readonly said: string;
  /** What is read: without quotations, marks and markdown. A gap stands where something was taken out. */
  readonly plain: string;
}

/** Stands where somebody else's words were; no pattern reads over it. */
const GAP = "\uFFFC";
/** Nobody tells about themselves after so much. */
const MOST_CHARS = 20_000;
const LONGEST_SENTENCE = 600;
const LONGEST_SAID = 240;

const FENCES = /```[^]*?(?:```|$)|~~~[^]*?(?:~~~|$)/g;
const QUOTED_LINES = /^[ \t]*>.*$/gm;
const CODE = /`[^`\n]{1,200}`/g;
const QUOTES = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»/g;
const QUOTE_MARKS = /["“”„«»*_~]/g;
const LINE_MARKS = /^\s*(?:[-*+•]|\d{1,2}[.)]|#{1,6})\s+/;

const ENDS = /[.!?…]+["'”“»)\]]*(?=\s|$)|\n+/g;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|dr|mr|mrs|ms|st|vs|etc|ca|nr|no|bzw|usw|z\. ?b|d\. ?h|e\.g|i\.e|sr|sra|ud|uds|approx|prof|tel|evtl|ggf|inc|ltd|str)$/iu;
const ORDINAL = /(?:^|\s)\d{1,2}$/;
const ORDINAL_GOES_ON = /^\s+(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|\p{Ll})/u;

export function cutSentences(text: string): Sentence[] {
  const raw = text.slice(0, MOST_CHARS);
  const read = maskOthersWords(raw);
  const sentences: Sentence[] = [];
  for (const [start, end] of spansOf(read)) {
    const said = collapse(raw.slice(start, end).replace(LINE_MARKS, ""));
    const plain = toPlain(read.slice(start, end));
    if (said === "" || plain === "" || said.length > LONGEST_SENTENCE) continue;
    sentences.push({ position: sentences.length, said: shorten(said), plain });
  }
  return sentences;
}

/** Every place stays where it is. */
function maskOthersWords(text: string): string {
  let read = text;
  if (read.includes("`") || read.includes("~~~")) read = read.replace(FENCES, blank).replace(CODE, blank);
  if (read.includes(">")) read = read.replace(QUOTED_LINES, blank);
  return read.replace(QUOTES, (quoted) => (isNameLike(quoted) ? quoted : blank(quoted)));
}

/** `call me "Max"`, in contrast to what somebody is said to have said. */
function isNameLike(quoted: string): boolean {
  const inner = quoted.slice(1, -1);
  return (
    inner.split(/\s+/).length <= 3 &&
    /^\p{Lu}/u.test(inner) &&
    !/^(?:I|We|Ich|Wir|Yo|Me|No|Mi|My|Mein)\b|[.!?,]/.test(inner)
  );
}

function blank(masked: string): string {
  return GAP.repeat(masked.length);
}

function* spansOf(text: string): Iterable<readonly [number, number]> {
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(ENDS)) {
    if (mark === "." && goesOn(text.slice(Math.max(start, index - 12), index), text.slice(index + 1, index + 12)))
      continue;
    yield [start, index + mark.length];
    start = index + mark.length;
  }
  if (start < text.length) yield [start, text.length];
}

function goesOn(before: string, after: string): boolean {
  return ABBREVIATION.test(before) || (ORDINAL.test(before) && ORDINAL_GOES_ON.test(after));
}

/** Without marks and markdown, on one line. */
export function toPlain(text: string): string {
  const bare = text.replace(LINE_MARKS, "").replace(QUOTE_MARKS, "").replace(/[’‘]/g, "'");
  return collapse(bare.replace(/\uFFFC+/g, ` ${GAP} `)).replace(/^\uFFFC$/, "");
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function shorten(said: string): string {
  if (said.length <= LONGEST_SAID) return said;
  const cut = said.slice(0, LONGEST_SAID - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST_SAID - 40)).trimEnd()}…`;
}
