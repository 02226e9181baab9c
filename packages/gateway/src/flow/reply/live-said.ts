// Rest of an answer when parts of it were sent before it was complete. Pure.

const FENCE = /^[ \t]{0,3}(?:`{3,}|~{3,})/;

/** Each block is taken out where it stands; what stands before and behind it stays. */
export function withoutSaid(texts: readonly string[], said: readonly string[]): readonly string[] {
  const left = [...texts];
  let from: TextPosition = { text: 0, at: 0 };
  for (const block of said) {
    const found = findBlock(left, block, from);
    if (!found) continue;
    const before = (left[found.text] ?? "").slice(0, found.at).trimEnd();
    left[found.text] = [before, found.rest].filter(Boolean).join("\n\n");
    from = { text: found.text, at: before.length };
  }
  return left.filter((text) => text.trim() !== "");
}

interface TextPosition {
  /** Which of the texts, and where in it. */
  readonly text: number;
  readonly at: number;
}

/** Blocks begin where a text or a paragraph begins. */
function findBlock(
  texts: readonly string[],
  block: string,
  from: TextPosition,
): (TextPosition & { rest: string }) | undefined {
  for (let index = from.text; index < texts.length; index++) {
    const text = texts[index] ?? "";
    const starts = [0, ...[...text.matchAll(/\n\n/g)].map((gap) => gap.index)];
    for (const at of starts.filter((start) => index > from.text || start >= from.at)) {
      const rest = takeOff(text.slice(at), block);
      if (rest !== undefined) return { text: index, at, rest };
    }
  }
  return undefined;
}

/** What follows the block at the beginning of a text; undefined when the text begins otherwise. */
function takeOff(text: string, block: string): string | undefined {
  const end = matchEnd(text, wordsOf(block));
  if (end === undefined) return undefined;
  const fence = openFence(text.slice(0, end));
  const rest = text.slice(end).replace(/^[^\S\n]*\n/, "");
  if (fence === undefined) return rest.trim();
  const [next = "", ...more] = rest.split("\n");
  if (FENCE.test(next)) return more.join("\n").trim();
  return rest.trim() === "" ? "" : `${fence}\n${rest.trimEnd()}`;
}

/** Blanks do not count, nor do fences: code that was cut got some of its own at the cut. */
function wordsOf(block: string): string {
  return block
    .split("\n")
    .filter((line) => !FENCE.test(line))
    .join("")
    .replace(/\s+/g, "");
}

/** Where the words end in the text, if the text begins with them. */
function matchEnd(text: string, words: string): number | undefined {
  let matched = 0;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    for (const letter of FENCE.test(line) ? [] : line) {
      if (matched === words.length) return at;
      at += letter.length;
      if (/\s/.test(letter)) continue;
      if (!words.startsWith(letter, matched)) return undefined;
      matched += letter.length;
    }
    if (FENCE.test(line) && matched < words.length) at += line.length;
  }
  return matched === words.length ? at : undefined;
}

/** The line that began the code the text ends in, if it does. */
function openFence(text: string): string | undefined {
  return text
    .split("\n")
    .filter((line) => FENCE.test(line))
    .reduce<string | undefined>((open, line) => (open === undefined ? line : undefined), undefined);
}
