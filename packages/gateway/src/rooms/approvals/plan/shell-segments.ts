// Cuts a text for a shell into its commands and their words. Only what every shell reads in the same way is told apart;
// whatever is put together, or replaced by the shell, is one opaque word. Pure.

export interface ShellWord {
  readonly kind: "bare" | "quoted" | "opaque";
  /** Without its quotes. */
  readonly text: string;
  /** Where `text` begins. */
  readonly from: number;
}

export interface ShellSegment {
  readonly words: readonly ShellWord[];
  /** Files its input is read from. */
  readonly inputs: readonly ShellWord[];
  /** The sign behind it; "" at the end. */
  readonly end: string;
}

/** With these it takes a whole shell to tell what is quoted. */
const HARD_TO_READ = /[`#\\]|<<|[<>]\(|\$['"({]/;
const BARE = /[A-Za-z0-9_./+,:@%=-]+/y;
const REDIRECT = /\d*(?:&>>?|>>|>\||<>|[<>]&|[<>])/y;
const SEPARATOR = /&&|\|\||\|&|[;&|\n()]/y;
const ENDS_WORD = /[ \t\n;&|()<>]/;
const VARIABLE = /^[A-Za-z_]\w*=/;
/** Stand before a command and change nothing of what its words mean. */
const BEFORE_A_COMMAND: ReadonlySet<string> = new Set(
  "then do else elif if while until ! { exec command builtin time".split(" "),
);

/** Undefined when the text is not clear enough. */
export function readSegments(text: string): readonly ShellSegment[] | undefined {
  if (HARD_TO_READ.test(text)) return undefined;
  const segments: ShellSegment[] = [];
  let words: ShellWord[] = [];
  let inputs: ShellWord[] = [];
  let target: "word" | "input" | "output" = "word";
  const finish = (end: string): void => {
    segments.push({ words: commandOf(words), inputs, end });
    [words, inputs, target] = [[], [], "word"];
  };
  for (let at = 0; at < text.length;) {
    const redirect = match(REDIRECT, text, at);
    const separator = redirect === undefined ? match(SEPARATOR, text, at) : undefined;
    if (redirect !== undefined) target = /^0?<$/.test(redirect) ? "input" : "output";
    else if (separator !== undefined) finish(separator);
    if (text[at] === " " || text[at] === "\t") at += 1;
    else if (redirect !== undefined || separator !== undefined) at += (redirect ?? separator ?? "").length;
    else {
      const { word, end } = readWord(text, at);
      if (target === "word") words.push(word);
      if (target === "input") inputs.push(word);
      [target, at] = ["word", end];
    }
  }
  finish("");
  return segments;
}

/** Without what may stand before a command: words of the shell, and variables for it. */
function commandOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex(
    ({ kind, text }) => !VARIABLE.test(text) && !(kind === "bare" && BEFORE_A_COMMAND.has(text)),
  );
  return first < 0 ? [] : words.slice(first);
}

function readWord(text: string, start: number): { readonly word: ShellWord; readonly end: number } {
  const pieces: ShellWord[] = [];
  let at = start;
  while (at < text.length && !ENDS_WORD.test(text[at] ?? "")) {
    const { piece, end } = readPiece(text, at);
    pieces.push(piece);
    at = end;
  }
  const [only] = pieces;
  if (only && pieces.length === 1) return { word: only, end: at };
  return { word: { kind: "opaque", text: text.slice(start, at), from: start }, end: at };
}

function readPiece(text: string, at: number): { readonly piece: ShellWord; readonly end: number } {
  const sign = text[at] ?? "";
  const close = sign === "'" || sign === '"' ? text.indexOf(sign, at + 1) : -1;
  if (close > at) {
    const inside = text.slice(at + 1, close);
    const isPlain = sign === "'" || !/[$!]/.test(inside);
    return { piece: { kind: isPlain ? "quoted" : "opaque", text: inside, from: at + 1 }, end: close + 1 };
  }
  const bare = match(BARE, text, at);
  const piece = bare ?? sign;
  return { piece: { kind: bare === undefined ? "opaque" : "bare", text: piece, from: at }, end: at + piece.length };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
