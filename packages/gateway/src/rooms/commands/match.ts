// Recognises the words that stop a run or begin a conversation anew.

export type ResetMatch =
  | { readonly kind: "none" }
  /** Start the conversation anew; `rest` is what was written behind the command. */
  | { readonly kind: "reset"; readonly reason: "new" | "reset"; readonly rest: string };

const STOP_WORDS = new Set(
  `stop|esc|abort|wait|exit|interrupt|halt|detente|deten|detén|arrete|arrête|停止|やめて|止めて|रुको|توقف|стоп|остановись|останови|остановить|прекрати|anhalten|aufhören|hoer auf|stopp|pare|stop openclaw|openclaw stop|stop chela|chela stop|stop action|stop current action|stop run|stop current run|stop agent|stop the agent|stop don't do anything|stop dont do anything|stop do not do anything|stop doing anything|do not do that|please stop|stop please`.split(
    "|",
  ),
);

const LONGEST_STOP = 80;
const TRAILING_PUNCTUATION = /[.!?,;:'")\]}\u2026\u3002\uff01\uff1f\uff0c\uff1b\uff1a\u300d\u300f\uff09\u3011]+$/u;

/** Whether the whole message is one of the words that mean "stop". */
export function isStopWord(text: string): boolean {
  const trimmed = text.trim();
  // Nobody shouts "stop" at such length, and looking for a long tail of punctuation takes time that grows with its square.
  if (trimmed.length > LONGEST_STOP) return false;
  const plain = trimmed.toLowerCase().replace(/\s+/g, " ").replace(TRAILING_PUNCTUATION, "").trim();
  return STOP_WORDS.has(plain);
}

export function matchReset(trimmed: string, resetTriggers: readonly string[]): ResetMatch {
  const [word = ""] = trimmed.split(/\s/, 1);
  const lower = word.toLowerCase();
  const triggers = ["/new", "/reset", ...resetTriggers.map((trigger) => trigger.toLowerCase())];
  if (lower === "" || !triggers.includes(lower)) return { kind: "none" };
  return { kind: "reset", reason: lower === "/reset" ? "reset" : "new", rest: trimmed.slice(word.length).trim() };
}
