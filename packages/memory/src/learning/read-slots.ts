// Slots that a model may tell: the same as the rules have, so that what is newer takes the place of what is older.
import type { FactKind } from "../messages.ts";

export const READ_SLOTS = {
  name: "entity",
  home: "entity",
  origin: "entity",
  work: "entity",
  occupation: "entity",
  relation: "entity",
  /** Anything else about a person or a thing: found when asked for, and in no prompt. */
  told: "entity",
  trait: "preference",
  allergy: "preference",
  taste: "preference",
  favourite: "preference",
  habit: "preference",
  wish: "preference",
  decision: "decision",
  day: "date",
} as const satisfies Record<string, FactKind>;

export type ReadSlot = keyof typeof READ_SLOTS;
export const SLOTS = Object.keys(READ_SLOTS) as ReadSlot[];

/** A person has one of each: told of somebody else, it is something else. */
export const SINGLE_SLOTS: ReadonlySet<ReadSlot> = new Set(["name", "home", "origin", "work", "occupation"]);
