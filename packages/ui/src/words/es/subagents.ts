// Subagentes de una conversación, en español.
import type { InOtherWords } from "../index.ts";
import type en from "../en/subagents.ts";

export default {
  title: "Subagentes",
  atWork: (count) => (count === 1 ? "1 subagente trabajando" : `${count} subagentes trabajando`),
  done: (count) => (count === 1 ? "1 subagente terminado" : `${count} subagentes terminados`),
  moreDone: (count) => (count === 1 ? "1 terminado" : `${count} terminados`),
  state_running: "Trabajando",
  state_announcing: "Trae el resultado",
  outcome_ok: "Terminado",
  outcome_error: "Falló",
  outcome_timeout: "Se acabó el tiempo",
  outcome_killed: "Detenido",
  notDelivered: "El resultado no llegó",
  tokens: (count) => `${count} tokens`,
  steer: (name) => `Decir algo a ${name}`,
  steerHint: "Por ejemplo: mira también el año pasado",
  steerSend: "Decir",
  steered: "Dicho.",
  stop: (name) => `Detener ${name}`,
  stopTitle: (name) => `¿Detener «${name}»?`,
  stopText: "Termina donde está, junto con los que inició. Lo hecho hasta ahora se queda.",
  stopYes: "Detener",
  stopped: "Detenido.",
  startedFrom: "Subagente de",
} satisfies InOtherWords<typeof en>;
