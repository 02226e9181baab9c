// What an agent should hear at the beginning of its next turn: things that happened while nobody was talking.
import { systemLine } from "../base/written-text.ts";

interface Note {
  readonly at: number;
  readonly text: string;
}

/** More than this happened: the oldest is not news any more. */
const MOST_NOTES = 20;
const LONGEST_NOTE = 2000;

/** Kept in memory: what they tell of (commands in the background) ends with the process, too. */
export class SystemNotes {
  readonly #bySession = new Map<string, Note[]>();

  add(sessionKey: string, text: string, at: number): void {
    const notes = this.#bySession.get(sessionKey) ?? [];
    const short = text.length > LONGEST_NOTE ? `${text.slice(0, LONGEST_NOTE)}…` : text;
    if (notes.at(-1)?.text === short) return;
    this.#bySession.set(sessionKey, [...notes, { at, text: short }].slice(-MOST_NOTES));
  }

  /** The lines to put before the person's text, once. */
  take(sessionKey: string): string[] {
    const notes = this.#bySession.get(sessionKey) ?? [];
    this.#bySession.delete(sessionKey);
    return notes.map(({ at, text }) => systemLine(text, at));
  }
}
