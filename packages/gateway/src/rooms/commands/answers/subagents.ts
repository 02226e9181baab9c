// /subagents, /kill, /steer: the helpers of this conversation.
import { done, refused, type CommandAnswer } from "../command.ts";
import type { CommandWorld, HelperView } from "../world.ts";
import { firstLines, relativeTime, splitWords } from "./layout.ts";

const ACTIONS = "list, kill, log, info, send, steer, spawn";
const MOST_SHOWN = 10;
const NAME_CHARS = 40;
const LOG_CHARS = 300;

export async function manageSubagents(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const { word, behind } = splitFirst(args);
  switch (word.toLowerCase()) {
    case "":
    case "list":
      return showList(world);
    case "kill":
      return kill(behind, world);
    case "steer":
    case "send":
      return steer(behind, world);
    case "info":
      return showInfo(behind, world);
    case "log":
      return showLog(behind, world);
    case "spawn":
      return spawn(behind, world);
    default:
      return refused(`⚠️ /subagents does not know "${word}".`, `Allowed: ${ACTIONS}.`);
  }
}

async function showList({ helpers, now }: CommandWorld): Promise<CommandAnswer> {
  const all = await helpers.list();
  if (all.length === 0) return done("🧵 No sub-agents at work, and none in the last half hour.");
  const rows = all.slice(0, MOST_SHOWN).map((helper, at) => `#${at + 1} ${line(helper, now)}`);
  const more = all.length > MOST_SHOWN ? [`… and ${all.length - MOST_SHOWN} more`] : [];
  return done("🧵 Sub-agents", ...rows, ...more);
}

export async function kill(target: string, { helpers }: CommandWorld): Promise<CommandAnswer> {
  if (target.trim() === "") return refused("Usage: /kill <#number|id|label|all>");
  const killed = await helpers.kill(target);
  if (killed.kind === "refused") return refused(`⚠️ ${killed.why}`);
  return done(`🛑 Stopped: ${killed.helpers.map(nameOf).join(", ")}`);
}

export async function steer(args: string, { helpers }: CommandWorld): Promise<CommandAnswer> {
  const { word: target, behind: message } = splitFirst(args);
  if (target === "" || message === "") return refused("Usage: /steer <#number|id|label> <message>");
  const told = await helpers.steer(target, message);
  if (told.kind === "refused") return refused(`⚠️ ${told.why}`);
  return done(told.kind === "said" ? `↪️ Told ${nameOf(told.helper)}.` : `▶️ ${nameOf(told.helper)} works again.`);
}

async function spawn(args: string, { helpers, ...world }: CommandWorld): Promise<CommandAnswer> {
  const { word, behind } = splitFirst(args);
  if (word === "") return refused("Usage: /subagents spawn [agent] <task>");
  const isAgent = behind !== "" && world.agents().some(({ id }) => id === word.toLowerCase());
  const started = await helpers.spawn(isAgent ? behind : args.trim(), isAgent ? word : undefined);
  if (started.kind === "refused") return refused(`⚠️ ${started.why}`);
  return done(`▶️ Started ${started.runId.slice(0, 8)}. Its result will be told here.`);
}

async function showInfo(target: string, { helpers, now }: CommandWorld): Promise<CommandAnswer> {
  const found = await helpers.find(target);
  if (found.kind === "refused") return refused(`⚠️ ${found.why}`);
  const { helper } = found;
  return done(
    `🧵 ${nameOf(helper)}`,
    `${stateOf(helper)}, begun ${relativeTime(helper.createdAt, now)}`,
    `Id: ${helper.runId}`,
    `Session: ${helper.sessionKey}`,
    ...(helper.model ? [`Model: ${helper.model}`] : []),
    ...(helper.tokens === undefined ? [] : [`Tokens: ${helper.tokens}`]),
    ...(helper.error ? [`Error: ${short(helper.error, LOG_CHARS)}`] : []),
    `Task: ${short(helper.task, LOG_CHARS)}`,
    ...(helper.result ? [`Result: ${short(helper.result, LOG_CHARS)}`] : []),
  );
}

async function showLog(target: string, { helpers }: CommandWorld): Promise<CommandAnswer> {
  const found = await helpers.find(target);
  if (found.kind === "refused") return refused(`⚠️ ${found.why}`);
  const said = await helpers.log(found.helper);
  if (said.length === 0) return done(`🧵 ${nameOf(found.helper)} has not said anything, or is archived.`);
  return done(
    `🧵 ${nameOf(found.helper)}`,
    ...firstLines(said.map(({ role, text }) => `${role}: ${short(text, LOG_CHARS)}`).join("\n")),
  );
}

function line(helper: HelperView, now: number): string {
  return `${nameOf(helper)} – ${stateOf(helper)}, ${relativeTime(helper.createdAt, now)}`;
}

function stateOf({ state, outcome }: HelperView): string {
  return state === "running" ? "at work" : outcome === "ok" || outcome === undefined ? "done" : OUTCOMES[outcome];
}

const OUTCOMES = { error: "failed", timeout: "out of time", killed: "stopped" } as const;

function nameOf({ label, task }: HelperView): string {
  return label ?? short(task, NAME_CHARS);
}

function short(text: string, most: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}

function splitFirst(args: string): { readonly word: string; readonly behind: string } {
  const [word = ""] = splitWords(args);
  return { word, behind: args.trim().slice(word.length).trim() };
}
