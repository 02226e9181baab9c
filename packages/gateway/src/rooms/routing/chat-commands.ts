// Chat command /agents: the agents of this gateway.
import { done, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { listAgents } from "./room.ts";

const MOST_AGENTS = 10;

async function showAgents(_args: string, call: ChatCall, { config }: Pick<House, "config">): Promise<CommandAnswer> {
  const agents = listAgents(config.current());
  const rows = agents.slice(0, MOST_AGENTS).map(({ id, name }) => {
    return `${id === call.agentId ? "→" : "•"} ${id}${name && name !== id ? ` – ${name}` : ""}`;
  });
  const more = agents.length > MOST_AGENTS ? [`… and ${agents.length - MOST_AGENTS} more`] : [];
  return done("🤖 Agents", ...rows, ...more);
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "agents",
    aliases: [],
    usage: "",
    category: "Management",
    who: "authorised",
    help: "the agents of this gateway",
    listed: 250,
    run: showAgents,
  },
];
