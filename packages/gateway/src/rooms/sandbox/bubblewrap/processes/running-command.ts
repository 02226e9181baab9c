// One command inside: its output, its input, its end.
import { constants } from "node:os";
import type { SandboxCommand, SandboxedProcess, SandboxExit } from "@chela/sdk";
import type { CommandPipes } from "../command-pipes.ts";
import { findOuterPid, signalCommand } from "./inner-processes.ts";

export interface CommandSetting {
  readonly id: string;
  /** The bubblewrap process outside; undefined once it is gone, because its number may then be another's. */
  root(): number | undefined;
  readonly pipes: CommandPipes;
  readonly onText: SandboxCommand["onText"];
  /** `isClean`: everybody let go of the pipes, and none was used for input. */
  onClosed(isClean: boolean): void;
}

/** What only the warden's reports change. */
export interface CommandProgress {
  opened(): void;
  started(innerPid: number): void;
  ended(exit: SandboxExit): void;
}

export class RunningCommand implements SandboxedProcess {
  readonly exited: Promise<SandboxExit>;
  readonly closed: Promise<void>;
  /** True once the command holds its pipes; false when it ended without ever doing so. */
  readonly began: Promise<boolean>;
  hasBegun = false;
  /** As the inside counts; undefined until it is known. */
  innerPid: number | undefined;
  readonly progress: CommandProgress;
  readonly #setting: CommandSetting;
  #lastSignal: NodeJS.Signals | undefined;
  #takesInput: boolean;
  #isOver = false;

  constructor(setting: CommandSetting) {
    this.#setting = setting;
    const { pipes, onText, onClosed } = setting;
    this.#takesInput = pipes.input !== undefined;
    const exited = Promise.withResolvers<SandboxExit>();
    const began = Promise.withResolvers<boolean>();
    this.exited = exited.promise;
    this.began = began.promise;
    this.closed = this.#readAll(pipes, onText, onClosed);
    pipes.input?.on("error", () => (this.#takesInput = false));
    this.progress = {
      opened: () => {
        this.hasBegun = true;
        pipes.letGo();
        began.resolve(true);
      },
      started: (innerPid) => (this.innerPid ??= innerPid),
      ended: (exit) => {
        this.#isOver = true;
        this.#takesInput = false;
        pipes.letGo();
        pipes.input?.destroy();
        began.resolve(false);
        exited.resolve(this.#named(exit));
      },
    };
  }

  get id(): string {
    return this.#setting.id;
  }

  /** Looked up when somebody asks: only then it is worth looking through all processes. */
  get pid(): number | undefined {
    return this.innerPid === undefined || this.#isOver ? undefined : findOuterPid(this.#setting.root(), this.innerPid);
  }

  write(data: string | Buffer): boolean {
    const { input } = this.#setting.pipes;
    if (!input || !this.#takesInput) return false;
    input.write(data);
    return true;
  }

  closeInput(): boolean {
    const { input } = this.#setting.pipes;
    if (!input || !this.#takesInput) return false;
    this.#takesInput = false;
    input.end();
    return true;
  }

  pause(): void {
    for (const output of this.#setting.pipes.outputs) output.pause();
  }

  resume(): void {
    for (const output of this.#setting.pipes.outputs) output.resume();
  }

  signal(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): void {
    const { id } = this.#setting;
    this.#lastSignal = signal;
    // What it left behind still carries its mark when the command itself is gone and its number may be another's.
    signalCommand(this.#setting.root(), { id, innerPid: this.#isOver ? undefined : this.innerPid }, signal);
  }

  abandon(): void {
    for (const output of this.#setting.pipes.outputs) output.destroy();
  }

  async #readAll(
    pipes: CommandPipes,
    onText: SandboxCommand["onText"],
    onClosed: CommandSetting["onClosed"],
  ): Promise<void> {
    const isClean = await Promise.all(
      pipes.outputs.map((output) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        let hasEnded = false;
        output.setEncoding("utf8");
        output.on("data", onText);
        output.on("end", () => (hasEnded = true));
        output.on("error", () => {});
        output.on("close", () => resolve(hasEnded));
        return promise;
      }),
    );
    onClosed(pipes.input === undefined && isClean.every(Boolean));
  }

  /** A shell tells signals as numbers above 128; those we sent ourselves are told by their name. */
  #named(exit: SandboxExit): SandboxExit {
    const { exitCode } = exit;
    const signal = this.#lastSignal;
    return signal !== undefined && exitCode === 128 + constants.signals[signal] ? { exitCode: null, signal } : exit;
  }
}
