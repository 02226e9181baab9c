// `chela gateway status|call|stop`: asks about the gateway, calls its methods, ends it.
import { type CommandCall, CommandFailure, timeoutOf, usageFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { inspectLock } from "../../base/locks/holder.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { connectTo } from "../connect/gateway-client.ts";
import { findGateway } from "../connect/gateway-address.ts";
import { formatDuration, formatTable } from "../../base/terminal/layout.ts";
import { stopGateway } from "../connect/stop-gateway.ts";

interface Probe {
  readonly reachable: boolean;
  readonly url: string;
  readonly error?: string;
  readonly fix?: string;
  readonly version?: string;
  readonly uptimeMs?: number;
  readonly model?: string;
}

export async function status(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const { stateDir } = openStateDirectory(call.env, call.state).paths;
  const lock = inspectLock(stateLockPath(stateDir), systemClock);
  const probe = flags.has("no-probe") ? undefined : await probeGateway(call);
  if (flags.has("json")) terminal.printJson({ stateDir, lock, ...(probe ? { gateway: probe } : {}) });
  else {
    for (const line of formatTable(statusRows(stateDir, lock, probe))) terminal.print(line);
    if (probe?.fix) terminal.note(probe.fix);
  }
  return probe && !probe.reachable ? 1 : 0;
}

async function probeGateway(call: CommandCall): Promise<Probe> {
  const address = await findGateway(call);
  const timeoutMs = timeoutOf(call);
  try {
    const { connection, hello, url } = await connectTo(address, timeoutMs);
    const { defaults } = await connection.request("sessions.list", { limit: 1 }, { timeoutMs });
    connection.close();
    const model = `${defaults?.modelProvider}/${defaults?.model}`;
    return { reachable: true, url, version: hello.server.version, uptimeMs: hello.snapshot.uptimeMs, model };
  } catch (error) {
    if (!CommandFailure.is(error)) throw error;
    const fix = error.fix ? { fix: error.fix } : {};
    return { reachable: false, url: address.urls[0] ?? "", error: error.message, ...fix };
  }
}

function statusRows(stateDir: string, lock: ReturnType<typeof inspectLock>, probe: Probe | undefined): string[][] {
  const rows = [
    ["State", stateDir],
    ["Process", describeLock(lock)],
  ];
  if (!probe) return rows;
  if (!probe.reachable) return [...rows, ["Gateway", probe.error ?? "does not answer"]];
  return [
    ...rows,
    ["Gateway", `answers at ${probe.url}`],
    ["Version", probe.version ?? ""],
    ["Up for", formatDuration(probe.uptimeMs ?? 0)],
    ["Model", probe.model ?? ""],
  ];
}

function describeLock(lock: ReturnType<typeof inspectLock>): string {
  if (lock.kind === "free") return "none holds this state directory";
  if (lock.kind === "stale")
    return `process ${lock.pid ?? "?"} is gone and left its lock; the next start takes it over`;
  const where = lock.isElsewhere ? " in another container or on another machine" : "";
  return `${lock.pid ?? "one that is starting"}${where}${lock.since ? `, since ${lock.since}` : ""}`;
}

export async function call(command: CommandCall): Promise<number> {
  const { flags, terminal, args } = command;
  const params = parseParams(flags.text("params"));
  const timeoutMs = timeoutOf(command);
  const { connection } = await connectTo(await findGateway(command), timeoutMs);
  const isFinal = flags.has("expect-final");
  const options = isFinal ? { accepted: () => {}, ...(flags.has("timeout") ? { timeoutMs } : {}) } : { timeoutMs };
  terminal.printJson(await connection.requestAny(args[0] ?? "", params, options));
  connection.close();
  return 0;
}

function parseParams(text = "{}"): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageFailure(
      `--params is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      `Write it as '{"limit": 5}', in single quotes.`,
    );
  }
}

export async function stop({ env, state, flags, terminal }: CommandCall): Promise<number> {
  const { stateDir } = openStateDirectory(env, state).paths;
  const outcome = await stopGateway(stateDir);
  if (flags.has("json")) {
    terminal.printJson(
      outcome.kind === "stopped"
        ? { stopped: true, pid: outcome.pid, tookMs: outcome.tookMs }
        : { stopped: false, reason: "not running" },
    );
  } else {
    terminal.print(
      outcome.kind === "stopped" ? `Stopped the gateway (process ${outcome.pid}).` : `No gateway runs in ${stateDir}.`,
    );
  }
  return 0;
}
