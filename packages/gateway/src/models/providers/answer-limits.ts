// How much of an answer is taken in. What would be refused in the end is not even put together.

/** Several times what any model writes at once; whoever goes on does not end by itself. */
export const GREATEST_ANSWER = 2_000_000;
/** Of all calls of one answer together. A file that is larger than this is not written by a model. */
export const GREATEST_ARGUMENTS = 1_000_000;

/** As a connection fails whose answer is too long. */
export function tooLongError(): Error {
  return Object.assign(new RangeError(`the arguments of its calls are longer than ${words(GREATEST_ARGUMENTS)}`), {
    code: TOO_LONG,
  });
}

export const TOO_LONG = "ERR_ANSWER_TOO_LONG";

export function words(characters: number): string {
  return `${characters.toLocaleString("en")} characters`;
}

/** Counts the arguments of an answer while they come in. */
export class ArgumentsMeter {
  #taken = 0;

  /** Throws when it is more than is taken. */
  add(piece: string): void {
    this.#taken += piece.length;
    if (this.#taken > GREATEST_ARGUMENTS) throw tooLongError();
  }
}
