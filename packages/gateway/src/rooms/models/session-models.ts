// Models of a session, as chat commands show and choose them.
import {
  modelOverrideOf,
  orRefusal,
  THINKING_LEVELS,
  thinkingLevelsOf,
  type ChatCall,
  type ModelInfo,
  type SessionModels,
} from "@chela/sdk";
import type { ConfigStore } from "../config/room.ts";
import type { Models } from "./room.ts";

export function sessionModels(
  { agentId, session }: Pick<ChatCall, "agentId" | "session">,
  { models, config }: { readonly models: Models; readonly config: ConfigStore },
): SessionModels {
  const candidates = async (): Promise<readonly ModelInfo[]> =>
    models.candidates({ agentId, override: modelOverrideOf(await session()) });
  const profilesOf = (provider: string): string[] =>
    models.profiles
      .view(agentId)
      .filter((view) => view.provider === provider)
      .map(({ id }) => id);
  return {
    list: async () => (await models.list(agentId)).map((model) => ({ ...choiceOf(model), ...aliasOf(config, model) })),
    resolve: async (ref) => orRefusal(() => ({ kind: "found" as const, model: choiceOf(models.resolve(ref)) })),
    candidates: async () => (await candidates()).map(refOf),
    profiles: async (provider) => profilesOf(provider),
    async current() {
      const [model] = await candidates();
      const [usual] = await models.candidates({ agentId });
      const profile = (await session())?.authProfileOverride ?? (model && profilesOf(model.provider)[0]);
      return {
        ref: model ? refOf(model) : "none",
        defaultRef: usual ? refOf(usual) : "none",
        thinkingLevels: model ? thinkingLevelsOf(model) : THINKING_LEVELS,
        ...(profile ? { credential: profile } : {}),
      };
    },
  };
}

function choiceOf(model: { provider: string; id: string; name: string }) {
  return { provider: model.provider, id: model.id, name: model.name };
}

function refOf(model: { provider: string; id: string }): string {
  return `${model.provider}/${model.id}`;
}

function aliasOf(config: ConfigStore, model: { provider: string; id: string }): { alias?: string } {
  const alias = config.current().agents?.defaults?.models?.[refOf(model)]?.alias;
  return alias ? { alias } : {};
}
