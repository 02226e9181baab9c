// One command in a container: its streams, its end, and the signals that reach all it started.
import type { Duplex } from "node:stream";
import type { Clock, Logger, SandboxCommand, SandboxedProcess, SandboxExit } from "@chela/sdk";
import { listEnv } from "./container-body.ts";
import { CreatedExec } from "./engine-answers.ts";
import type { Engine } from "./engine.ts";
import { readFrames, type OutputKind } from "./exec-frames.ts";
import { commandLine, signalLine } from "./inside-scripts.ts";
import { readMarkedText } from "./marked-text.ts";
import { readExitCode, runToEnd } from "./run-to-end.ts";

export interface CommandParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stands for this command alone. */
  readonly mark: string;
  onExit(): void;
}

export type CommandStart =
  | { readonly kind: "started"; readonly process: SandboxedProcess }
  /** The container is not there or does not run. */
  | { readonly kind: "gone" };

type Signal = Parameters<SandboxedProcess["signal"]>[0];

const SIGNAL_NUMBERS: Readonly<Record<Signal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
const SIGNAL_MS = 15_000;

export async function startCommand(
  container: string,
  command: SandboxCommand,
  parts: CommandParts,
): Promise<CommandStart> {
  const { engine, mark } = parts;
  const created = await engine.find(CreatedExec(), {
    method: "POST",
    path: `/containers/${encodeURIComponent(container)}/exec`,
    expects: [404, 409],
    body: {
      AttachStdin: command.takesInput,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
      Privileged: false,
      Env: listEnv(command.env),
      Cmd: commandLine(mark, command.cwd, command.command),
    },
  });
  if (!created) return { kind: "gone" };
  const { Id } = created;
  const body = { Detach: false, Tty: false };
  const stream = await engine.hijack({ method: "POST", path: `/exec/${Id}/start`, body });
  return { kind: "started", process: attach(stream, { container, execId: Id, command }, parts) };
}

interface Attached {
  readonly container: string;
  readonly execId: string;
  readonly command: SandboxCommand;
}

function attach(stream: Duplex, attached: Attached, parts: CommandParts): SandboxedProcess {
  const { command } = attached;
  const sent = new Set<Signal>();
  const exited = Promise.withResolvers<SandboxExit>();
  const closed = Promise.withResolvers<void>();
  let takesInput = command.takesInput;
  let isOver = false;
  const leave = (exit: SandboxExit): void => {
    if (isOver) return;
    isOver = true;
    takesInput = false;
    exited.resolve(exit);
    parts.onExit();
  };
  const readers = readOutput(parts.mark, command, (exitCode) => leave(toExit(exitCode, sent)));
  stream.on("data", (chunk: Buffer) => {
    try {
      readers.take(chunk);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  // Whatever broke, "close" follows.
  stream.on("error", () => {});
  stream.once("end", () => stream.destroy());
  stream.once("close", () => {
    readers.end();
    closed.resolve();
    if (!isOver) void settle(attached, sent, parts).then(leave);
  });
  return {
    pid: undefined,
    exited: exited.promise,
    closed: closed.promise,
    write: (data) => takesInput && stream.writable && (stream.write(data), true),
    closeInput() {
      if (!takesInput) return false;
      takesInput = false;
      stream.end();
      return true;
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    signal(signal) {
      sent.add(signal);
      void signalInside(signal, attached.container, parts);
    },
    abandon: () => void stream.destroy(),
  };
}

/** The command has ended when both streams say so: everything it wrote itself came before. */
function readOutput(
  mark: string,
  command: SandboxCommand,
  onEnded: (exitCode: number) => void,
): { take(chunk: Buffer): void; end(): void } {
  const ended = new Set<OutputKind>();
  const readerOf = (kind: OutputKind): ReturnType<typeof readMarkedText> =>
    readMarkedText(mark, {
      onText: (text) => command.onText(text),
      onEnded(exitCode) {
        ended.add(kind);
        if (ended.size === 2) onEnded(exitCode);
      },
    });
  const readers = { out: readerOf("out"), err: readerOf("err") };
  return {
    take: readFrames((kind, piece) => readers[kind].take(piece)),
    end() {
      readers.out.end();
      readers.err.end();
    },
  };
}

/** The stream ended without a word about the command: what the engine knows has to do. */
async function settle(
  { container, execId, command }: Attached,
  sent: ReadonlySet<Signal>,
  parts: CommandParts,
): Promise<SandboxExit> {
  const exitCode = await readExitCode(execId, parts.engine).catch(() => undefined);
  if (exitCode !== undefined) return toExit(exitCode, sent);
  command.onText("\nThe connection to the sandbox was lost, so the command was ended.\n");
  // Nobody watches it any more.
  await signalInside("SIGKILL", container, parts);
  return { exitCode: null, signal: "SIGKILL" };
}

function toExit(exitCode: number, sent: ReadonlySet<Signal>): SandboxExit {
  const signal = [...sent].find((one) => SIGNAL_NUMBERS[one] + 128 === exitCode);
  return signal ? { exitCode: null, signal } : { exitCode, signal: null };
}

/** Never rejects. What cannot be killed one by one (a container with no process to spare, say) is killed as a whole. */
async function signalInside(signal: Signal, container: string, parts: CommandParts): Promise<void> {
  const { engine, log } = parts;
  try {
    const { exitCode } = await runToEnd(container, signalLine(parts.mark, signal), { ...parts, timeoutMs: SIGNAL_MS });
    if (exitCode === 0) return;
  } catch (error) {
    log.debug("a signal could not be sent inside of a sandbox", { container, error });
  }
  if (signal !== "SIGKILL") return;
  const path = `/containers/${encodeURIComponent(container)}/kill`;
  await engine.call({ method: "POST", path, query: { signal }, expects: [404, 409] }).then(
    () => log.warn("a sandbox was ended as a whole, because a command in it could not be", { container }),
    () => log.error("a command in a sandbox could not be ended", { container }),
  );
}
