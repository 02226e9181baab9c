// Checks for `chela doctor` that commands can be kept in a sandbox: as the running gateway finds it, or this process does.
import { GatewayError } from "@chela/sdk";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import { openStateDirectory, sandboxSettings, type ConfigStore, type StatePaths } from "../rooms/config/room.ts";
import { listAgents } from "../rooms/routing/room.ts";
import type { Check } from "./doctor-check.ts";
import { openConfig } from "./offline/open-config.ts";

type Status = MethodResult<"sandbox.status">;

const name = "Sandbox";

/** Sets one up, so it takes its time. Nothing when the gateway or the ledger does not answer, which other checks say. */
export async function checkSandbox(call: CommandCall): Promise<Check[]> {
  const { paths } = openStateDirectory(call.env, call.state);
  const config = openConfig(paths, call.env);
  const wanted = wantedBackends(config, paths);
  if (wanted.length === 0)
    return [{ name, state: "ok", says: "off, as it is configured: commands run on this machine" }];
  const status = await askStatus(call);
  return status ? [judge(status, wanted, isSaid(config, paths))] : [];
}

/** What agents want: a backend by its name, or any. */
function wantedBackends(config: ConfigStore, paths: StatePaths): string[] {
  const all = listAgents(config.current()).map(({ id }) => sandboxSettings(config.current(), id, paths));
  return [
    ...new Set(all.filter(({ mode, backend }) => mode !== "off" && backend !== "host").map(({ backend }) => backend)),
  ];
}

function isSaid(config: ConfigStore, paths: StatePaths): boolean {
  return listAgents(config.current()).some(({ id }) => sandboxSettings(config.current(), id, paths).mode !== undefined);
}

async function askStatus(call: CommandCall): Promise<Status | undefined> {
  let status: Status | undefined;
  try {
    await call.gateway.askOrOffline(async (ask) => void (status = await ask("sandbox.status")));
  } catch (error) {
    if (!CommandFailure.is(error) && !GatewayError.is(error)) throw error;
  }
  return status;
}

function judge({ backends, isKeptByDefault }: Status, wanted: readonly string[], isConfigured: boolean): Check {
  const missing = wanted.flatMap((id) => {
    const usable = backends.filter((one) => id === "auto" || one.id === id);
    return usable.some(({ check }) => check.kind === "ready") ? [] : usable.slice(0, 1);
  });
  const [first] = missing;
  if (first?.check.kind !== "unusable") {
    const ready = backends.filter(({ check }) => check.kind === "ready").map(({ id }) => id);
    return { name, state: "ok", says: `ready: ${ready.join(", ")}` };
  }
  const { why, fix } = first.check;
  if (isKeptByDefault || isConfigured)
    return { name, state: "fail", says: `sandboxed conversations run no commands. ${first.id}: ${why}`, fix };
  return { name, state: "warn", says: `commands run on this machine, with approvals. ${first.id}: ${why}`, fix };
}
