// Runs the few programs that hand out secrets: by an absolute path from a trusted directory, without a shell, with next to no
// environment, for a short time. What they print is a secret, so none of it is ever repeated in an error.
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

const TRUSTED_DIRECTORIES = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"] as const;

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Written to its standard input. */
  readonly input?: string;
  /** The environment names are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names beside the usual ones. */
  readonly passEnv?: readonly string[];
  /** Values that are set for it. */
  readonly setEnv?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Directories beside the usual ones. */
  readonly trusted?: readonly string[];
}

/** Most vaults run no program, so that a start need not load what it takes. */
const processes = () => process.getBuiltinModule("node:child_process");
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const PASSED = [
  "HOME",
  "USER",
  "LOGNAME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "GNUPGHOME",
  "PASSWORD_STORE_DIR",
];
/** What some programs cannot do without. */
const PASSED_TO: Readonly<Record<string, readonly string[]>> = {
  op: ["OP_SERVICE_ACCOUNT_TOKEN", "OP_CONNECT_HOST", "OP_CONNECT_TOKEN", "OP_ACCOUNT"],
};

/** Throws CREDENTIAL_REFUSED for a program that must not be run. */
export function checkProgram(command: string, trusted: readonly string[] = []): void {
  const directories = [...TRUSTED_DIRECTORIES, ...trusted];
  if (!isAbsolute(command) || command !== command.normalize() || command.includes("\0")) {
    throw refused(`${command} is no absolute path of a program`);
  }
  if (!directories.includes(dirname(command)) || [".", "../.."].includes(basename(command))) {
    throw refused(`${command} does not lie in a directory whose programs are trusted (${directories.join(", ")})`);
  }
  const stat = statSync(realOf(command), { throwIfNoEntry: false });
  if (!stat?.isFile()) throw refused(`${command} does not exist`);
  if (process.platform !== "win32" && (stat.mode & 0o022) !== 0) throw refused(`others may change ${command}`);
}

/** The first printed text, without the line break at its end. For the first use in a process, when nobody can wait. */
export function runNow(call: ProgramCall): string {
  checkProgram(call.command, call.trusted);
  const { error, status, stdout } = processes().spawnSync(call.command, [...call.args], {
    ...optionsOf(call),
    input: call.input ?? "",
    stdio: ["pipe", "pipe", "ignore"],
  });
  // A program that ends without reading what it is told is judged by what it prints.
  if (error && errnoOf(error) !== "EPIPE") throw failed(call, reasonOf(errnoOf(error)));
  if (status !== 0) throw failed(call, `ended with ${status ?? "a signal"}`);
  return toValue(call, stdout);
}

/** The same, beside everything else that goes on. */
export async function run(call: ProgramCall): Promise<string> {
  checkProgram(call.command, call.trusted);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = processes().execFile(call.command, [...call.args], optionsOf(call), (error, stdout) => {
    if (!error) return resolve(stdout);
    const why = error.killed ? reasonOf("ETIMEDOUT") : reasonOf(String(error.code ?? "a signal"));
    reject(failed(call, why));
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(call.input ?? "");
  return toValue(call, await promise);
}

function optionsOf({ command, env, passEnv = [], setEnv = {}, timeoutMs, maxBytes }: ProgramCall) {
  const names = [...PASSED, ...(PASSED_TO[basename(command)] ?? []), ...passEnv];
  const passed = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return {
    cwd: "/",
    env: { ...Object.fromEntries(passed), PATH: TRUSTED_DIRECTORIES.join(":"), LANG: "C.UTF-8", ...setEnv },
    timeout: timeoutMs ?? TIMEOUT_MS,
    killSignal: "SIGKILL" as const,
    maxBuffer: maxBytes ?? MAX_BYTES,
    encoding: "utf8" as const,
    shell: false,
    windowsHide: true,
  };
}

function toValue(call: ProgramCall, printed: string): string {
  const value = printed.replace(/\r?\n$/, "");
  if (value === "") throw failed(call, "printed nothing");
  return value;
}

function reasonOf(code: string | undefined): string {
  if (code === "ETIMEDOUT") return "did not answer in time";
  if (code === "ENOBUFS" || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "printed far too much for a secret";
  return `failed (${code ?? "unknown reason"})`;
}

function failed({ command }: ProgramCall, why: string): GatewayError {
  return new GatewayError("CREDENTIAL_UNREADABLE", `the program ${command} ${why}`);
}

function realOf(command: string): string {
  try {
    return realpathSync(command);
  } catch {
    return command;
  }
}

function refused(why: string): GatewayError {
  return new GatewayError("CREDENTIAL_REFUSED", why);
}
