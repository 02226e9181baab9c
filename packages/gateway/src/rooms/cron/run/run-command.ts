// Runs the command of a job, on this machine or in a sandbox: without a model, within its time, all of it ended when that is over.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { posix, resolve } from "node:path";
import { toGatewayError, type Clock, type CronPayload, type ErrandOutcome, type SandboxPlace } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { signalTree } from "../../../base/process-tree.ts";

export interface CommandCall {
  readonly payload: Extract<CronPayload, { kind: "exec" }>;
  /** Where it runs unless it says otherwise. */
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where it is kept, when it has to be. */
  openSandbox?(): Promise<SandboxPlace>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** What of its output may be told. */
  redact(text: string): string;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly failure?: string;
}

/** A command that runs. */
interface Running {
  readonly ended: Promise<Ended>;
  isOver(): boolean;
  /** Reaches whatever it started, too. */
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

const USUAL_MS = 10 * 60_000;
/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;
const GRACE_MS = 2_000;
const KEPT_BYTES = 64 * 1024;

export async function runCommand(call: CommandCall): Promise<ErrandOutcome> {
  const { payload, clock, signal } = call;
  const output = new BoundedOutput(KEPT_BYTES);
  const running = call.openSandbox ? await startInside(call, call.openSandbox, output) : startHere(call, output);
  if (typeof running === "string") return notStarted(running);
  let isOverTime = false;
  const end = (): void => {
    running.signal("SIGTERM");
    clock.after(GRACE_MS, () => running.isOver() || running.signal("SIGKILL"));
  };
  const seconds = payload.timeoutSeconds;
  const limitMs =
    seconds === undefined ? USUAL_MS : seconds === 0 ? FOR_EVER_MS : Math.min(seconds * 1000, FOR_EVER_MS);
  const cancel = clock.after(limitMs, () => {
    isOverTime = true;
    end();
  });
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const ended = await running.ended;
  cancel();
  signal.removeEventListener("abort", end);
  return outcomeOf(ended, call.redact(output.text()), isOverTime ? limitMs : undefined);
}

/** Why it could not be started, when it could not. */
function startHere(call: CommandCall, output: BoundedOutput): Running | string {
  const folder = findFolder(call);
  if (folder === undefined) return `there is no folder ${call.payload.cwd}`;
  const child = tryStart(call, folder);
  if (child instanceof Error) return explainFailure(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.add(chunk));
  return {
    ended: whenEnded(child),
    isOver: () => child.exitCode !== null,
    signal: (signal) => void (child.pid !== undefined && signalTree([child.pid], signal)),
  };
}

async function startInside(
  { payload: { command, cwd = "", env = {} } }: CommandCall,
  open: () => Promise<SandboxPlace>,
  output: BoundedOutput,
): Promise<Running | string> {
  try {
    const place = await open();
    const process = await place.start({
      command: typeof command === "string" ? command : command.map(quoted).join(" "),
      cwd: posix.resolve(place.profile.workdir, cwd),
      env,
      takesInput: false,
      onText: (text) => output.add(Buffer.from(text)),
    });
    let isOver = false;
    const ended = process.exited.then(async ({ exitCode: code, signal }) => {
      isOver = true;
      // What it left running may hold the output for ever.
      const late = setTimeout(() => process.abandon(), GRACE_MS);
      await process.closed;
      clearTimeout(late);
      return { code, signal };
    });
    return { ended, isOver: () => isOver, signal: (signal) => process.signal(signal) };
  } catch (error) {
    return toGatewayError(error, "SANDBOX_FAILED").detail;
  }
}

/** One word for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** A workspace that nobody has used yet is made; a path is meant from there. */
function findFolder({ payload, workspace }: CommandCall): string | undefined {
  mkdirSync(workspace, { recursive: true });
  const folder = resolve(workspace, payload.cwd ?? "");
  return existsSync(folder) ? folder : undefined;
}

/** What can be seen to be wrong beforehand is thrown. */
function tryStart(call: CommandCall, folder: string): ChildProcess | Error {
  try {
    return start(call, folder);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function start({ payload: { command }, environment }: CommandCall, cwd: string): ChildProcess {
  const [program = "", ...args] = typeof command === "string" ? shellFor(command) : command;
  // The head of a group of its own, so that all of it can be ended.
  const detached = process.platform !== "win32";
  return spawn(program, args, {
    cwd,
    env: environment,
    detached,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
}

function shellFor(text: string): string[] {
  return process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c", text] : ["/bin/sh", "-c", text];
}

function explainFailure(error: Error): string {
  const code = errnoOf(error);
  if (code === "ENOENT") return "there is no such program";
  return code === "EACCES" ? "it may not be run as a program" : `the system refused it (${code ?? "unknown"})`;
}

function notStarted(why: string): ErrandOutcome {
  return { status: "error", texts: [], error: `The command could not be started: ${why}.`, reason: "start" };
}

/** Something it started may hold the pipes for ever: a moment after its own end nobody waits for more. */
function whenEnded(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, failure: explainFailure(error) }));
    child.once("exit", (code, signal) => {
      const late = setTimeout(() => resolve({ code, signal }), GRACE_MS);
      late.unref();
      child.once("close", () => {
        clearTimeout(late);
        resolve({ code, signal });
      });
    });
  });
}

function outcomeOf({ code, signal, failure }: Ended, printed: string, overTimeMs: number | undefined): ErrandOutcome {
  const texts = printed.trim() === "" ? [] : [printed.trimEnd()];
  const details = { exitCode: code, ...(signal ? { signal } : {}) };
  if (overTimeMs !== undefined) {
    const error = `The command took longer than ${Math.round(overTimeMs / 1000)} s and was ended.`;
    return { status: "error", texts, error, reason: "timeout", details };
  }
  if (failure !== undefined) return notStarted(failure);
  if (code === 0) return { status: "ok", texts, details };
  const how = signal ? `was ended by ${signal}` : `ended with ${code}`;
  const last = printed.trim().split("\n").at(-1)?.slice(0, 300);
  return { status: "error", texts, error: `The command ${how}${last ? `: ${last}` : "."}`, reason: "exit", details };
}

/** The beginning and the end of what was printed. */
class BoundedOutput {
  readonly #half: number;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #cut = 0;

  constructor(limit: number) {
    this.#half = limit / 2;
  }

  add(chunk: Buffer): void {
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    const all = Buffer.concat([this.#tail, rest]);
    const kept = all.subarray(-this.#half);
    this.#cut += all.length - kept.length;
    this.#tail = Buffer.from(kept);
  }

  text(): string {
    const between = this.#cut > 0 ? `\n[${this.#cut} bytes were cut here]\n` : "";
    return this.#head.toString("utf8") + between + this.#tail.toString("utf8");
  }
}
