// `chela credential import | export`: plain secrets into the vault, and back into OpenClaw's files.
import { resolve } from "node:path";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { confirm } from "../../base/terminal/confirm.ts";
import { withCredentials } from "../offline/credentials.ts";
import { cleanForTerminal, count } from "../../base/terminal/layout.ts";

export function moveIn(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    if (flags.has("dry-run")) {
      const { plain } = await ask("credentials.list");
      if (flags.has("json")) return terminal.printJson({ plain });
      for (const { where } of plain) terminal.print(`Would move ${cleanForTerminal(where)}.`);
      if (plain.length === 0) terminal.print("No secret lies outside in plain text.");
      return;
    }
    const result = await ask("credentials.import");
    if (flags.has("json")) return terminal.printJson(result);
    for (const { where, id } of result.moved) terminal.print(`${cleanForTerminal(where)} → vault:${id}`);
    terminal.print(
      result.moved.length === 0
        ? "No secret lies outside in plain text."
        : `${count(result.moved.length, "secret")} moved. A running gateway goes on with them.`,
    );
  });
}

export async function moveOut(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const typed = flags.text("openclaw");
  if (!typed) throw usageFailure("Where to? Add --openclaw <directory>.");
  const directory = resolve(typed);
  const question = `Write all secrets in plain text to ${directory}?`;
  if (!flags.has("yes") && !(await confirm(call, question, "Add --yes."))) return 1;
  const facts = { step: "exported" as const, target: "vault", detail: { directory } };
  const files = await withCredentials(call, facts, (stored) => stored.export(directory));
  for (const file of files) terminal.print(`Wrote ${file}`);
  terminal.note(`Everybody who can read ${directory} has your secrets now. Remove it when you are done.`);
  return 0;
}
