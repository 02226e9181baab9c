// Chooses the model to use when nobody said which: a credential, a server on this machine, or the demo.
import * as z from "zod";
import { once, type Clock, type Logger, type ModelInfo } from "@chela/sdk";
import { tryGetJson, type HttpFetch } from "@chela/sdk/http";
import { describeModel, findProvider, modelsOf, resolveModel, type ProviderEntry } from "./catalog.ts";
import type { ModelsConfigView } from "./config-view.ts";
import { baseUrlOf, findKeys, type Env } from "./credentials.ts";
import { tryResolve } from "./failover/candidates.ts";
import { isOpen, KNOWN_PROVIDERS } from "./known-providers.ts";
import type { GivenKey } from "./profiles/profile.ts";
import { trimUrl } from "./providers/wire.ts";

export interface DefaultModel {
  readonly model: ModelInfo;
  /** Where the choice came from, for people: "from ANTHROPIC_API_KEY". */
  readonly source: string;
  readonly fallbacks: readonly ModelInfo[];
}

const FIRST_HOSTED: readonly string[] = ["anthropic", "openai", "google", "openrouter"];
const LOCAL = ["ollama", "lmstudio", "llamacpp", "vllm"] as const;
/** Many people have these for their work at GitHub, so they do not say that somebody wants to talk with Copilot. */
const NAMES_FOR_OTHER_THINGS: readonly string[] = ["GH_TOKEN", "GITHUB_TOKEN"];
const PROBE_MS = 300;
const LOOK_MS = 1500;
const REMEMBER_MS = 30_000;

const OllamaTags = once(() => z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) }));
const OpenaiModels = once(() =>
  z.looseObject({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) }),
);

/** A model server that answers. */
export interface LocalServer {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Perhaps none: a server may run without having loaded any. */
  readonly models: readonly ModelInfo[];
}

export interface LocalServers {
  /** Models of the servers on this machine, best first; asked again after half a minute. */
  find(config: ModelsConfigView, env: Env): Promise<readonly ModelInfo[]>;
  /** The servers themselves, asked now and with more patience. */
  look(config: ModelsConfigView, env: Env): Promise<readonly LocalServer[]>;
}

export function createLocalServers(fetch: HttpFetch, clock: Clock): LocalServers {
  let last: { key: string; at: number; models: Promise<readonly ModelInfo[]> } | undefined;
  return {
    async look(config, env) {
      const asked = placesOf(config, env).map(async ({ entry, baseUrl }): Promise<LocalServer[]> => {
        const models = await askServer(fetch, clock, { entry, baseUrl, timeoutMs: LOOK_MS });
        return models ? [{ id: entry.id, name: entry.known?.name ?? entry.id, baseUrl, models }] : [];
      });
      return (await Promise.all(asked)).flat();
    },
    find(config, env) {
      const servers = placesOf(config, env);
      const key = servers.map(({ baseUrl }) => baseUrl).join(" ");
      if (!last || last.key !== key || clock.steady() - last.at >= REMEMBER_MS) {
        const asked = servers.map((server) => askServer(fetch, clock, { ...server, timeoutMs: PROBE_MS }));
        const models = Promise.all(asked).then((lists) => lists.flatMap((list) => list ?? []));
        last = { key, at: clock.steady(), models };
      }
      return last.models;
    },
  };
}

function placesOf(config: ModelsConfigView, env: Env): Array<{ entry: ProviderEntry; baseUrl: string }> {
  return LOCAL.flatMap((id) => {
    const entry = findProvider(config, id);
    const baseUrl = entry && baseUrlOf(entry, env);
    return entry && baseUrl ? [{ entry, baseUrl }] : [];
  });
}

export interface DefaultSources {
  readonly config: ModelsConfigView;
  readonly env: Env;
  readonly local: LocalServers;
  readonly log: Logger;
  /** Throws MODEL_UNKNOWN. */
  resolve(ref: string): ModelInfo;
  /** The profile of the agent in question for a provider. */
  profileOf(provider: string): string | undefined;
}

export async function findDefaultModel(sources: DefaultSources): Promise<DefaultModel> {
  const { config, env, local } = sources;
  return (
    fromConfig(sources) ??
    fromCredentials(sources, FIRST_HOSTED) ??
    fromConfiguredProviders(config) ??
    fromCredentials(sources, otherHosted()) ??
    (await fromLocalServers(config, env, local)) ?? {
      model: resolveModel(config, "demo/demo"),
      source: "the built-in demo, because no model is connected",
      fallbacks: [],
    }
  );
}

function fromConfig({ config, resolve, log }: DefaultSources): DefaultModel | undefined {
  const chosen = config.agents?.defaults?.model;
  const primary = typeof chosen === "string" ? chosen : chosen?.primary;
  if (!primary) return undefined;
  const fallbacks = typeof chosen === "object" ? (chosen.fallbacks ?? []) : [];
  return {
    model: resolve(primary),
    source: "from agents.defaults.model",
    fallbacks: fallbacks.flatMap((ref) => tryResolve(ref, { resolve, log })),
  };
}

function fromCredentials(sources: DefaultSources, ids: readonly string[]): DefaultModel | undefined {
  const { config, env, profileOf } = sources;
  for (const id of ids) {
    const entry = findProvider(config, id);
    if (!entry?.known?.defaultModel) continue;
    const profile = profileOf(id);
    const source = profile ? `the profile ${profile}` : givenFor(entry, env)?.source;
    if (!source) continue;
    return { model: describeModel(entry, entry.known.defaultModel), source: `from ${source}`, fallbacks: [] };
  }
  return undefined;
}

/** The other providers that work with nothing but a key, in the order of the catalogue. */
function otherHosted(): string[] {
  return Object.keys(KNOWN_PROVIDERS).filter(
    (id) => !FIRST_HOSTED.includes(id) && KNOWN_PROVIDERS[id] && !isOpen(KNOWN_PROVIDERS[id]),
  );
}

/** A key that was given for the models of this provider, not for something else that its owner does there. */
function givenFor(entry: ProviderEntry, env: Env): GivenKey | undefined {
  const given = findKeys(entry, env);
  const keys = given.kind === "keys" ? given.keys : [];
  if (entry.configured) return keys[0];
  return keys.find(({ aws, source }) => !aws && !NAMES_FOR_OTHER_THINGS.includes(source));
}

function fromConfiguredProviders(config: ModelsConfigView): DefaultModel | undefined {
  for (const id of Object.keys(config.models?.providers ?? {})) {
    const entry = findProvider(config, id);
    const model = entry?.configured?.models?.length ? modelsOf(entry)[0] : undefined;
    if (model) return { model, source: `from models.providers.${id}`, fallbacks: [] };
  }
  return undefined;
}

async function fromLocalServers(
  config: ModelsConfigView,
  env: Env,
  local: LocalServers,
): Promise<DefaultModel | undefined> {
  const model = (await local.find(config, env))[0];
  if (!model) return undefined;
  const entry = findProvider(config, model.provider);
  const where = entry ? `${entry.known?.name ?? entry.id} at ${baseUrlOf(entry, env)}` : model.provider;
  return { model, source: `from ${where}`, fallbacks: [] };
}

/** Undefined when no such server answers. */
async function askServer(
  fetch: HttpFetch,
  clock: Clock,
  { entry, baseUrl, timeoutMs }: { entry: ProviderEntry; baseUrl: string; timeoutMs: number },
): Promise<ModelInfo[] | undefined> {
  const limits = { clock, timeoutMs };
  const ids =
    entry.id === "ollama"
      ? ollamaModels(await tryGetJson(fetch, `${trimUrl(baseUrl, "/v1")}/api/tags`, limits))
      : openaiModels(await tryGetJson(fetch, `${trimUrl(baseUrl)}/models`, limits));
  return ids?.map((id) => describeModel(entry, id));
}

function ollamaModels(answer: unknown): string[] | undefined {
  const parsed = OllamaTags().safeParse(answer);
  return parsed.success ? parsed.data.models.map(({ name }) => name) : undefined;
}

function openaiModels(answer: unknown): string[] | undefined {
  const parsed = OpenaiModels().safeParse(answer);
  // Servers list their embedding models too; they cannot talk.
  return parsed.success ? parsed.data.data.map(({ id }) => id).filter((id) => !/embed/i.test(id)) : undefined;
}
