// Die Seite des Protokolls, auf Deutsch.
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/logs/words.ts";

export default {
  lines: "Zeilen des Protokolls",
  filter: "Nach Text filtern",
  part: "Teil",
  everything: "Alles",
  levels: "Stufen",
  level: "Stufe",
  time: "Zeit",
  text: "Meldung",
  wrap: "Umbrechen",
  pause: "Anhalten",
  resume: "Weiter",
  download: "Das Gezeigte herunterladen",
  newest: "Neueste",
  newestOf: (count: number) => (count === 1 ? "1 neue Zeile" : `${count} neue Zeilen`),
  none: "Keine Zeilen. Sie erscheinen hier, sobald etwas geschrieben wird.",
  details: "Zeile des Protokolls",
  heldWith: (count: string) => `Angehalten. Inzwischen gekommene Zeilen: ${count}.`,
  skipped: (count: number) => `… ${count} Zeilen kamen zu schnell, um gezeigt zu werden`,
  shown: (shown: string, all: string) => `${shown} von ${all} Zeilen`,
} satisfies InOtherWords<typeof en>;
