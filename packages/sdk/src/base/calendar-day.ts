// Writes the calendar day of a time, in a named time zone or in that of this machine.

/** YYYY-MM-DD */
export type DayWriter = (at: number) => string;

/** This machine's own zone needs no calendars, which take five megabytes once they are loaded. */
export function dayWriter(timeZone?: string): DayWriter {
  if (timeZone === undefined) return writeLocalDay;
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (at) => format.format(at);
}

function writeLocalDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
