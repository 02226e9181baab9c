// The command line of the bench.
import { parseArgs } from "node:util";
import type { Amount } from "./workbench.ts";

const GROUPS = [
  "start",
  "turns",
  "memory",
  "rpc",
  "sessions",
  "cli",
  "tools",
  "audit",
  "safety",
  "history",
  "search",
  "prompt",
  "mcp",
  "channels",
  "automation",
  "page",
  "soak",
] as const;
export type Group = (typeof GROUPS)[number];

export interface Options {
  readonly groups: ReadonlySet<Group>;
  readonly amount: Amount;
  readonly jsonFile?: string;
  readonly isStrict: boolean;
  readonly isSelfTest: boolean;
  /** Another build of the command to measure instead of this repository's. */
  readonly command?: string;
}

export const USAGE = `node bench/bench.ts [options]
  --only GROUPS    some of ${GROUPS.join(",")}
  --quick          fewer rounds: to see that everything works
  --long           10,000 turns instead of 3,000 for the growth of memory, a million messages to search, and the soak
                   of 20,000 turns
  --json FILE      writes the figures as JSON too
  --strict         exits with 1 when a target is missed or could not be measured
  --command FILE   measures this script instead of packages/gateway/bin/chela.mjs
  --self-test      checks the arithmetic of the bench and measures nothing
OPENCLAW_BIN=/path/to/openclaw runs the same against that command and adds its figures.`;

const USUAL: Amount = {
  startRounds: 11,
  sequentialTurns: 200,
  parallelTurns: 960,
  memoryStep: 1000,
  memorySteps: 3,
  pipelined: 20_000,
  rpcRounds: 5,
  sessionCounts: [1, 500, 5_000, 50_000],
  commandRounds: 9,
  toolTurns: 200,
  auditRounds: 60,
  sandboxes: 40,
  historyEntries: 100_000,
  historyTurns: 60,
  searchMessages: 100_000,
  soakTurns: 20_000,
  channelTurns: 100,
  channelMessages: 6_000,
  jobs: 10_000,
  idleMs: 60_000,
  execJobs: 40,
  webhooks: 1_000,
};

const QUICK: Amount = {
  startRounds: 5,
  sequentialTurns: 60,
  parallelTurns: 320,
  memoryStep: 1000,
  memorySteps: 2,
  pipelined: 4_000,
  rpcRounds: 3,
  sessionCounts: [1, 500, 5_000],
  commandRounds: 3,
  toolTurns: 60,
  auditRounds: 20,
  sandboxes: 10,
  historyEntries: 100_000,
  historyTurns: 20,
  searchMessages: 20_000,
  soakTurns: 2_000,
  channelTurns: 30,
  channelMessages: 2_000,
  jobs: 2_000,
  idleMs: 30_000,
  execJobs: 10,
  webhooks: 300,
};

const LONG = { memorySteps: 10, searchMessages: 1_000_000 };
/** Takes minutes: it is measured when it is named, or when there is time. */
const SLOW: ReadonlySet<Group> = new Set(["soak"]);

/** Throws with a sentence for the person at the terminal. */
export function readOptions(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      json: { type: "string" },
      strict: { type: "boolean", default: false },
      command: { type: "string" },
      "self-test": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const amount = values.quick ? QUICK : USUAL;
  return {
    groups: readGroups(values.only, values.long),
    amount: values.long ? { ...amount, ...LONG } : amount,
    isStrict: values.strict,
    isSelfTest: values["self-test"],
    ...(values.json === undefined ? {} : { jsonFile: values.json }),
    ...(values.command === undefined ? {} : { command: values.command }),
  };
}

function readGroups(only: string | undefined, isLong: boolean): ReadonlySet<Group> {
  if (only === undefined) return new Set(GROUPS.filter((group) => isLong || !SLOW.has(group)));
  const asked = only.split(",").map((name) => name.trim());
  const unknown = asked.find((name) => !isGroup(name));
  if (unknown !== undefined) throw new Error(`--only does not know "${unknown}"; it takes ${GROUPS.join(", ")}`);
  return new Set(asked.filter(isGroup));
}

function isGroup(name: string): name is Group {
  return (GROUPS as readonly string[]).includes(name);
}

/** A peer that needs seconds for a start is measured with fewer of everything. */
export function reduce(amount: Amount, effort: number): Amount {
  const less = (count: number, least: number): number => Math.max(least, Math.round(count * effort));
  return {
    startRounds: less(amount.startRounds, 3),
    sequentialTurns: less(amount.sequentialTurns, 20),
    parallelTurns: less(amount.parallelTurns, 64),
    memoryStep: amount.memoryStep,
    memorySteps: less(amount.memorySteps, 2),
    pipelined: less(amount.pipelined, 1000),
    rpcRounds: less(amount.rpcRounds, 3),
    sessionCounts: amount.sessionCounts,
    commandRounds: less(amount.commandRounds, 2),
    toolTurns: less(amount.toolTurns, 20),
    auditRounds: less(amount.auditRounds, 10),
    sandboxes: less(amount.sandboxes, 5),
    historyEntries: amount.historyEntries,
    historyTurns: less(amount.historyTurns, 10),
    searchMessages: amount.searchMessages,
    soakTurns: less(amount.soakTurns, 1000),
    channelTurns: less(amount.channelTurns, 10),
    channelMessages: less(amount.channelMessages, 500),
    jobs: amount.jobs,
    idleMs: amount.idleMs,
    execJobs: less(amount.execJobs, 5),
    webhooks: less(amount.webhooks, 100),
  };
}
