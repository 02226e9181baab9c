// Recognises messages that are meant for the gateway, not for the model.

export type CommandMatch =
  | { readonly kind: "none" }
  | { readonly kind: "stop" }
  /** Start the conversation anew; `rest` is what was written behind the command. */
  | { readonly kind: "reset"; readonly reason: "new" | "reset"; readonly rest: string };

const STOP_WORDS = new Set(
  `stop|esc|abort|wait|exit|interrupt|halt|detente|deten|detén|arrete|arrête|停止|やめて|止めて|रुको|توقف|стоп|остановись|останови|остановить|прекрати|anhalten|aufhören|hoer auf|stopp|pare|stop openclaw|openclaw stop|stop chela|chela stop|stop action|stop current action|stop run|stop current run|stop agent|stop the agent|stop don't do anything|stop dont do anything|stop do not do anything|stop doing anything|do not do that|please stop|stop please`.split(
    "|",
  ),
);

const LONGEST_STOP = 80;
const TRAILING_PUNCTUATION = /[.!?,;:'")\]}\u2026\u3002\uff01\uff1f\uff0c\uff1b\uff1a\u300d\u300f\uff09\u3011]+$/u;

export function matchCommand(text: string, resetTriggers: readonly string[] = ["/new", "/reset"]): CommandMatch {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (lower === "/stop") return { kind: "stop" };
  // Nobody shouts "stop" at such length, and looking for a long tail of punctuation takes time that grows with its square.
  const short = lower.length <= LONGEST_STOP ? lower : "";
  const plain = short.replace(/\s+/g, " ").replace(TRAILING_PUNCTUATION, "").trim();
  if (STOP_WORDS.has(plain)) return { kind: "stop" };
  const [word = ""] = lower.split(/\s/, 1);
  if (["/new", "/reset", ...resetTriggers.map((trigger) => trigger.toLowerCase())].includes(word)) {
    const rest = trimmed.slice(word.length).trim();
    return { kind: "reset", reason: word === "/reset" ? "reset" : "new", rest };
  }
  return { kind: "none" };
}
