// Chat command /acp: other agents that are given work from a chat.
import { done, refused, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import { splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import { findWorker } from "./workers/settings.ts";

type AcpHouse = Pick<House, "subagents" | "acpWorkers" | "config">;

const ACTIONS = "status, spawn, steer, cancel, sessions";
const NAME_CHARS = 40;
const RECENT_MINUTES = 30;

async function manageWorkers(args: string, call: ChatCall, house: AcpHouse): Promise<CommandAnswer> {
  const [word = "", ...rest] = splitWords(args);
  const behind = args.trim().slice(word.length).trim();
  switch (word.toLowerCase()) {
    case "":
    case "status":
    case "doctor":
      return showStatus(house);
    case "spawn":
      return spawn(behind, call, house);
    case "sessions":
      return showSessions(call, house);
    case "cancel":
    case "close":
      return cancel(behind || "last", call, house);
    case "steer":
      return steer(rest[0] ?? "", behind.slice((rest[0] ?? "").length).trim(), call, house);
    default:
      return refused(`⚠️ /acp does not know "${word}".`, `Allowed: ${ACTIONS}.`);
  }
}

async function showStatus({ config, acpWorkers }: AcpHouse): Promise<CommandAnswer> {
  const { enabled = true, agents = {}, defaultAgent } = config.current().acp ?? {};
  const names = Object.keys(agents);
  if (!enabled) return done("🧰 Workers are switched off (acp.enabled).");
  if (names.length === 0) return done("🧰 No workers.", "Name one with its command in acp.agents.");
  const running = (await acpWorkers.known())?.list() ?? [];
  const rows = names.map((name) => {
    const own = running.filter(({ worker }) => worker === name);
    const state =
      own.length === 0 ? "not running" : own.map(({ busy, place }) => `${busy} at work, ${place}`).join("; ");
    return `${name}${name === defaultAgent ? " (default)" : ""} – ${state}`;
  });
  return done("🧰 Workers", ...rows);
}

async function spawn(args: string, call: ChatCall, { subagents, config }: AcpHouse): Promise<CommandAnswer> {
  const [first = ""] = splitWords(args);
  if (first === "") return refused("Usage: /acp spawn [worker] <task>");
  const isNamed = Object.hasOwn(config.current().acp?.agents ?? {}, first);
  const found = findWorker(config.current(), isNamed ? first : undefined);
  if (found.kind === "refused") return refused(`⚠️ ${found.why}`);
  const task = isNamed ? args.trim().slice(first.length).trim() : args.trim();
  if (task === "") return refused("Usage: /acp spawn [worker] <task>");
  const asking = { ...callerOf(call), tools: await call.tools() };
  const started = await (await subagents.whenReady()).spawn(asking, { task, agentId: found.name, runtime: "acp" });
  if (started.kind === "refused") return refused(`⚠️ ${started.why}`);
  return done(`▶️ ${found.name} works as ${started.runId.slice(0, 8)}. Its result will be told here.`);
}

async function showSessions({ sessionKey }: ChatCall, { subagents }: AcpHouse): Promise<CommandAnswer> {
  const all = await (await subagents.whenReady()).list(sessionKey, { recentMinutes: RECENT_MINUTES });
  const rows = all.flatMap(({ sessionKey: key, label, task, state }, at) =>
    key.includes(":acp:") ? [`#${at + 1} ${label ?? task.slice(0, NAME_CHARS)} – ${state}`] : [],
  );
  return rows.length === 0 ? done("🧰 No worker of this chat is at work.") : done("🧰 Workers of this chat", ...rows);
}

async function cancel(target: string, { sessionKey }: ChatCall, { subagents }: AcpHouse): Promise<CommandAnswer> {
  const killed = await (await subagents.whenReady()).kill(sessionKey, target);
  return killed.kind === "refused" ? refused(`⚠️ ${killed.why}`) : done(`🛑 Stopped ${killed.children.length}.`);
}

async function steer(target: string, message: string, call: ChatCall, { subagents }: AcpHouse): Promise<CommandAnswer> {
  if (target === "" || message === "") return refused("Usage: /acp steer <#number|id|label> <message>");
  const told = await (await subagents.whenReady()).steer(callerOf(call), target, message);
  return told.kind === "refused" ? refused(`⚠️ ${told.why}`) : done("↪️ It will be told.");
}

function callerOf({ agentId, sessionKey, message, requester }: ChatCall) {
  return { agentId, sessionKey, runId: message.runId, toolCallId: "command", requester };
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "acp",
    aliases: [],
    usage: "[status|spawn|steer|cancel|sessions]",
    category: "Management",
    who: "authorised",
    changesConversation: true,
    help: "other agents that work for this chat",
    listed: 285,
    run: manageWorkers,
  },
];
