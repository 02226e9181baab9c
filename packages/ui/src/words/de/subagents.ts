// Unteragenten eines Gesprächs, auf Deutsch.
import type { InOtherWords } from "../index.ts";
import type en from "../en/subagents.ts";

export default {
  title: "Unteragenten",
  atWork: (count) => (count === 1 ? "1 Unteragent arbeitet" : `${count} Unteragenten arbeiten`),
  done: (count) => (count === 1 ? "1 Unteragent fertig" : `${count} Unteragenten fertig`),
  moreDone: (count) => `${count} fertig`,
  state_running: "Arbeitet",
  state_announcing: "Bringt das Ergebnis",
  outcome_ok: "Fertig",
  outcome_error: "Fehlgeschlagen",
  outcome_timeout: "Zeit abgelaufen",
  outcome_killed: "Angehalten",
  notDelivered: "Das Ergebnis kam nicht an",
  tokens: (count) => `${count} Tokens`,
  steer: (name) => `Etwas zu ${name} sagen`,
  steerHint: "Zum Beispiel: Sieh auch ins letzte Jahr",
  steerSend: "Sagen",
  steered: "Gesagt.",
  stop: (name) => `${name} anhalten`,
  stopTitle: (name) => `„${name}“ anhalten?`,
  stopText: "Er endet, wo er ist, mit allen, die er gestartet hat. Was bis dahin getan ist, bleibt.",
  stopYes: "Anhalten",
  stopped: "Angehalten.",
  startedFrom: "Unteragent von",
} satisfies InOtherWords<typeof en>;
