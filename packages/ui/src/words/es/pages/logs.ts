// La página del registro, en español.
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/logs/words.ts";

export default {
  lines: "Líneas del registro",
  filter: "Filtrar por texto",
  part: "Parte",
  everything: "Todo",
  levels: "Niveles",
  level: "Nivel",
  time: "Hora",
  text: "Mensaje",
  wrap: "Ajustar líneas",
  pause: "Pausar",
  resume: "Continuar",
  download: "Descargar lo que se ve",
  newest: "Lo más reciente",
  newestOf: (count: number) => (count === 1 ? "1 línea nueva" : `${count} líneas nuevas`),
  none: "No hay líneas. Aparecerán aquí en cuanto se escriba algo.",
  details: "Línea del registro",
  heldWith: (count: string) => `En pausa. Líneas llegadas entretanto: ${count}.`,
  skipped: (count: number) => `… ${count} líneas llegaron demasiado rápido para mostrarlas`,
  shown: (shown: string, all: string) => `${shown} de ${all} líneas`,
} satisfies InOtherWords<typeof en>;
