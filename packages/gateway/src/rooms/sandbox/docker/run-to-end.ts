// Runs a short command of ours in a container and waits for its end: to prepare it, or to signal what runs there.
import { GatewayError, type Clock } from "@chela/sdk";
import { CreatedExec, ExecState } from "./engine-answers.ts";
import type { Engine } from "./engine.ts";
import { readFrames } from "./exec-frames.ts";

export interface EndedRun {
  readonly exitCode: number;
  /** The end of what it said. */
  readonly text: string;
}

const KEPT_BYTES = 4096;

/** Throws SANDBOX_FAILED when it cannot be run or takes too long; then it may still be running. */
export async function runToEnd(
  container: string,
  line: readonly string[],
  parts: { readonly engine: Engine; readonly clock: Clock; readonly timeoutMs: number },
): Promise<EndedRun> {
  const { engine, clock, timeoutMs } = parts;
  const { Id } = await engine.ask(CreatedExec(), {
    method: "POST",
    path: `/containers/${encodeURIComponent(container)}/exec`,
    body: { AttachStdout: true, AttachStderr: true, Tty: false, Cmd: line },
  });
  const body = { Detach: false, Tty: false };
  const stream = await engine.hijack({ method: "POST", path: `/exec/${Id}/start`, body });
  let kept = Buffer.alloc(0);
  const take = readFrames((_kind, piece) => {
    kept = Buffer.concat([kept, piece]).subarray(-KEPT_BYTES);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tooSlow = (): void => reject(failed(`a command of ours took longer than ${Math.round(timeoutMs / 1000)} s`));
  const cancel = clock.after(timeoutMs, tooSlow);
  stream.on("data", (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      reject(failed("the engine's stream is damaged", error));
    }
  });
  stream.on("error", (error) => reject(failed("the engine's stream broke off", error)));
  stream.once("close", resolve);
  stream.once("end", resolve);
  try {
    await promise;
  } finally {
    cancel();
    stream.destroy();
  }
  const exitCode = await readExitCode(Id, engine);
  if (exitCode === undefined) throw failed("the engine's stream broke off");
  return { exitCode, text: kept.toString("utf8") };
}

/** An engine may close the stream a moment before it has noted the end. */
const LOOKS = 5;

/** Undefined when it still runs or was never told. */
export async function readExitCode(execId: string, engine: Engine): Promise<number | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    const state = await engine.ask(ExecState(), { method: "GET", path: `/exec/${execId}/json` });
    if (!state.Running) return state.ExitCode ?? undefined;
  }
  return undefined;
}

function failed(detail: string, cause?: unknown): GatewayError {
  return new GatewayError("SANDBOX_FAILED", detail, { cause });
}
