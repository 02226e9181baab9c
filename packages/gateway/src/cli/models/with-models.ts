// Models and credentials as this process sees them, for commands that work on the files instead of asking a gateway.
import { normalizeAgentId, type Logger, type ModelInfo } from "@chela/sdk";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import { agentDirectory } from "../../rooms/config/settings/defaults.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { ChelaConfig } from "../../rooms/config/schema/sections.ts";
import { listProviders, modelsOf } from "../../rooms/models/catalog.ts";
import { createModels, type Models } from "../../rooms/models/room.ts";
import { defaultAgent, listAgents } from "../../rooms/routing/room.ts";
import { commandClock } from "../offline/command-clock.ts";
import { readSettings, type KnownSettings } from "../connect/known-settings.ts";
import { silentLog } from "../../base/terminal/command-log.ts";
import { openVault, profilesOf } from "../offline/vault.ts";

type Caller = Pick<CommandCall, "env" | "state" | "terminal">;

/** One agent with its models: what commands about them work on. */
export interface ModelsPlace extends KnownSettings {
  readonly agentId: string;
  /** Where the agent's credentials lie. */
  readonly agentDir: string;
  readonly models: Models;
}

export interface PlaceOptions {
  /** Which agent; the default one unless told. */
  readonly agent?: string | undefined;
  /** Told what is wrong with files. */
  readonly log?: Logger;
}

export async function withModels<T>(
  call: Caller,
  options: PlaceOptions,
  use: (place: ModelsPlace) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(call);
  const { config, env, paths } = settings;
  const agentId = chooseAgent(config, options.agent);
  const agentDir = (id: string): string => agentDirectory(config, id, paths);
  const models = createModels({
    config: () => config,
    env: () => env,
    clock: commandClock,
    log: options.log ?? silentLog,
    agentDir,
    vault: profilesOf(openVault(paths, env)),
  });
  try {
    return await use({ ...settings, agentId, agentDir: agentDir(agentId), models });
  } finally {
    models.close();
  }
}

function chooseAgent(config: ChelaConfig, wanted: string | undefined): string {
  if (wanted === undefined) return defaultAgent(config).id;
  const known = listAgents(config).map(({ id }) => id);
  const id = normalizeAgentId(wanted);
  if (known.includes(id)) return id;
  const near = nearestWord(wanted, known);
  throw new CommandFailure("other", `There is no agent "${wanted}".`, {
    fix: near ? `Did you mean ${near}?` : `There ${known.length === 1 ? "is" : "are"}: ${known.join(", ")}.`,
  });
}

type ListedModel = Pick<ModelInfo, "id" | "name" | "provider" | "contextWindow" | "reasoning">;

export async function listUsableModels(call: Caller): Promise<ListedModel[]> {
  return withModels(call, {}, async ({ models, agentId }) => (await models.list(agentId)).map(toListed));
}

export async function listKnownModels(call: Caller): Promise<ListedModel[]> {
  const { config } = await readSettings(call);
  return listProviders(config)
    .flatMap((entry) => modelsOf(entry))
    .map(toListed);
}

export async function listKnownProviders(call: Caller): Promise<string[]> {
  return listProviders((await readSettings(call)).config).map(({ id }) => id);
}

function toListed({ id, name, provider, contextWindow, reasoning }: ModelInfo): ListedModel {
  return { id, name, provider, contextWindow, reasoning };
}
