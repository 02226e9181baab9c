// Limits of an answer's size. What would be refused in the end is not even put together.

/** Several times what any model writes at once; whoever goes on does not end by itself. */
export const GREATEST_ANSWER = 2_000_000;
/** Of all calls of one answer together. A file that is larger than this is not written by a model. */
const GREATEST_ARGUMENTS = 1_000_000;
/** In one answer. Models that can call several tools at once call a handful. */
export const MOST_CALLS = 256;

/** As a connection fails whose answer is too long. */
function tooLongError(why: string): Error {
  return Object.assign(new RangeError(why), { code: TOO_LONG });
}

export const TOO_LONG = "ERR_ANSWER_TOO_LONG";

export function words(characters: number): string {
  return `${characters.toLocaleString("en")} characters`;
}

export const tooManyCalls = (): string => `called more than ${MOST_CALLS} tools at once`;

/** Counts the calls of an answer and their arguments while they come in. Throws when it is more than is taken. */
export class CallsMeter {
  #calls = 0;
  #taken = 0;

  begin(): void {
    this.#calls += 1;
    if (this.#calls > MOST_CALLS) throw tooLongError(`it ${tooManyCalls()}`);
  }

  add(piece: string): void {
    this.#taken += piece.length;
    if (this.#taken > GREATEST_ARGUMENTS)
      throw tooLongError(`the arguments of its calls are longer than ${words(GREATEST_ARGUMENTS)}`);
  }
}
