// Runs a program for skills to its end: git, and what installs programs. Never a shell, and with an environment of a few names.
import { execFile } from "node:child_process";
import { delimiter } from "node:path";
import { safeSearchPath } from "@chela/sdk/files";

export interface ProgramRun {
  readonly ok: boolean;
  readonly message: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface ProgramRules {
  /** The gateway's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Besides PATH, HOME and LANG. */
  readonly also: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const MOST_OUTPUT = 200_000;
const USUAL = "/usr/local/bin:/usr/bin:/bin";

/** Never rejects. */
export function runProgram(command: readonly [string, ...string[]], rules: ProgramRules): Promise<ProgramRun> {
  const [file, ...args] = command;
  const { PATH = "", HOME } = rules.env;
  const own = { PATH: [safeSearchPath(PATH), USUAL].filter(Boolean).join(delimiter), HOME, LANG: "C.UTF-8" };
  const options = { env: { ...own, ...rules.also }, timeout: rules.timeoutMs, maxBuffer: MOST_OUTPUT, cwd: "/" };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const { code } = (error ?? { code: 0 }) as { readonly code?: unknown };
      const shown = command.join(" ");
      const failed = code === "ENOENT" ? `${file} is not installed here.` : `${shown} failed.`;
      const message = error ? failed : `${shown} is done.`;
      resolve({ ok: !error, message, stdout, stderr, code: typeof code === "number" ? code : null });
    });
  });
}
