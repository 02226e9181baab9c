// `chela completion`: a script for the shell, made from the command table.
import { basename } from "node:path";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { completionScript, type Shell } from "../table/completion-scripts.ts";

export async function run({ flags, env, terminal }: CommandCall): Promise<number> {
  const shell = flags.text("shell") ?? basename(env["SHELL"] ?? "");
  if (!["bash", "zsh", "fish", "powershell"].includes(shell)) {
    throw usageFailure("Say which shell: chela completion --shell bash (or zsh, fish, powershell).");
  }
  terminal.write(completionScript(shell as Shell));
  return 0;
}
