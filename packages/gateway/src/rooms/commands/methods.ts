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

type CommandListHouse = Pick<House, "chatCommands" | "commandSettings" | "keys" | "ledger" | "models">;

export function commandMethods(gateway: CommandListHouse): Pick<Handlers, keyof typeof COMMAND_METHODS> {
  return {
    async "commands.list"({ agentId, sessionKey }, { client }) {
      const { id, displayName } = client.info;
      const door = { kind: "operator" as const, channel: "webchat", account: "default", id };
      const requester = { ...door, ...(displayName ? { name: displayName } : {}), ...grantsOf(client.scopes) };
      const commands = describeCommands(await gateway.chatCommands(), requester, gateway.commandSettings());
      const levels = [...(await levelsIn(gateway, agentId, sessionKey)), "default"];
      return {
        commands: commands.map((command) =>
          command.name === "think" ? { ...command, arguments: [{ name: "level", choices: levels }] } : command,
        ),
      };
    },
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
