// Tasks that HEARTBEAT.md repeats: a line that says "every 2h" or "daily" is due when that time has passed. Pure.
import { readDuration } from "../../base/text/read-duration.ts";

const WORDS: Readonly<Record<string, string>> = {
  hourly: "1h",
  daily: "1d",
  minute: "m",
  min: "m",
  hour: "h",
  day: "d",
};
const EVERY = /\bevery\s+(\d+(?:\.\d+)?)?\s*(minute|min|hour|day|m|h|d)s?\b/gi;
const ADVERB = /\b(hourly|daily)\b/gi;
/** As newer files of OpenClaw write it. */
const FIELD = /^\s*(?:-\s*)?interval:\s*["']?([\d.]+\s*[mhd])["']?\s*$/gim;

/** The shortest interval that is named in the file; undefined when none is. */
export function shortestInterval(text: string): number | undefined {
  const written = [
    ...[...text.matchAll(EVERY)].map(([, count = "1", unit = ""]) => `${count}${WORDS[unit.toLowerCase()] ?? unit}`),
    ...[...text.matchAll(ADVERB)].map(([, word = ""]) => WORDS[word.toLowerCase()] ?? ""),
    ...[...text.matchAll(FIELD)].map(([, interval = ""]) => interval),
  ];
  const found = written.flatMap((one) => readDuration(one, "m") ?? []).filter((ms) => ms > 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}
