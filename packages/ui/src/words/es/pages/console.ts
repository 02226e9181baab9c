// La consola, en español.
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/console/words.ts";

export default {
  about: "Llama a cualquier método de este gateway y mira lo que pasa por la conexión.",
  method: "Método",
  params: "Parámetros (JSON)",
  noParams: "No tiene parámetros.",
  required: "obligatorio",
  call: "Llamar",
  history: "Llamadas anteriores",
  result: "Resultado",
  ok: "OK",
  failed: "Falló",
  badJson: "Los parámetros no son JSON válido.",
  frames: "Mensajes",
  filter: "Filtrar por método o evento",
  pause: "Pausar",
  resume: "Continuar",
  clear: "Vaciar",
  noFrames: "Aún no ha pasado nada por la conexión. Llama a algo o espera un evento.",
  sent: "Enviado",
  received: "Recibido",
} satisfies InOtherWords<typeof en>;
