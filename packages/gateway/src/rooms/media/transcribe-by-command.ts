// Lets a program of the operator's write down a voice note: started without a shell, with a clean environment and limits.
import { spawn, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import type { Clock } from "@chela/sdk";
import { errnoOf, safeSearchPath } from "@chela/sdk/files";
import type { StoredMedia } from "./stored-media.ts";
import type { WayOutcome } from "./transcribe.ts";
import type { TranscriptionWay } from "./transcription-settings.ts";

type CommandWay = Extract<TranscriptionWay, { kind: "command" }>;

export interface CommandParts {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
const INPUT = /\{input\}|\{\{MediaPath\}\}/;
/** Enough to find models and languages; no credentials. */
const SHARED = /^(HOME|USER|LOGNAME|LANG|LC_(ALL|CTYPE|MESSAGES|NUMERIC|TIME)|TZ|TMPDIR|XDG_CACHE_HOME)$/;
const SHARED_ON_WINDOWS = /^(SystemRoot|ComSpec|PATHEXT|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

export async function transcribeByCommand(
  media: StoredMedia,
  way: CommandWay,
  parts: CommandParts,
): Promise<WayOutcome> {
  if (!way.argv.some((word) => INPUT.test(word))) {
    return unable("none of its arguments is {input}, so it would not know which file is meant");
  }
  const [file = "", ...args] = way.argv.map((word) => fillIn(word, media, way));
  const env = environmentOf(parts.environment);
  const child = spawn(file, args, {
    cwd: tmpdir(),
    env,
    shell: false,
    // A group of its own, so that whatever it starts can be ended with it. On Windows this would open a window instead.
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return await listen(child, way.timeoutMs, parts);
}

function environmentOf(own: CommandParts["environment"]): NodeJS.ProcessEnv {
  const isShared = (name: string): boolean =>
    SHARED.test(name) || (process.platform === "win32" && SHARED_ON_WINDOWS.test(name));
  const shared = Object.entries(own).filter(([name]) => isShared(name));
  return { ...Object.fromEntries(shared), PATH: safeSearchPath(own["PATH"] ?? "") };
}

function fillIn(word: string, media: StoredMedia, { prompt, maxChars }: CommandWay): string {
  const values: Readonly<Record<string, string>> = {
    "{input}": media.path,
    "{{MediaPath}}": media.path,
    "{{Prompt}}": prompt ?? "",
    "{{MaxChars}}": Number.isFinite(maxChars) ? String(maxChars) : "",
  };
  return word.replace(/\{input\}|\{\{(MediaPath|Prompt|MaxChars)\}\}/g, (mark) => values[mark] ?? mark);
}

function listen(child: ChildProcess, timeoutMs: number, { clock, signal }: CommandParts): Promise<WayOutcome> {
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    let size = 0;
    const end = (outcome: WayOutcome): void => {
      cancel();
      signal?.removeEventListener("abort", stop);
      killTree(child);
      resolve(outcome);
    };
    const stop = (): void => end(unable("it was stopped"));
    const cancel = clock.after(timeoutMs, () => end(unable(`it was not done after ${timeoutMs / 1000} seconds`)));
    signal?.addEventListener("abort", stop, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) end(unable(`it wrote more than ${MAX_OUTPUT_BYTES / 1024} KB`));
      else output.push(chunk);
    });
    child.once("error", (error) => end(unable(whyNotStarted(error))));
    child.once("close", (code) => end(outcomeOf(code, Buffer.concat(output).toString("utf8"))));
  });
}

function outcomeOf(code: number | null, text: string): WayOutcome {
  if (code !== 0) return unable(code === null ? "it was killed" : `it ended with code ${code}`);
  return text.trim() === "" ? unable("it wrote nothing") : { kind: "text", text };
}

function whyNotStarted(error: Error): string {
  const errno = errnoOf(error);
  if (errno === "ENOENT") return "there is no such program";
  return errno === "EACCES" ? "it may not be executed" : `it cannot be started (${errno ?? "unknown reason"})`;
}

function killTree(child: ChildProcess): void {
  child.stdout?.destroy();
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function unable(why: string): WayOutcome {
  return { kind: "unable", why };
}
