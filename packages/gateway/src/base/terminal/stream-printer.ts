// Prints an answer while it is written. Events carry the whole text so far, so that a lost one does no harm.
import { cleanForTerminal } from "./layout.ts";

export interface AgentEvent {
  readonly runId: string;
  readonly sessionKey: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function isAgentEvent(payload: unknown): payload is AgentEvent {
  const event = payload as Partial<AgentEvent> | null;
  return typeof event?.runId === "string" && typeof event.stream === "string" && typeof event.data === "object";
}

/** The assistant's text so far, when that is what the event tells. */
export function answerDelta({ stream, data }: AgentEvent): string | undefined {
  return stream === "assistant" && typeof data["text"] === "string" ? data["text"] : undefined;
}

export class StreamPrinter {
  readonly #write: (text: string) => void;
  #shown = "";
  #isAtLineStart = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  get isEmpty(): boolean {
    return this.#shown === "";
  }

  /** A text that does not go on from what was shown is another message of the same answer. */
  show(raw: string): void {
    const text = cleanForTerminal(raw);
    // Spaces at the end come and go: the finished answer has none.
    const shown = text.startsWith(this.#shown) ? this.#shown : this.#shown.trimEnd();
    if (text.trimEnd() === this.#shown.trimEnd()) return;
    if (text.startsWith(shown)) this.#write(text.slice(shown.length));
    else this.#write(`${this.#isAtLineStart ? "" : "\n"}\n${text}`);
    this.#shown = text;
    this.#isAtLineStart = text.endsWith("\n");
  }

  /** Leaves the cursor at the beginning of a line, for something in between; the answer goes on after it. */
  pause(): void {
    if (!this.#isAtLineStart) this.#write("\n");
    this.#isAtLineStart = true;
  }

  end(): void {
    this.pause();
    this.#shown = "";
  }
}
