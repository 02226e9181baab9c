// Makes the notes that answer no question out of sentences with slots: always the same ones for the same seed.
import { GERMAN } from "./data/distractors-de.ts";
import { ENGLISH } from "./data/distractors-en.ts";
import { SPANISH } from "./data/distractors-es.ts";

export interface Language {
  /** By what a person might put above such notes. */
  readonly areas: Readonly<Record<string, readonly string[]>>;
  /** What may stand for `{name}`: values between commas, or numbers told by a word that starts with `@`. */
  readonly slots: Readonly<Record<string, string>>;
}

const SEED = 20_261;
const SHARES: ReadonlyArray<readonly [Language, number]> = [
  [ENGLISH, 1_500],
  [GERMAN, 300],
  [SPANISH, 300],
];

export interface Distractor {
  readonly heading: string;
  readonly text: string;
}

/** More than 2,000 different notes, those of the three languages mixed. */
export function makeDistractors(seed = SEED): Distractor[] {
  const random = startRandom(seed);
  const notes = SHARES.flatMap(([language, count]) => makeNotes(language, count, random));
  return shuffle(notes, random);
}

function makeNotes(language: Language, count: number, random: () => number): Distractor[] {
  const templates = Object.entries(language.areas).flatMap(([heading, area]) =>
    area.map((template) => ({ heading, template })),
  );
  const notes = new Map<string, Distractor>();
  for (let round = 0; notes.size < count; round += 1) {
    const { heading, template } = templates[round % templates.length] ?? { heading: "", template: "" };
    const text = capitalize(fillSlots(template, language, random).trim());
    const words = withoutNumbers(text, language);
    if (!notes.has(words)) notes.set(words, { heading, text });
  }
  return [...notes.values()];
}

/** Two notes differ in more than a day and an amount: nobody writes one sentence ten times. */
function withoutNumbers(note: string, language: Language): string {
  const days = `${language.slots["day"]},${language.slots["month"]}`.split(",").join("|");
  return note.replaceAll(new RegExp(`\\d+|${days}`, "g"), "");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A note never names the same person twice. */
function fillSlots(template: string, language: Language, random: () => number): string {
  const used = new Set<string>();
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const all = (language.slots[name] ?? "").split(",");
    const left = all.filter((value) => !used.has(value));
    const value = pick(left.length > 0 ? left : all, random);
    if (!value.startsWith("@")) used.add(value);
    return fillSlots(fillNumbers(value, language, random), language, random);
  });
}

const NUMBERS: Readonly<Record<string, (random: () => number) => string>> = {
  "@day": (random) => String(between(1, 28, random)),
  "@time": (random) => `${between(7, 21, random)}:${between(0, 11, random) === 0 ? "00" : between(10, 59, random)}`,
  "@amount": (random) => `${between(3, 480, random)}.${between(10, 99, random)}`,
  "@fee": (random) => `${between(4, 38, random)}.${between(10, 99, random)}`,
  "@number": (random) => String(between(12, 480, random)),
  "@small": (random) => String(between(2, 12, random)),
  "@minutes": (random) => String(between(2, 18, random) * 5),
  "@thousands": (random) => `${between(2, 19, random)},${between(100, 999, random)}`,
  "@weight": (random) => `${between(58, 91, random)}.${between(0, 9, random)}`,
  "@pressure": (random) => `${between(108, 144, random)} to ${between(66, 92, random)}`,
  "@version": (random) => `${between(1, 9, random)}.${between(0, 9, random)}`,
};

function fillNumbers(value: string, language: Language, random: () => number): string {
  return value.replaceAll(/@\w+/g, (name) => {
    const number = NUMBERS[name];
    return number ? number(random) : pick((language.slots[name.slice(1)] ?? "").split(","), random);
  });
}

function shuffle(notes: readonly Distractor[], random: () => number): Distractor[] {
  const mixed = [...notes];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = between(0, last, random);
    const [one, two] = [mixed[last], mixed[other]];
    if (one && two) [mixed[last], mixed[other]] = [two, one];
  }
  return mixed;
}

function between(least: number, most: number, random: () => number): number {
  return least + Math.floor(random() * (most - least + 1));
}

function pick(values: readonly string[], random: () => number): string {
  return values[Math.floor(random() * values.length)] ?? "";
}

/** Numbers from 0 to 1, the same ones for a seed on every machine (a mixer of 32 bits). */
export function startRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
