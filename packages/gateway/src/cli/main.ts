// The command line's entry: finds the command and loads only what that command needs.
import { defined } from "@chela/sdk/base";
import type { FlagValues, RunCommand, Terminal } from "@chela/sdk/command-line";
import { withGateway } from "./connect/gateway-caller.ts";
import { COMMANDS, GLOBAL_FLAGS } from "./table/command-table.ts";
import { parseCommandLine } from "./table/parse-arguments.ts";
import { exitWhenWritten, openTerminal } from "../base/terminal/terminal.ts";
import { VERSION } from "../version.ts";

process.stdout.on("error", leaveQuietly);
process.stderr.on("error", leaveQuietly);
exitWhenWritten(await runCommandLine(process.argv.slice(2)));

/** `chela … | head`: nobody reads any more, which is no failure. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}

async function runCommandLine(words: readonly string[]): Promise<number> {
  const terminal = openTerminal(process.env, !words.includes("--no-color"));
  try {
    const parsed = parseCommandLine(words, { commands: COMMANDS, globals: GLOBAL_FLAGS });
    if (parsed.kind === "version") terminal.print(VERSION);
    if (parsed.kind === "help") await printHelp(parsed.path, terminal);
    if (parsed.kind !== "run") return 0;
    const { command, args, flags, notes } = parsed;
    for (const note of notes) terminal.note(note);
    const run = await (command.load as () => Promise<RunCommand>)();
    const caller = { path: command.path, args, flags, terminal, env: process.env, state: stateOf(flags) };
    return await run(withGateway(caller));
  } catch (error) {
    const brought = await runBrought(words, terminal).catch(() => undefined);
    if (brought !== undefined) return brought;
    const { explainFailure } = await import("./table/explain-failure.ts");
    terminal.note(explainFailure(error, terminal));
    return 1;
  }
}

/** A first word of none of ours may be one of a plugin's. Undefined where it is not. */
async function runBrought(words: readonly string[], terminal: Terminal): Promise<number | undefined> {
  const [word = ""] = words;
  if (!/^[a-z]/i.test(word) || COMMANDS.some(({ path }) => path[0] === word)) return undefined;
  const { runBroughtCommand } = await import("../rooms/plugins/cli/run-brought.ts");
  const flags: FlagValues = { has: () => false, text: () => undefined, number: () => undefined, list: () => [] };
  return runBroughtCommand(withGateway({ path: [word], args: words, flags, terminal, env: process.env, state: {} }));
}

async function printHelp(path: readonly string[], terminal: Terminal): Promise<void> {
  const { helpText } = await import("./table/help.ts");
  terminal.print(helpText(path, terminal));
}

function stateOf(flags: FlagValues): { profile?: string; dev?: boolean } {
  const profile = flags.text("profile");
  return { ...defined({ profile }), ...(flags.has("dev") ? { dev: true } : {}) };
}
