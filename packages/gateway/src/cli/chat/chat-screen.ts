// The terminal side of a conversation: a prompt, the answer as it is written, and never both at once. What is typed while
// an answer runs is kept and shown when the prompt is back.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { Terminal } from "@chela/sdk/command-line";
import { ApprovalKeys, KEYS_LINE } from "../../rooms/approvals/cli/approval-keys.ts";
import {
  describeQuestion,
  type ApprovalDecision,
  type ApprovalQuestion,
} from "../../rooms/approvals/cli/approval-question.ts";
import type { ChatLine, ChatView } from "./chat-conversation.ts";
import { Keyboard } from "../../base/terminal/keyboard.ts";
import { StreamPrinter } from "../../base/terminal/stream-printer.ts";

export interface ScreenEvents {
  line(text: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-D, or the end of the input. */
  end(): void;
  /** A key that answers the question on the screen. */
  decide(question: ApprovalQuestion, decision: ApprovalDecision): void;
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
  readonly #questions: ApprovalKeys;
  #isWaiting = false;
  /** The line that says which keys answer is on the screen. */
  #hasKeysLine = false;

  constructor(terminal: Terminal, events: ScreenEvents) {
    this.#terminal = terminal;
    this.#printer = new StreamPrinter((text) => terminal.write(text));
    this.#output = new SilenceableOutput();
    this.#questions = new ApprovalKeys({
      ready: () => this.#showKeysLine(),
      answered: (question, decision) => events.decide(question, decision),
    });
    const { isInteractive } = terminal;
    this.#input = isInteractive
      ? createInterface({
          input: new Keyboard((typed) => this.#questions.take(typed)),
          output: this.#output,
          terminal: true,
          prompt: PROMPT,
        })
      : createInterface({ input: process.stdin, terminal: false });
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
    if (!this.#terminal.isInteractive) return;
    if (this.#questions.first) return this.#showKeysLine();
    if (this.#open.length > 0) return;
    this.#output.isSilent = false;
    this.#input.prompt(true);
  }

  close(): void {
    this.#questions.close();
    this.#hideWaiting();
    this.#hideKeysLine();
    this.#output.isSilent = true;
    this.#input.close();
  }

  asked(line: ChatLine): void {
    this.#open.push(line);
    if (this.#open.length === 1) this.#beginAnswer();
  }

  writing(line: ChatLine, text: string): void {
    // While a question is on the screen, text waits: the next event has it all.
    if (line !== this.#open[0] || this.#questions.first) return;
    this.#hideWaiting();
    this.#printer.show(text);
  }

  ended(line: ChatLine, { kind, text }: Parameters<ChatView["ended"]>[1]): void {
    const { style } = this.#terminal;
    this.#hideWaiting();
    this.#hideKeysLine();
    if (kind !== "failed" && text) this.#printer.show(text);
    this.#printer.end();
    if (kind === "stopped") this.#say(style.dim("(stopped)"));
    if (kind === "failed") this.#say(style.red(text ?? "The answer failed."));
    const index = this.#open.indexOf(line);
    if (index >= 0) this.#open.splice(index, 1);
    const [next] = this.#open;
    if (!next) return this.prompt();
    if (this.#terminal.isInteractive) this.#terminal.print(style.dim(`${PROMPT}${next.text}`));
    this.#beginAnswer();
  }

  unasked(text: string): void {
    this.#interject(text);
  }

  note(text: string): void {
    this.#interject(this.#terminal.style.dim(`(${text})`));
  }

  asking(question: ApprovalQuestion): void {
    if (!this.#terminal.isInteractive) return this.#tellHowToAnswer(question);
    const isFirst = !this.#questions.first;
    this.#questions.add(question);
    if (isFirst) this.#showQuestion(question);
  }

  /** The answer did not reach the gateway. */
  askAgain(): void {
    this.#questions.askAgain();
  }

  decided(id: string, text: string): void {
    const wasFirst = this.#questions.first?.id === id;
    this.#questions.remove(id);
    this.note(text);
    if (!wasFirst) return;
    if (this.#questions.first) this.#showQuestion(this.#questions.first);
    else if (this.#open.length > 0) this.#beginAnswer();
  }

  /** A block of lines of the screen's own, such as help. */
  show(lines: readonly string[]): void {
    for (const line of lines) this.#interject(line);
  }

  #beginAnswer(): void {
    this.#output.isSilent = true;
    if (!this.#terminal.isInteractive || this.#isWaiting) return;
    if (this.#questions.first) return this.#showKeysLine();
    this.#terminal.write(this.#terminal.style.dim(WAITING));
    this.#isWaiting = true;
  }

  #hideWaiting(): void {
    if (this.#isWaiting) this.#terminal.control("\r\u001b[K");
    this.#isWaiting = false;
  }

  /** Puts a line above the prompt, or below what is written so far. */
  #interject(text: string): void {
    const wasWaiting = this.#isWaiting;
    this.#hideWaiting();
    this.#hideKeysLine();
    if (this.#open.length > 0) this.#printer.pause();
    else if (this.#terminal.isInteractive) this.#terminal.control("\r\u001b[J");
    this.#say(text);
    if (wasWaiting) this.#beginAnswer();
    this.prompt();
  }

  #showQuestion(question: ApprovalQuestion): void {
    const { style, columns } = this.#terminal;
    this.#hideWaiting();
    if (this.#open.length > 0) this.#printer.pause();
    else this.#terminal.control("\r\u001b[J");
    this.#output.isSilent = true;
    for (const line of describeQuestion(question, style, columns)) this.#terminal.print(line);
    this.#showKeysLine();
  }

  #tellHowToAnswer(question: ApprovalQuestion): void {
    const { style, columns } = this.#terminal;
    for (const line of describeQuestion(question, style, columns)) this.#terminal.note(line);
    this.#terminal.note(`  Allow it with \`chela approvals approve ${question.id}\` (--always for good),`);
    this.#terminal.note(`  refuse it with \`chela approvals deny ${question.id}\`.`);
  }

  #showKeysLine(): void {
    if (this.#hasKeysLine || !this.#questions.isReady) return;
    this.#terminal.write(this.#terminal.style.yellow(KEYS_LINE));
    this.#hasKeysLine = true;
  }

  #hideKeysLine(): void {
    if (this.#hasKeysLine) this.#terminal.control("\r\u001b[K");
    this.#hasKeysLine = false;
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
