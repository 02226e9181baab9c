// The input a worker is busy with, in memory that can be read while the worker hangs.

/** Inputs are cut to less than this by far. */
const MOST_CHARACTERS = 1_000_000;
const HEAD_BYTES = 8;

export interface SharedInput {
  readonly memory: SharedArrayBuffer;
  /** Changes with each input; the same number for long means that a run takes long. */
  readonly count: number;
  put(input: string): void;
  get(): string;
}

export function shareInput(
  memory = new SharedArrayBuffer(HEAD_BYTES + MOST_CHARACTERS * Uint16Array.BYTES_PER_ELEMENT),
): SharedInput {
  const head = new Int32Array(memory, 0, 2);
  const letters = new Uint16Array(memory, HEAD_BYTES);
  return {
    memory,
    get count() {
      return Atomics.load(head, 0);
    },
    put(input) {
      const length = Math.min(input.length, MOST_CHARACTERS);
      for (let at = 0; at < length; at += 1) letters[at] = input.charCodeAt(at);
      Atomics.store(head, 1, length);
      Atomics.add(head, 0, 1);
    },
    get() {
      const length = Atomics.load(head, 1);
      let text = "";
      for (let at = 0; at < length; at += 1) text += String.fromCharCode(letters[at] ?? 0);
      return text;
    },
  };
}
