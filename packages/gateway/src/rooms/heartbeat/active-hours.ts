// The hours of the day in which an agent may come forward by itself. Pure.

export interface ActiveHours {
  /** Minutes since midnight; the end may be 24:00. A window that ends before it starts goes over midnight. */
  readonly start: number;
  readonly end: number;
  /** An IANA zone; the one of this machine when absent. */
  readonly zone: string | undefined;
}

const DAY_MINUTES = 24 * 60;
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** `08:30` → 510; undefined for what is no time of day. */
export function readTimeOfDay(written: string): number | undefined {
  if (written.trim() === "24:00") return DAY_MINUTES;
  const [, hours, minutes] = TIME.exec(written.trim()) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

export function isActive(hours: ActiveHours | undefined, at: number): boolean {
  if (!hours) return true;
  const { start, end } = hours;
  const now = minutesOfDay(at, hours.zone);
  // A window without any length is never open, as in OpenClaw.
  if (start === end) return false;
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/** How long until the window opens, as far as clocks are not changed before; whoever waits looks again then. */
export function msUntilActive(hours: ActiveHours, at: number): number {
  const wait = (hours.start - minutesOfDay(at, hours.zone) + DAY_MINUTES) % DAY_MINUTES;
  return (wait === 0 ? DAY_MINUTES : wait) * 60_000 - (at % 60_000);
}

/** What clocks show. Intl costs something at its first use, so only those who named a zone pay for it. */
function minutesOfDay(at: number, zone: string | undefined): number {
  const date = new Date(at);
  if (zone === undefined) return date.getHours() * 60 + date.getMinutes();
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(date);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return value("hour") * 60 + value("minute");
}
