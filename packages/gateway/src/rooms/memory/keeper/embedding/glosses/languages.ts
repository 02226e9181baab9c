// The languages whose words are turned into English ones, and how their tables are loaded.

export interface GlossLanguage {
  readonly id: "de" | "es";
  /** Words between the others, by which its sentences are told. */
  readonly smallWords: ReadonlySet<string>;
  /** Of a form in small letters; "" for a word that says nothing, undefined for one that is not known. */
  glossOf(word: string): string | undefined;
  /**
   * Of the words of a sentence as they are written, where capitals and neighbours tell more than a word by
   * itself; "" stands where there is something else than a word.
   */
  glossesOf?(words: readonly string[]): (string | undefined)[];
}

/** Read when the first text needs them. */
const TABLES: readonly (() => Promise<GlossLanguage>)[] = [
  async () => (await import("./german.ts")).GERMAN_GLOSSES,
  async () => (await import("./spanish.ts")).SPANISH_GLOSSES,
];

export function loadLanguages(): Promise<GlossLanguage[]> {
  return Promise.all(TABLES.map((load) => load()));
}
