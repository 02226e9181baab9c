// Chat commands /subagents, /kill and /steer: the sub-agents of this conversation.
import { done, refused, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import { firstLines, relativeTime, splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import type { SubagentView } from "./parts.ts";
import type { Subagents } from "./subagents.ts";

const ACTIONS = "list, kill, log, info, send, steer, spawn";
const MOST_SHOWN = 10;
const NAME_CHARS = 40;
const LOG_CHARS = 300;
const RECENT_MINUTES = 30;
const LOGGED = 10;

type SubagentsHouse = Pick<House, "subagents" | "agents">;

async function manageSubagents(args: string, call: ChatCall, house: SubagentsHouse): Promise<CommandAnswer> {
  const { word, behind } = splitFirst(args);
  switch (word.toLowerCase()) {
    case "":
    case "list":
      return showList(call, await house.subagents.whenReady());
    case "kill":
      return kill(behind, call, house);
    case "steer":
    case "send":
      return steer(behind, call, house);
    case "info":
      return showInfo(behind, call, await house.subagents.whenReady());
    case "log":
      return showLog(behind, call, await house.subagents.whenReady());
    case "spawn":
      return spawn(behind, call, house);
    default:
      return refused(`⚠️ /subagents does not know "${word}".`, `Allowed: ${ACTIONS}.`);
  }
}

async function showList({ sessionKey, now }: ChatCall, subagents: Subagents): Promise<CommandAnswer> {
  const all = await subagents.list(sessionKey, { recentMinutes: RECENT_MINUTES });
  if (all.length === 0) return done("🧵 No sub-agents at work, and none in the last half hour.");
  const rows = all.slice(0, MOST_SHOWN).map((helper, at) => `#${at + 1} ${line(helper, now)}`);
  const more = all.length > MOST_SHOWN ? [`… and ${all.length - MOST_SHOWN} more`] : [];
  return done("🧵 Sub-agents", ...rows, ...more);
}

async function kill(target: string, { sessionKey }: ChatCall, { subagents }: SubagentsHouse): Promise<CommandAnswer> {
  if (target.trim() === "") return refused("Usage: /kill <#number|id|label|all>");
  const killed = await (await subagents.whenReady()).kill(sessionKey, target);
  if (killed.kind === "refused") return refused(`⚠️ ${killed.why}`);
  return done(`🛑 Stopped: ${killed.children.map(nameOf).join(", ")}`);
}

async function steer(args: string, call: ChatCall, { subagents }: SubagentsHouse): Promise<CommandAnswer> {
  const { word: target, behind: message } = splitFirst(args);
  if (target === "" || message === "") return refused("Usage: /steer <#number|id|label> <message>");
  const told = await (await subagents.whenReady()).steer(callerOf(call), target, message);
  if (told.kind === "refused") return refused(`⚠️ ${told.why}`);
  return done(told.kind === "said" ? `↪️ Told ${nameOf(told.child)}.` : `▶️ ${nameOf(told.child)} works again.`);
}

async function spawn(args: string, call: ChatCall, { subagents, agents }: SubagentsHouse): Promise<CommandAnswer> {
  const { word, behind } = splitFirst(args);
  if (word === "") return refused("Usage: /subagents spawn [agent] <task>");
  const isAgent = behind !== "" && agents().some(({ id }) => id === word.toLowerCase());
  const asking = { ...callerOf(call), tools: await call.tools() };
  const wish = isAgent ? { task: behind, agentId: word } : { task: args.trim() };
  const started = await (await subagents.whenReady()).spawn(asking, wish);
  if (started.kind === "refused") return refused(`⚠️ ${started.why}`);
  return done(`▶️ Started ${started.runId.slice(0, 8)}. Its result will be told here.`);
}

async function showInfo(target: string, call: ChatCall, subagents: Subagents): Promise<CommandAnswer> {
  const found = await findOne(target, call, subagents);
  if (found.kind === "refused") return refused(`⚠️ ${found.why}`);
  const { helper } = found;
  return done(
    `🧵 ${nameOf(helper)}`,
    `${stateOf(helper)}, begun ${relativeTime(helper.createdAt, call.now)}`,
    `Id: ${helper.runId}`,
    `Session: ${helper.sessionKey}`,
    ...(helper.model ? [`Model: ${helper.model}`] : []),
    ...(helper.tokens === undefined ? [] : [`Tokens: ${helper.tokens}`]),
    ...(helper.error ? [`Error: ${short(helper.error, LOG_CHARS)}`] : []),
    `Task: ${short(helper.task, LOG_CHARS)}`,
    ...(helper.result ? [`Result: ${short(helper.result, LOG_CHARS)}`] : []),
  );
}

async function showLog(target: string, call: ChatCall, subagents: Subagents): Promise<CommandAnswer> {
  const found = await findOne(target, call, subagents);
  if (found.kind === "refused") return refused(`⚠️ ${found.why}`);
  const said = await subagents.log(found.helper, LOGGED);
  if (said.length === 0) return done(`🧵 ${nameOf(found.helper)} has not said anything, or is archived.`);
  return done(
    `🧵 ${nameOf(found.helper)}`,
    ...firstLines(said.map(({ role, text }) => `${role}: ${short(text, LOG_CHARS)}`).join("\n")),
  );
}

async function findOne(
  target: string,
  { sessionKey }: ChatCall,
  subagents: Subagents,
): Promise<
  { readonly kind: "found"; readonly helper: SubagentView } | { readonly kind: "refused"; readonly why: string }
> {
  const found = await subagents.find(sessionKey, target);
  if (found.kind === "refused") return found;
  const [helper, another] = found.children;
  return helper && !another ? { kind: "found", helper } : { kind: "refused", why: "Name one of them." };
}

function callerOf({ agentId, sessionKey, message, requester }: ChatCall) {
  return { agentId, sessionKey, runId: message.runId, toolCallId: "command", requester };
}

function line(helper: SubagentView, now: number): string {
  return `${nameOf(helper)} – ${stateOf(helper)}, ${relativeTime(helper.createdAt, now)}`;
}

function stateOf({ state, outcome }: SubagentView): string {
  return state === "running" ? "at work" : outcome === "ok" || outcome === undefined ? "done" : OUTCOMES[outcome];
}

const OUTCOMES = { error: "failed", timeout: "out of time", killed: "stopped" } as const;

function nameOf({ label, task }: SubagentView): string {
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

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "subagents",
    aliases: [],
    usage: "[list|kill|log|info|send|steer|spawn]",
    category: "Management",
    who: "authorised",
    changesConversation: true,
    help: "the sub-agents of this chat",
    listed: 260,
    run: manageSubagents,
  },
  {
    name: "kill",
    aliases: [],
    usage: "<#number|id|label|all>",
    category: "Management",
    who: "authorised",
    changesConversation: true,
    help: "stop a sub-agent",
    listed: 270,
    run: kill,
  },
  {
    name: "steer",
    aliases: ["tell"],
    usage: "<#number|id|label> <message>",
    category: "Management",
    who: "authorised",
    changesConversation: true,
    help: "tell a sub-agent something",
    listed: 280,
    run: steer,
  },
];
