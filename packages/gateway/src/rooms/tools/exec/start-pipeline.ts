// Starts programs joined by pipes, without a shell.
import { spawn, type ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { Readable, Writable } from "node:stream";
import type { ExecProgram } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { failedStart, type CommandExit, type StartedStep, type StepSetting } from "./started-step.ts";

export function startPipeline(pipeline: readonly ExecProgram[], setting: StepSetting): StartedStep {
  const programs = pipeline.map((program, index) => startProgram(program, index > 0 || setting.takesInput, setting));
  for (const [index, { child }] of programs.slice(0, -1).entries()) connect(child, programs[index + 1]?.child);
  const read = programs.flatMap(({ child }, index) => {
    const isLast = index === programs.length - 1;
    return [isLast ? child?.stdout : undefined, child?.stderr].filter((stream) => stream != null);
  });
  const closed = Promise.all(read.map((stream) => readText(stream, setting.onText)));
  const input = setting.takesInput ? programs[0]?.child?.stdin : undefined;
  return {
    pids: programs.flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
    exited: Promise.all(programs.map(({ exited }) => exited)).then((ends) => ends.at(-1) ?? NO_PROGRAM),
    closed: closed.then(() => {}),
    write: (data) => isOpen(input) && (input.write(data), true),
    closeInput: () => isOpen(input) && (input.end(), true),
    pause: () => read.forEach((stream) => stream.pause()),
    resume: () => read.forEach((stream) => stream.resume()),
    abandon: () => programs.forEach(({ child }) => child?.stdio.forEach((stream) => stream?.destroy())),
  };
}

const NO_PROGRAM: CommandExit = { exitCode: 0, signal: null };

interface StartedProgram {
  /** Undefined when the system refused at once. */
  readonly child: ChildProcess | undefined;
  readonly exited: Promise<CommandExit>;
}

function startProgram(program: ExecProgram, takesInput: boolean, setting: StepSetting): StartedProgram {
  const fail = (error: unknown): CommandExit => {
    const { text, exit } = failedStart(program.file, errnoOf(error));
    setting.onText(text);
    return exit;
  };
  let child: ChildProcess;
  try {
    child = spawn(program.file, program.argv.slice(1), {
      argv0: program.argv[0] ?? program.file,
      cwd: setting.cwd,
      env: { ...setting.env },
      shell: false,
      // A group of its own, so that the whole tree can be signalled. On Windows this would open a window instead.
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [takesInput ? "pipe" : "ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return { child: undefined, exited: Promise.resolve(fail(error)) };
  }
  const exited = new Promise<CommandExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.on("error", (error) => child.pid === undefined && resolve(fail(error)));
  });
  // Writing to a program that has ended is not a failure of ours.
  child.stdin?.on("error", () => {});
  return { child, exited };
}

/**
 * Feeds one program's output to the next. A program that goes on writing after its reader has left is told the way
 * a real pipe would: with SIGPIPE. (Node's pipes are sockets; closing one would make it complain instead.)
 */
function connect(from: ChildProcess | undefined, to: ChildProcess | undefined): void {
  const source = from?.stdout;
  const target = to?.stdin;
  if (!source) return void target?.end();
  source.on("error", () => {});
  source.on("close", () => isOpen(target) && target.end());
  source.on("data", (chunk: Buffer) => {
    if (!isOpen(target)) {
      from.kill("SIGPIPE");
      source.destroy();
    } else if (!target.write(chunk)) source.pause();
  });
  target?.on("drain", () => source.resume());
  target?.on("close", () => source.resume());
}

function isOpen(stream: Writable | null | undefined): stream is Writable {
  return stream != null && stream.writable && !stream.destroyed;
}

/** Hands on whole characters, however the bytes were cut; resolves when the stream is closed. */
function readText(stream: Readable, onText: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => onText(decoder.write(chunk)));
    stream.on("error", () => {});
    stream.once("close", () => {
      const rest = decoder.end();
      if (rest) onText(rest);
      resolve();
    });
  });
}
