// Finds keys by name, path and explanation.
import { helpOf, isUnused, labelOf, type Hints } from "./labels.ts";
import { namedBelow, shapeOf, stepInto, type Spot } from "./schema.ts";

export interface FoundKey {
  readonly spot: Spot;
  /** A place there is only once, and not one in each entry of a list or record. */
  readonly isSingle: boolean;
}

const MOST_DEPTH = 12;

/** Every field of the schema, once. */
export function listFields(root: Spot): readonly Spot[] {
  return fieldsBelow(root, 0);
}

function fieldsBelow(spot: Spot, depth: number): Spot[] {
  if (depth > MOST_DEPTH) return [];
  const shape = shapeOf(spot.node);
  if (shape.kind === "group") return namedBelow(spot).flatMap((child) => fieldsBelow(child, depth + 1));
  const entry = shape.kind === "record" ? stepInto(spot, "*") : shape.kind === "list" ? stepInto(spot, "0") : undefined;
  const inside = entry && shapeOf(entry.node).kind === "group" ? fieldsBelow(entry, depth + 1) : [];
  return [spot, ...inside];
}

/** All words must occur somewhere; those in a key's own name count most, and what has no effect comes last. */
export function searchFields(fields: readonly Spot[], hints: Hints, query: string, most: number): FoundKey[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = fields.flatMap((spot) => {
    const score = scoreOf(spot, hints, words);
    return score > 0 ? [{ spot, score, isUnused: isUnused(hints, spot) }] : [];
  });
  return scored
    .toSorted(
      (a, b) =>
        Number(a.isUnused) - Number(b.isUnused) || b.score - a.score || a.spot.pattern.length - b.spot.pattern.length,
    )
    .slice(0, most)
    .map(({ spot }) => ({ spot, isSingle: !/\*|\[\]/.test(spot.pattern) }));
}

function scoreOf(spot: Spot, hints: Hints, words: readonly string[]): number {
  const key = spot.path.at(-1) ?? "";
  const name = `${key} ${labelOf(key)}`.toLowerCase();
  const path = spot.pattern.toLowerCase();
  const help = (helpOf(hints, spot) ?? "").toLowerCase();
  let score = 0;
  for (const word of words) {
    if (path === word || key.toLowerCase() === word) score += 12;
    else if (name.includes(word)) score += 8;
    else if (path.includes(word)) score += 4;
    else if (help.includes(word)) score += 2;
    else return 0;
  }
  // What is there once comes before what is there for each account.
  return spot.pattern.includes("*") ? score * 0.7 : score;
}
