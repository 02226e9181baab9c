// Reactions that say how far a run is: one at a time, below the message that is answered.
import type { RunOutcome, ToolCallBlock } from "@chela/sdk";
import type { LiveLine } from "./live-line.ts";
import type { Status, StatusSettings } from "./live-settings.ts";

const CODING = /^(?:exec|process|bash|read|write|edit|apply_patch|grep|find|ls)$/;
const WEB = /^(?:web_|browser)/;

export class LiveStatus {
  readonly #line: LiveLine;
  readonly #settings: StatusSettings;
  /** What is shown, and what shall be once things have calmed down. */
  #shown: string | undefined;
  #wanted: Status = "queued";
  #cancelChange: (() => void) | undefined;
  #cancelStall: (() => void) | undefined;
  #isOver = false;

  constructor(line: LiveLine, settings: StatusSettings) {
    this.#line = line;
    this.#settings = settings;
  }

  queued(): void {
    this.#show("queued");
  }

  thinking(): void {
    this.#become("thinking");
  }

  usesTool({ name }: ToolCallBlock): void {
    this.#become(CODING.test(name) ? "coding" : WEB.test(name) ? "web" : "tool");
  }

  /** Something happened, though nothing new. */
  touch(): void {
    if (this.#isOver || !this.#cancelStall) return;
    this.#watch();
    if (this.#shown !== this.#settings.emojis[this.#wanted] && !this.#cancelChange) this.#show(this.#wanted);
  }

  /** How it went stays for a moment, and is then taken away if the operator wants no traces. */
  end(status: RunOutcome["status"], isRemoved: boolean): void {
    if (this.#isOver) return;
    this.stop();
    if (this.#shown === undefined || status === "aborted") return this.#react(undefined);
    const isWell = status === "ok";
    this.#show(isWell ? "done" : "error");
    const { doneHoldMs, errorHoldMs } = this.#settings;
    if (isRemoved) this.#line.parts.clock.after(isWell ? doneHoldMs : errorHoldMs, () => this.#react(undefined));
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelChange?.();
    this.#cancelStall?.();
  }

  /** Changes that follow each other quickly are shown once. */
  #become(status: Status): void {
    if (this.#isOver) return;
    this.#watch();
    this.#wanted = status;
    this.#cancelChange ??= this.#line.parts.clock.after(this.#settings.debounceMs, () => {
      this.#cancelChange = undefined;
      this.#show(this.#wanted);
    });
  }

  #watch(): void {
    const { clock } = this.#line.parts;
    const { stallSoftMs, stallHardMs } = this.#settings;
    this.#cancelStall?.();
    this.#cancelStall = clock.after(stallSoftMs, () => {
      this.#show("stallSoft");
      this.#cancelStall = clock.after(Math.max(0, stallHardMs - stallSoftMs), () => this.#show("stallHard"));
    });
  }

  #show(status: Status): void {
    this.#react(this.#settings.emojis[status]);
  }

  /** The old one goes first: some platforms know only "none" when one is taken back. */
  #react(emoji: string | undefined): void {
    const { chat } = this.#line;
    const { messageId, target } = chat;
    const before = this.#shown;
    if (messageId === undefined || before === emoji) return;
    this.#shown = emoji;
    this.#line.ask("show how far it is", async (connection) => {
      if (before) await connection.react?.(target, messageId, before, true);
      if (emoji) await connection.react?.(target, messageId, emoji, false);
    });
  }
}
