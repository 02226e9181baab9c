// Runs a program for a plugin, in the plugin's own process and within what that may do.
import { execFile } from "node:child_process";

interface Options {
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Record<string, string>;
}

const MOST_MS = 600_000;
const MOST_BYTES = 10 * 1024 * 1024;

export function runCommand(argv: unknown, options: unknown): Promise<object> {
  const [file, ...args] = Array.isArray(argv) ? argv.map(String) : [];
  if (file === undefined) return Promise.reject(new TypeError("the command has no program"));
  const {
    timeoutMs = 30_000,
    cwd,
    input,
    env,
  }: Options = typeof options === "number" ? { timeoutMs: options } : ((options ?? {}) as Options);
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      {
        timeout: Math.min(timeoutMs, MOST_MS),
        maxBuffer: MOST_BYTES,
        ...(cwd === undefined ? {} : { cwd }),
        env: { ...process.env, ...env },
      },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === "number" ? error.code : null) : 0;
        resolve({ stdout, stderr, code, signal: error?.signal ?? null, killed: error?.killed ?? false });
      },
    );
    child.stdin?.end(input ?? "");
  });
}
