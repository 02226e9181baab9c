// `chela sandbox …`: what keeps commands, what stands, and whether it holds.
import { defined } from "@chela/sdk/base";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import { alignRows, cleanForTerminal, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Status = MethodResult<"sandbox.status">;
type Explained = MethodResult<"sandbox.explain">;
type Tested = MethodResult<"sandbox.selftest">;
type Check = Status["backends"][number]["check"];

const MEBIBYTE = 1024 ** 2;

export function status(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const found = await ask("sandbox.status");
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describeStatus(found, call)) terminal.print(line);
  });
}

function describeStatus({ backends, chosen, isKeptByDefault, standing }: Status, call: CommandCall): string[] {
  const { style } = call.terminal;
  // Where one is ready, the others need no mending.
  const shown = (check: Check): Check =>
    chosen !== undefined && check.kind === "unusable" ? { ...check, fix: "" } : check;
  const rows = backends.map(({ id, check }): [string, string] => [id, checkCells(shown(check), style).join(": ")]);
  const lines = alignRows(rows, call.terminal.columns);
  lines.push("", keptLine(chosen, isKeptByDefault));
  if (standing.length === 0) return [...lines, "No sandbox stands right now; one is set up with the first command."];
  const head = ["SANDBOX", "BACKEND", "STATE", "USED", "SET UP"].map((word) => style.dim(word));
  const table = standing.map((one) => [
    cleanForTerminal(one.scope),
    one.backend,
    one.isOutdated ? style.yellow("older configuration") : one.isRunning ? "running" : "stopped",
    formatAge(Date.now() - one.lastUsedAt),
    formatAge(Date.now() - one.createdAt),
  ]);
  return [...lines, "", ...formatTable([head, ...table])];
}

function checkCells(check: Check, style: CommandCall["terminal"]["style"]): [string, string] {
  if (check.kind === "unusable")
    return [style.yellow("not usable"), cleanForTerminal(`${check.why} ${check.fix}`.trim())];
  return [style.green("ready"), cleanForTerminal([check.version, ...check.notes].join("; "))];
}

function keptLine(chosen: string | undefined, isKeptByDefault: boolean): string {
  if (isKeptByDefault)
    return "All conversations but the main ones are kept in a sandbox, unless sandbox.mode says otherwise.";
  return chosen
    ? "Conversations are kept in a sandbox where sandbox.mode says so."
    : "Nothing here can keep a sandbox: commands run on this machine, with approvals.";
}

export function explain(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const [sessionKey, agentId] = [flags.text("session"), flags.text("agent")];
  const params = { ...defined({ sessionKey, agentId }) };
  return call.gateway.askOrOffline(async (ask) => {
    const found = await ask("sandbox.explain", params);
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of alignRows(explanationRows(found, call), terminal.columns)) terminal.print(line);
  });
}

function explanationRows(found: Explained, { terminal: { style } }: CommandCall): Array<[string, string]> {
  const rows: Array<[string, string]> = [
    ["Conversation", found.sessionKey],
    ["Sandboxed", `${found.isSandboxed ? "yes" : "no"}: ${found.why}`],
  ];
  if (found.backend) rows.push(["Backend", found.backend]);
  if (found.check) rows.push(["Usable", checkCells(found.check, style).join(", ")]);
  for (const { outside, inside, isWritable } of found.mounts ?? [])
    rows.push(["Sees", cleanForTerminal(`${inside} = ${outside} (${isWritable ? "read and write" : "read only"})`)]);
  if (found.network !== undefined) rows.push(["Network", cleanForTerminal(found.network)]);
  if (found.limits) {
    const { memoryBytes, processes, cpuSeconds, fileBytes, diskBytes, files, keepFreeBytes } = found.limits;
    const sizes = `${memoryBytes / MEBIBYTE} MiB memory, files up to ${fileBytes / MEBIBYTE} MiB`;
    rows.push(["Limits", `${sizes}, ${processes} processes, ${cpuSeconds} s of processor time`]);
    if (diskBytes !== undefined) rows.push(["Its folder", `up to ${diskBytes / MEBIBYTE} MiB in ${files} files`]);
    if (keepFreeBytes) rows.push(["Stays free", `${keepFreeBytes / MEBIBYTE} MiB of each disk it writes to`]);
  }
  return rows;
}

export function recreate(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const [sessionKey, agentId] = [flags.text("session"), flags.text("agent")];
  if (!flags.has("all") && sessionKey === undefined && agentId === undefined)
    throw usageFailure("Say which: --all, --session <key> or --agent <id>.");
  const params = {
    ...(flags.has("all") ? { all: true } : {}),
    ...defined({ sessionKey, agentId }),
  };
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask("sandbox.recreate", params);
    if (flags.has("json")) return terminal.printJson(result);
    const count = result.removed === 1 ? "1 sandbox was" : `${result.removed} sandboxes were`;
    terminal.print(`${count} taken down; the next command sets up what it needs.`);
  });
}

/** In this process, so that it also works where no gateway runs. */
export async function selftest(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const backend = flags.text("backend");
  const ask = call.gateway.offline;
  const result = await ask("sandbox.selftest", backend === undefined ? {} : { backend });
  if (flags.has("json")) terminal.printJson(result);
  else for (const line of result.backends.flatMap((one) => describeTest(one, call))) terminal.print(line);
  const isTried = result.backends.some(({ tried }) => tried > 0);
  return isTried && result.backends.every(({ escapes }) => escapes.length === 0) ? 0 : 1;
}

function describeTest(test: Tested["backends"][number], { terminal: { style } }: CommandCall): string[] {
  const { id, check, tried, held, skipped, escapes } = test;
  if (check.kind === "unusable")
    return [`${id}: ${style.yellow("not usable")}. ${cleanForTerminal(`${check.why} ${check.fix}`)}`];
  const verdict = escapes.length === 0 ? style.green("held") : style.red("ESCAPED");
  const left = skipped.length > 0 ? ` Not tried here: ${skipped.join(", ")}.` : "";
  return [
    `${id}: ${verdict}, ${held} of ${tried} escapes failed as they must.${left}`,
    ...escapes.map(({ name, what }) => cleanForTerminal(`  ${name}: ${what}`)),
  ];
}
