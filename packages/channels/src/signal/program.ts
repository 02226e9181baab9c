// Runs signal-cli as a child: without a shell, with few environment variables, and stopped with us.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import { errnoOf, safeSearchPath } from "@chela/sdk/files";

export interface Program {
  /** Resolves when it ended, with what it said last. */
  readonly ended: Promise<{ readonly code: number | null; readonly lastWords: string }>;
  stop(): Promise<void>;
}

export interface ProgramNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Each line of its output. */
  onLine?(line: string): void;
}

const ENVIRONMENT = ["HOME", "LANG", "LC_ALL", "TMPDIR", "JAVA_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"];
const STOP_MS = 5000;
const LONGEST_LINE = 500;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Rejects when there is no such program. */
export async function runProgram(path: string, args: readonly string[], needs: ProgramNeeds): Promise<Program> {
  const { clock, log } = needs;
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"], env: cleanEnvironment() });
  const ended = watch(child, needs);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(notStarted(path, error)));
  });
  log.debug("signal-cli was started", { pid: child.pid });
  return {
    ended,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const cancel = clock.after(STOP_MS, () => child.kill("SIGKILL"));
      await ended;
      cancel();
    },
  };
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return { ...Object.fromEntries(kept), PATH: safeSearchPath(process.env["PATH"] ?? "") };
}

function watch(child: Child, { log, onLine }: ProgramNeeds): Program["ended"] {
  let lastWords = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    const text = line.slice(0, LONGEST_LINE).trim();
    if (text === "") return;
    lastWords = text;
    log.debug("signal-cli says", { text });
  });
  createInterface({ input: child.stdout }).on("line", (line) => onLine?.(line.slice(0, LONGEST_LINE)));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, lastWords })));
}

function notStarted(path: string, error: unknown): GatewayError {
  const code = errnoOf(error);
  const what = code === "ENOENT" ? "was not found" : `cannot be started (${code ?? "unknown reason"})`;
  const detail = `signal-cli ${what} at "${path}"; install it, set channels.signal.cliPath, or set httpUrl to one that runs`;
  return new GatewayError("CHANNEL_SETTINGS", detail, { cause: error });
}
