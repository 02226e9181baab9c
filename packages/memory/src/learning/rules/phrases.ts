// Makes a subject of what stood in the gap of a pattern, or finds that it is none.
import { LANGUAGES } from "./languages/known-languages.ts";
import type { Language } from "./pattern.ts";

const MOST_WORDS = 6;
const LONGEST = 80;
const EDGES = /^[\s'"-]+|[\s'"-]+$/g;

/** Without what goes on behind it and what stands before it; undefined for "it" and the like. */
export function cutPhrase(phrase: string, language: Language): string | undefined {
  const whole = endPhrase(phrase, language);
  if (language.pronouns.test(whole)) return undefined;
  const cut = shorten(whole.replace(language.articles, ""));
  return cut === "" || language.smallWords.has(cut.toLowerCase()) ? undefined : cut;
}

/** Where it may begin with any word: what was decided, what shall be from now on. */
export function cutClause(phrase: string, language: Language): string | undefined {
  const cut = shorten(endPhrase(phrase, language).replace(language.articles, ""));
  return cut.includes(" ") ? cut : cutPhrase(phrase, language);
}

function endPhrase(phrase: string, { phraseEnds }: Language): string {
  const end = phrase.search(phraseEnds);
  return (end > 0 ? phrase.slice(0, end) : phrase).replace(EDGES, "");
}

function shorten(phrase: string): string {
  return phrase.split(" ").slice(0, MOST_WORDS).join(" ").slice(0, LONGEST).replace(EDGES, "");
}

const NO_NAMES: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ noNames }) => [...noNames]));

/** A name up to the first word that is none. */
export function cutName(name: string, language: Language): string | undefined {
  const words: string[] = [];
  for (const word of name.replace(/'s?(?= |$)/g, "").split(" ")) {
    if (NO_NAMES.has(word) || language.calendar.events.test(word)) break;
    words.push(word);
  }
  if (/^(?:von|van|de|del|la|der)$/.test(words.at(-1) ?? "")) words.pop();
  const cut = words.join(" ");
  return cut === "" || language.pronouns.test(cut) ? undefined : cut;
}
