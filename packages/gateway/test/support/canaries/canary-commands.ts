// Every command of the command line, with arguments that lead somewhere; run in this process, with all that it prints.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandCall, CommandSpec } from "@chela/sdk/command-line";
import { withGateway } from "../../../src/cli/connect/gateway-caller.ts";
import { COMMANDS, GLOBAL_FLAGS } from "../../../src/cli/table/command-table.ts";
import { explainFailure } from "../../../src/cli/table/explain-failure.ts";
import { parseCommandLine } from "../../../src/cli/table/parse-arguments.ts";
import { createTerminal } from "../../../src/base/terminal/terminal.ts";
import { waitAtMost, systemClock } from "@chela/sdk/base";

/** Commands that are not run here, each with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  gateway: "runs until it is stopped",
  "gateway run": "runs until it is stopped",
  "gateway stop": "ends the process, which is this one",
  chat: "needs a terminal",
  dashboard: "opens a browser",
  qr: "shows a setup code, which is what it is for",
  "channels login": "waits for a person",
  "sandbox image build": "fetches an image",
  "models auth login-github-copilot": "waits for a person, and asks a service",
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  "gateway call": ["config.get"],
  agent: ["-m", "hello", "--session-key", "agent:main:cli"],
  "config get": ["models"],
  "config set": ["ui.seamColor", "#123456"],
  "config unset": ["ui.seamColor"],
  search: ["hello"],
  "tools explain": ["exec"],
  "credential add": ["cli/added", "--service", "cli"],
  "credential remove": ["cli/added"],
  "models auth add": ["--provider", "keyed"],
  "models auth paste-token": ["--provider", "keyed"],
  "models set": ["keyed/m"],
  "hooks info": ["session-memory"],
  "webhooks test": ["agent"],
  "sandbox explain": ["--session", "agent:main:main"],
  "sandbox selftest": ["--backend", "podman"],
  "security audit": ["--deep"],
  "channels status": ["--probe"],
  "channels capabilities": ["--channel", "fake"],
  "channels resolve": ["--channel", "fake", "x"],
  "directory self": ["--channel", "fake"],
  "directory peers list": ["--channel", "fake"],
  "directory groups list": ["--channel", "fake"],
  "message send": ["--channel", "fake", "--target", "friend", "--message", "hello"],
  "routing explain": ["--channel", "fake"],
  "cron add": ["--name", "a", "--every", "1h", "--message", "look"],
  "sandbox recreate": ["--all"],
  "models auth order get": ["--provider", "keyed"],
  completion: ["--shell", "bash"],
};

/** As programs read it, and as people do. The others print the same facts in both. */
const IN_BOTH_FORMS = [
  "status",
  "doctor",
  "security audit",
  "models status",
  "channels status",
  "credential list",
  "agent",
];

/** Only a command that hangs takes that long. */
const PATIENCE_MS = 10_000;

export interface CommandRun {
  readonly name: string;
  readonly text: string;
  readonly code: number | "hangs";
}

/** Runs them one after the other; `typed` is what somebody types where a secret is asked for. */
export async function runCommands(
  env: Readonly<Record<string, string>>,
  folder: string,
  typed: string,
): Promise<CommandRun[]> {
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const words: typeof WORDS = {
    ...WORDS,
    export: ["--to", join(folder, "exported")],
    "backup create": ["--output", join(folder, "backup.sqlite")],
    "audit export": ["--to", join(folder, "audit.jsonl")],
    "credential export": ["--openclaw", join(folder, "credentials"), "--yes"],
  };
  const runs: CommandRun[] = [];
  for (const spec of COMMANDS) {
    const name = spec.path.join(" ");
    if (!spec.load || Object.hasOwn(NOT_RUN, name)) continue;
    const given = words[name] ?? (spec.args ?? []).filter(({ isOptional }) => !isOptional).map(() => "x");
    const json = spec.flags?.some((flag) => flag.name === "json") ? ["--json"] : [];
    runs.push(await runOnce(spec, [...given, ...json], env, typed));
    if (IN_BOTH_FORMS.includes(name)) runs.push(await runOnce(spec, given, env, typed));
  }
  return runs;
}

/** One command, by its name. */
export async function runCommand(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const spec = COMMANDS.find(({ path }) => path.join(" ") === name);
  if (!spec) throw new Error(`there is no command ${name}`);
  return runOnce(spec, args, env, "");
}

async function runOnce(
  spec: CommandSpec,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  typed: string,
): Promise<CommandRun> {
  let text = "";
  const print = (more: string): void => void (text += more);
  const terminal = createTerminal({ hasColor: true, columns: 200, isInteractive: false, out: print, err: print });
  const carryOut = async (): Promise<number> => {
    const parsed = parseCommandLine([...spec.path, ...args], { commands: COMMANDS, globals: GLOBAL_FLAGS });
    if (parsed.kind !== "run" || !parsed.command.load) return 2;
    const run = (await parsed.command.load()) as (call: CommandCall, parts?: object) => Promise<number>;
    const call = { path: parsed.command.path, args: parsed.args, flags: parsed.flags, terminal, env, state: {} };
    return run(withGateway(call), { input: Readable.from([typed]) });
  };
  const running = carryOut().catch((error: unknown) => {
    terminal.note(explainFailure(error, terminal));
    return 1;
  });
  const code = await waitAtMost(PATIENCE_MS, running, systemClock);
  return { name: spec.path.join(" "), text, code: code === "late" ? "hangs" : code };
}
