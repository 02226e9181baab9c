// Stems of words: what the forms of a word have in common, in languages whose words change. English notes are found without.

export type Stemmer = (word: string) => string;

const LOAD: Readonly<Record<string, () => Promise<{ readonly stemmer: Stemmer }>>> = {
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  hu: () => import("@orama/stemmers/hungarian"),
  it: () => import("@orama/stemmers/italian"),
  nb: () => import("@orama/stemmers/norwegian"),
  nl: () => import("@orama/stemmers/dutch"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** Undefined where there is none for the language. */
export async function loadStemmer(language: string): Promise<Stemmer | undefined> {
  return (await LOAD[language]?.())?.stemmer;
}
