// The next input: one that was interesting, changed a few times.
import { mutateJson } from "./mutate-json.ts";
import { mutateText, type Stock } from "./mutate-text.ts";
import type { Random } from "./random.ts";
import type { Target } from "./target.ts";

const MAX_LENGTH = 8_000;
const MOST_CHANGES = 6;
/** How often a JSON input is changed as the text it is written as. */
const AS_TEXT = 0.15;

export function mutate(target: Target, corpus: readonly string[], random: Random): string {
  const { words = [], maxLength = MAX_LENGTH, kind } = target;
  const stock: Stock = { random, corpus, words, maxLength, isBytes: kind === "bytes" };
  let input = random.pick(corpus);
  const changes = 1 + random.below(MOST_CHANGES);
  for (let count = 0; count < changes; count += 1) {
    const asJson = kind === "json" && !random.isLucky(AS_TEXT) ? mutateJson(input, stock) : undefined;
    input = (asJson ?? mutateText(input, stock)).slice(0, maxLength);
  }
  return input;
}
