// La pregunta de si una orden puede ejecutarse, en español.
import type { InOtherWords } from "../index.ts";
import type en from "../en/approval.ts";

export default {
  question: "¿Puede ejecutarse esta orden?",
  left: (time) => `quedan ${time}`,
  endsNow: "Está a punto de caducar",
  command: "Orden",
  goesOn: "La orden no cabe en este recuadro. Desplázate para leerla entera.",
  directory: "Carpeta",
  program: "Programa",
  agent: "Agente",
  chat: "Chat",
  askedBy: "Lo pide",
  variables: "Variables",
  why: "Motivo",
  deny: "Denegar",
  allowAlways: "Permitir siempre",
  allowOnce: "Permitir una vez",
  alwaysMeans: "«Permitir siempre» vale solo para esta orden exacta. Se puede retirar en Permisos.",
  saidDeny: "Denegada. La orden no se ejecuta.",
  saidAlways: "Permitida de ahora en adelante.",
  saidOnce: "Permitida por esta vez.",
} satisfies InOtherWords<typeof en>;
