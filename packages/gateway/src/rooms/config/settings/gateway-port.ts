// Port the gateway listens on: a file of its own, since every command asks and few need the schema.
import type { ProcessEnv } from "../read/environment.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { profilePort, type StatePaths } from "../state/state-paths.ts";

export const USUAL_PORT = 18_789;

/** The environment beats the config, so that a second gateway can be started beside the first. */
export function gatewayPort(config: ChelaConfig, env: ProcessEnv, paths?: StatePaths): number {
  const fromEnv = Number(env["OPENCLAW_GATEWAY_PORT"] || env["CLAWDBOT_GATEWAY_PORT"] || Number.NaN);
  if (Number.isInteger(fromEnv) && fromEnv > 0 && fromEnv < 65_536) return fromEnv;
  return config.gateway?.port ?? (paths && profilePort(paths)) ?? USUAL_PORT;
}
