// Finds why a gateway with this configuration would refuse to start, without starting one or writing anything.
import { GatewayError } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import type { ConfigStore, StatePaths } from "./rooms/config/room.ts";
import { readAuth } from "./server/door-rules.ts";
import { checkTls } from "./server/tls-files.ts";
import { chooseListeningAddress } from "./house/start/listening-address.ts";

/** Undefined when nothing keeps it from starting. */
export function startRefusal(config: ConfigStore, paths: StatePaths): GatewayError | undefined {
  // Another machine's gateway is used, and none is started here.
  if (config.current().gateway?.mode === "remote") return undefined;
  const { mode, token } = readAuth(config.current(), config.effectiveEnv(), {});
  // A start makes a token where one is missing.
  const auth = mode === "token" && !token ? { token: "one that is made" } : {};
  try {
    chooseListeningAddress(config, {}, auth, paths);
    checkTls(config.current().gateway?.tls, { stateDir: paths.stateDir, clock: systemClock });
    return undefined;
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
}
