// The host's side of a standing sandbox: the bubblewrap process, its reports, and the commands that run in it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type Clock, type SandboxCommand } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { openPipes } from "./command-pipes.ts";
import { endSandbox } from "./processes/inner-processes.ts";
import type { ReadyLaunch, LaunchedProcess } from "./launch-stock.ts";
import type { Pipes, PipeStock } from "./pipe-stock.ts";
import { readControlLines, type WardenReport } from "./read-control-lines.ts";
import { RunningCommand } from "./processes/running-command.ts";
import { commandScript, type InnerShell } from "./warden-script.ts";

export interface WardenParts {
  readonly clock: Clock;
  readonly launch: ReadyLaunch;
  /** The lines that set it off. */
  readonly orders: string;
  readonly shell: InnerShell;
  /** A proxy's forwarder has to be there, too, before the first command. */
  readonly isForwarding: boolean;
  newId(): string;
}

/** A command that has not begun by then never will: the sandbox is full, or its warden was tampered with. */
const START_MS = 10_000;
const READY_MS = 15_000;
const LINGER_MS = 2_000;
const KEPT_COMPLAINT = 2_000;
/** What the launcher for Landlock says on older kernels is no complaint. */
const REMARK = /^landlock-run: partial.*$/m;

interface Running {
  readonly command: RunningCommand;
  readonly onText: SandboxCommand["onText"];
}

export class Warden {
  /** All of it is gone; never rejects. */
  readonly gone: Promise<void>;
  readonly #parts: WardenParts;
  readonly #child: LaunchedProcess;
  readonly #pipes: PipeStock;
  readonly #running = new Map<string, Running>();
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #awaited: Set<WardenReport["kind"]>;
  #complaint = "";
  #isGone = false;
  #why: string | undefined;

  constructor(parts: WardenParts) {
    const { child, pipes } = parts.launch;
    this.#parts = parts;
    this.#awaited = new Set(parts.isForwarding ? ["ready", "forwarding"] : ["ready"]);
    this.#child = child;
    this.#pipes = pipes;
    this.gone = this.#follow();
    child.stdin?.write(parts.orders);
  }

  /** The bubblewrap process; undefined once it has ended, because its number may then be another's. */
  get root(): number | undefined {
    const { pid, exitCode, signalCode } = this.#child;
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The folder it shares with the inside still is what it was. */
  get isWhole(): boolean {
    return this.#parts.launch.housing.isThere();
  }

  /** Throws SANDBOX_FAILED with what bubblewrap said. */
  async untilReady(): Promise<void> {
    const isReady = await waitAtMost(READY_MS, this.#ready.promise, this.#parts.clock);
    if (isReady === true) return;
    await this.end(undefined);
    throw new GatewayError(
      "SANDBOX_FAILED",
      this.#complaint.replace(REMARK, "").trim() || "bubblewrap did not start in time.",
    );
  }

  /** Undefined when the command never began, which is certain: then it can be given to another warden. */
  async run(wish: SandboxCommand): Promise<RunningCommand | undefined> {
    const { clock, shell, launch } = this.#parts;
    const id = this.#parts.newId();
    const script = commandScript({ ...wish, id }, shell);
    const pipes = await this.#takePipes();
    if (pipes === undefined || this.#isGone) return undefined;
    const scriptFile = join(launch.housing.channel, id);
    writeFileSync(scriptFile, script.text, { mode: 0o600 });
    if (script.long !== undefined) writeFileSync(`${scriptFile}.long`, script.long, { mode: 0o600 });
    const command = new RunningCommand({
      id,
      root: () => this.root,
      pipes: openPipes(pipes, wish.takesInput),
      onText: wish.onText,
      onClosed: (isClean) => {
        if (isClean) this.#pipes.giveBack(pipes);
        else void this.#pipes.discard(pipes);
      },
    });
    void command.exited.then(() => {
      for (const file of script.long === undefined ? [scriptFile] : [scriptFile, `${scriptFile}.long`])
        rmSync(file, { force: true });
    });
    this.#running.set(id, { command, onText: wish.onText });
    this.#child.stdin?.write(`${id} ${pipes.name} ${wish.takesInput ? "input" : "none"}\n`);
    const began = await waitAtMost(this.#awaited.size > 0 ? READY_MS : START_MS, command.began, clock);
    if (began === true) return command;
    if (began === "late") await this.end("it was full and started nothing any more");
    // The command says that it has begun before it does anything, so its silence is certain once all is over.
    await command.exited;
    if (command.hasBegun) return command;
    command.abandon();
    return undefined;
  }

  /** Ends everything inside; what runs there is told why. */
  async end(why: string | undefined): Promise<void> {
    this.#why ??= why;
    if (!this.#isGone) endSandbox(this.root);
    await this.gone;
  }

  /** Undefined when the folder for them went with the sandbox. */
  async #takePipes(): Promise<Pipes | undefined> {
    try {
      return this.#isGone ? undefined : await this.#pipes.take();
    } catch (error) {
      if (this.#isGone) return undefined;
      throw error;
    }
  }

  async #follow(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { stdin, stdout, stderr } = this.#child;
    stdout?.on(
      "data",
      readControlLines((report) => this.#take(report)),
    );
    stderr?.on("data", (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString("utf8")).slice(0, KEPT_COMPLAINT);
    });
    stdin?.on("error", () => {});
    this.#child.on("error", (error) => {
      this.#complaint = error.message;
      resolve();
    });
    this.#child.on("close", () => resolve());
    // Whoever outlives bubblewrap, which nobody should, must not keep its end from being known.
    this.#child.on("exit", () => this.#parts.clock.after(LINGER_MS, resolve));
    await promise;
    this.#isGone = true;
    this.#ready.resolve(false);
    this.#endCommands();
    this.#parts.launch.housing.remove();
  }

  #take(report: WardenReport): void {
    if (report.kind === "ready" || report.kind === "forwarding") {
      this.#awaited.delete(report.kind);
      if (this.#awaited.size === 0) this.#ready.resolve(true);
      return;
    }
    // Whoever is inside can write these lines, too: what is not about a command of ours is nothing.
    const known = report.kind === "end" ? this.#byInnerPid(report.innerPid) : this.#running.get(report.id);
    if (!known) return;
    const { progress } = known.command;
    if (report.kind === "start") return progress.started(report.innerPid);
    if (report.kind === "open") return progress.opened();
    this.#running.delete(known.command.id);
    const wasMemory = report.code === 137 && this.#isMemoryUsedUp();
    if (wasMemory) known.onText("\n[The sandbox ended this command: its memory was used up.]\n");
    progress.ended(wasMemory ? { exitCode: null, signal: "SIGKILL" } : { exitCode: report.code, signal: null });
  }

  #byInnerPid(pid: number): Running | undefined {
    return [...this.#running.values()].find(({ command }) => command.innerPid === pid);
  }

  #endCommands(): void {
    const why = this.#why ?? (this.#isMemoryUsedUp() ? "its memory was used up" : "its own first process was ended");
    for (const { command, onText } of this.#running.values()) {
      if (command.hasBegun) onText(`\n[The sandbox was ended, with everything in it: ${why}.]\n`);
      command.progress.ended({ exitCode: null, signal: "SIGKILL" });
    }
    this.#running.clear();
  }

  #isMemoryUsedUp(): boolean {
    return (this.#parts.launch.group?.memoryKills() ?? 0) > 0;
  }
}
