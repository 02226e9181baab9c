// `chela import`: conversations from OpenClaw files, of this state directory or of another one.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CommandCall, type Terminal, usageFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../../base/ids.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { importState } from "../../rooms/ledger/room.ts";
import { count } from "../../base/terminal/layout.ts";
import type { StatePaths } from "../../rooms/config/state/state-paths.ts";
import {
  mergeLines,
  MERGES_KEY,
  readMerges,
  takeoverLines,
  TAKEOVER_KEY,
  type TakeoverReport,
} from "../../house/start/takeover-text.ts";
import { readLedger, writeLedger } from "../offline/open-ledger.ts";
import { silentLog } from "../../base/terminal/command-log.ts";

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

/** What the first start on this directory said, and what was merged since. */
async function showReport(paths: StatePaths, terminal: Terminal, asJson: boolean): Promise<number> {
  const { value, merges } = await readLedger(paths, async (ledger) => ({
    value: await ledger.value(TAKEOVER_KEY),
    merges: readMerges(await ledger.value(MERGES_KEY)),
  }));
  const report = value === undefined ? undefined : (JSON.parse(value) as TakeoverReport);
  if (asJson) {
    terminal.printJson(report || merges.length > 0 ? { ...report, merges } : null);
    return 0;
  }
  const lines = [...(report ? takeoverLines(report) : []), ...mergeLines(merges)];
  for (const line of lines) terminal.print(line.replace(/^ {8}/, ""));
  if (!report) terminal.print("Nothing was taken over at the first start: this directory was Chela's own.");
  return 0;
}
