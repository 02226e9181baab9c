// `chela sessions cleanup`: shows what is too old or too much, and clears it when told to. While a gateway runs it does
// the clearing itself, so that nothing changes behind its back.
import { type CommandCall, timeoutOf } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { inspectLock } from "../../base/locks/holder.ts";
import { type Logger, mainSessionKey } from "@chela/sdk";
import { defaultAgent, listAgents } from "../../rooms/routing/room.ts";
import { sessionSettings } from "../../rooms/config/settings/defaults.ts";
import { maintenanceLimits } from "../../rooms/config/settings/maintenance-limits.ts";
import { maintainSessions, type MaintenanceReport } from "../../rooms/ledger/room.ts";
import { connectGateway } from "../connect/gateway-client.ts";
import { readSettings, type KnownSettings } from "../connect/known-settings.ts";
import { count, formatBytes } from "../../base/terminal/layout.ts";
import { readLedger, writeLedger } from "../offline/open-ledger.ts";
import { silentLog } from "../../base/terminal/command-log.ts";

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const settings = await readSettings(call);
  const report =
    flags.has("enforce") && !flags.has("dry-run") ? await enforce(call, settings) : await look(call, settings);
  if (flags.has("json")) terminal.printJson(report);
  else for (const line of describe(report)) terminal.print(line);
  return 0;
}

function options(call: CommandCall, { config, paths }: KnownSettings, log: Logger = silentLog) {
  const { mainKey, scope } = sessionSettings(config);
  const defaultAgentId = defaultAgent(config).id;
  const kept = new Set(listAgents(config).map(({ id }) => mainSessionKey(id, { defaultAgentId, mainKey, scope })));
  const active = call.flags.text("active-key");
  if (active !== undefined) kept.add(active);
  return { keep: (key: string) => kept.has(key), now: Date.now(), stateDir: paths.stateDir, log };
}

function look(call: CommandCall, settings: KnownSettings): Promise<MaintenanceReport> {
  const config = { ...maintenanceLimits(settings.config), mode: "warn" as const };
  return readLedger(settings.paths, (ledger) => maintainSessions({ ledger, config, ...options(call, settings) }));
}

async function enforce(call: CommandCall, settings: KnownSettings): Promise<MaintenanceReport> {
  const isRunning = inspectLock(stateLockPath(settings.paths.stateDir), systemClock).kind === "held";
  if (isRunning) return enforceThroughGateway(call, await look(call, settings));
  const config = { ...maintenanceLimits(settings.config), mode: "enforce" as const };
  return writeLedger(
    settings.paths,
    (text) => call.terminal.note(text),
    (ledger) => maintainSessions({ ledger, config, ...options(call, settings) }),
  );
}

async function enforceThroughGateway(call: CommandCall, report: MaintenanceReport): Promise<MaintenanceReport> {
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  for (const key of [...report.tooOld, ...report.tooMany, ...report.overBudget]) {
    await connection.request("sessions.delete", { key }, { timeoutMs });
  }
  connection.close();
  // Files and long transcripts are the gateway's own to clear.
  return { ...report, applied: true, rotated: [], removedFiles: [], bytesFreed: 0 };
}

function describe(report: MaintenanceReport): string[] {
  const verb = report.applied ? "Removed" : "Would remove";
  const gone = [
    ...report.tooOld.map((key) => `${verb} ${key} (not used for too long)`),
    ...report.tooMany.map((key) => `${verb} ${key} (more sessions than are kept)`),
    ...report.overBudget.map((key) => `${verb} ${key} (disk budget)`),
    ...report.removedFiles.map((path) => `${verb} ${path}`),
    ...report.rotated.map((id) => `${report.applied ? "Shortened" : "Would shorten"} the transcript of ${id}`),
    ...report.tooLarge.map((id) => `The transcript of ${id} is large, and has no summary to begin anew from`),
  ];
  const freed =
    report.bytesFreed > 0 ? `, ${formatBytes(report.bytesFreed)} ${report.applied ? "freed" : "to be freed"}` : "";
  const summary = `${count(report.sessions, "session")}, ${formatBytes(report.bytesBefore)} of transcripts${freed}.`;
  if (gone.length === 0) return [`${summary} Nothing to clear.`];
  return [
    ...gone,
    report.applied ? summary : `${summary} Run it with --enforce to do this; transcripts are archived, not erased.`,
  ];
}
