// Wall clock times of a zone, written as date fields of forms write them: 2026-11-17T09:00.

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The zone this browser is in. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All zones there are; the own one first, and UTC, which browsers leave out. */
export function allZones(): string[] {
  return [...new Set([ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

export function wallOf(ms: number, zone: string): string {
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);
}

/** Of an hour that clocks skip, the time after it; of one that comes twice, the first. Undefined for what is no time. */
export function instantOf(wall: string, zone: string): number | undefined {
  const asUtc = /^\d{4,}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const [before, after] = [offsetAt(asUtc - DAY_MS, zone), offsetAt(asUtc + DAY_MS, zone)];
  const fits = [asUtc - Math.max(before, after), asUtc - Math.min(before, after)].filter(
    (ms) => ms + offsetAt(ms, zone) === asUtc,
  );
  return fits[0] ?? asUtc - before;
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(ms);
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"));
  return wall - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one costs more than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { ...FIELDS, timeZone });
  formats.set(timeZone, known);
  return known;
}

const FIELDS = {
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
} as const satisfies Intl.DateTimeFormatOptions;
