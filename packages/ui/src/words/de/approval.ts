// Die Frage, ob ein Befehl laufen darf, auf Deutsch.
import type { InOtherWords } from "../index.ts";
import type en from "../en/approval.ts";

export default {
  question: "Darf dieser Befehl laufen?",
  left: (time) => `noch ${time}`,
  endsNow: "Läuft gleich ab",
  command: "Befehl",
  goesOn: "Der Befehl ist länger als dieses Feld. Zum Weiterlesen scrollen.",
  directory: "Ordner",
  program: "Programm",
  agent: "Agent",
  chat: "Chat",
  askedBy: "Gefragt von",
  variables: "Variablen",
  why: "Gefragt, weil",
  deny: "Ablehnen",
  allowAlways: "Immer erlauben",
  allowOnce: "Einmal erlauben",
  alwaysMeans: "„Immer erlauben“ gilt für genau diesen Befehl. Unter Freigaben lässt es sich zurücknehmen.",
  saidDeny: "Abgelehnt. Der Befehl läuft nicht.",
  saidAlways: "Ab jetzt erlaubt.",
  saidOnce: "Dieses eine Mal erlaubt.",
} satisfies InOtherWords<typeof en>;
