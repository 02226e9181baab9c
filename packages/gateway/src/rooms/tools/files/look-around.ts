// Answers for a path that leads to a directory or to nothing: what is there instead.
import { opendirSync } from "node:fs";
import type { LocatedPath } from "./locate.ts";

const SHOWN_NAMES = 50;
const LOOKED_AT = 2_000;
const SUGGESTIONS = 3;

export function listDirectory(place: LocatedPath): string {
  const { names, complete } = namesIn(place);
  if (names.length === 0) return `"${place.written}" is a directory, and it is empty.`;
  const more = names.length > SHOWN_NAMES || !complete ? " and more" : "";
  return `"${place.written}" is a directory. Choose a file in it: ${names.slice(0, SHOWN_NAMES).join(", ")}${more}.`;
}

export function describeMissing(place: LocatedPath): string {
  const sought = place.missing[0] ?? place.name;
  const near = namesIn(place)
    .names.map((name) => ({ name, likeness: likenessOf(sought, name.replace(/\/$/, "")) }))
    .filter(({ likeness }) => likeness > 0.4)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
  const where = place.missing.length > 0 ? `There is no directory "${sought}" on the way to` : "There is no file";
  const hint = near.length > 0 ? ` Names like it there: ${near.join(", ")}.` : "";
  return `${where} "${place.written}".${hint}`;
}

/** Sorted, directories with a slash. A place that cannot be listed shows nothing. */
function namesIn(place: LocatedPath): { names: string[]; complete: boolean } {
  const names: string[] = [];
  try {
    using folder = opendirSync(place.folder.at("."));
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (names.length === LOOKED_AT) return { names: names.sort(), complete: false };
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
  } catch {
    // Not allowed to list it: the sentence is complete without names.
  }
  return { names: names.sort(), complete: true };
}

/** 0 … 1: how many pairs of neighbouring letters two names share. */
function likenessOf(a: string, b: string): number {
  const [pairsOfA, pairsOfB] = [pairsIn(a), pairsIn(b)];
  const shared = [...pairsOfA].filter((pair) => pairsOfB.has(pair)).length;
  return (2 * shared) / (pairsOfA.size + pairsOfB.size);
}

function pairsIn(name: string): Set<string> {
  const padded = ` ${name.toLowerCase().slice(0, 255)} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2)));
}
