// `api.runtime`: what plugins ask of the gateway. What has an effect is asked over the link; what nobody has fails when called.
import { join } from "node:path";
import type { StartOrder } from "../wire/orders.ts";
import type { PluginLogger } from "./api.ts";

export interface RuntimeParts {
  readonly order: StartOrder;
  readonly logger: PluginLogger;
  config(): unknown;
  /** Asks the gateway; rejects with its reason when that is not granted. */
  ask(name: string, asks: unknown): Promise<unknown>;
}

type Parts = Readonly<Record<string, unknown>>;

export function createRuntime({ order, logger, config, ask }: RuntimeParts): unknown {
  const known: Parts = {
    version: order.hostVersion,
    config: {
      loadConfig: config,
      current: config,
      writeConfigFile: (next: unknown) => ask("config.write", { config: next }),
    },
    system: {
      enqueueSystemEvent: (text: unknown, options: unknown) => ask("system.event", { text, options }),
      requestHeartbeatNow: (options: unknown) => ask("system.heartbeat", { options }),
      runCommandWithTimeout: async (argv: unknown, options: unknown) =>
        (await import("./run-command.ts")).runCommand(argv, options),
      formatNativeDependencyHint: ({ packageName = "a package" }: { packageName?: string } = {}) =>
        `${packageName} has a part made for one kind of machine; install it again on this one.`,
    },
    logging: {
      shouldLogVerbose: () => false,
      getChildLogger: () => logger,
    },
    state: {
      resolveStateDir: () => order.dataDir,
      openKeyedStore: async ({ namespace = "store" }: { namespace?: string } = {}) =>
        (await import("./keyed-store.ts")).keyedStore(
          join(order.dataDir, `${namespace.replaceAll(/[^\w-]/g, "_")}.json`),
        ),
    },
  };
  return guarded(known, "runtime");
}

/** Reading a part that is not there must not fail: plugins look at many before they use one. */
export function guarded(parts: Parts, path: string): unknown {
  return new Proxy(parts, {
    get: (all, name) => {
      if (typeof name === "symbol") return Reflect.get(all, name);
      const value = all[name];
      if (typeof value === "object" && value !== null) return guarded(value as Parts, `${path}.${name}`);
      return value !== undefined || isNeverThere(name) ? value : absent(`${path}.${name}`);
    },
    has: (all, name) => Reflect.has(all, name),
  });
}

function isNeverThere(name: string): boolean {
  return ["then", "toJSON", "constructor", "prototype", "__esModule", "default"].includes(name);
}

/** Called it fails with a sentence; asked for a part of it, it goes on being absent. */
function absent(path: string): unknown {
  const fail = (): never => {
    throw new Error(
      `api.${path} is not there: this plugin uses a part of OpenClaw that Chela does not give to plugins`,
    );
  };
  return new Proxy(fail, {
    get: (target, name) => {
      if (typeof name === "symbol" || isNeverThere(name)) return undefined;
      return name in target ? Reflect.get(target, name) : absent(`${path}.${name}`);
    },
  });
}
