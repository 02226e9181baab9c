// Layout of answers to chat commands: numbers, times and lists in the few characters a phone has for them.
import { refused, type CommandAnswer } from "@chela/sdk";

const WIDTH = 56;
const MOST_LINES = 11;

/** 950, 1.2k, 16k, 1.5M. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const [size, unit] = value < 999_500 ? [value / 1_000, "k"] : [value / 1_000_000, "M"];
  return `${size < 9.95 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)}${unit}`;
}

export function money(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? "<$0.01" : `$${dollars.toFixed(2)}`;
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)}%` : "?";
}

/** "just now", "5m ago", "in 3h". */
export function relativeTime(at: number, now: number): string {
  const size = Math.abs(now - at);
  const [count, unit] =
    size < 3_600_000 ? [size / 60_000, "m"] : size < 86_400_000 ? [size / 3_600_000, "h"] : [size / 86_400_000, "d"];
  if (size < 60_000) return at > now ? "in a moment" : "just now";
  return at > now ? `in ${Math.round(count)}${unit}` : `${Math.round(count)}${unit} ago`;
}

/** Words in as few lines as fit on a narrow screen. */
export function foldWords(words: readonly string[], separator = " "): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + separator.length + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last}${separator}${word}`;
  }
  return lines;
}

/** The first lines of a text that may be long, and how much more there is. */
export function firstLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length <= MOST_LINES) return lines.map((line) => shorten(line, 200));
  const more = lines.length - MOST_LINES + 1;
  return [...lines.slice(0, MOST_LINES - 1).map((line) => shorten(line, 200)), `… ${more} more lines`];
}

function shorten(text: string, length: number): string {
  const whole = Array.from(text.slice(0, length * 2 + 2));
  return whole.length <= length ? text : `${whole.slice(0, length - 1).join("")}…`;
}

export function oneLine(text: string, length: number): string {
  return shorten(text.replace(/\s+/g, " ").trim(), length);
}

/** Nothing in it can hide: what has no picture of its own, or turns the direction of writing, is shown by its number. */
function showAll(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** As code that shows everything: no sign of it is taken for mark-up, and nothing in it can end the fence. */
export function asWholeCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [fence, showAll(text), fence].join("\n");
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly number: number;
  readonly count: number;
}

/** A page that does not exist becomes the nearest one that does. */
export function pageOf<T>(items: readonly T[], wanted: number, size: number): Page<T> {
  const count = Math.max(1, Math.ceil(items.length / size));
  const number = Math.min(Math.max(1, Number.isSafeInteger(wanted) ? wanted : 1), count);
  return { items: items.slice((number - 1) * size, number * size), number, count };
}

export const splitWords = (args: string): string[] => args.split(/\s+/).filter((word) => word !== "");

/** The answer to a word that is none of those that are allowed. */
export function refusedWord(title: string, args: string, allowed: string): CommandAnswer {
  const [word = ""] = splitWords(args);
  return refused(`⚠️ ${title} does not know "${word.slice(0, 30)}".`, ...foldWords(`Allowed: ${allowed}.`.split(" ")));
}
