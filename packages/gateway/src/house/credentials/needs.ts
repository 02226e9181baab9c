// Finds models, channels and tools that lack a credential and cannot be used, with what to type.
import { GatewayError } from "@chela/sdk";
import { accountsWith, type ChannelsView } from "../../rooms/channels/room.ts";
import { writtenAgent } from "../../rooms/config/settings/defaults.ts";
import type { ConfigStore } from "../../rooms/config/room.ts";
import { findProvider } from "../../rooms/models/catalog.ts";
import type { Models } from "../../rooms/models/room.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import { chooseProvider } from "../../rooms/tools/web/choose-provider.ts";
import type { SearchSettings } from "../../rooms/tools/web/web-settings.ts";

/** One thing that waits for a credential. */
export interface CredentialNeed {
  readonly kind: "model" | "channel" | "tool";
  /** "openai/gpt-5", "telegram", "web_search". */
  readonly name: string;
  /** The account of a channel. */
  readonly detail?: string;
  readonly why: string;
  readonly fix: string;
}

export interface NeedsParts {
  readonly config: ConfigStore;
  readonly models: Pick<Models, "candidates" | "hasCredential">;
}

export async function findNeeds({ config, models }: NeedsParts): Promise<CredentialNeed[]> {
  const current = config.current();
  const env = config.effectiveEnv();
  // Where no model is named, the first one that has a credential is taken.
  const named = listAgents(current).filter(
    ({ id }) => (writtenAgent(current, id)?.model ?? current.agents?.defaults?.model) !== undefined,
  );
  const byAgent = await Promise.all(named.map(({ id }) => modelsWithout(id, models, current)));
  const seen = new Map(byAgent.flat().map((need) => [need.name, need]));
  return [...seen.values(), ...(await channelsWithout(current, env)), ...searchWithout(current, env)];
}

async function modelsWithout(
  agentId: string,
  models: NeedsParts["models"],
  current: ReturnType<ConfigStore["current"]>,
): Promise<CredentialNeed[]> {
  const candidates = await models.candidates({ agentId }).catch((error: unknown) => {
    // A model that does not exist is another trouble, which `chela doctor` tells.
    if (GatewayError.is(error)) return [];
    throw error;
  });
  return candidates.flatMap(({ provider, id }) => {
    if (models.hasCredential(provider, agentId)) return [];
    const verb = findProvider(current, provider)?.known?.signsIn ? "login" : "add";
    const fix = `chela models auth ${verb} --provider ${provider}`;
    return [{ kind: "model", name: `${provider}/${id}`, why: `it needs a credential of ${provider}`, fix }];
  });
}

async function channelsWithout(current: ChannelsView, env: Readonly<Record<string, string | undefined>>) {
  const accounts = await accountsWith(current, env);
  return accounts.flatMap(({ channel, accountId, state, why }): CredentialNeed[] => {
    if (state !== "incomplete") return [];
    const account = accountId === "default" ? "" : ` --account ${accountId}`;
    return [
      {
        kind: "channel",
        name: channel,
        detail: accountId,
        why: why ?? "it is not complete",
        fix: `chela channels add ${channel}${account}`,
      },
    ];
  });
}

/** Only where somebody wants it: nobody has to search. */
function searchWithout(
  current: ReturnType<ConfigStore["current"]>,
  env: Readonly<Record<string, string | undefined>>,
): CredentialNeed[] {
  const settings = current.tools?.web?.search as SearchSettings | undefined;
  if (!settings || (settings.provider === undefined && settings.enabled !== true)) return [];
  const choice = chooseProvider(settings, (name) => env[name]);
  if (choice.kind === "ready" || settings.enabled === false) return [];
  return [
    {
      kind: "tool",
      name: "web_search",
      why: choice.why.replace(/\.$/, ""),
      fix: "chela credential add search/key, then chela config set tools.web.search.apiKey vault:search/key",
    },
  ];
}
