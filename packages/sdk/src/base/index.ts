// Small things that several processes and packages of ours need: clock, waiting with an end, words of a text, secrets in it.
export { dayWriter, type DayWriter } from "./calendar-day.ts";
export { systemClock } from "./clock.ts";
export { orAborted } from "./or-aborted.ts";
export * from "./redact-secrets.ts";
export { waitAtMost } from "./wait-at-most.ts";
export { isUnspaced, wordsOf, type PlacedWord } from "./words.ts";
