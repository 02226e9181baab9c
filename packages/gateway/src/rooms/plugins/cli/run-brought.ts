// Commands of the command line that a plugin brings: run in the plugin's process, by the gateway.
import type { CommandCall } from "@chela/sdk/command-line";

/** `args` are all words behind `chela`. Undefined where no plugin brings the first of them. */
export async function runBroughtCommand({ gateway, terminal, args }: CommandCall): Promise<number | undefined> {
  let isBrought = false;
  let code = 0;
  const failed = await gateway.askOrOffline(async (ask) => {
    const { plugins } = await ask("plugins.list");
    isBrought = plugins.some(({ cli, state }) => state === "enabled" && cli.includes(args[0] ?? ""));
  });
  if (failed !== 0 || !isBrought) return undefined;
  const asked = await gateway.ask(async (ask) => {
    const said = await ask("plugins.cli", { argv: [...args] });
    terminal.write(said.stdout);
    if (said.stderr !== "") terminal.note(said.stderr.trimEnd());
    code = said.code;
  });
  return asked === 0 ? code : asked;
}
