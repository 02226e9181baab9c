// Catalogue of models: the known ones, joined with what the configuration says, found by "provider/model" or alias.
import { GatewayError, MODEL_APIS, type ModelApi, type ModelInfo, type ModelPrice } from "@chela/sdk";
import type { CompatView, ModelsConfigView, ModelView, ProviderView } from "./config-view.ts";
import type { KnownModel } from "./known-models.ts";
import { KNOWN_PROVIDERS, USUAL_ALIASES, type KnownProvider } from "./known-providers.ts";

/** A provider as this configuration has it. */
export interface ProviderEntry {
  readonly id: string;
  readonly known?: KnownProvider;
  readonly configured?: ProviderView;
}

const DEFAULT_CONTEXT_WINDOW = 128_000;
const DEFAULT_MAX_TOKENS = 8_192;
/** What an Ollama model gets when nobody says more: its whole window would take the memory of most machines. */
const OLLAMA_CONTEXT_WINDOW = 32_768;

export function listProviders(config: ModelsConfigView): ProviderEntry[] {
  const configured = config.models?.providers ?? {};
  const known = Object.keys(KNOWN_PROVIDERS).filter((id) => id === "demo" || config.models?.mode !== "replace");
  return [...new Set([...Object.keys(configured), ...known])].map((id) =>
    entryOf(id, configured[id], known.includes(id)),
  );
}

export function findProvider(config: ModelsConfigView, id: string): ProviderEntry | undefined {
  const providers = config.models?.providers ?? {};
  // Ids come from outside, and every object has a "constructor".
  const configured = Object.hasOwn(providers, id) ? providers[id] : undefined;
  const known = Object.hasOwn(KNOWN_PROVIDERS, id) && (id === "demo" || config.models?.mode !== "replace");
  return configured || known ? entryOf(id, configured, known) : undefined;
}

/** All models of a provider that are known by name, those of the configuration first. */
export function modelsOf(entry: ProviderEntry): ModelInfo[] {
  const configured = entry.configured?.models ?? [];
  const ids = new Set([...configured.map(({ id }) => id), ...(entry.known?.models ?? []).map(({ id }) => id)]);
  return [...ids].filter((id) => apiOf(entry, id).kind === "supported").map((id) => describeModel(entry, id));
}

/** A model of this provider; of one that is not in the catalogue, the careful guess. */
export function describeModel(entry: ProviderEntry, id: string): ModelInfo {
  const known = findKnown(entry, id);
  const configured = findModelView(entry, id);
  const api = requireApi(entry, id);
  const price = priceOf(configured, known);
  return {
    provider: entry.id,
    id,
    name: configured?.name ?? known?.name ?? id,
    api,
    reasoning: configured?.reasoning ?? known?.reasoning ?? false,
    input: configured?.input ?? known?.input ?? ["text"],
    contextWindow:
      configured?.contextWindow ??
      known?.contextWindow ??
      (api === "ollama" ? OLLAMA_CONTEXT_WINDOW : DEFAULT_CONTEXT_WINDOW),
    maxTokens: configured?.maxTokens ?? known?.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(price ? { price } : {}),
  };
}

function findKnown(entry: ProviderEntry, id: string): KnownModel | undefined {
  return entry.known?.models.find((candidate) => candidate.id === id);
}

export function findModelView(entry: ProviderEntry, id: string): ModelView | undefined {
  return entry.configured?.models?.find((candidate) => candidate.id === id);
}

/** What is known of the provider and the model; the configuration has the last word on each point. */
export function compatOf(entry: ProviderEntry, id: string): CompatView {
  return { ...entry.known?.compat, ...findKnown(entry, id)?.compat, ...findModelView(entry, id)?.compat };
}

/** Finds the model behind "provider/model-id", an alias, or the bare id of a known model. */
export function resolveModel(config: ModelsConfigView, ref: string): ModelInfo {
  const wanted = ref.trim();
  const target = aliasTarget(config, wanted) ?? wanted;
  const slash = target.indexOf("/");
  if (slash < 0) return resolveBareId(config, target);
  const id = target.slice(slash + 1);
  const entry = findProvider(config, target.slice(0, slash));
  if (!entry || id === "") throw unknownModel(config, ref);
  return describeModel(entry, id);
}

function entryOf(id: string, configured: ProviderView | undefined, known: boolean): ProviderEntry {
  const knownProvider = known ? KNOWN_PROVIDERS[id] : undefined;
  return { id, ...(knownProvider ? { known: knownProvider } : {}), ...(configured ? { configured } : {}) };
}

function aliasTarget(config: ModelsConfigView, name: string): string | undefined {
  const listed = config.agents?.defaults?.models ?? {};
  const lower = name.toLowerCase();
  const own = Object.keys(listed).find((ref) => listed[ref]?.alias?.toLowerCase() === lower);
  if (own) return own;
  const usual = Object.hasOwn(USUAL_ALIASES, lower) ? USUAL_ALIASES[lower] : undefined;
  return usual && usual in listed ? usual : undefined;
}

function resolveBareId(config: ModelsConfigView, id: string): ModelInfo {
  for (const entry of listProviders(config)) {
    const found = modelsOf(entry).find((model) => model.id === id);
    if (found) return found;
  }
  throw unknownModel(config, id);
}

type Api =
  | { readonly kind: "supported"; readonly api: ModelApi }
  | { readonly kind: "unsupported"; readonly name: string };

function apiOf(entry: ProviderEntry, modelId: string): Api {
  // Behind Copilot's login a model may speak another API, which is found out there.
  if (entry.known?.api === "github-copilot") return { kind: "supported", api: "github-copilot" };
  const name = findModelView(entry, modelId)?.api ?? entry.configured?.api ?? entry.known?.api ?? "openai-completions";
  const api = MODEL_APIS.find((candidate) => candidate === name);
  return api ? { kind: "supported", api } : { kind: "unsupported", name };
}

function requireApi(entry: ProviderEntry, modelId: string): ModelApi {
  const api = apiOf(entry, modelId);
  if (api.kind === "supported") return api.api;
  const allowed = MODEL_APIS.join(", ");
  throw new GatewayError(
    "MODEL_UNKNOWN",
    `"${entry.id}/${modelId}" is set to the API "${api.name}", which is not supported; supported are ${allowed}`,
  );
}

function priceOf(configured: ModelView | undefined, known: KnownModel | undefined): ModelPrice | undefined {
  const cost = configured?.cost;
  if (!cost) return known?.price;
  return {
    input: cost.input ?? 0,
    output: cost.output ?? 0,
    cacheRead: cost.cacheRead ?? 0,
    cacheWrite: cost.cacheWrite ?? 0,
  };
}

function unknownModel(config: ModelsConfigView, ref: string): GatewayError {
  const refs = listProviders(config).flatMap((entry) => {
    const models = modelsOf(entry).map((model) => `${entry.id}/${model.id}`);
    return models.length > 0 ? models : [`${entry.id}/…`];
  });
  const nearest = refs.toSorted((a, b) => distance(ref, a) - distance(ref, b))[0];
  return new GatewayError("MODEL_UNKNOWN", `"${ref}"${nearest ? `; the nearest is "${nearest}"` : ""}`);
}

/** How many letters must be changed to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
