// Die Konsole, auf Deutsch.
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/console/words.ts";

export default {
  about: "Jede Methode dieses Gateways aufrufen und sehen, was über die Leitung geht.",
  method: "Methode",
  params: "Parameter (JSON)",
  noParams: "Sie hat keine Parameter.",
  required: "nötig",
  call: "Aufrufen",
  history: "Frühere Aufrufe",
  result: "Ergebnis",
  ok: "OK",
  failed: "Fehlgeschlagen",
  badJson: "Die Parameter sind kein gültiges JSON.",
  frames: "Nachrichten",
  filter: "Nach Methode oder Ereignis filtern",
  pause: "Anhalten",
  resume: "Weiter",
  clear: "Leeren",
  noFrames: "Noch ging nichts über die Leitung. Etwas aufrufen oder auf ein Ereignis warten.",
  sent: "Gesendet",
  received: "Empfangen",
} satisfies InOtherWords<typeof en>;
