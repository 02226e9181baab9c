// Dónde se ejecutan los comandos de una conversación, en español.
import type { InOtherWords } from "../index.ts";
import type en from "../en/sandbox.ts";

export default {
  inside: "aislado",
  outside: "en esta máquina",
  broken: "aislamiento roto",
  label: (state) => `Los comandos se ejecutan: ${state}`,
  title: "Dónde se ejecutan los comandos",
  insideHow:
    "Los comandos de esta conversación se ejecutan en un entorno aislado. Aparte de un sistema de solo lectura, esto es todo lo que ven de esta máquina:",
  outsideHow:
    "Los comandos de esta conversación se ejecutan en esta máquina como el usuario del gateway. Lo que necesita un sí se pregunta antes.",
  brokenHow:
    "Los comandos de esta conversación deben ir en un entorno aislado, pero no se puede crear ninguno. Hasta entonces se rechazan.",
  why: "Por qué",
  sees: "Ve",
  readOnly: "solo lectura",
  network: "Red",
  networkNone: "Ninguna",
  limits: "Límites",
  memory: (amount) => `${amount} de memoria`,
  processes: (count) => `${count} procesos`,
  time: (amount) => `${amount} de procesador`,
  file: (amount) => `archivos de hasta ${amount}`,
  files: (count) => `${count} archivos abiertos`,
  cpus: (count) => `${count} procesadores`,
  shared: "Compartido",
  shared_shared: "con todas las conversaciones",
  shared_agent: "con las otras conversaciones del agente",
  shared_session: "con nadie",
  keptBy: "Creado con",
  more: "Más sobre la seguridad",
} satisfies InOtherWords<typeof en>;
