// `chela status`: the gateway and everything around it at a glance.
import { type CommandCall, CommandFailure, timeoutOf } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { askOver } from "../connect/ask-gateway.ts";
import { findGateway } from "../connect/gateway-address.ts";
import { connectTo, type GatewayClient } from "../connect/gateway-client.ts";
import {
  cleanForTerminal,
  count,
  formatAge,
  formatDuration,
  formatTable,
  formatTokens,
} from "../../base/terminal/layout.ts";
import { readSettings } from "../connect/known-settings.ts";

type SessionRow = Status["sessions"]["recent"][number];
type Status = MethodAnswer<"status">;
type Config = MethodAnswer<"config.get">;

const RECENT = 5;

export async function run(call: CommandCall): Promise<number> {
  if (call.flags.has("json")) {
    call.terminal.printJson(await call.gateway.call("status", {}));
    return 0;
  }
  const address = await findGateway(call);
  let client: GatewayClient;
  try {
    client = await connectTo(address, timeoutOf(call));
  } catch (error) {
    if (!CommandFailure.is(error) || error.kind !== "no-gateway") throw error;
    return showAbsent(call, error);
  }
  await showRunning(call, client);
  return 0;
}

async function showAbsent(call: CommandCall, error: CommandFailure): Promise<number> {
  const { paths } = await readSettings(call);
  const rows = [
    ["Gateway", call.terminal.style.red(error.message)],
    ["State", paths.stateDir],
    ["Config", paths.configPath],
  ];
  for (const line of formatTable(rows)) call.terminal.print(line);
  return 1;
}

async function showRunning(call: CommandCall, { connection, hello, url }: GatewayClient): Promise<void> {
  const { terminal, flags } = call;
  const { style } = terminal;
  const timeoutMs = timeoutOf(call);
  const ask = askOver(connection, { timeoutMs });
  const [status, { defaults }, devices, config, usage] = await Promise.all([
    ask("status"),
    ask("sessions.list", { limit: 1 }),
    ask("device.pair.list"),
    ask("config.get"),
    ask("usage.cost", { days: 1, mode: "gateway" }),
  ]);
  connection.close();
  const waiting = devices.pending.length;
  const recent = status.sessions.recent.slice(0, flags.has("all") ? RECENT * 2 : RECENT);
  const rows = [
    [
      "Gateway",
      `${style.green("running")} at ${url} (version ${hello.server.version}, up ${formatDuration(hello.snapshot.uptimeMs)})`,
    ],
    ["Model", `${defaults?.modelProvider}/${defaults?.model}`],
    ["Config", describeConfig(config, call)],
    [
      "Devices",
      `${devices.paired.length} paired${waiting > 0 ? style.yellow(`, ${waiting} waiting: chela devices list`) : ", none waiting"}`,
    ],
    ["Today", `${formatTokens(usage.totals.totalTokens)} tokens, $${usage.totals.totalCost.toFixed(2)}`],
    ...channelRows(status, call),
    ["Sessions", describeSessions(status.sessions.count, recent.length)],
  ];
  for (const line of formatTable(rows)) terminal.print(line);
  for (const line of formatTable(recent.map(sessionCells), "  ")) terminal.print(line);
}

function describeSessions(all: number, shown: number): string {
  if (all === 0) return "none yet";
  return shown < all ? `${all}, the latest ${shown}:` : `${all}`;
}

function channelRows({ channelSummary, deliveries }: Status, { terminal: { style } }: CommandCall): string[][] {
  const lost = deliveries.undeliverable;
  return [
    ...channelSummary.map((line, index) => [index === 0 ? "Channels" : "", cleanForTerminal(line)]),
    ...(lost > 0
      ? [["Deliveries", style.red(`${count(lost, "message")} could not be delivered: chela deliveries`)]]
      : []),
  ];
}

function sessionCells({ key, age, totalTokens, percentUsed }: SessionRow): string[] {
  const used = totalTokens === null ? "" : `${formatTokens(totalTokens)} tokens`;
  return [key, formatAge(age), percentUsed === null || used === "" ? used : `${used} (${percentUsed}% of the context)`];
}

function describeConfig({ path, exists, source, issues }: Config, { terminal: { style } }: CommandCall): string {
  if (!exists) return `${path} (not there; built-in settings)`;
  if (source === "file" && issues.length === 0) return path;
  const used = source === "defaults" ? "built-in settings are used" : "the last version that worked is used";
  return style.yellow(`${path} is broken, so ${used}: chela config validate`);
}
