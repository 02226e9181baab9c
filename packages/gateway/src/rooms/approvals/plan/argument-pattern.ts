// The owner's pattern for the arguments of a program. The arguments are chosen by a model, so a pattern that some text could
// keep busy for long is none.
import { countVisits } from "../../../base/count-visits.ts";

export type ArgumentPattern =
  | {
      readonly kind: "usable";
      /** Fits all of the arguments, joined by one space, or nothing. */
      readonly pattern: RegExp;
      /** Arguments of more characters are not held against it. */
      readonly longest: number;
    }
  | { readonly kind: "refused"; readonly why: string };

/** About a tenth of a second. */
const MAX_VISITS = 20_000_000;
/** The pattern is never changed to make it cheaper: where it looks ahead for what must not be there, that would allow more. */
const LENGTHS = [4096, 1024, 256];

export function readArgumentPattern(written: string): ArgumentPattern {
  const pattern = compile(written);
  if (!pattern) return { kind: "refused", why: "it is not a valid regular expression" };
  for (const longest of LENGTHS) {
    const counted = countVisits(written, longest);
    if (counted.kind === "refused") return counted;
    if (counted.visits <= MAX_VISITS) return { kind: "usable", pattern, longest };
  }
  return {
    kind: "refused",
    why: "some arguments would take too long to compare; use fewer repetitions and fewer optional parts",
  };
}

/** An argument with a blank inside could pass for two, so it never fits. */
export function argumentsFit(written: string, args: readonly string[]): boolean {
  if (args.some((arg) => arg === "" || /\s/.test(arg))) return false;
  const read = readArgumentPattern(written);
  const text = args.join(" ");
  return read.kind === "usable" && text.length <= read.longest && read.pattern.test(text);
}

function compile(written: string): RegExp | undefined {
  try {
    // By itself first: `a)|(b` is a pattern only between our brackets, and would mean something else there.
    void new RegExp(written, "u");
    return new RegExp(`^(?:${written})$`, "u");
  } catch {
    return undefined;
  }
}
