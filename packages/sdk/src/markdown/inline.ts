// Finishing touches on a line of inline parts: ||spoilers|| are found, marks say everything once.
import type { Inline } from "./tree.ts";

export function tidyInline(parts: readonly Inline[]): readonly Inline[] {
  return mergeNeighbours(findSpoilers(parts).flatMap((part) => withoutSame(part, [])));
}

/** Bold in bold is bold, and a link in a link is not one. */
function withoutSame(part: Inline, outer: ReadonlyArray<Inline["kind"]>): readonly Inline[] {
  if (!("inline" in part)) return [part];
  const inner = part.inline.flatMap((child) => withoutSame(child, [...outer, part.kind]));
  return outer.includes(part.kind) ? inner : [{ ...part, inline: mergeNeighbours(inner) }];
}

const MARK = "||";

/** Where a spoiler may begin or end: index of the part, and of the mark in its text. */
interface Mark {
  readonly part: number;
  readonly at: number;
}

/** Like other marks, `||` opens only before and closes only after something: `a || b || c` is no spoiler. */
function findSpoilers(parts: readonly Inline[]): readonly Inline[] {
  if (!parts.some((part) => part.kind === "text" && part.text.includes(MARK))) return parts;
  const marks = parts.flatMap((part, index) => marksIn(part).map((at): Mark => ({ part: index, at })));
  const result: Inline[] = [];
  let done: Mark = { part: 0, at: 0 };
  for (let index = 0; index + 1 < marks.length; index++) {
    const open = marks[index]!;
    const close = marks[index + 1]!;
    const inner = slice(parts, { part: open.part, at: open.at + MARK.length }, close);
    if (!isSpoiler(inner)) continue;
    result.push(...slice(parts, done, open), { kind: "spoiler", inline: mergeNeighbours(inner) });
    done = { part: close.part, at: close.at + MARK.length };
    index++;
  }
  return [...result, ...slice(parts, done, { part: parts.length, at: 0 })];
}

function marksIn(part: Inline): number[] {
  if (part.kind !== "text") return [];
  return [...part.text.matchAll(/(?<!\|)\|\|(?!\|)/g)].map((match) => match.index);
}

function isSpoiler(inner: readonly Inline[]): boolean {
  const first = inner[0];
  const last = inner.at(-1);
  if (first === undefined || last === undefined) return false;
  return !(first.kind === "text" && /^\s/.test(first.text)) && !(last.kind === "text" && /\s$/.test(last.text));
}

function slice(parts: readonly Inline[], from: Mark, to: Mark): Inline[] {
  const result: Inline[] = [];
  for (let index = from.part; index <= Math.min(to.part, parts.length - 1); index++) {
    const part = parts[index]!;
    const isCut = index === from.part || index === to.part;
    if (!isCut) result.push(part);
    else if (part.kind !== "text") {
      if (index < to.part) result.push(part);
    } else {
      const text = part.text.slice(index === from.part ? from.at : 0, index === to.part ? to.at : undefined);
      if (text !== "") result.push({ kind: "text", text });
    }
  }
  return result;
}

/** `**a****b**` is one bold text: some dialects cannot write two that touch. */
function mergeNeighbours(parts: readonly Inline[]): readonly Inline[] {
  const result: Inline[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    const merged = before === undefined ? undefined : merge(before, part);
    if (merged === undefined) result.push(part);
    else result[result.length - 1] = merged;
  }
  return result;
}

function merge(left: Inline, right: Inline): Inline | undefined {
  if (left.kind === "text" && right.kind === "text") return { kind: "text", text: left.text + right.text };
  if (left.kind !== right.kind) return undefined;
  if (left.kind !== "bold" && left.kind !== "italic" && left.kind !== "strike" && left.kind !== "spoiler")
    return undefined;
  const inner = right as typeof left;
  return { kind: left.kind, inline: mergeNeighbours([...left.inline, ...inner.inline]) };
}
