// The sets of an assistant's life: questions, the notes that answer them, near misses and everything else.
import { makeDistractors, startRandom } from "./distractors.ts";
import type { Note } from "./note-files.ts";
import { readHeldOut, readPairs, readUnseen, type Pair } from "./pairs.ts";

export interface Life {
  readonly pairs: readonly Pair[];
  /** Asked among the same notes, and told apart. */
  readonly unseen: readonly Pair[];
  readonly notes: readonly Note[];
}

const SEED = 11;

export function readLife(distractors: number): Life {
  const pairs = readPairs();
  const unseen = readUnseen();
  return { pairs, unseen, notes: gatherNotes([...pairs, ...unseen], distractors) };
}

/** Written by hand, all of it, in English: notes that are less alike than those made from sentences with slots. */
export function readByHand(): Life {
  const isEnglish = ({ language }: Pair): boolean => language === "en";
  const [pairs, unseen] = [readPairs().filter(isEnglish), readUnseen().filter(isEnglish)];
  return { pairs, unseen, notes: gatherNotes([...pairs, ...unseen], 0) };
}

export function readHeldOutLife(distractors: number): Life {
  const unseen = readHeldOut();
  return { pairs: [], unseen, notes: gatherNotes(unseen, distractors) };
}

function gatherNotes(asked: readonly Pair[], distractors: number): Note[] {
  const under = ({ heading }: Pair): Pick<Note, "heading"> => (heading === undefined ? {} : { heading });
  return mix([
    ...asked.map((pair) => ({ id: pair.id, text: pair.note, ...under(pair) })),
    ...asked.map((pair) => ({ id: `${pair.id}-near`, text: pair.nearMiss, ...under(pair) })),
    ...makeDistractors()
      .slice(0, distractors)
      .map((note, index) => ({ id: `other-${index}`, ...note })),
  ]);
}

/** So that answers and others are in the same kinds of files. */
function mix(notes: readonly Note[]): Note[] {
  const random = startRandom(SEED);
  return notes
    .map((note) => ({ note, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ note }) => note);
}
