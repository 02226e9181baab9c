// Methods that tell which models can be chosen, and let those be tried that failed.
import { namedAgentId, thinkingLevelsOf, type ModelInfo } from "@chela/sdk";
import type { ProfileView } from "./room.ts";
import type { MODEL_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export function modelMethods(gateway: House): Pick<Handlers, keyof typeof MODEL_METHODS> {
  const agentOf = (written: string | undefined): string =>
    written === undefined ? gateway.keys().defaultAgentId : namedAgentId(written);
  return {
    async "models.list"({ agentId: written }) {
      const agentId = agentOf(written);
      const models = await gateway.models.list(agentId);
      const usual = refOf((await gateway.models.defaultModel(agentId)).model);
      const profiles = gateway.models.profiles.view(agentId);
      const named = gateway.config.current().agents?.defaults?.models ?? {};
      return {
        models: models.map((model) => {
          const alias = named[refOf(model)]?.alias;
          return {
            ...factsOf(model),
            ...(alias ? { aliases: [alias] } : {}),
            isDefault: refOf(model) === usual,
            ...usabilityOf(profiles.filter(({ provider }) => provider === model.provider)),
          };
        }),
        default: usual,
      };
    },
    async "models.retry"({ agentId: written, provider }) {
      const agentId = agentOf(written);
      const { profiles } = gateway.models;
      const resting = profiles
        .view(agentId)
        .filter(({ state }) => state.kind === "cooling" || state.kind === "disabled")
        .filter((profile) => provider === undefined || profile.provider === provider.toLowerCase());
      for (const { id } of resting) await profiles.clearCooldown(agentId, id);
      return { freed: resting.map(({ id }) => id) };
    },
  };
}

function factsOf({ id, name, provider, contextWindow, maxTokens, reasoning, input, price, ...more }: ModelInfo) {
  return {
    id,
    name,
    provider,
    api: more.api,
    contextWindow,
    maxTokens,
    reasoning,
    input: [...input],
    ...(price ? { cost: { ...price } } : {}),
    thinkingLevels: [...thinkingLevelsOf({ reasoning })],
  };
}

/** A provider without credentials of ours needs none, or it would not be in the list. */
function usabilityOf(profiles: readonly ProfileView[]): { usable: boolean; why?: string; usableAt?: number } {
  if (profiles.length === 0 || profiles.some(({ state }) => state.kind === "ok")) return { usable: true };
  const rests = profiles.flatMap(({ state }) => ("until" in state ? [state] : []));
  const [first] = rests.toSorted((a, b) => a.until - b.until);
  if (first) return { usable: false, why: `its credential rests: ${first.reason}`, usableAt: first.until };
  return { usable: false, why: "its credential has expired or is not there" };
}

function refOf({ provider, id }: Pick<ModelInfo, "provider" | "id">): string {
  return `${provider}/${id}`;
}
