// Maps keys to answers of a question. A key counts only after a moment of silence, so that nobody allows a command by
// typing on, and only alone or with the Enter behind it, so that pasted text never does.
import type { ApprovalDecision, ApprovalQuestion } from "./approval-question.ts";

export const KEYS_LINE = "[y] once  [a] always  [n] deny ";
const ANSWERS: Readonly<Record<string, ApprovalDecision>> = { y: "allow-once", a: "allow-always", n: "deny" };
const SILENCE_MS = 500;

export interface ApprovalKeysEvents {
  /** From now on a key answers the first question. */
  ready(): void;
  answered(question: ApprovalQuestion, decision: ApprovalDecision): void;
}

export class ApprovalKeys {
  readonly #events: ApprovalKeysEvents;
  readonly #questions: ApprovalQuestion[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastKeyAt = -Infinity;
  #state: "quiet" | "ready" | "answered" = "quiet";

  constructor(events: ApprovalKeysEvents) {
    this.#events = events;
  }

  /** The question that is on the screen. */
  get first(): ApprovalQuestion | undefined {
    return this.#questions[0];
  }

  get isReady(): boolean {
    return this.first !== undefined && this.#state === "ready";
  }

  add(question: ApprovalQuestion): void {
    this.#questions.push(question);
    if (this.#questions.length === 1) this.#becomeReady();
  }

  remove(id: string): void {
    const index = this.#questions.findIndex((question) => question.id === id);
    if (index < 0) return;
    this.#questions.splice(index, 1);
    if (index === 0) this.#becomeReady();
  }

  /** The answer did not arrive: the first question may be answered again. */
  askAgain(): void {
    this.#becomeReady();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#questions.length = 0;
  }

  /** Takes what came from the keyboard; true when it was an answer, and so is not for the input line. */
  take(typed: string): boolean {
    const isSilent = performance.now() - this.#lastKeyAt >= SILENCE_MS;
    this.#lastKeyAt = performance.now();
    // Terminals that gather what is typed send a key and its Enter together.
    const [, key = ""] = /^(.)[\r\n]{0,2}$/.exec(typed) ?? [];
    const decision = ANSWERS[key.toLowerCase()];
    if (!this.first || !decision || !this.isReady || !isSilent) return false;
    this.#state = "answered";
    this.#events.answered(this.first, decision);
    return true;
  }

  #becomeReady(): void {
    clearTimeout(this.#timer);
    this.#state = "quiet";
    if (this.first) this.#waitForSilence(SILENCE_MS);
  }

  #waitForSilence(waitMs: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#lastKeyAt + SILENCE_MS - performance.now();
      if (left > 0) return this.#waitForSilence(left);
      this.#state = "ready";
      this.#events.ready();
    }, waitMs);
  }
}
