// Configuration and overrides, as far as a message may change them.
import { GatewayError } from "@chela/sdk";
import type { CommandConfig, DebugOverrides, Refusal } from "../../rooms/commands/room.ts";
import type { ConfigStore } from "../../rooms/config/room.ts";
import { isGuardedPlace } from "./guarded-config.ts";
import { orRefusal } from "./refusals.ts";

/** What `work` does is done in the name of whoever gave the command. */
export type InName = <T>(work: () => T) => T;

export function configFor(config: ConfigStore, inName: InName): CommandConfig {
  return {
    get: async (path) => (path ? valueOf(config.getPath(path)) : config.describe().config),
    set: async (path, value) => changeConfig(path, () => inName(() => config.setPath(path, parseValue(value)))),
    unset: async (path) => changeConfig(path, () => inName(() => config.unsetPath(path))),
  };
}

export function overridesFor(config: ConfigStore, inName: InName): DebugOverrides {
  return {
    show: () => config.overrides(),
    set: (path, value) => override(path, () => inName(() => config.override(path, parseValue(value)))),
    unset: (path) =>
      override(path, () => {
        if (!inName(() => config.dropOverride(path)))
          throw new GatewayError("CONFIG_INVALID", `${path} is not overridden`);
      }),
    reset: () => inName(() => config.dropOverrides()),
  };
}

function valueOf(found: ReturnType<ConfigStore["getPath"]>): unknown {
  return found.kind === "found" ? found.value : undefined;
}

/** As it was typed: JSON where it is JSON, a text otherwise. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refuseGuarded(path: string): Refusal | undefined {
  if (!isGuardedPlace(path)) return undefined;
  return { kind: "refused", why: `${path} guards the gateway. Change it on its machine: chela config set ${path} …` };
}

function changeConfig(path: string, change: () => ReturnType<ConfigStore["setPath"]>) {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    const report = change();
    return { kind: "changed" as const, needsRestart: report.kind === "written" && report.plan.restart };
  });
}

function override(path: string, change: () => void): { readonly kind: "changed" } | Refusal {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    change();
    return { kind: "changed" as const };
  });
}
