// Lets an operator's regular expression in only if no text can make it run for long.
import { countVisits } from "../../base/count-visits.ts";

export type CheckedPattern =
  | { readonly kind: "safe"; readonly pattern: RegExp }
  | { readonly kind: "refused"; readonly why: string };

const MAX_LENGTH = 200;
const MAX_VISITS = 40_000_000;
/** How far an open repetition reaches where several to the end of the text would be too many ways. */
const SHORT_REACHES = [60, 20];

export function checkPattern(written: string, textLength: number): CheckedPattern {
  if (written.trim() === "") return refuse("it is empty");
  if (written.length > MAX_LENGTH) return refuse(`it is longer than ${MAX_LENGTH} characters`);
  const whole = compile(written);
  if (!whole) return refuse("it is not a valid regular expression");
  const starts = /^\^[^|]*$/.test(written) ? 1 : textLength;
  for (const reach of [textLength, ...SHORT_REACHES]) {
    const counted = countVisits(written, reach);
    if (counted.kind === "refused") return counted;
    const pattern = reach === textLength ? whole : compile(counted.source);
    if (!pattern || counted.visits * starts > MAX_VISITS) continue;
    if (pattern.test("")) return refuse("it fits an empty text, so that everything would mean us");
    return { kind: "safe", pattern };
  }
  return refuse("some texts would take too long to compare; use fewer repetitions and fewer optional parts");
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "i");
  } catch {
    return undefined;
  }
}

function refuse(why: string): { readonly kind: "refused"; readonly why: string } {
  return { kind: "refused", why };
}
