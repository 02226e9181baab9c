// `chela export`: everything as OpenClaw files, or what is new as one JSON record per line.
import { resolve } from "node:path";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { exportState, followExport } from "../../rooms/ledger/room.ts";
import { defaultAgent, listAgents } from "../../rooms/routing/room.ts";
import { mainSessionKey } from "@chela/sdk";
import { agentSettings, sessionSettings } from "../../rooms/config/settings/defaults.ts";
import { readSettings } from "../connect/known-settings.ts";
import { count } from "../../base/terminal/layout.ts";
import { readLedger } from "../offline/open-ledger.ts";
import { createCommandLog } from "../../base/terminal/command-log.ts";

const FOLLOW_EVERY_MS = 1000;

export async function run(call: CommandCall): Promise<number> {
  const to = call.flags.text("to");
  const stateFile = call.flags.text("state");
  if (to === undefined && stateFile === undefined) {
    throw usageFailure("Say where to: chela export --to <directory>, or chela export --state <file> for what is new.");
  }
  if (to !== undefined && stateFile !== undefined)
    throw usageFailure("--to writes everything, --state prints what is new: give one of them.");
  if (call.flags.has("follow") && stateFile === undefined)
    throw usageFailure("--follow needs --state <file>, to remember how far it came.");
  return to !== undefined ? exportAll(call, resolve(to)) : handOut(call, resolve(stateFile ?? ""));
}

async function exportAll(call: CommandCall, target: string): Promise<number> {
  const { terminal, flags } = call;
  const { config, paths } = await readSettings(call);
  if (target === paths.stateDir) throw usageFailure(`${target} is the state directory itself; choose another one.`);
  const { mainKey, scope } = sessionSettings(config);
  const agentId = defaultAgent(config).id;
  const homeSessionKey = mainSessionKey(agentId, { defaultAgentId: agentId, mainKey, scope });
  const log = createCommandLog((text) => terminal.note(text));
  const report = await readLedger(paths, (ledger) => exportState({ ledger, target, homeSessionKey, log }));
  if (flags.has("json")) terminal.printJson({ target, ...report });
  else
    terminal.print(
      `Wrote ${count(report.transcripts, "transcript")} of ${count(report.indexes, "agent")} to ${target}.`,
    );
  return 0;
}

async function handOut(call: CommandCall, stateFile: string): Promise<number> {
  const { flags, terminal } = call;
  const { config, paths } = await readSettings(call);
  const workspaces = listAgents(config).map((agent) => agentSettings(config, agent, paths).workspace);
  const abort = new AbortController();
  process.once("SIGINT", () => abort.abort()).once("SIGTERM", () => abort.abort());
  // The wait between two rounds does not keep a process alive by itself.
  const alive = setInterval(() => {}, 60_000);
  const records = followExport({
    stateDir: paths.stateDir,
    workspaces: () => workspaces,
    stateFile,
    clock: systemClock,
    signal: abort.signal,
    ...(flags.has("follow") ? { follow: { everyMs: FOLLOW_EVERY_MS } } : {}),
  });
  for await (const record of records) terminal.print(JSON.stringify(record));
  clearInterval(alive);
  return 0;
}
