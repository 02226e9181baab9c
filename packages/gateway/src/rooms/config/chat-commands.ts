// Chat commands /config, /debug and /restart: the configuration as far as a message may change it, and the gateway anew.
import {
  done,
  GatewayError,
  orRefusal,
  refused,
  type ChatCall,
  type ChatCommand,
  type CommandAnswer,
  type Refusal,
} from "@chela/sdk";
import { firstLines, foldWords, splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import { isGuardedPlace } from "./guarded-place.ts";
import type { ConfigStore, WriteReport } from "./store-types.ts";

type ConfigHouse = Pick<House, "config">;

async function changeConfig(args: string, call: ChatCall, { config }: ConfigHouse): Promise<CommandAnswer> {
  const { action, behind } = splitAction(args, "show");
  switch (action) {
    case "show":
    case "get":
      return behind === "" ? showSections(config.describe().config) : showValue(behind, valueAt(behind, config));
    case "set": {
      const wanted = readAssignment(behind);
      if (!wanted) return refused("Usage: /config set path=value");
      return describeChange(
        `✅ Set: ${wanted.path}`,
        change(wanted.path, () => call.inName(() => config.setPath(wanted.path, parseValue(wanted.value)))),
      );
    }
    case "unset":
      if (behind === "") return refused("Usage: /config unset path");
      return describeChange(
        `✅ Removed: ${behind}`,
        change(behind, () => call.inName(() => config.unsetPath(behind))),
      );
    default:
      return refused(`⚠️ /config does not know "${action}".`, "Allowed: show, get, set, unset.");
  }
}

async function changeDebug(args: string, call: ChatCall, { config }: ConfigHouse): Promise<CommandAnswer> {
  const { action, behind } = splitAction(args, "show");
  switch (action) {
    case "show": {
      const overrides = config.overrides();
      if (Object.keys(overrides).length === 0) return done("🐞 No overrides.");
      return done("🐞 Overrides", ...firstLines(JSON.stringify(overrides, undefined, 2)).slice(0, 11));
    }
    case "set": {
      const wanted = readAssignment(behind);
      if (!wanted) return refused("Usage: /debug set path=value");
      return describeChange(
        `🐞 Until the next start: ${wanted.path}`,
        override(wanted.path, () => call.inName(() => config.override(wanted.path, parseValue(wanted.value)))),
      );
    }
    case "unset":
      if (behind === "") return refused("Usage: /debug unset path");
      return describeChange(
        `🐞 Removed: ${behind}`,
        override(behind, () => dropOverride(behind, call, config)),
      );
    case "reset":
      call.inName(() => config.dropOverrides());
      return done("🐞 All overrides removed.");
    default:
      return refused(`⚠️ /debug does not know "${action}".`, "Allowed: show, set, unset, reset.");
  }
}

const RESTART_AFTER_MS = 500;

async function restart(
  _args: string,
  { now }: ChatCall,
  house: Pick<House, "startedAt" | "clock" | "restart">,
): Promise<CommandAnswer> {
  // This is the second run of the command: the first one ended with the process it was in.
  if (house.startedAt > now) return done("✅ The gateway has restarted.");
  house.clock.after(RESTART_AFTER_MS, () => house.restart());
  return done("🔄 Restarting; back in a moment.");
}

function splitAction(args: string, usual: string): { readonly action: string; readonly behind: string } {
  const [word = ""] = splitWords(args);
  return { action: word.toLowerCase() || usual, behind: args.slice(word.length).trim() };
}

function readAssignment(text: string): { readonly path: string; readonly value: string } | undefined {
  const [, path, value] = /^([^\s=]+)\s*=\s*(\S[\s\S]*)$/.exec(text) ?? [];
  return path !== undefined && value !== undefined ? { path, value } : undefined;
}

function showSections(config: unknown): CommandAnswer {
  const keys = typeof config === "object" && config !== null ? Object.keys(config) : [];
  if (keys.length === 0) return done("⚙️ Nothing is set: all defaults.");
  return done("⚙️ Set in the configuration:", ...foldWords(keys, ", "), "See one: /config get <path>");
}

function showValue(path: string, value: unknown): CommandAnswer {
  if (value === undefined) return done(`⚙️ ${path} is not set.`);
  return done(`⚙️ ${path}`, ...firstLines(JSON.stringify(value, undefined, 2)));
}

type Change = { readonly kind: "changed"; readonly needsRestart?: boolean } | { kind: "refused"; why: string };

function describeChange(title: string, change: Change): CommandAnswer {
  if (change.kind === "refused") return refused(`⚠️ ${change.why}`);
  return done(title, ...(change.needsRestart ? ["It takes effect after a /restart."] : []));
}

function valueAt(path: string, config: ConfigStore): unknown {
  const found = config.getPath(path);
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

function change(path: string, write: () => WriteReport): Change {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    const report = write();
    return { kind: "changed" as const, needsRestart: report.kind === "written" && report.plan.restart };
  });
}

function override(path: string, write: () => void): Change {
  return orRefusal(() => {
    const refusal = refuseGuarded(path);
    if (refusal) return refusal;
    write();
    return { kind: "changed" as const };
  });
}

function dropOverride(path: string, call: ChatCall, config: ConfigStore): void {
  if (!call.inName(() => config.dropOverride(path)))
    throw new GatewayError("CONFIG_INVALID", `${path} is not overridden`);
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "config",
    aliases: [],
    usage: "[show|get path|set path=value|unset path]",
    category: "Management",
    who: "owner",
    flag: "config",
    help: "see and change the configuration",
    listed: 310,
    run: changeConfig,
  },
  {
    name: "debug",
    aliases: [],
    usage: "[show|set path=value|unset path|reset]",
    category: "Management",
    who: "owner",
    flag: "debug",
    help: "settings until the next start",
    listed: 320,
    run: changeDebug,
  },
  {
    name: "restart",
    aliases: [],
    usage: "",
    category: "Management",
    who: "owner",
    flag: "restart",
    help: "restart the gateway",
    listed: 330,
    run: restart,
  },
];
