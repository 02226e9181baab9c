// A server's process on this machine itself, in a group of its own that ends with the gateway, however that ends.
import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import type { Clock } from "@chela/sdk";
import { signalTree } from "../../../base/process-tree.ts";
import type { Pipes } from "../wire/stdio-wire.ts";

export interface ProcessOrders {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The pipes of a server, and what is known of its process. */
export interface ServerProcess extends Pipes {
  readonly pid: number | undefined;
  /** What it last complained of, for people. */
  complaint(): string;
}

/**
 * Beside the server stands a shell that waits for the gateway on a pipe of its own: when that closes, because the gateway
 * was killed, the whole group is killed. Whatever the server started is in that group, too.
 */
const GUARDED = [
  "exec 4<&0",
  '"$@" <&4 3<&- 4<&- &',
  "server=$!",
  "exec 4<&- </dev/null",
  "{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &",
  "guard=$!",
  'wait "$server"',
  "code=$?",
  'kill -KILL "$guard" 2>/dev/null',
  'exit "$code"',
].join("\n");

const MOST_COMPLAINT = 4_000;
/** After the end of its input, and after being asked. */
const LEAVE_MS = 2_000;
const TERM_MS = 2_000;

export function startOnHost(orders: ProcessOrders, clock: Clock): ServerProcess {
  const { command, args, cwd, env } = orders;
  const isGuarded = process.platform !== "win32";
  const child = isGuarded
    ? spawn("/bin/sh", ["-c", GUARDED, "sh", command, ...args], {
        cwd,
        env,
        detached: true,
        stdio: ["pipe", "pipe", "pipe", "pipe"],
      })
    : spawn(command, [...args], { cwd, env, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] });
  const { stdin, stdout, stderr } = child;
  let complaint = "";
  stderr?.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(-MOST_COMPLAINT)));
  // Whoever writes to one that has ended is told by its end.
  for (const pipe of [stdin, child.stdio[3]]) (pipe as Writable | null)?.on("error", () => undefined);
  const ended = endOf(child);
  void ended.then(() => {
    // What it left behind in its group goes with it.
    if (child.pid !== undefined) signalTree([child.pid], "SIGKILL");
    (child.stdio[3] as Writable | null | undefined)?.destroy();
  });
  return {
    pid: child.pid,
    ended,
    complaint: () => complaint.trim(),
    write: (text) => stdin?.writable === true && (stdin.write(text), true),
    onText: (listener) => void stdout?.setEncoding("utf8").on("data", listener),
    end: () => endGently(child, ended, clock),
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`it could not be started (${error.message})`));
    child.once("exit", (code, signal) => resolve(signal ? `it was ended by ${signal}` : `it ended with code ${code}`));
  });
}

/** As the protocol wants it: first its input ends, then it is asked, then it is not asked any more. */
async function endGently(child: ChildProcess, ended: Promise<unknown>, clock: Clock): Promise<void> {
  const within = (ms: number): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = clock.after(ms, () => resolve(false));
    return Promise.race([ended.then(() => true), promise]).finally(cancel);
  };
  child.stdin?.end();
  if (child.pid === undefined || (await within(LEAVE_MS))) return;
  signalTree([child.pid], "SIGTERM");
  if (await within(TERM_MS)) return;
  signalTree([child.pid], "SIGKILL");
  await ended;
}
