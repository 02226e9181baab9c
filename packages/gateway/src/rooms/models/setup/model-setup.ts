// Helps somebody who has no model yet: what could be used, what runs on this machine, whether it works, and what to write down.
import { Secret, type Clock, type Logger, type ModelInfo } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import type { ModelsConfigView } from "../config-view.ts";
import type { Env } from "../credentials.ts";
import type { LocalServer, LocalServers } from "../detect.ts";
import type { OpenedProvider } from "../failover/attempt.ts";
import type { AccessOutcome, Availability, NewProfile, Profile, ProfileView } from "../profiles/profile.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
import { listProviderChoices, type ProviderChoice } from "./provider-choices.ts";
import { checkKey, type KeyCheck } from "./check-key.ts";
import { readAddress } from "./read-address.ts";
import { tryProvider, type SetupQuestion, type SetupTest } from "./try-provider.ts";

export interface SetupParts {
  readonly config: () => ModelsConfigView;
  readonly env: () => Env;
  readonly clock: Clock;
  readonly log: Logger;
  readonly fetch: HttpFetch;
  readonly local: LocalServers;
  readonly book: {
    look(agentId: string, model: ModelInfo): Availability;
    access(profile: Profile): Promise<AccessOutcome>;
    view(agentId: string): ProfileView[];
    add(agentId: string, id: string, profile: NewProfile, address?: string): Promise<void>;
  };
  open(model: ModelInfo, profile: Profile): Promise<OpenedProvider>;
  hasCredential(provider: string, agentId: string): boolean;
  /** Told every key that is tried, so that the log can leave it out. */
  onSecret(value: string): void;
}

type TakenChoice = Omit<SetupQuestion, "agentId" | "model"> & { readonly model: string };

export interface ModelSetup {
  /** What a person may choose from, for this agent. */
  providers(agentId: string): ProviderChoice[];
  /** Model servers that answer on this machine now. */
  scan(): Promise<readonly LocalServer[]>;
  /** Whether a provider takes this key. Nothing is generated, so nothing is paid. */
  checkKey(provider: string, key: Secret): Promise<KeyCheck>;
  /** One tiny call. Never throws for what the other side does. */
  test(question: SetupQuestion): Promise<SetupTest>;
  /**
   * Keeps the key for these agents and returns what the configuration has to say so that the model answers.
   * Throws PROVIDER_SETUP or PROFILE_STORE.
   */
  take(choice: TakenChoice, agentIds: readonly string[]): Promise<ModelChoice>;
}

export function createModelSetup(parts: SetupParts): ModelSetup {
  const { config, env, local } = parts;
  return {
    providers: (agentId) => listProviderChoices(config(), (provider) => parts.hasCredential(provider, agentId)),
    scan: () => local.look(config(), env()),
    checkKey: (provider, key) => checkKey(provider, key, parts),
    test: (question) => tryProvider(question, parts),
    async take(choice, agentIds) {
      const { provider } = choice;
      const key = choice.apiKey?.trim();
      const id = `${provider}:default`;
      const kept = agentIds.flatMap((agentId) => parts.book.view(agentId).filter((one) => one.provider === provider));
      const others = kept.filter((one) => !(key && one.origin === "file" && one.id === id));
      const credentials = [...new Set(others.map((one) => one.id))];
      const chosen = chooseModel(choice, { config: config(), env: env(), credentials });
      if (!key) return chosen;
      parts.onSecret(key);
      // The configuration does not know the address yet.
      const { baseUrl } = readAddress(choice, config(), env());
      for (const agentId of agentIds) {
        await parts.book.add(agentId, id, { type: "api_key", provider, key: new Secret(key) }, baseUrl);
      }
      return chosen;
    },
  };
}
