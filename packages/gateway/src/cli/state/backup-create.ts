// `chela backup create`: a consistent copy of the ledger, also while it is written to.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { openDatabase } from "../../rooms/ledger/room.ts";
import { formatBytes } from "../../base/terminal/layout.ts";
import { readLedger } from "../offline/open-ledger.ts";

export async function run({ flags, terminal, env, state }: CommandCall): Promise<number> {
  const { paths } = openStateDirectory(env, state);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const output = resolve(flags.text("output") ?? join(paths.stateDir, "backups", `ledger-${stamp}.sqlite`));
  if (existsSync(output)) throw usageFailure(`${output} exists already; choose another name.`);
  mkdirSync(dirname(output), { recursive: true, mode: 0o700 });
  // Under its own name only when it is whole.
  const draft = `${output}.${process.pid}.draft`;
  try {
    await readLedger(paths, (ledger) => ledger.backup(draft));
    chmodSync(draft, 0o600);
    openDatabase(draft, { readOnly: true }).close();
    renameSync(draft, output);
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(draft + ending, { force: true });
  }
  const bytes = statSync(output).size;
  if (flags.has("json")) terminal.printJson({ path: output, bytes });
  else terminal.print(`Copied the ledger to ${output} (${formatBytes(bytes)}).`);
  return 0;
}
