// /approve, /config, /debug, /restart, /agents, /tools: the gateway itself.
import { done, refused, type CommandAnswer } from "../command.ts";
import type { ApprovalDecision, CommandWorld } from "../world.ts";
import { asWholeCode, firstLines, foldWords, relativeTime, splitWords } from "./layout.ts";

const DECISIONS: Readonly<Record<string, ApprovalDecision>> = {
  allow: "allow-once",
  once: "allow-once",
  "allow-once": "allow-once",
  always: "allow-always",
  "allow-always": "allow-always",
  deny: "deny",
  reject: "deny",
  block: "deny",
};
const SAYS: Readonly<Record<ApprovalDecision, string>> = {
  "allow-once": "✅ Allowed once:",
  "allow-always": "✅ Always allowed:",
  deny: "⛔ Denied:",
};
const APPROVE_USAGE = "/approve <id> once, always or deny";
const MOST_PENDING = 4;
const MOST_AGENTS = 10;

export async function approve(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const words = splitWords(args);
  if (words.length === 0) return showPending(world);
  const said = words.map((word) => decisionOf(word));
  const at = said.findIndex((decision) => decision !== undefined);
  const decision = said[at];
  const id = said[1 - at] === undefined ? words[1 - at] : undefined;
  // Never "the one that waits": it may be another one by the time this is read.
  if (words.length !== 2 || !decision || id === undefined) return refused(`Usage: ${APPROVE_USAGE}`);
  const outcome = await world.approvals.resolve(id, decision);
  if (outcome.kind === "refused") return refused(`⚠️ ${outcome.why}`);
  return done(SAYS[decision], asWholeCode(outcome.command));
}

const decisionOf = (word: string) =>
  Object.hasOwn(DECISIONS, word.toLowerCase()) ? DECISIONS[word.toLowerCase()] : undefined;

async function showPending(world: CommandWorld): Promise<CommandAnswer> {
  const pending = await world.approvals.list();
  if (pending.length === 0) return done("Nothing waits for approval.");
  const rows = pending
    .slice(0, MOST_PENDING)
    .flatMap(({ id, command, expiresAt }) => [
      `⏳ ${id}, ends ${relativeTime(expiresAt, world.now)}`,
      asWholeCode(command),
    ]);
  const more = pending.length > MOST_PENDING ? [`… and ${pending.length - MOST_PENDING} more`] : [];
  return done(...rows, ...more, APPROVE_USAGE);
}

export async function changeConfig(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const { action, behind } = splitAction(args, "show");
  switch (action) {
    case "show":
    case "get":
      return behind === "" ? showSections(await world.config.get()) : showValue(behind, await world.config.get(behind));
    case "set": {
      const wanted = readAssignment(behind);
      if (!wanted) return refused("Usage: /config set path=value");
      return describeChange(`✅ Set: ${wanted.path}`, await world.config.set(wanted.path, wanted.value));
    }
    case "unset":
      if (behind === "") return refused("Usage: /config unset path");
      return describeChange(`✅ Removed: ${behind}`, await world.config.unset(behind));
    default:
      return refused(`⚠️ /config does not know "${action}".`, "Allowed: show, get, set, unset.");
  }
}

export async function changeDebug(args: string, { debug }: CommandWorld): Promise<CommandAnswer> {
  const { action, behind } = splitAction(args, "show");
  switch (action) {
    case "show": {
      const overrides = debug.show();
      if (Object.keys(overrides).length === 0) return done("🐞 No overrides.");
      return done("🐞 Overrides", ...firstLines(JSON.stringify(overrides, undefined, 2)).slice(0, 11));
    }
    case "set": {
      const wanted = readAssignment(behind);
      if (!wanted) return refused("Usage: /debug set path=value");
      return describeChange(`🐞 Until the next start: ${wanted.path}`, debug.set(wanted.path, wanted.value));
    }
    case "unset":
      if (behind === "") return refused("Usage: /debug unset path");
      return describeChange(`🐞 Removed: ${behind}`, debug.unset(behind));
    case "reset":
      debug.reset();
      return done("🐞 All overrides removed.");
    default:
      return refused(`⚠️ /debug does not know "${action}".`, "Allowed: show, set, unset, reset.");
  }
}

export async function restart(world: CommandWorld): Promise<CommandAnswer> {
  // This is the second run of the command: the first one ended with the process it was in.
  if (world.startedAt > world.now) return done("✅ The gateway has restarted.");
  const outcome = await world.restart();
  return outcome.kind === "restarting" ? done("🔄 Restarting; back in a moment.") : refused(`⚠️ ${outcome.why}`);
}

export async function showAgents(world: CommandWorld): Promise<CommandAnswer> {
  const agents = world.agents();
  const rows = agents.slice(0, MOST_AGENTS).map(({ id, name }) => {
    return `${id === world.agentId ? "→" : "•"} ${id}${name && name !== id ? ` – ${name}` : ""}`;
  });
  const more = agents.length > MOST_AGENTS ? [`… and ${agents.length - MOST_AGENTS} more`] : [];
  return done("🤖 Agents", ...rows, ...more);
}

export async function showTools(world: CommandWorld): Promise<CommandAnswer> {
  const tools = await world.tools();
  if (tools.length === 0) return done("🧰 No tools here.");
  return done(`🧰 Tools (${tools.length})`, ...firstLines(foldWords(tools, ", ").join("\n")));
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
