// Runs a command of the command line that a plugin brings, on a real Commander program, and keeps what it prints.
import { Command, CommanderError } from "commander";
import type { PluginLogger } from "./api.ts";
import type { Registry } from "./registry.ts";

export interface CliParts {
  readonly registry: Registry;
  readonly logger: PluginLogger;
  readonly workspaceDir: string;
  config(): unknown;
}

const MOST_CHARS = 1_000_000;

export async function runCli(
  argv: readonly string[],
  parts: CliParts,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const said = { stdout: "", stderr: "" };
  const add = (to: "stdout" | "stderr") => (text: string) => {
    said[to] = (said[to] + text).slice(0, MOST_CHARS);
  };
  const program = new Command("chela");
  program.exitOverride().configureOutput({ writeOut: add("stdout"), writeErr: add("stderr") });
  const release = captureConsole(add);
  try {
    for (const { registrar } of parts.registry.cli) {
      const register = registrar as unknown as (context: unknown) => unknown;
      await register({ program, config: parts.config(), workspaceDir: parts.workspaceDir, logger: parts.logger });
    }
    for (const command of program.commands) overrideBelow(command, add);
    await program.parseAsync([...argv], { from: "user" });
    return { code: Number(process.exitCode ?? 0), ...said };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, ...said };
    add("stderr")(`${error instanceof Error ? error.message : String(error)}\n`);
    return { code: 1, ...said };
  } finally {
    process.exitCode = undefined;
    release();
  }
}

function overrideBelow(command: Command, add: (to: "stdout" | "stderr") => (text: string) => void): void {
  command.exitOverride().configureOutput({ writeOut: add("stdout"), writeErr: add("stderr") });
  for (const one of command.commands) overrideBelow(one, add);
}

/** What a command prints is for whoever called it; while it runs, nothing else of this process does. */
function captureConsole(add: (to: "stdout" | "stderr") => (text: string) => void): () => void {
  const streams = [
    [process.stdout, add("stdout")],
    [process.stderr, add("stderr")],
  ] as const;
  const writes = streams.map(([stream]) => stream.write);
  for (const [stream, take] of streams) {
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      take(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
      done?.();
      return true;
    }) as typeof stream.write;
  }
  return () => streams.forEach(([stream], at) => (stream.write = writes[at] as typeof stream.write));
}
