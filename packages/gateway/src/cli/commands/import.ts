// `chela import`: conversations from OpenClaw files, of this state directory or of another one.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { createIds } from "../../base/ids.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { importState } from "../../rooms/ledger/room.ts";
import { usageFailure } from "../command-failure.ts";
import type { CommandCall } from "../command-spec.ts";
import { count } from "../layout.ts";
import type { StatePaths } from "../../rooms/config/state/state-paths.ts";
import { takeoverLines, TAKEOVER_KEY, type TakeoverReport } from "../../house/start/takeover-text.ts";
import { readLedger, writeLedger } from "../open-ledger.ts";
import { silentLog } from "../silent-log.ts";
import type { Terminal } from "../terminal.ts";

export async function run({ flags, terminal, env, state }: CommandCall): Promise<number> {
  const { paths } = openStateDirectory(env, state);
  if (flags.has("report")) return showReport(paths, terminal, flags.has("json"));
  const from = flags.text("from") === undefined ? paths.stateDir : resolve(flags.text("from") ?? "");
  if (!existsSync(from)) throw usageFailure(`${from} does not exist.`);
  const report = await writeLedger(
    paths,
    (text) => terminal.note(text),
    (ledger) => importState({ ledger, stateDir: from, log: silentLog, clock: systemClock, ids: createIds() }),
  );
  if (flags.has("json")) terminal.printJson(report);
  else {
    terminal.print(
      `Imported ${count(report.sessions, "session")}, ${count(report.transcripts, "transcript")} with ${count(report.entries, "line")} from ${from}.`,
    );
    if (report.skippedFiles > 0) terminal.print(`${count(report.skippedFiles, "file")} had been imported before.`);
    if (report.recoveredSessions > 0)
      terminal.print(`${count(report.recoveredSessions, "transcript")} belonged to no session and got one.`);
    if (report.unreadableLines > 0)
      terminal.print(`${count(report.unreadableLines, "line")} could not be understood and were kept as they are.`);
    for (const warning of report.warnings) terminal.note(warning);
  }
  return 0;
}

/** What the first start on this directory said. */
async function showReport(paths: StatePaths, terminal: Terminal, asJson: boolean): Promise<number> {
  const value = await readLedger(paths, (ledger) => ledger.value(TAKEOVER_KEY));
  const report = value === undefined ? undefined : (JSON.parse(value) as TakeoverReport);
  if (asJson) terminal.printJson(report ?? null);
  else if (report) for (const line of takeoverLines(report)) terminal.print(line.replace(/^ {8}/, ""));
  else terminal.print("Nothing was taken over: this directory was Chela's own from the first start on.");
  return 0;
}
