// Cuts a list of texts into requests that a provider takes.

export interface BatchLimits {
  readonly texts: number;
  readonly tokens: number;
}

/** Chunks of notes are a quarter of it; all providers take that much. */
const LONGEST_TEXT = 8000;
const ASCII = /[\0-\x7f]/g;

/** In their order. A text that is too long by itself is a batch of its own. */
export function batchTexts(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let tokens = Infinity;
  for (const text of texts.map(toSendable)) {
    const size = estimateTokens(text);
    const last = batches.at(-1);
    if (last && last.length < limits.texts && tokens + size <= limits.tokens) {
      last.push(text);
      tokens += size;
    } else {
      batches.push([text]);
      tokens = size;
    }
  }
  return batches;
}

/** Providers refuse a text of nothing. */
function toSendable(text: string): string {
  return text.trim() === "" ? "." : text.slice(0, LONGEST_TEXT).toWellFormed();
}

/** Rather too many: a token for four letters of ASCII, one for any other character. */
function estimateTokens(text: string): number {
  const others = text.replace(ASCII, "").length;
  return others + Math.ceil((text.length - others) / 4);
}
