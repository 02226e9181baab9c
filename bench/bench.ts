// Measures the built gateway from outside and prints one table: what it takes, and what it may take.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { judge, type Figure } from "./figure.ts";
import type { Command } from "./gateway-process.ts";
import { measureAudit } from "./metrics/audit.ts";
import { measureAutomation } from "./metrics/automation.ts";
import { measureChannels } from "./metrics/channels.ts";
import { measureCommands } from "./metrics/commands.ts";
import { measureHistory } from "./metrics/history.ts";
import { measureMcp } from "./metrics/mcp.ts";
import { measureMemory } from "./metrics/memory.ts";
import { measurePage } from "./metrics/page.ts";
import { measurePrompt } from "./metrics/prompt.ts";
import { measureRpc } from "./metrics/rpc.ts";
import { measureSafety } from "./metrics/safety.ts";
import { measureSearch } from "./metrics/search.ts";
import { measureSessions } from "./metrics/sessions.ts";
import { measureSoak } from "./metrics/soak.ts";
import { measureStart } from "./metrics/start.ts";
import { measureTools } from "./metrics/tools.ts";
import { measureTurns } from "./metrics/turns.ts";
import { startModel } from "./model-process.ts";
import { readOptions, reduce, USAGE, type Group, type Options } from "./options.ts";
import { checkBench } from "./self-test.ts";
import { summarize } from "./statistics.ts";
import { formatTable } from "./table.ts";
import type { TurnRunner } from "./workbench.ts";

const MEASURES: Readonly<Record<Group, (bench: TurnRunner) => Promise<Figure[]>>> = {
  start: measureStart,
  turns: measureTurns,
  memory: measureMemory,
  rpc: measureRpc,
  sessions: measureSessions,
  cli: measureCommands,
  tools: measureTools,
  audit: measureAudit,
  safety: measureSafety,
  history: measureHistory,
  search: measureSearch,
  prompt: measurePrompt,
  mcp: measureMcp,
  channels: measureChannels,
  automation: measureAutomation,
  page: measurePage,
  soak: measureSoak,
};

const OWN_COMMAND = join(import.meta.dirname, "..", "packages/gateway/bin/chela.mjs");
const PEER_EFFORT = 0.25;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function ownCommand(options: Options): Command {
  const script = options.command ? resolve(options.command) : OWN_COMMAND;
  return { argv: [process.execPath, script], startTimeoutMs: 30_000, effort: 1 };
}

function peerCommand(path: string | undefined): Command | undefined {
  return path ? { argv: [path], startTimeoutMs: 180_000, effort: PEER_EFFORT } : undefined;
}

/** One group that breaks must not hide what the others found. */
async function measureGroup(group: Group, bench: TurnRunner): Promise<Figure[]> {
  bench.say(`${group} …`);
  try {
    return await MEASURES[group](bench);
  } catch (error) {
    return [{ metric: group, unit: "", samples: [], note: error instanceof Error ? error.message : String(error) }];
  }
}

async function measure(options: Options, root: string): Promise<{ own: Figure[]; peer: Figure[] }> {
  const model = await startModel();
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const own: Figure[] = [];
  const peer: Figure[] = [];
  const other = peerCommand(process.env["OPENCLAW_BIN"]);
  try {
    for (const group of options.groups) {
      const bench: TurnRunner = { root, command: ownCommand(options), model, amount: options.amount, say };
      own.push(...(await measureGroup(group, bench)));
      if (!other) continue;
      say("  the peer:");
      const amount = reduce(options.amount, other.effort);
      peer.push(...(await measureGroup(group, { ...bench, command: other, amount })));
    }
  } finally {
    await model.stop();
  }
  return { own, peer };
}

function toJson(figures: readonly Figure[]): object[] {
  return figures.map((figure) => ({
    ...figure,
    ...(figure.samples.length > 0 ? summarize(figure.samples) : {}),
    verdict: judge(figure),
  }));
}

async function run(options: Options): Promise<number> {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`;
  const load = loadavg().map((value) => value.toFixed(2));
  print(`${machine}, load average ${load.join(" ")}`);
  const root = mkdtempSync(join(tmpdir(), "chela-bench-"));
  // The gateway and the commands must find this very Node, whatever the shell's is.
  process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  try {
    const { own, peer } = await measure(options, root);
    print(`\n${formatTable(own, peer)}`);
    const missed = own.filter((figure) => judge(figure) === "short").length;
    const unmeasured = own.filter((figure) => judge(figure) === "n/a").length;
    print(`\nTargets missed: ${missed}. Could not be measured: ${unmeasured}.`);
    if (options.jsonFile) {
      const result = { machine, load, own: toJson(own), peer: toJson(peer) };
      writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`);
    }
    // What could not be measured is no success: a gateway that never started misses no target.
    return options.isStrict && missed + unmeasured > 0 ? 1 : 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") return (print(USAGE), 0);
  if (!options.isSelfTest) return run(options);
  checkBench();
  print("The bench counts right.");
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
