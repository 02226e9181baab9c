// `chela nodes …`: devices that do things for agents, what they may do, and asking one of them.
import { randomUUID } from "node:crypto";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { findNode } from "../find-node.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { formatAge, formatTable } from "../../../base/terminal/layout.ts";

type NodeRow = MethodAnswer<"node.list">["nodes"][number];
type Waiting = MethodAnswer<"node.pair.list">["pending"][number];
type Device = MethodAnswer<"device.pair.list">["pending"][number];

/** OpenClaw's node host does not outlive its connection. */
const AWAY = "no (a node host ends with its connection; as a service, `openclaw node install`, it is started again)";
const INVOKE_MS = 15_000;
/** How much longer than the node the gateway may take to answer. */
const SLACK_MS = 5_000;

export function list(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const all = await listNodes(ask);
    const nodes = call.flags.has("connected") ? all.filter(({ connected }) => connected) : all;
    if (call.flags.has("json")) return call.terminal.printJson({ nodes });
    const absent = call.flags.has("connected") ? [] : await neverHere(ask, all);
    if (nodes.length + absent.length === 0) return call.terminal.print("There is no node. `chela qr` pairs a phone.");
    for (const line of formatTable([...nodes.map((node) => rowOf(node, call)), ...absent])) call.terminal.print(line);
  });
}

/** Approved in records of OpenClaw, and never connected to this gateway. */
async function neverHere(ask: Ask, known: readonly NodeRow[]): Promise<string[][]> {
  const ids = new Set(known.map(({ nodeId }) => nodeId));
  const { paired } = await ask("node.pair.list");
  return paired
    .filter(({ nodeId }) => !ids.has(nodeId))
    .map((one) => [
      nameOf(one.nodeId, one),
      one.platform ?? "-",
      "approved, was not here yet",
      offers(one.commands),
      "",
    ]);
}

export function describe(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { nodeId } = await meantNode(ask, call);
    const node = await ask("node.describe", { nodeId });
    if (call.flags.has("json")) return call.terminal.printJson(node);
    for (const line of describeNode(node, call)) call.terminal.print(line);
  });
}

export function pending(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { nodes, devices } = await waitingOnes(ask);
    if (call.flags.has("json")) return call.terminal.printJson({ pending: nodes, devices });
    if (nodes.length + devices.length === 0) return call.terminal.print("No node waits.");
    const rows = [
      ...devices.map((one) => [one.requestId, nameOf(one.deviceId, one), "new", offers(one.commands)]),
      ...nodes.map((one) => [one.requestId, nameOf(one.nodeId, one), "asks for more", offers(one.adds.commands)]),
    ];
    call.terminal.print("Waiting (approve with `chela nodes approve <id>`)");
    for (const line of formatTable(rows, "  ")) call.terminal.print(line);
  });
}

export function approve(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { requestId, name, isDevice } = await meantRequest(ask, call.args[0] ?? "");
    const result = await ask(isDevice ? "device.pair.approve" : "node.pair.approve", { requestId });
    tellResult(call, result, `Approved ${name}.`);
  });
}

export function reject(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const { requestId, name, isDevice } = await meantRequest(ask, call.args[0] ?? "");
    const result = await ask(isDevice ? "device.pair.reject" : "node.pair.reject", { requestId });
    tellResult(call, result, `Turned down ${name}.`);
  });
}

export function rename(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const displayName = call.flags.text("name");
    if (!displayName) throw usageFailure("Say the new name: chela nodes rename --node <id> --name <name>.");
    const { nodeId } = await meantNode(ask, call);
    const result = await ask("node.rename", { nodeId, displayName });
    tellResult(call, result, `It is called ${displayName} now.`);
  });
}

/** The device goes, and with it what it was approved for. */
export function remove(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const node = await meantNode(ask, call);
    const result = await ask("device.pair.remove", { deviceId: node.nodeId });
    tellResult(call, result, `Removed ${nameOf(node.nodeId, node)}.`);
  });
}

export async function invoke(call: CommandCall): Promise<number> {
  const command = call.flags.text("command");
  if (!command) throw usageFailure("Say what to do: chela nodes invoke --node <id> --command <name>.");
  return send(call, command, readParams(call.flags.text("params") ?? "{}"), (payload) =>
    JSON.stringify(payload, undefined, 2),
  );
}

export async function notify(call: CommandCall): Promise<number> {
  const fields = ["title", "body", "sound", "priority", "delivery"].flatMap((name) => {
    const value = call.flags.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const params: Record<string, unknown> = { delivery: "system", ...Object.fromEntries(fields) };
  if (!params["title"] && !params["body"]) throw usageFailure("Say what to show: add --title or --body.");
  return send(call, "system.notify", params, () => "The node was told.");
}

async function send(
  call: CommandCall,
  command: string,
  params: unknown,
  sentence: (payload: unknown) => string,
): Promise<number> {
  const timeoutMs = call.flags.number("invoke-timeout") ?? INVOKE_MS;
  const link = await call.gateway.connect({ timeoutMs: timeoutMs + SLACK_MS });
  try {
    const { ask } = link;
    const { nodeId } = await meantNode(ask, call);
    const idempotencyKey = call.flags.text("idempotency-key") ?? randomUUID();
    const result = await ask("node.invoke", { nodeId, command, params, timeoutMs, idempotencyKey });
    tellResult(call, result, sentence(result.payload));
    return 0;
  } finally {
    link.close();
  }
}

function readParams(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageFailure(`--params must be JSON; this is not: ${text}`);
  }
}

async function listNodes(ask: Ask): Promise<NodeRow[]> {
  return (await ask("node.list")).nodes;
}

async function waitingOnes(ask: Ask): Promise<{ nodes: readonly Waiting[]; devices: readonly Device[] }> {
  const nodes = await ask("node.pair.list");
  const devices = await ask("device.pair.list");
  const asNodes = devices.pending.filter(({ role, roles }) => role === "node" || roles?.includes("node"));
  return { nodes: nodes.pending, devices: asNodes };
}

interface MeantRequest {
  readonly requestId: string;
  readonly name: string;
  /** It is the device itself that waits to be let in. */
  readonly isDevice: boolean;
}

async function meantRequest(ask: Ask, start: string): Promise<MeantRequest> {
  const { nodes, devices } = await waitingOnes(ask);
  const all: MeantRequest[] = [
    ...nodes.map((one) => ({ requestId: one.requestId, name: nameOf(one.nodeId, one), isDevice: false })),
    ...devices.map((one) => ({ requestId: one.requestId, name: nameOf(one.deviceId, one), isDevice: true })),
  ];
  const found = all.filter(({ requestId }) => start !== "" && requestId.startsWith(start));
  const [only] = found;
  if (!only)
    throw new CommandFailure("other", `No node waits with the request ${start}.`, {
      fix: "`chela nodes pending` shows those that wait.",
    });
  if (found.length > 1)
    throw new CommandFailure("other", `${start} is the start of ${found.length} ids; write more of it.`);
  return only;
}

async function meantNode(ask: Ask, { flags, path }: CommandCall): Promise<NodeRow> {
  const wanted = flags.text("node");
  if (!wanted) throw usageFailure(`Say which node: chela ${path.join(" ")} --node <id or name>.`);
  const found = findNode(await listNodes(ask), wanted);
  if (found.kind === "found") return found.node;
  if (found.kind === "none")
    throw new CommandFailure("other", `There is no node ${wanted}.`, { fix: "`chela nodes list` shows them." });
  const ids = found.nodes.map(({ nodeId }) => nodeId.slice(0, 12)).join(", ");
  throw new CommandFailure("other", `"${wanted}" could be several nodes: ${ids}.`, { fix: "Name one by its id." });
}

function nameOf(id: string, { displayName }: { readonly displayName?: string | undefined }): string {
  return `${displayName ?? "node"} (${id.slice(0, 12)})`;
}

function offers(commands: readonly string[] | undefined): string {
  return commands && commands.length > 0 ? commands.join(", ") : "-";
}

function rowOf(node: NodeRow, { terminal: { style } }: CommandCall): string[] {
  const state = node.connected ? style.green("connected") : "away";
  const more = node.waits ? style.yellow("asks for more") : "";
  return [nameOf(node.nodeId, node), node.platform ?? "-", state, `${node.commands.length} commands`, more];
}

function describeNode(node: MethodAnswer<"node.describe">, call: CommandCall): string[] {
  const { platform, version, remoteIp, connectedAtMs, caps, commands, permissions } = node;
  const given = Object.entries(permissions).map(([name, isGiven]) => `${name} ${isGiven ? "yes" : "no"}`);
  const rows: [string, string][] = [
    ["Id", node.nodeId],
    ["Platform", [platform, version].filter(Boolean).join(" ") || "-"],
    ["Address", remoteIp ?? "this machine, or not known"],
    ["Connected", connectedAtMs === undefined ? AWAY : `for ${formatAge(Date.now() - connectedAtMs)}`],
    ["Can", caps.join(", ") || "-"],
    ["Commands", commands.join(", ") || "-"],
    ["Permissions", given.join(", ") || "-"],
  ];
  const waits = node.waits ? [call.terminal.style.yellow("It asks for more: `chela nodes pending`")] : [];
  return [nameOf(node.nodeId, node), ...formatTable(rows, "  "), ...waits];
}
