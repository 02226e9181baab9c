// Cuts a line of inline parts where it is hurt least, closing marks before the cut and opening them behind it.
import { largestFitting } from "./largest-fitting.ts";
import { asPlainWords } from "./text-content.ts";
import type { Inline } from "./tree.ts";

export interface InlineCut {
  readonly head: readonly Inline[];
  readonly rest: readonly Inline[];
}

/** `gently`: between words only, and nothing is rewritten. `anyhow`: whatever is needed, so that something fits. */
export type CutManner = "gently" | "anyhow";

const FIRST_GUESS = 256;

/** Nothing if not even the first letter fits. */
export function cutInline(
  parts: readonly Inline[],
  fits: (head: readonly Inline[]) => boolean,
  manner: CutManner,
): InlineCut | undefined {
  const most = largestFitting(lengthOf(parts), (at) => fits(splitAt(parts, at).head), FIRST_GUESS);
  // Before a link that is too long there may be a place that fits, but nothing in front of it.
  if (splitAt(parts, most).head.length > 0) {
    const place =
      bestPlaceUpTo(most, parts, fits) ?? (manner === "gently" ? undefined : anyPlaceUpTo(most, parts, fits));
    return place === undefined ? undefined : splitAt(parts, place);
  }
  if (manner === "gently") return undefined;
  const [first, ...others] = parts;
  if (first === undefined || first.kind === "text" || first.kind === "break") return undefined;
  // Its marks or its address alone are too long: the words must do.
  return cutInline([{ kind: "text", text: asPlainWords([first]) }, ...others], fits, manner);
}

function lengthOf(parts: readonly Inline[]): number {
  return parts.reduce((sum, part) => sum + lengthOfPart(part), 0);
}

/** Images and line breaks count as one letter: they, and links, are whole or not there. */
function lengthOfPart(part: Inline): number {
  if (part.kind === "image" || part.kind === "break") return 1;
  return "text" in part ? part.text.length : lengthOf(part.inline);
}

/** At a place counted in letters, never between the halves of one. Blanks at the cut are left out. */
function splitAt(parts: readonly Inline[], at: number): InlineCut {
  const head: Inline[] = [];
  let left = at;
  for (const [index, part] of parts.entries()) {
    const length = lengthOfPart(part);
    if (length <= left) {
      head.push(part);
      left -= length;
      continue;
    }
    const [before, behind] = left === 0 ? [[], [part]] : splitPart(part, left);
    return { head: trimEnd([...head, ...before]), rest: trimStart([...behind, ...parts.slice(index + 1)]) };
  }
  return { head, rest: [] };
}

function splitPart(part: Inline, at: number): [Inline[], Inline[]] {
  if (part.kind === "image" || part.kind === "break" || part.kind === "link") return [[], [part]];
  if ("text" in part) {
    const place = wholeCharacterBefore(part.text, at);
    const before = part.text.slice(0, place);
    return [before === "" ? [] : [{ ...part, text: before }], [{ ...part, text: part.text.slice(place) }]];
  }
  const { head, rest } = splitAt(part.inline, at);
  return [head.length === 0 ? [] : [{ ...part, inline: head }], rest.length === 0 ? [] : [{ ...part, inline: rest }]];
}

/** Never between the two halves of a surrogate pair. */
export function wholeCharacterBefore(text: string, at: number): number {
  const isInsidePair = at > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return isInsidePair ? at - 1 : at;
}

function trimStart(parts: readonly Inline[]): Inline[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  if (first.kind === "break") return trimStart(others);
  if (first.kind !== "text" && first.kind !== "code") return [...parts];
  const text = first.text.trimStart();
  return text === "" ? trimStart(others) : [{ ...first, text }, ...others];
}

function trimEnd(parts: readonly Inline[]): Inline[] {
  const last = parts.at(-1);
  if (last === undefined) return [];
  const others = parts.slice(0, -1);
  if (last.kind === "break") return trimEnd(others);
  if (last.kind !== "text" && last.kind !== "code") return [...parts];
  const text = last.text.trimEnd();
  return text === "" ? trimEnd(others) : [...others, { ...last, text }];
}

/** A place where a text may be cut; the lower the rank, the better. */
interface CutPoint {
  readonly at: number;
  readonly rank: number;
}

const RANK_INSIDE_MARKS = 3;
/** A better place is taken only if it leaves at least this share of what would fit. */
const WORTH_IT = 0.5;

function bestPlaceUpTo(
  most: number,
  parts: readonly Inline[],
  fits: (head: readonly Inline[]) => boolean,
): number | undefined {
  if (most >= lengthOf(parts)) return most;
  const places = placesIn(parts, most, 0).filter((place) => place.at > 0);
  const good = places.filter((place) => place.at >= most * WORTH_IT);
  const ordered = (good.length > 0 ? good : places.slice(-1)).sort((a, b) => a.rank - b.rank || b.at - a.at);
  const TRIES = 8;
  return ordered.slice(0, TRIES).find((place) => isFitting(parts, place.at, fits))?.at;
}

function isFitting(parts: readonly Inline[], at: number, fits: (head: readonly Inline[]) => boolean): boolean {
  const { head } = splitAt(parts, at);
  return head.length > 0 && fits(head);
}

/** Between letters, or inside one that does not fit. */
function anyPlaceUpTo(most: number, parts: readonly Inline[], fits: (head: readonly Inline[]) => boolean): number {
  const place = wholeGraphemeBefore(flatten(parts), most);
  return place > 0 && isFitting(parts, place, fits) ? place : most;
}

/** Before line breaks, behind sentences, between words, each up to `most`. */
function placesIn(parts: readonly Inline[], most: number, depth: number): CutPoint[] {
  const places: CutPoint[] = [];
  const penalty = depth > 0 ? RANK_INSIDE_MARKS : 0;
  let start = 0;
  for (const part of parts) {
    if (start > most) break;
    if (part.kind === "break") places.push({ at: start, rank: penalty });
    else if (part.kind === "text" || part.kind === "code") {
      const extra = part.kind === "code" ? RANK_INSIDE_MARKS : penalty;
      const text = part.text.slice(0, most - start + 1);
      for (const place of placesInText(text)) places.push({ at: start + place.at, rank: place.rank + extra });
    } else if (part.kind !== "image" && part.kind !== "link") {
      for (const place of placesIn(part.inline, most - start, depth + 1))
        places.push({ at: start + place.at, rank: place.rank });
    }
    start += lengthOfPart(part);
  }
  return places.filter((place) => place.at <= most);
}

const LINE_END = 0;
const SENTENCE_END = 1;
const WORD_END = 2;

function placesInText(text: string): CutPoint[] {
  return [...text.matchAll(/\s+/g)].map((blank) => {
    if (blank[0].includes("\n")) return { at: blank.index, rank: LINE_END };
    const endsSentence = /[.!?…。！？:;]["'”’)\]]?$/.test(text.slice(Math.max(0, blank.index - 2), blank.index));
    return { at: blank.index, rank: endsSentence ? SENTENCE_END : WORD_END };
  });
}

function flatten(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "image" || part.kind === "break") return "\n";
      return "text" in part ? part.text : flatten(part.inline);
    })
    .join("");
}

/** The last place up to `at` that is not inside what people see as one letter; 0 if there is none nearby. */
export function wholeGraphemeBefore(text: string, at: number): number {
  const NEARBY = 64;
  const from = wholeCharacterBefore(text, Math.max(0, at - NEARBY));
  const segments = new Intl.Segmenter().segment(text.slice(from, at + NEARBY));
  const index = segments.containing(at - from)?.index ?? 0;
  return index === 0 ? 0 : from + index;
}
