// Reads what agents may do by the configuration: all of them, and each that has rules of its own.
import type { SecurityFacts } from "./facts.ts";
import { formatPlace, isForEverybody, readBlock, readItems, readList, readText, type Settings } from "./settings.ts";

/** Where rules are written: once for all agents, and for single ones. */
export interface RulePlace {
  /** "every agent", or which one. */
  readonly who: string;
  readonly toolsAt: string;
  /** As they are written here. */
  readonly tools: Settings;
  readonly sandboxAt: string;
  readonly sandbox: Settings;
}

export function rulePlaces({ config }: SecurityFacts): RulePlace[] {
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

/** Without a person's yes, with one, or not on this machine at all. */
export type CommandFreedom = "free" | "asked" | "none";

const BY_FREEDOM: readonly CommandFreedom[] = ["none", "asked", "free"];

/** What the freest agent may do with commands on this machine. */
export function commandFreedom(facts: SecurityFacts): CommandFreedom {
  const all = freedoms(facts);
  return BY_FREEDOM.findLast((freedom) => all.includes(freedom)) ?? "none";
}

function freedoms(facts: SecurityFacts): CommandFreedom[] {
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
function defaultMode({ sandbox }: SecurityFacts): string {
  return sandbox?.defaultMode ?? "off";
}

export function isSandboxedSomewhere(facts: SecurityFacts): boolean {
  const modes = rulePlaces(facts).map(({ sandbox }) => readText(sandbox, "mode"));
  return [modes[0] ?? defaultMode(facts), ...modes.slice(1)].some((mode) => mode !== undefined && mode !== "off");
}
