// Names of points in a transcript: what an entry does to the names there were before it.
import type { TranscriptEntry } from "@chela/sdk";

/**
 * Names are set one by one. An entry without one takes names of its target away: the one in `removed`, or all of them, as other
 * programs write it, which know one name for each entry.
 */
export function applyLabel<T>(
  names: Map<string, T>,
  entry: TranscriptEntry,
  about: { point(targetId: string): T | undefined; targetOf(point: T): string },
): void {
  const { label, targetId, removed } = entry;
  if (entry.type !== "label" || typeof targetId !== "string") return;
  if (typeof label === "string") {
    const point = about.point(targetId);
    if (point === undefined) return;
    // The newest is the last.
    names.delete(label);
    names.set(label, point);
    return;
  }
  for (const [name, point] of names) {
    const isMeant = typeof removed === "string" ? removed === name : about.targetOf(point) === targetId;
    if (isMeant) names.delete(name);
  }
}
