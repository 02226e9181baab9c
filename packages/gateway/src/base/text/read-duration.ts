// Reads how long something takes, as settings say it: 30m, 1h30m, 90.

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** One after the other, each from where the one before it ended: no text can be read in two ways, and none takes long. */
const PART = /\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)?\s*/giy;

/** In milliseconds; a number alone is in the usual unit. Undefined for what is no duration. */
export function readDuration(written: unknown, usual: keyof typeof UNITS): number | undefined {
  const text = typeof written === "number" ? String(written) : written;
  if (typeof text !== "string") return undefined;
  const parts = [...text.matchAll(PART)];
  const isWhole = parts.length > 0 && parts.reduce((sum, [part]) => sum + part.length, 0) === text.length;
  if (!isWhole) return undefined;
  const times = parts.map(
    ([, count, unit]) => Number(count) * UNITS[(unit ?? usual).toLowerCase() as keyof typeof UNITS],
  );
  return Math.round(times.reduce((sum, time) => sum + time, 0));
}
