// The set of an assistant's life: questions, the notes that answer them, near misses and everything else.
import { makeDistractors, startRandom } from "./distractors.ts";
import type { Note } from "./note-files.ts";
import { readPairs, readUnseen, type Pair } from "./pairs.ts";

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
  const asked = [...pairs, ...unseen];
  const notes = [
    ...asked.map(({ id, note }) => ({ id, text: note })),
    ...asked.map(({ id, nearMiss }) => ({ id: `${id}-near`, text: nearMiss })),
    ...makeDistractors()
      .slice(0, distractors)
      .map((text, index) => ({ id: `other-${index}`, text })),
  ];
  return { pairs, unseen, notes: mix(notes) };
}

/** So that answers and others are in the same kinds of files. */
function mix(notes: readonly Note[]): Note[] {
  const random = startRandom(SEED);
  return notes
    .map((note) => ({ note, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ note }) => note);
}
