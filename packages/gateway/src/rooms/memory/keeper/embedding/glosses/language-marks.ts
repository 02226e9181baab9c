// Marks vectors with the language of their text: what was turned into English words is still of another language, and a note
// in the language of the question comes before one that says the same in another.
import type { LanguageBias } from "../../embedder.ts";
import type { Glossed, LanguageShares } from "./gloss-text.ts";

/** So much less is a cosine when the languages are two. Less of it lets the other languages push notes out of sight. */
const LANGUAGE_MARK = 0.15;
/** Numbers of a vector for each language: several small ones are rounded less than one large one. */
const NUMBERS = 4;
const LANGUAGES = ["other", "de", "es"] as const satisfies readonly (keyof LanguageShares)[];
const MARK_NUMBERS = LANGUAGES.length * NUMBERS;
export const LANGUAGE_BIAS: LanguageBias = { numbers: MARK_NUMBERS, weight: LANGUAGE_MARK };

/** Of length 1 again. Of two texts in one language the cosine is `(c + LANGUAGE_MARK) / (1 + LANGUAGE_MARK)`. */
export function markLanguage(vector: Float32Array, { shares }: Glossed): Float32Array {
  const marked = new Float32Array(vector.length + MARK_NUMBERS);
  const shrink = 1 / Math.sqrt(1 + LANGUAGE_MARK);
  vector.forEach((value, at) => (marked[at] = value * shrink));
  const length = Math.hypot(...LANGUAGES.map((language) => shares[language]));
  const whole = Math.sqrt(LANGUAGE_MARK / NUMBERS) * shrink;
  LANGUAGES.forEach((language, place) => {
    // A text of nothing is like an English one.
    const share = length === 0 ? Number(language === "other") : shares[language] / length;
    const from = vector.length + place * NUMBERS;
    marked.fill(whole * share, from, from + NUMBERS);
  });
  return marked;
}
