// The method that tells a composer which commands there are.
import {
  agentOfSessionKey,
  GatewayError,
  modelOverrideOf,
  THINKING_LEVELS,
  thinkingLevelsOf,
  canonicalSessionKey,
} from "@chela/sdk";
import { describeCommands } from "./describe.ts";
import { type COMMAND_METHODS, grantsOf, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type CommandListHouse = Pick<House, "chatCommands" | "skills" | "commandSettings" | "keys" | "ledger" | "models">;

export function commandMethods(gateway: CommandListHouse): Pick<Handlers, keyof typeof COMMAND_METHODS> {
  return {
    async "commands.list"({ agentId, sessionKey }, { client }) {
      const { id, displayName } = client.info;
      const door = { kind: "operator" as const, channel: "webchat", account: "default", id };
      const requester = { ...door, ...(displayName ? { name: displayName } : {}), ...grantsOf(client.scopes) };
      const commands = describeCommands(await gateway.chatCommands(), requester, gateway.commandSettings());
      const taken = new Set(commands.flatMap(({ name, aliases }) => [name, ...aliases]));
      const skills = (await gateway.skills()).commands(agentOf(gateway, agentId, sessionKey));
      const words = skills.filter(({ name }) => !taken.has(name)).map(describeSkill);
      const levels = [...(await levelsIn(gateway, agentId, sessionKey)), "default"];
      return {
        commands: [
          ...commands.map((command) =>
            command.name === "think" ? { ...command, arguments: [{ name: "level", choices: levels }] } : command,
          ),
          ...words,
        ],
      };
    },
  };
}

function agentOf(gateway: CommandListHouse, agentId: string | undefined, written: string | undefined): string {
  const key = written === undefined ? undefined : canonicalSessionKey(written, gateway.keys());
  return agentId ?? (key ? agentOfSessionKey(key) : undefined) ?? gateway.keys().defaultAgentId;
}

/** A skill is called like a command, and what is written behind it goes with it. */
function describeSkill({ name, help }: { readonly name: string; readonly help: string }) {
  const argument = { name: "input", isOpen: true as const };
  return {
    name,
    aliases: [],
    says: help,
    category: "Tools" as const,
    usage: "[input]",
    arguments: [argument],
    scope: "authorised" as const,
    allowed: true,
  };
}

/** What the model of this conversation can be told; all levels when it cannot be found now. */
async function levelsIn(
  gateway: CommandListHouse,
  agentId: string | undefined,
  written: string | undefined,
): Promise<readonly string[]> {
  const key = written === undefined ? undefined : canonicalSessionKey(written, gateway.keys());
  if (written !== undefined && !key) throw invalid(`malformed session key "${written}"`);
  const entry = key ? await gateway.ledger.session(key) : undefined;
  const agent = agentId ?? (key ? agentOfSessionKey(key) : undefined) ?? gateway.keys().defaultAgentId;
  try {
    const [model] = await gateway.models.candidates({ agentId: agent, override: modelOverrideOf(entry) });
    return model ? thinkingLevelsOf(model) : THINKING_LEVELS;
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return THINKING_LEVELS;
  }
}
