// One command that runs or ran: its output, its state, and how it is stopped.
import type { Clock, ExecPlan, PreparedStep, SandboxPlace, Standing } from "@chela/sdk";
import { CommandOutput } from "./output.ts";
import { runPlan, type ReadyStep, type RunningPlan } from "./run-plan.ts";
import type { TerminalLibrary } from "./start-terminal.ts";
import type { CommandExit } from "./started-step.ts";

/** Between a polite request to end and the end. */
const KILL_AFTER_MS = 2_000;
/** How long after the last signal we still wait for output to close. */
const ABANDON_AFTER_MS = 500;

/** Why we ended a command that would have gone on. */
export type StopReason = "timeout" | "turn-stopped" | "killed" | "gateway-stop";

/** Whose command it is. */
export interface CommandOwner {
  readonly agentId: string;
  readonly sessionKey: string;
  /** What whoever asked for it is to this gateway. */
  readonly standing: Standing;
  /** The sandbox it runs in; absent on the machine itself. */
  readonly scope?: string;
}

export interface CommandOptions {
  readonly owner: CommandOwner;
  readonly plan: ExecPlan;
  /** What the first step starts, as the guard prepared it. */
  readonly first: ReadyStep;
  /** Asked before each further step. */
  prepare(step: number): Promise<PreparedStep>;
  /** Whether input of any kind is fine, or each one is a question of its own. */
  readonly input: "free" | "asked";
  readonly takesInput: boolean;
  readonly terminals?: TerminalLibrary;
  /** The sandbox of a plan that says so. */
  readonly place?: SandboxPlace;
  /** Undefined lets it run as long as it likes. */
  readonly timeoutMs?: number;
  /** Whether the call named the limit itself; a default limit does not end what a command left running. */
  readonly keepsTimeout: boolean;
}

export class CommandSession {
  readonly id: string;
  readonly owner: CommandOwner;
  readonly command: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly hasTerminal: boolean;
  readonly output = new CommandOutput();
  /** Resolves at the end, however it comes. */
  readonly ended: Promise<CommandExit>;
  /** Whether input of any kind is fine; a person's lasting yes makes it so. */
  input: "free" | "asked";
  /** Nobody waits for it any more; the tool `process` shows it. */
  isBackground = false;

  readonly #clock: Clock;
  readonly #running: RunningPlan;
  readonly #listeners = new Set<() => void>();
  readonly #timers: Array<() => void> = [];
  #settle: (exit: CommandExit) => void = () => {};
  #cancelTimeout = (): void => {};
  #exit: CommandExit | undefined;
  /** Both by the steady clock. */
  readonly #beganAt: number;
  #endedAt: number | undefined;
  #stopReason: StopReason | undefined;
  #lingers = false;

  constructor(id: string, clock: Clock, options: CommandOptions) {
    const { owner, plan, terminals, timeoutMs } = options;
    this.id = id;
    this.owner = owner;
    this.input = options.input;
    this.command = plan.command;
    this.cwd = plan.cwd;
    this.startedAt = clock.now();
    this.#beganAt = clock.steady();
    this.hasTerminal = terminals !== undefined;
    this.#clock = clock;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    void this.ended.then((exit) => this.#end(exit));
    this.#running = runPlan(plan, {
      clock,
      first: options.first,
      prepare: (step) => options.prepare(step),
      takesInput: options.takesInput,
      ...(terminals ? { terminals } : {}),
      ...(options.place ? { place: options.place } : {}),
      onText: (text) => this.#addOutput(text),
      onLinger: () => this.#linger(options.keepsTimeout),
    });
    void this.#running.ended.then((exit) => this.#settle(exit));
    if (timeoutMs !== undefined) this.#cancelTimeout = clock.after(timeoutMs, () => this.stop("timeout"));
  }

  get pid(): number | undefined {
    return this.#running.pid();
  }

  get exit(): CommandExit | undefined {
    return this.#exit;
  }

  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  /** The command has ended and left something running that still holds its output. */
  get lingers(): boolean {
    return this.#lingers && !this.#exit && !this.#stopReason;
  }

  get state(): "running" | "completed" | "failed" {
    if (!this.#exit) return "running";
    return this.#exit.exitCode === 0 && !this.#stopReason ? "completed" : "failed";
  }

  get durationMs(): number {
    return (this.#endedAt ?? this.#clock.steady()) - this.#beganAt;
  }

  /** False when the command takes no input, or no more. */
  write(data: string | Buffer): boolean {
    return !this.#exit && this.#running.write(data);
  }

  closeInput(): boolean {
    return !this.#exit && this.#running.closeInput();
  }

  /** Asks the whole tree to end and makes it end two seconds later; `atOnce` does not ask. */
  stop(reason: StopReason, atOnce = false): void {
    if (this.#exit) return;
    this.#stopReason ??= reason;
    if (atOnce) return this.#kill();
    this.#running.signal("SIGTERM");
    this.#timers.push(this.#clock.after(KILL_AFTER_MS, () => this.#kill()));
  }

  /** Tells of each change: output, an end, something left running. The returned function takes the listener back. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #kill(): void {
    this.#running.signal("SIGKILL");
    this.#timers.push(
      this.#clock.after(ABANDON_AFTER_MS, () => {
        this.#running.abandon();
        this.#settle({ exitCode: null, signal: "SIGKILL" });
      }),
    );
  }

  #addOutput(text: string): void {
    if (this.#exit || text === "") return;
    this.output.append(text);
    this.#tell();
  }

  #linger(keepsTimeout: boolean): void {
    if (!keepsTimeout) this.#cancelTimeout();
    this.#lingers = true;
    this.#tell();
  }

  #end(exit: CommandExit): void {
    this.#exit = exit;
    this.#endedAt = this.#clock.steady();
    this.#cancelTimeout();
    for (const cancel of this.#timers) cancel();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
