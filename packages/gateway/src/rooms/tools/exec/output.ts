// Output of a command: the beginning and the end are kept, the middle of a flood is not.

const KEPT_CHARS = 200_000;
const PENDING_CHARS = 30_000;

export class CommandOutput {
  #head = "";
  #tail = "";
  #total = 0;
  #pending = "";
  #pendingTotal = 0;

  append(text: string): void {
    const room = KEPT_CHARS / 2 - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = keepEnd(this.#tail + text.slice(room), KEPT_CHARS / 2);
    this.#total += text.length;
    this.#pending = keepEnd(this.#pending + text, PENDING_CHARS);
    this.#pendingTotal += text.length;
  }

  get isBlank(): boolean {
    return this.#head.trim() === "" && this.#tail.trim() === "";
  }

  get hasPending(): boolean {
    return this.#pendingTotal > 0;
  }

  /** Everything, or its two ends with a note of how much is missing between them. */
  text(limit = KEPT_CHARS): string {
    const whole = this.#head + this.#tail;
    if (this.#total <= limit && whole.length === this.#total) return whole.toWellFormed();
    const half = Math.min(limit, KEPT_CHARS) / 2;
    const cut = `\n[${this.#total - 2 * half} characters were cut here]\n`;
    return (whole.slice(0, half) + cut + whole.slice(-half)).toWellFormed();
  }

  tail(chars: number): string {
    return (this.#head + this.#tail).slice(-chars).toWellFormed();
  }

  /** What was printed since this was last asked for. */
  takePending(): string {
    const text = this.#pending.slice(-PENDING_CHARS);
    const cut = this.#pendingTotal - text.length;
    this.#pending = "";
    this.#pendingTotal = 0;
    return (cut > 0 ? `[${cut} earlier characters were left out; log shows more]\n${text}` : text).toWellFormed();
  }
}

/** Lets a text grow to twice its limit before it is cut, so that a flood of small pieces stays cheap. */
function keepEnd(text: string, limit: number): string {
  return text.length > 2 * limit ? text.slice(-limit) : text;
}
