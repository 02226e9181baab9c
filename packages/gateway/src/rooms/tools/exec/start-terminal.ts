// Starts a program in a terminal of its own. The library with the native part is loaded when it is first needed.
import { constants } from "node:os";
import { basename } from "node:path";
import { GatewayError, type ExecProgram } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { failedStart, type CommandExit, type StartedStep, type StepSetting } from "./started-step.ts";

/** What we use of the library. */
export interface TerminalLibrary {
  spawn(file: string, args: string[], options: TerminalOptions): Terminal;
}

interface TerminalOptions {
  name: string;
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
}

interface Terminal {
  readonly pid: number;
  onData(listener: (text: string) => void): unknown;
  /** Not in the library's types, but there. */
  on?(event: "error", listener: () => void): unknown;
  onExit(listener: (end: { exitCode: number; signal?: number }) => void): unknown;
  write(data: string | Buffer): void;
  pause(): void;
  resume(): void;
}

export const TERMINAL_KIND = "xterm-256color";
const END_OF_INPUT = "\u0004";

export async function loadTerminals(
  load: () => Promise<TerminalLibrary> = () => import("@lydell/node-pty"),
): Promise<TerminalLibrary> {
  try {
    return await load();
  } catch (cause) {
    throw new GatewayError(
      "EXEC_UNAVAILABLE",
      "Terminals are not available: the optional package @lydell/node-pty is missing or has no build for this system. " +
        "Install Chela again without --omit=optional, or run the command without pty.",
      { cause },
    );
  }
}

export function startTerminal(library: TerminalLibrary, program: ExecProgram, setting: StepSetting): StartedStep {
  const { file, args } = launchOf(program);
  let terminal: Terminal;
  try {
    const env = { ...setting.env };
    terminal = library.spawn(file, args, { name: TERMINAL_KIND, cols: 120, rows: 30, cwd: setting.cwd, env });
  } catch (error) {
    return neverStarted(program.file, errnoOf(error), setting);
  }
  let hasEnded = false;
  const exited = new Promise<CommandExit>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      resolve(signal ? { exitCode: null, signal: nameOfSignal(signal) } : { exitCode, signal: null });
    });
  });
  terminal.onData(setting.onText);
  // Without a listener the library throws what the system says about a terminal that is being closed.
  terminal.on?.("error", () => {});
  const write = (data: string | Buffer): boolean => !hasEnded && (terminal.write(data), true);
  return {
    pids: [terminal.pid],
    exited,
    closed: exited.then(() => {}),
    write,
    closeInput: () => write(END_OF_INPUT),
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
    // The library closes its side by itself as soon as the program is gone.
    abandon: () => {},
  };
}

/**
 * The library gives a program its file as its own name. Some programs decide by that name what they are, so where
 * the two differ Node starts first and turns itself into the program.
 */
function launchOf(program: ExecProgram): { file: string; args: string[] } {
  const [name = program.file, ...args] = program.argv;
  if (basename(name) === basename(program.file)) return { file: program.file, args };
  const become = "process.execve(process.argv[1], process.argv.slice(2), process.env)";
  return { file: process.execPath, args: ["--no-warnings", "-e", become, "--", program.file, name, ...args] };
}

function neverStarted(file: string, errno: string | undefined, setting: StepSetting): StartedStep {
  const { text, exit } = failedStart(file, errno);
  setting.onText(text);
  return {
    pids: [],
    exited: Promise.resolve(exit),
    closed: Promise.resolve(),
    write: () => false,
    closeInput: () => false,
    pause: () => {},
    resume: () => {},
    abandon: () => {},
  };
}

function nameOfSignal(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;
}
