// Scores what was written long ago lower, if that is wanted; what MEMORY.md says never grows old.
const DAY_MS = 86_400_000;
const DATED = /(?:^|\/)(\d{4})-(\d{2})-(\d{2})[^/]*$/;
const LASTING = /^(?:MEMORY|memory)\.md$/;

/** Undefined: it has no age. A note that is named after a day is as old as that day. */
export function timeOf(path: string, changedAt: number | undefined): number | undefined {
  if (LASTING.test(path)) return undefined;
  const [, year, month, day] = DATED.exec(path) ?? [];
  if (year === undefined) return changedAt;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(at) ? changedAt : at;
}

/** Between 0 and 1: one half for each half-life that passed. */
export function decayOf(at: number | undefined, now: number, halfLifeDays: number): number {
  if (at === undefined || halfLifeDays <= 0) return 1;
  return 0.5 ** (Math.max(0, now - at) / DAY_MS / halfLifeDays);
}
