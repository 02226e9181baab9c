// The terminal side of a conversation: a prompt, the answer as it is written, and never both at once. What is typed while
// an answer runs is kept and shown when the prompt is back.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { ChatLine, ChatView } from "./chat-conversation.ts";
import { StreamPrinter } from "./stream-printer.ts";
import type { Terminal } from "./terminal.ts";

export interface ScreenEvents {
  line(text: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-D, or the end of the input. */
  end(): void;
}

const PROMPT = "> ";
const WAITING = "…";

export class ChatScreen implements ChatView {
  readonly #terminal: Terminal;
  readonly #printer: StreamPrinter;
  readonly #output: SilenceableOutput;
  readonly #input: Interface;
  /** Lines whose answer has not come; the first is the one being answered. */
  readonly #open: ChatLine[] = [];
  #isWaiting = false;

  constructor(terminal: Terminal, events: ScreenEvents) {
    this.#terminal = terminal;
    this.#printer = new StreamPrinter((text) => terminal.write(text));
    this.#output = new SilenceableOutput();
    const { isInteractive } = terminal;
    this.#input = createInterface({
      input: process.stdin,
      ...(isInteractive ? { output: this.#output, terminal: true, prompt: PROMPT } : { terminal: false }),
    });
    this.#input.on("line", events.line).on("close", events.end);
    if (isInteractive) this.#input.on("SIGINT", events.interrupt);
    else process.on("SIGINT", events.interrupt);
  }

  /** Text on the input line that was not sent. */
  get typed(): string {
    return this.#input.line ?? "";
  }

  clearTyped(): void {
    this.#input.write(null, { ctrl: true, name: "u" });
  }

  prompt(): void {
    if (this.#terminal.isInteractive && this.#open.length === 0) this.#input.prompt(true);
  }

  close(): void {
    this.#hideWaiting();
    this.#output.isSilent = true;
    this.#input.close();
  }

  asked(line: ChatLine): void {
    this.#open.push(line);
    if (this.#open.length === 1) this.#beginAnswer();
  }

  writing(line: ChatLine, text: string): void {
    if (line !== this.#open[0]) return;
    this.#hideWaiting();
    this.#printer.show(text);
  }

  ended(line: ChatLine, { kind, text }: Parameters<ChatView["ended"]>[1]): void {
    const { style } = this.#terminal;
    this.#hideWaiting();
    if (kind !== "failed" && text) this.#printer.show(text);
    this.#printer.end();
    if (kind === "stopped") this.#say(style.dim("(stopped)"));
    if (kind === "failed") this.#say(style.red(text ?? "The answer failed."));
    const index = this.#open.indexOf(line);
    if (index >= 0) this.#open.splice(index, 1);
    const [next] = this.#open;
    if (!next) {
      this.#output.isSilent = false;
      return this.prompt();
    }
    if (this.#terminal.isInteractive) this.#terminal.print(style.dim(`${PROMPT}${next.text}`));
    this.#beginAnswer();
  }

  unasked(text: string): void {
    this.#interject(text);
  }

  note(text: string): void {
    this.#interject(this.#terminal.style.dim(`(${text})`));
  }

  /** A block of lines of the screen's own, such as help. */
  show(lines: readonly string[]): void {
    for (const line of lines) this.#interject(line);
  }

  #beginAnswer(): void {
    this.#output.isSilent = true;
    if (!this.#terminal.isInteractive) return;
    this.#terminal.write(this.#terminal.style.dim(WAITING));
    this.#isWaiting = true;
  }

  #hideWaiting(): void {
    if (this.#isWaiting) this.#terminal.write("\r\u001b[K");
    this.#isWaiting = false;
  }

  /** Puts a line above the prompt, or below what is written so far. */
  #interject(text: string): void {
    const wasWaiting = this.#isWaiting;
    this.#hideWaiting();
    if (this.#open.length > 0) this.#printer.end();
    else if (this.#terminal.isInteractive) this.#terminal.write("\r\u001b[J");
    this.#say(text);
    if (wasWaiting) this.#beginAnswer();
    this.prompt();
  }

  #say(text: string): void {
    if (this.#terminal.isInteractive) this.#terminal.print(text);
    else this.#terminal.note(text);
  }
}

/** What readline draws goes nowhere while an answer is on the screen. */
class SilenceableOutput extends Writable {
  isSilent = false;

  constructor() {
    super();
    process.stdout.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return process.stdout.columns;
  }

  get rows(): number {
    return process.stdout.rows;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isSilent) process.stdout.write(chunk);
    done();
  }
}
