// Gives what turns texts into ones an English model reads. The tables of words are loaded with the first text that needs them.
import type { Glossed } from "./gloss-text.ts";
import { loadLanguages } from "./languages.ts";
import { mayBeForeign } from "./small-words.ts";

/** Stands behind a model's name: its vectors are those of texts that were turned into English words first. */
export const WITH_GLOSSES = "+glosses";

/** The embedders look at no more of a text. */
const MOST_CHARS = 20_000;

/** For these texts. What a text is turned into depends on nothing but itself. */
export async function openGlosses(texts: readonly string[]): Promise<(text: string) => Glossed> {
  const foreign = new Set(texts.filter((text) => mayBeForeign(text.slice(0, MOST_CHARS))));
  const asItIs = (text: string): Glossed => ({ text, shares: { de: 0, es: 0, other: text.length } });
  if (foreign.size === 0) return asItIs;
  const [{ glossText }, languages] = await Promise.all([import("./gloss-text.ts"), loadLanguages()]);
  return (text) => (foreign.has(text) ? glossText(text.slice(0, MOST_CHARS), languages) : asItIs(text));
}
