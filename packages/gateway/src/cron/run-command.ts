// Runs the command of a job as a child process: without a model, within its time, with all it started ended when that is over.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import type { Clock, CronPayload, ErrandOutcome } from "@chela/sdk";
import { resolve } from "node:path";
import { errnoOf } from "../base/files.ts";

export interface CommandCall {
  readonly payload: Extract<CronPayload, { kind: "exec" }>;
  /** Where it runs unless it says otherwise. */
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  signalTree(leader: number, signal: NodeJS.Signals): void;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly failure?: string;
}

const USUAL_MS = 10 * 60_000;
/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;
const GRACE_MS = 2_000;
const KEPT_BYTES = 64 * 1024;

export async function runCommand(call: CommandCall): Promise<ErrandOutcome> {
  const { payload, clock, signal } = call;
  const folder = findFolder(call);
  if (folder === undefined) return notStarted(`there is no folder ${payload.cwd}`);
  const output = new BoundedOutput(KEPT_BYTES);
  const child = tryStart(call, folder);
  if (child instanceof Error) return notStarted(explainFailure(child));
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.add(chunk));
  let isOverTime = false;
  const end = (): void => {
    if (child.pid === undefined) return;
    const { pid } = child;
    call.signalTree(pid, "SIGTERM");
    clock.after(GRACE_MS, () => child.exitCode === null && call.signalTree(pid, "SIGKILL"));
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
  const ended = await whenEnded(child);
  cancel();
  signal.removeEventListener("abort", end);
  return outcomeOf(ended, output.text(), isOverTime ? limitMs : undefined);
}

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
