// Small things that several processes and packages of ours need: clock, waiting with an end, JSON, words of a text, secrets in it.
export { dayWriter, type DayWriter } from "./calendar-day.ts";
export { systemClock } from "./clock.ts";
export { defined, type Defined } from "./defined.ts";
export { every } from "./every.ts";
export { isObject, parseJson } from "./json.ts";
export { isTooDeep } from "./json-depth.ts";
export { orAborted } from "./or-aborted.ts";
export * from "./redact-secrets.ts";
export { waitAtMost } from "./wait-at-most.ts";
export { isUnspaced, wordsOf, type PlacedWord } from "./words.ts";
