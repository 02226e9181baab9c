// Models as this process sees them, for commands that run without a gateway.
import type { ModelInfo } from "@chela/sdk";
import { systemClock } from "../base/clock.ts";
import { listProviders, modelsOf } from "../models/catalog.ts";
import { createModels, type DefaultModel, type Models } from "../models/room.ts";
import type { CommandCall } from "./command-spec.ts";
import { readSettings } from "./known-settings.ts";
import { silentLog } from "./silent-log.ts";

export async function listModelsHere(
  call: CommandCall,
): Promise<Array<Pick<ModelInfo, "id" | "name" | "provider" | "contextWindow" | "reasoning">>> {
  return withModels(call, async (models) =>
    (await models.list()).map(({ id, name, provider, contextWindow, reasoning }) => ({
      id,
      name,
      provider,
      contextWindow,
      reasoning,
    })),
  );
}

export async function listKnownModels(call: CommandCall) {
  const { config } = await readSettings(call);
  return listProviders(config)
    .flatMap((entry) => modelsOf(entry))
    .map(({ id, name, provider, contextWindow, reasoning }) => ({ id, name, provider, contextWindow, reasoning }));
}

export async function findDefaultHere(call: Pick<CommandCall, "env" | "state" | "terminal">): Promise<DefaultModel> {
  return withModels(call, (models) => models.defaultModel());
}

async function withModels<T>(
  call: Pick<CommandCall, "env" | "state" | "terminal">,
  use: (models: Models) => Promise<T>,
): Promise<T> {
  const { config, env } = await readSettings(call);
  const models = createModels({ config: () => config, env: () => env, clock: systemClock, log: silentLog });
  try {
    return await use(models);
  } finally {
    models.close();
  }
}
