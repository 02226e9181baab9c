// Runs commands of the command line in this process, on the files of a state directory or against a gateway that runs in it.
import { Readable } from "node:stream";
import type { CommandCall, Terminal } from "@chela/sdk/command-line";
import { withGateway } from "../../../src/cli/connect/gateway-caller.ts";
import { COMMANDS, GLOBAL_FLAGS } from "../../../src/cli/table/command-table.ts";
import { cleanJson } from "../../../src/base/terminal/clean-text.ts";
import { explainFailure } from "../../../src/cli/table/explain-failure.ts";
import { parseCommandLine } from "../../../src/cli/table/parse-arguments.ts";
import { createTerminal } from "../../../src/base/terminal/terminal.ts";
import { TEST_TOKEN } from "../in-process.ts";

export interface CommandPlace {
  readonly stateDir: string;
  /** Of the gateway; nobody listens there unless told. */
  readonly port?: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Another terminal than a wide one that nobody looks at. */
  readonly terminal?: Partial<Pick<Terminal, "columns" | "isInteractive" | "style">>;
}

const flags = { has: () => false, text: () => undefined, number: () => undefined, list: () => [] };

export function callFor(
  { stateDir, port = 9, env = {}, terminal: another = {} }: CommandPlace,
  print: (text: string) => void = () => {},
  more: Partial<CommandCall> = {},
): CommandCall {
  const made = createTerminal({ hasColor: false, columns: 200, isInteractive: false, out: print, err: print });
  // In one line, so that tests can look for a part of it.
  const printJson = (value: unknown): void => print(`${cleanJson(JSON.stringify(value))}\n`);
  const terminal: Terminal = { ...made, columns: 200, printJson, ...another };
  const own = {
    HOME: stateDir,
    OPENCLAW_STATE_DIR: stateDir,
    OPENCLAW_GATEWAY_PORT: String(port),
    OPENCLAW_GATEWAY_TOKEN: TEST_TOKEN,
    OLLAMA_HOST: "127.0.0.1:9",
    ...env,
  };
  return withGateway({ path: [], args: [], flags, terminal, env: own, state: {}, ...more });
}

/** `typed` is what is piped in, or makes it from what the command printed; `parts` is what it works with beside its call. */
export async function runCommand(
  place: CommandPlace,
  line: string,
  typed: string | ((printed: (part: RegExp) => Promise<string>) => Promise<string>) = "",
  parts: object = {},
): Promise<{ readonly code: number; readonly text: string }> {
  let text = "";
  let wake = Promise.withResolvers<void>();
  const print = (more: string): void => {
    text += more;
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  const printed = async (part: RegExp): Promise<string> => {
    for (let found = part.exec(text); ; found = part.exec(text)) {
      if (found) return found[0];
      await wake.promise;
    }
  };
  const input = Readable.from(
    (async function* () {
      yield typeof typed === "string" ? typed : await typed(printed);
    })(),
  );
  const parsed = parseCommandLine(line.split(" "), { commands: COMMANDS, globals: GLOBAL_FLAGS });
  if (parsed.kind !== "run" || !parsed.command.load) throw new Error(`not a command: ${line}`);
  const run = (await parsed.command.load()) as (call: CommandCall, parts?: object) => Promise<number>;
  const call = callFor(place, print, { path: parsed.command.path, args: parsed.args, flags: parsed.flags });
  try {
    return { code: await run(call, { ...parts, input }), text };
  } catch (error) {
    call.terminal.write(explainFailure(error, call.terminal));
    return { code: 1, text };
  }
}
