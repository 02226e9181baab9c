// Runs the built command line the way a person does: as processes of their own, in a state directory of their own.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { TerminalProgram } from "../stages/terminal-program.ts";

const LAUNCHER = new URL("../../../bin/chela.mjs", import.meta.url).pathname;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process whose output can be waited for. */
export class Program {
  readonly process: ChildProcess;
  stdout = "";
  stderr = "";
  readonly #ended: Promise<number | null>;

  constructor(process: ChildProcess) {
    this.process = process;
    process.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    process.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.#ended = once(process, "close").then(([code]) => code as number | null);
  }

  type(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  endInput(): void {
    this.process.stdin?.end();
  }

  /** Resolves when the output matches; fails with all of it when the process ends before. */
  async until(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match) return match;
      const more = new Promise((resolve) => this.process[stream]?.once("data", resolve));
      const code = await Promise.race([more.then(() => undefined), this.#ended]);
      if (code !== undefined && !pattern.test(this[stream])) {
        throw new Error(`ended with ${code} before ${pattern}:\n${this.stdout}\n${this.stderr}`);
      }
    }
  }

  async finished(): Promise<Finished> {
    return { code: await this.#ended, stdout: this.stdout, stderr: this.stderr };
  }

  /** By its id, and waited for. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.process.kill(signal);
    await this.#ended;
  }
}

/** A state directory with everything that runs in it. */
export class Household implements AsyncDisposable {
  readonly stateDir = mkdtempSync(join(tmpdir(), "chela-cli-"));
  readonly #programs: Program[] = [];
  readonly #terminals: TerminalProgram[] = [];
  readonly #env: Record<string, string>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(this.stateDir, "home"),
      XDG_CACHE_HOME: join(homedir(), ".cache"),
      OPENCLAW_STATE_DIR: this.stateDir,
      // Nobody listens there, so that the built-in demo model answers.
      OLLAMA_HOST: "127.0.0.1:9",
      ...env,
    };
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    const child = spawn(process.execPath, [LAUNCHER, ...args], { env: { ...this.#env, ...env }, stdio: "pipe" });
    const program = new Program(child);
    this.#programs.push(program);
    return program;
  }

  /** As a person has it: in a terminal, with keys. */
  startInTerminal(args: readonly string[]): TerminalProgram {
    const program = new TerminalProgram([LAUNCHER, ...args], this.#env);
    this.#terminals.push(program);
    return program;
  }

  /** A gateway on a free port, up and listening. */
  async startGateway(
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ program: Program; port: number }> {
    const program = this.start(["gateway", "run", "--port", "0", ...args], env);
    const [, port] = await program.until("stdout", /listens on https?:\/\/[^:]+:(\d+)/);
    await program.until("stdout", /^Model: .+\n/m);
    return { program, port: Number(port) };
  }

  chela(...args: readonly string[]): Promise<Finished> {
    return this.chelaIn({}, ...args);
  }

  chelaIn(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finished> {
    const program = this.start(args, env);
    program.endInput();
    return program.finished();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const alive = this.#programs.filter(({ process: child }) => child.exitCode === null && child.signalCode === null);
    await Promise.all([...alive, ...this.#terminals].map((program) => program.kill("SIGKILL")));
    rmSync(this.stateDir, { recursive: true, force: true });
  }
}
