// Takes header values apart that have comments and quoted words in them, so that nothing inside those is taken for more.

export interface StructuredValue {
  /** Without comments; each quoted word stands as `QUOTE` + its number + `QUOTE`, in one piece. */
  readonly text: string;
  readonly quoted: readonly string[];
}

const QUOTE = "\u0000";

/** Undefined when a comment or a quoted word never ends: then nobody can say what is outside. */
export function takeApart(value: string): StructuredValue | undefined {
  const quoted: string[] = [];
  let text = "";
  let depth = 0;
  let word: string | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const character = value[index] ?? "";
    const isEscape = character === "\\" && (depth > 0 || word !== undefined);
    if (isEscape) index += 1;
    const plain = isEscape ? (value[index] ?? "") : character;
    if (word !== undefined) {
      if (character !== '"') word += plain;
      else {
        text += `${QUOTE}${quoted.push(word) - 1}${QUOTE}`;
        word = undefined;
      }
    } else if (depth > 0) {
      if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
      if (depth === 0) text += " ";
    } else if (character === "(") depth = 1;
    else if (character === '"') word = "";
    else if (character !== QUOTE) text += character;
  }
  return depth > 0 || word !== undefined ? undefined : { text, quoted };
}

/** Puts the quoted words back, without their quotes. */
export function putBack(piece: string, quoted: readonly string[]): string {
  // eslint-disable-next-line no-control-regex
  return piece.replace(/\u0000(\d+)\u0000/g, (_, number: string) => quoted[Number(number)] ?? "");
}

export function hasQuoted(piece: string): boolean {
  return piece.includes(QUOTE);
}
