// Type of a fuzz target: something that reads a text from outside, and what it promises whatever that text is.

export interface Target {
  readonly name: string;
  /** In sentences: what holds for every input. That nothing but expected errors is thrown holds for all targets. */
  readonly promises: string;
  /** How inputs are changed: as text, as JSON values, or as bytes (one character each). */
  readonly kind: "text" | "json" | "bytes";
  /** Inputs that make sense, from which all others come. */
  seeds(): readonly string[] | Promise<readonly string[]>;
  /** Pieces that mean something here, beside those that do everywhere. */
  readonly words?: readonly string[];
  readonly maxLength?: number;
  open(): Promise<OpenTarget> | OpenTarget;
}

export interface OpenTarget {
  /** Throws when a promise is broken; errors of the catalogue and of schemas are answers like others. */
  run(input: string): Promise<void> | void;
  close?(): Promise<void> | void;
}

export class BrokenPromise extends Error {}

/** States a promise. `says` is read by whoever has to find out why it was broken. */
export function promise(isKept: boolean, says: string | (() => string)): asserts isKept {
  if (!isKept) throw new BrokenPromise(typeof says === "string" ? says : says());
}

/** Divides an input that stands for several values. */
const DIVIDER = "\n=====\n";

export function joinParts(...parts: readonly string[]): string {
  return parts.join(DIVIDER);
}

/** Always as many as were asked for; what is missing is empty. */
export function splitParts(input: string, count: 2): [string, string];
export function splitParts(input: string, count: 3): [string, string, string];
export function splitParts(input: string, count: number): string[] {
  const parts = input.split(DIVIDER);
  return Array.from({ length: count }, (_, index) => parts[index] ?? "");
}
