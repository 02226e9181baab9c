// Finds what happens on which day: a dentist tomorrow, a flight on 3 May.
import type { DrawnFact } from "./drawn-fact.ts";
import { createDayReader, type DayReader } from "./day-reader.ts";
import { writeDay, type DayNumber } from "./days.ts";
import { eitherCase, type Language } from "./pattern.ts";

export interface AppointmentReader {
  /** The first day a sentence speaks of. */
  dayIn(plain: string, saidOn: DayNumber): string | undefined;
  find(plain: string, saidOn: DayNumber): DrawnFact[];
}

const MOST_DAYS = 3;
const CALLED_OFF =
  /(?<!\p{L})(?:cancel(?:led|ed|s)?|called off|abgesagt|fällt (?:\p{L}+ )*aus|entfällt|gestrichen|cancelad[ao]|anulad[ao]|suspendid[ao])(?!\p{L})/iu;
const REMINDS = /(?:don't|do not|not) forget|nicht vergessen|vergiss (?:bitte )?nicht|no (?:te )?olvides|no olvidar/giu;
const NAME = String.raw`\p{Lu}[\p{L}\p{M}-]+`;

export function createAppointmentReader({ calendar, negates }: Language): AppointmentReader {
  const readDays: DayReader = createDayReader(calendar);
  const event = new RegExp(
    `(?<whose>(?<![\\p{L}])${NAME}(?:'s|s) )?(?<what>${eitherCase(calendar.events.source)})(?<rest> (?:${calendar.withWord}|of|von|de) (?:Dr\\. )?${NAME})?`,
    "u",
  );
  const isPast = (plain: string) => calendar.past.test(plain) && !calendar.moves.test(plain);

  function subjectOf(plain: string): string | undefined {
    const groups = event.exec(plain)?.groups;
    if (!groups?.["what"]) return undefined;
    return `${groups["whose"] ?? ""}${groups["what"].toLowerCase()}${groups["rest"] ?? ""}`;
  }

  return {
    dayIn(plain, saidOn) {
      const [first] = readDays(plain, saidOn, isPast(plain));
      return first && writeDay(first.day);
    },
    find(plain, saidOn) {
      if (CALLED_OFF.test(plain) || negates.test(plain.replace(REMINDS, ""))) return [];
      const days = readDays(plain, saidOn, isPast(plain)).slice(0, MOST_DAYS);
      const subject = days.length === 0 ? undefined : subjectOf(plain);
      // A day on which nothing is known to happen tells nothing.
      if (subject === undefined) return [];
      const slot = calendar.moves.test(plain) ? "moved" : "day";
      return days.map(({ day, isWritten }): DrawnFact => {
        const written = writeDay(day);
        const confidence = isPast(plain) ? 0.55 : isWritten ? 0.85 : 0.75;
        const about = { kind: "thing", subject } as const;
        return { kind: "date", slot, value: written, about, confidence, day: written };
      });
    },
  };
}
