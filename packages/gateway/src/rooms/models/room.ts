// The models room owns everything between a model request and its stream of events: which models exist, which one to
// use when nobody says, the credentials of providers, what happens when one fails, and the wire protocols they speak.
import type { Clock, Ids, Logger, ModelEvent, ModelInfo, ModelProvider, ModelRequest, Secret } from "@chela/sdk";
import { createHttpFetch, type HttpFetch } from "@chela/sdk/http";
import { createIds } from "../../base/ids.ts";
import { describeModel, findModelView, findProvider, listProviders, modelsOf, resolveModel } from "./catalog.ts";
import type { ModelsConfigView } from "./config-view.ts";
import { baseUrlOf, findKeys, type Env } from "./credentials.ts";
import { createLocalServers, findDefaultModel, type DefaultModel } from "./detect.ts";
import { streamAttempt } from "./failover/attempt.ts";
import { candidatesFor, type CandidateQuestion } from "./failover/candidates.ts";
import { converse } from "./failover/converse.ts";
import type { CallEvent, ModelCall } from "./failover/model-call.ts";
import { isOpen } from "./known-providers.ts";
import { ProfileBook, type ProfileRules } from "./profiles/profile-book.ts";
import type { ProfileVault } from "./profiles/profile-vault.ts";
import type { GivenKeys, NewProfile, Profile, ProfileView } from "./profiles/profile.ts";
import { createRefreshers } from "./profiles/refreshers.ts";
import { makeFailure } from "./providers/failure.ts";
import type { ModelSetup } from "./setup/model-setup.ts";
import { createWireOpener } from "./wire-opener.ts";

export type { ModelsConfigView } from "./config-view.ts";
export type { DefaultModel } from "./detect.ts";
export type { CallEvent, ModelCall } from "./failover/model-call.ts";
export type { NewProfile, ProfileState, ProfileView } from "./profiles/profile.ts";
export type { ProfileVault } from "./profiles/profile-vault.ts";

export interface ModelsOptions {
  /** The configuration as it is now; asked at every call. */
  readonly config: () => ModelsConfigView;
  readonly env: () => Env;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where an agent keeps its auth-profiles.json. Without it only keys of the configuration and the environment count. */
  readonly agentDir?: (agentId: string) => string;
  readonly ids?: Ids;
  readonly fetch?: HttpFetch;
  /** Providers beside the wire APIs, by id. */
  readonly providers?: Readonly<Record<string, ModelProvider>>;
  /** Told every secret that is used, so that the log can leave it out. */
  readonly onSecret?: (value: string) => void;
  /** Where the secrets of profiles are kept; in auth-profiles.json itself without it. */
  readonly vault?: ProfileVault;
  /** Where the token of GitHub Copilot is kept over a restart. */
  readonly copilotTokenFile?: string;
  /** Other addresses for the token endpoints of sign-ins, by provider. */
  readonly tokenEndpoints?: Readonly<Record<string, string>>;
}

export interface Models {
  /** The models that can be called right now; with an agent, also by its own profiles. */
  list(agentId?: string): Promise<ModelInfo[]>;
  /** The model behind a reference or alias. Throws MODEL_UNKNOWN. */
  resolve(ref: string): ModelInfo;
  /** Whether this agent has a key or sign-in for the provider. */
  hasCredential(provider: string, agentId: string): boolean;
  defaultModel(agentId?: string): Promise<DefaultModel>;
  /** The models a call may use, first choice first. Throws MODEL_UNKNOWN. */
  candidates(question: CandidateQuestion): Promise<ModelInfo[]>;
  /** Talks to the first candidate that can answer. Never throws; ends with exactly one finish or failure. */
  converse(call: ModelCall, signal: AbortSignal): AsyncIterable<CallEvent>;
  /** One call with the given key and nothing around it. Keeps the contract of ModelProvider.stream. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  readonly profiles: Profiles;
  /** The key of a provider, for what else it offers; undefined when there is none. */
  keyFor(provider: string, agentId: string): Promise<Secret | undefined>;
  /** For somebody who has no model yet; loaded when it is asked for. */
  setup(): Promise<ModelSetup>;
  close(): void;
}

/** The credentials of agents, for those who show and change them. */
interface Profiles {
  view(agentId: string): ProfileView[];
  /** Writes over a profile of the same id. `address` is where a key is sent, when that is yet to be configured. Throws PROFILE_STORE. */
  add(agentId: string, id: string, profile: NewProfile, address?: string): Promise<void>;
  /** Throws PROFILE_UNKNOWN or PROFILE_STORE. */
  remove(agentId: string, id: string): Promise<void>;
  /** An empty list lets the gateway choose again. */
  setOrder(agentId: string, provider: string, ids: readonly string[]): Promise<void>;
  clearCooldown(agentId: string, id: string): Promise<void>;
}

export function createModels(options: ModelsOptions): Models {
  const { clock, log, config, env } = options;
  const fetch = options.fetch ?? createHttpFetch({ maxLineBytes: MOST_OF_A_LINE });
  const ids = options.ids ?? createIds();
  const local = createLocalServers(fetch, clock);
  const extra = options.providers ?? {};
  const hasExtra = (provider: string): boolean => Object.hasOwn(extra, provider);

  const givenKeys = (provider: string): GivenKeys => {
    if (hasExtra(provider)) return { kind: "not-needed" };
    const entry = findProvider(config(), provider);
    return entry ? findKeys(entry, env()) : { kind: "missing", why: "the provider is not in the configuration" };
  };
  const resolve = (ref: string): ModelInfo => {
    const provider = ref.slice(0, Math.max(0, ref.indexOf("/")));
    return hasExtra(provider) ? describeExtra(config(), provider, ref) : resolveModel(config(), ref);
  };
  const refreshers = createRefreshers({ fetch, clock, env, endpoints: options.tokenEndpoints });
  const book = openBook(options, { givenKeys, refreshers });
  const opener = createWireOpener({
    config,
    env,
    clock,
    fetch,
    extra,
    book,
    copilotTokenFile: options.copilotTokenFile,
  });
  const random = (): number => Number.parseInt(ids.entryId(), 16) / 2 ** 32;

  const defaultModel = (agentId?: string): Promise<DefaultModel> => {
    const profileOf = (provider: string) => (agentId === undefined ? undefined : book.find(agentId, provider));
    return findDefaultModel({ config: config(), env: env(), local, log, resolve, profileOf });
  };

  const hasCredential = (provider: string, agentId: string): boolean =>
    book.find(agentId, provider) !== undefined || givenKeys(provider).kind === "keys";
  const onSecret = (value: string): void => options.onSecret?.(value);

  return {
    resolve,
    defaultModel,
    profiles: book,
    hasCredential,
    async keyFor(provider, agentId) {
      await options.vault?.ready();
      const own = book.find(agentId, provider);
      const profile = own
        ? ({ id: own, agentId, provider, origin: "file" } as const)
        : firstGiven(provider, givenKeys(provider));
      const outcome = typeof profile === "string" ? undefined : await book.access(profile);
      return outcome?.kind === "ready" ? outcome.access?.secret : undefined;
    },
    async setup() {
      await options.vault?.ready();
      const { createModelSetup } = await import("./setup/model-setup.ts");
      return createModelSetup({ config, env, clock, log, fetch, local, book, open: opener, hasCredential, onSecret });
    },
    async list(agentId) {
      await options.vault?.ready();
      const usable = listProviders(config()).filter((entry) => {
        if (entry.configured || !entry.known || isOpen(entry.known)) return true;
        if (agentId !== undefined && book.find(agentId, entry.id)) return true;
        return findKeys(entry, env()).kind === "keys";
      });
      const found = [...usable.flatMap((entry) => modelsOf(entry)), ...(await local.find(config(), env()))];
      return [...new Map(found.map((model) => [`${model.provider}/${model.id}`, model])).values()];
    },
    async candidates(question) {
      // Somebody may have made a vault since the start.
      await options.vault?.ready();
      return candidatesFor(question, {
        config: config(),
        log,
        resolve,
        fallbackChoice: async () => {
          const { model, fallbacks } = await defaultModel(question.agentId);
          return [model, ...fallbacks];
        },
      });
    },
    converse: (call, signal) =>
      converse(call, signal, { clock, log, random, profiles: book, open: (model, profile) => opener(model, profile) }),
    stream(request, signal) {
      const open = async () => {
        const given = firstGiven(request.model.provider, givenKeys(request.model.provider));
        if (typeof given === "string") return { kind: "failed", failure: makeFailure("auth", given) } as const;
        return opener(request.model, given);
      };
      return streamAttempt({ clock, log, request, open }, signal);
    },
    close() {
      book.close();
      fetch.close();
    },
  };
}

/** The longest lines are those that repeat a whole answer at its end. */
const MOST_OF_A_LINE = 4 * 1024 * 1024;
const COOLDOWNS = { billingBackoffHours: 5, billingMaxHours: 24, failureWindowHours: 24 };

function openBook(
  options: ModelsOptions,
  needs: { givenKeys(provider: string): GivenKeys; refreshers: ReturnType<typeof createRefreshers> },
): ProfileBook {
  const { clock, log, config, env, agentDir, onSecret, vault } = options;
  const rules: ProfileRules = {
    addressOf(provider) {
      const entry = findProvider(config(), provider);
      return entry && baseUrlOf(entry, env());
    },
    providers: () => listProviders(config()).map(({ id }) => id),
    order: (provider) => config().auth?.order?.[provider],
    label: (id) => config().auth?.profiles?.[id]?.email,
    cooldowns(provider) {
      const { billingBackoffHoursByProvider, ...written } = config().auth?.cooldowns ?? {};
      const hours = billingBackoffHoursByProvider?.[provider] ?? written.billingBackoffHours;
      return {
        billingBackoffHours: hours ?? COOLDOWNS.billingBackoffHours,
        billingMaxHours: written.billingMaxHours ?? COOLDOWNS.billingMaxHours,
        failureWindowHours: written.failureWindowHours ?? COOLDOWNS.failureWindowHours,
      };
    },
  };
  return new ProfileBook({
    vault,
    rules,
    clock,
    log,
    env,
    ...needs,
    agentDir: (agentId) => agentDir?.(agentId),
    onSecret: (value) => onSecret?.(value),
  });
}

/** The first key that was given to all agents alike, or why there is none. */
function firstGiven(provider: string, given: GivenKeys): Profile | string {
  if (given.kind === "missing") return `${provider}: ${given.why}`;
  const origin = given.kind === "keys" ? (given.keys[0]?.origin ?? "none") : "none";
  return { id: `${provider}:${origin}`, agentId: "", provider, origin };
}

/** A provider that is no wire API knows its models itself; what the configuration says of them counts. */
function describeExtra(config: ModelsConfigView, provider: string, ref: string): ModelInfo {
  const id = ref.slice(provider.length + 1);
  const entry = findProvider(config, provider);
  const written = entry && findModelView(entry, id);
  const known = entry && written ? describeModel(entry, id) : undefined;
  return {
    provider,
    id,
    name: known?.name ?? id,
    api: "demo",
    reasoning: written?.reasoning ?? true,
    input: written?.input ?? ["text", "image"],
    contextWindow: written?.contextWindow ?? 128_000,
    maxTokens: written?.maxTokens ?? 8_192,
    ...(known?.price ? { price: known.price } : {}),
  };
}
