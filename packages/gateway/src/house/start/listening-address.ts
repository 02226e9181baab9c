// Listening address of a gateway: from flags, environment and configuration, and only if that is safe.
import { networkInterfaces } from "node:os";
import { GatewayError } from "@chela/sdk";
import { gatewayPort, type ConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import { checkBindSafety, parseAddressList, resolveBind, type BindMode } from "../../server/auth/index.ts";
import { readAuth, type DoorRulesParts } from "../../server/door-rules.ts";
import type { ListeningAddress } from "../../server/server.ts";

export interface AddressChoices {
  readonly port?: number;
  readonly bind?: BindMode;
}

/** Throws START_OPEN_BIND or CONFIG_INVALID with the sentence that fixes it. */
export function chooseListeningAddress(
  config: ConfigStore,
  choices: AddressChoices,
  auth: DoorRulesParts["override"],
  paths: StatePaths,
): ListeningAddress {
  const gateway = config.current().gateway ?? {};
  const bind = resolveBind({ ...gateway, ...(choices.bind ? { bind: choices.bind } : {}) }, networkInterfaces());
  checkBindSafety({
    bind,
    auth: readAuth(config.current(), config.effectiveEnv(), auth),
    trustedProxies: parseAddressList(gateway.trustedProxies ?? []),
    tailscaleMode: gateway.tailscale?.mode,
    controlUi: gateway.controlUi,
  });
  checkPortVariables(config.effectiveEnv());
  return { hosts: bind.hosts, port: choices.port ?? gatewayPort(config.current(), config.effectiveEnv(), paths) };
}

/** A port that is no port would silently be another one. */
function checkPortVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of ["OPENCLAW_GATEWAY_PORT", "CLAWDBOT_GATEWAY_PORT"]) {
    const text = env[name]?.trim();
    if (text && !(/^\d+$/.test(text) && Number(text) > 0 && Number(text) < 65_536))
      throw new GatewayError("START_PORT", `${name} is "${text}", which is not a port between 1 and 65535`);
  }
}
