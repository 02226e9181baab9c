// Starts the program of a worker, on this machine or in a sandbox, and ends it with everything it started.
import { spawn } from "node:child_process";
import type { Clock, SandboxView } from "@chela/sdk";
import { safeSearchPath } from "@chela/sdk/files";
import { signalTree } from "../../../base/process-tree.ts";

export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few names every worker gets. */
  readonly env: Readonly<Record<string, string>>;
}

export interface StartedAgent {
  /** Undefined inside a sandbox, whose end is the sandbox's business. */
  readonly pid: number | undefined;
  write(line: string): void;
  readonly waiting: number;
  /** How it ended, in a few words. */
  readonly ended: Promise<string>;
  /** Ends it and all it started. Resolves when it is gone. */
  end(): Promise<void>;
}

/** To find programs and its own settings; whatever else it needs is declared. */
const PASSED = ["HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "SystemRoot", "TEMP", "APPDATA", "USERPROFILE"];
const GRACE_MS = 2_000;
const COMPLAINT_CHARS = 500;

export function startHere(
  { command, args, env }: AgentProgram,
  cwd: string,
  heard: (chunk: Buffer) => void,
  clock: Clock,
): StartedAgent {
  const child = spawn(command, [...args], {
    cwd,
    env: { ...passedOn(), ...env, OPENCLAW_SHELL: "acp-client" },
    stdio: ["pipe", "pipe", "pipe"],
    // The head of a group of its own, so that all of it can be ended.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let complaint = "";
  child.stdout.on("data", heard);
  child.stderr.on(
    "data",
    (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-COMPLAINT_CHARS)),
  );
  // Whoever writes to one that is gone hears of its end by itself.
  child.stdin.on("error", () => {});
  child.on("error", (error) => resolve(`it could not be started: ${error.message}`));
  child.on("close", (code, signal) => {
    const how = signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
    resolve(complaint.trim() === "" ? how : `${how}: ${complaint.trim()}`);
  });
  return {
    pid: child.pid,
    write: (line) => void child.stdin.write(line),
    get waiting() {
      return child.stdin.writableLength;
    },
    ended,
    async end() {
      if (child.pid === undefined) return;
      const { pid } = child;
      child.stdin.end();
      signalTree([pid], "SIGTERM");
      const cancel = clock.after(GRACE_MS, () => signalTree([pid], "SIGKILL"));
      await ended;
      cancel();
      // What it started may have outlived it.
      signalTree([pid], "SIGKILL");
    },
  };
}

/** What is said to stderr inside cannot be told apart from frames, so it is not heard. */
export async function startInside(
  { command, args, env }: AgentProgram,
  sandbox: SandboxView,
  heard: (chunk: Buffer) => void,
): Promise<StartedAgent> {
  const place = await sandbox.open();
  const line = [command, ...args].map(quoted).join(" ");
  const running = await place.start({
    command: `exec ${line} 2>/dev/null`,
    cwd: sandbox.workdir,
    env: { ...env, OPENCLAW_SHELL: "acp-client" },
    takesInput: true,
    onText: (text) => heard(Buffer.from(text)),
  });
  const ended = running.exited.then(({ exitCode, signal }) =>
    signal ? `it was ended by ${signal}` : `it ended with code ${exitCode}`,
  );
  return {
    pid: undefined,
    write: (text) => void running.write(text),
    waiting: 0,
    ended,
    async end() {
      running.closeInput();
      running.signal("SIGKILL");
      running.abandon();
      await ended;
    },
  };
}

function passedOn(): Record<string, string> {
  const named = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const path = safeSearchPath(process.env["PATH"] ?? "") || "/usr/local/bin:/usr/bin:/bin";
  return { ...(Object.fromEntries(named) as Record<string, string>), PATH: path };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
