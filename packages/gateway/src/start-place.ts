// Where a gateway listens: from flags, environment and configuration, and only if that is safe.
import { networkInterfaces } from "node:os";
import { gatewayPort, type ConfigStore, type StatePaths } from "./config/room.ts";
import { checkBindSafety, parseAddressList, resolveBind, type BindMode } from "./server/auth/index.ts";
import { readAuth, type DoorRulesParts } from "./server/door-rules.ts";

export interface PlaceChoices {
  readonly port?: number;
  readonly bind?: BindMode;
}

export interface Place {
  readonly hosts: readonly string[];
  readonly port: number;
}

/** Throws START_OPEN_BIND or CONFIG_INVALID with the sentence that fixes it. */
export function choosePlace(
  config: ConfigStore,
  choices: PlaceChoices,
  auth: DoorRulesParts["override"],
  paths: StatePaths,
): Place {
  const gateway = config.current().gateway ?? {};
  const bind = resolveBind({ ...gateway, ...(choices.bind ? { bind: choices.bind } : {}) }, networkInterfaces());
  checkBindSafety({
    bind,
    auth: readAuth(config.current(), config.effectiveEnv(), auth),
    trustedProxies: parseAddressList(gateway.trustedProxies ?? []),
    tailscaleMode: gateway.tailscale?.mode,
    controlUi: gateway.controlUi,
  });
  return { hosts: bind.hosts, port: choices.port ?? gatewayPort(config.current(), config.effectiveEnv(), paths) };
}
