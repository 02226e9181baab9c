// Words of a button when somebody presses it. The gateway's own buttons are commands; what an agent wrote behind one are
// words, which say for whom they were written: whoever presses it sees a label and not the words. Pure.
import { STANDINGS, type Standing } from "./requester.ts";

export type Pressed =
  /** One of the gateway's own: as if the person had typed it. */
  | { readonly kind: "own"; readonly text: string }
  /** Never a command, and with no more rights than whoever had the button made. */
  | { readonly kind: "words"; readonly text: string; readonly madeFor: Standing };

const MARKED = /^say:([a-z]+):([^]*)$/;

/** The data of a button that an agent, or somebody at our own door, puts below a message. */
export function wordsBehindButton(words: string, madeFor: Standing): string {
  return `say:${madeFor}:${words}`;
}

export function readPressed(data: string): Pressed {
  const [, standing, text] = MARKED.exec(data) ?? [];
  const madeFor = STANDINGS.find((known) => known === standing);
  return madeFor === undefined || text === undefined ? { kind: "own", text: data } : { kind: "words", text, madeFor };
}

/** Whoever may do less of the two. */
export function lesserOf(one: Standing, other: Standing): Standing {
  return STANDINGS[Math.max(STANDINGS.indexOf(one), STANDINGS.indexOf(other))] ?? "webhook";
}
