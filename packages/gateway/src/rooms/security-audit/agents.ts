// Reads what agents may do by the configuration: all of them, and each that has rules of its own.
import type { CommandFreedom, GatheredFacts, RulePlace } from "@chela/sdk";
import {
  formatPlace,
  isForEverybody,
  readBlock,
  readItems,
  readList,
  readText,
} from "../../base/settings/read-settings.ts";

export function rulePlaces({ config }: GatheredFacts): RulePlace[] {
  const all: RulePlace = {
    who: "every agent",
    toolsAt: "tools",
    tools: readBlock(config, "tools"),
    sandboxAt: "agents.defaults.sandbox",
    sandbox: readBlock(config, "agents.defaults.sandbox"),
  };
  const single = readItems(config, "agents.list").map((agent, index): RulePlace => {
    const at = formatPlace(["agents", "list", index]);
    return {
      who: `the agent "${readText(agent, "id") ?? index}"`,
      toolsAt: `${at}.tools`,
      tools: readBlock(agent, "tools"),
      sandboxAt: `${at}.sandbox`,
      sandbox: readBlock(agent, "sandbox"),
    };
  });
  return [all, ...single];
}

const BY_FREEDOM: readonly CommandFreedom[] = ["none", "asked", "free"];

/** What the freest agent may do with commands on this machine. */
export function commandFreedom(facts: GatheredFacts): CommandFreedom {
  const all = freedoms(facts);
  return BY_FREEDOM.findLast((freedom) => all.includes(freedom)) ?? "none";
}

function freedoms(facts: GatheredFacts): CommandFreedom[] {
  const [all, ...single] = rulePlaces(facts);
  if (!all) return [];
  return [all, ...single].map((own) => {
    const mode = readText(own.sandbox, "mode") ?? readText(all.sandbox, "mode") ?? defaultMode(facts);
    const denied = [...readList(all.tools, "deny"), ...readList(own.tools, "deny")];
    if (mode === "all" || isForEverybody(denied) || denied.some((tool) => tool === "exec" || tool === "group:runtime"))
      return "none";
    const security = readText(own.tools, "exec.security") ?? readText(all.tools, "exec.security") ?? "allowlist";
    const ask = readText(own.tools, "exec.ask") ?? readText(all.tools, "exec.ask") ?? "on-miss";
    if (security === "deny") return "none";
    return security === "full" && ask !== "always" ? "free" : "asked";
  });
}

/** While nobody has looked, the worse is assumed. */
function defaultMode({ sandbox }: GatheredFacts): string {
  return sandbox?.defaultMode ?? "off";
}

export function isSandboxedSomewhere(facts: GatheredFacts): boolean {
  const modes = rulePlaces(facts).map(({ sandbox }) => readText(sandbox, "mode"));
  return [modes[0] ?? defaultMode(facts), ...modes.slice(1)].some((mode) => mode !== undefined && mode !== "off");
}
