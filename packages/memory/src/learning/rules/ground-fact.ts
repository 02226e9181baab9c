// Holds what a model says it read against what was really said: what does not stand there is not believed.
import type { ToldFact } from "../../messages.ts";
import type { DrawnFact } from "./drawn-fact.ts";
import { dayIn } from "./extract.ts";
import type { DayNumber } from "./days.ts";
import { keyOf } from "../tables/keys.ts";
import type { ReadSentence } from "./read-said.ts";
import { READ_SLOTS, SINGLE_SLOTS } from "../read-slots.ts";
import { toPlain } from "./sentences.ts";

export interface GroundedFact {
  readonly fact: DrawnFact;
  readonly sentence: ReadSentence;
}

export interface Ground {
  readonly sentences: readonly ReadSentence[];
  /** Whether the owner used this name anywhere in the episode. */
  isNamed(subject: string): boolean;
  readonly saidOn: DayNumber;
}

/** Rules read one pattern and no more; a model guesses, too. */
const MOST_TRUST = 0.8;
const SHORTEST_QUOTE = 4;

/**
 * The sentence is kept as a whole, whatever part of it was quoted: a part alone may say the opposite. What stands in
 * quotation marks, code or a forwarded text is somebody else's and cannot be quoted.
 */
export function groundFact(told: Omit<ToldFact, "entryId">, ground: Ground): GroundedFact | undefined {
  const quote = toPlain(told.quote);
  if (quote.length < SHORTEST_QUOTE) return undefined;
  const sentence = ground.sentences.find(({ said, plain }) => plain.includes(quote) && toPlain(said).includes(quote));
  const fact = sentence && toDrawn(told, sentence, ground);
  return fact && { fact, sentence };
}

/** What was kept of an earlier reading, in the sentence it was kept with. */
export function regroundFact(
  kept: Omit<ToldFact, "entryId" | "quote"> & { readonly said: string },
  ground: Pick<Ground, "sentences" | "saidOn">,
): GroundedFact | undefined {
  const sentence = ground.sentences.find(({ said }) => said === kept.said);
  const fact = sentence && toDrawn(kept, sentence, { ...ground, isNamed: () => true });
  return fact && { fact, sentence };
}

function toDrawn(
  { slot, subject, value, confidence }: Omit<ToldFact, "entryId" | "quote">,
  { plain }: ReadSentence,
  { isNamed, saidOn }: Ground,
): DrawnFact | undefined {
  const common = { kind: READ_SLOTS[slot], confidence: Math.round(Math.min(MOST_TRUST, confidence) * 100) / 100 };
  const isSingle = SINGLE_SLOTS.has(slot);
  if (subject === undefined) {
    if (!isSingle && slot !== "trait") return undefined;
    // The one name and the one home of a person are theirs to say, word by word.
    if (isSingle && !` ${keyOf(plain)} `.includes(` ${keyOf(value)} `)) return undefined;
    return keyOf(value) === "" ? undefined : { ...common, slot, value, about: { kind: "speaker" } };
  }
  if (keyOf(subject) === "" || !isNamed(subject)) return undefined;
  const about = { kind: "thing", subject } as const;
  if (isSingle || slot === "trait") return { ...common, kind: "entity", slot: "told", value, about };
  if (slot !== "day") return { ...common, slot, value, about };
  // Which day "tomorrow" was is worked out here, as for the rules.
  const day = dayIn(plain, saidOn);
  return day === undefined ? undefined : { ...common, slot, value: day, about, day };
}

/** Without case and accents, in the owner's own words. */
export function namesIn(texts: readonly string[]): (subject: string) => boolean {
  const said = ` ${keyOf(texts.join(" "))} `;
  return (subject) => said.includes(` ${keyOf(subject)} `);
}
