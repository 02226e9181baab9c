// Wo die Befehle eines Gesprächs laufen, auf Deutsch.
import type { InOtherWords } from "../index.ts";
import type en from "../en/sandbox.ts";

export default {
  inside: "in Sandbox",
  outside: "auf diesem Rechner",
  broken: "Sandbox geht nicht",
  label: (state) => `Befehle laufen: ${state}`,
  title: "Wo Befehle laufen",
  insideHow:
    "Befehle dieses Gesprächs laufen in einer Sandbox. Neben einem System, das sie nur lesen können, sehen sie von diesem Rechner nur das:",
  outsideHow:
    "Befehle dieses Gesprächs laufen auf diesem Rechner, mit den Rechten des Gateways. Was ein Ja braucht, wird vorher gefragt.",
  brokenHow:
    "Befehle dieses Gesprächs gehören in eine Sandbox, aber es lässt sich keine einrichten. Bis dahin werden sie abgelehnt.",
  why: "Warum",
  sees: "Sieht",
  readOnly: "nur lesen",
  network: "Netz",
  networkNone: "Keines",
  limits: "Grenzen",
  memory: (amount) => `${amount} Speicher`,
  processes: (count) => `${count} Prozesse`,
  time: (amount) => `${amount} Rechenzeit`,
  file: (amount) => `Dateien bis ${amount}`,
  files: (count) => `${count} offene Dateien`,
  cpus: (count) => `${count} Prozessoren`,
  shared: "Geteilt",
  shared_shared: "mit allen Gesprächen",
  shared_agent: "mit anderen Gesprächen des Agenten",
  shared_session: "mit niemandem",
  keptBy: "Gemacht mit",
  more: "Mehr zur Sicherheit",
} satisfies InOtherWords<typeof en>;
