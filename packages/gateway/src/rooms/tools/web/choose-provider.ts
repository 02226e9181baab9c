// Finds out who can search: the provider the configuration names, or the first one there is a key for.
import type { ReadyProvider } from "./search/search-provider.ts";
import { SEARCH_PROVIDERS, type SearchProviderName, type SearchSettings } from "./web-settings.ts";

/** The value of an environment variable. */
export type Environment = (name: string) => string | undefined;

export type ProviderChoice =
  | { readonly kind: "ready"; readonly provider: ReadyProvider }
  /** One sentence for the operator. */
  | { readonly kind: "none"; readonly why: string };

/** Where a provider's API is; tests put a server of their own here. */
export type SearchAddresses = Readonly<Partial<Record<SearchProviderName | "openrouter", string>>>;

const ADDRESSES = {
  brave: "https://api.search.brave.com/res/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta",
  kimi: "https://api.moonshot.ai/v1",
  perplexity: "https://api.perplexity.ai",
  openrouter: "https://openrouter.ai/api/v1",
  grok: "https://api.x.ai/v1",
};
const MODELS = { gemini: "gemini-2.5-flash", kimi: "moonshot-v1-128k", perplexity: "sonar-pro", grok: "grok-4-1-fast" };
const KEYS: Readonly<Record<Exclude<SearchProviderName, "searxng">, readonly string[]>> = {
  brave: ["BRAVE_API_KEY"],
  gemini: ["GEMINI_API_KEY"],
  kimi: ["KIMI_API_KEY", "MOONSHOT_API_KEY"],
  perplexity: ["PERPLEXITY_API_KEY", "OPENROUTER_API_KEY"],
  grok: ["XAI_API_KEY"],
};

export function chooseProvider(
  settings: SearchSettings,
  environment: Environment,
  addresses: SearchAddresses = {},
): ProviderChoice {
  if (settings.enabled === false)
    return { kind: "none", why: "web_search is switched off (tools.web.search.enabled)." };
  const names = settings.provider ? [settings.provider] : SEARCH_PROVIDERS;
  for (const name of names) {
    const provider = prepare(name, settings, environment, { ...ADDRESSES, ...addresses });
    if (provider) return { kind: "ready", provider };
  }
  return { kind: "none", why: whyNone(settings.provider) };
}

function whyNone(name: SearchProviderName | undefined): string {
  if (!name) return "web_search needs the key of a search provider, or tools.web.search.searxng.baseUrl.";
  if (name === "searxng") return "web_search with searxng needs tools.web.search.searxng.baseUrl.";
  const place = name === "brave" ? "tools.web.search.apiKey" : `tools.web.search.${name}.apiKey`;
  return `web_search with ${name} needs a key: ${place} or ${KEYS[name].join(" or ")} in the environment.`;
}

function prepare(
  name: SearchProviderName,
  settings: SearchSettings,
  environment: Environment,
  addresses: typeof ADDRESSES,
): ReadyProvider | undefined {
  const plain = { name, apiKey: "", model: "", inlineCitations: false };
  if (name === "searxng") {
    const baseUrl = settings.searxng?.baseUrl?.trim();
    return baseUrl ? { ...plain, baseUrl, isOwnAddress: true } : undefined;
  }
  const apiKey = findKey(name, settings, environment);
  if (!apiKey) return undefined;
  if (name === "brave") return { ...plain, apiKey, baseUrl: addresses.brave, isOwnAddress: false };
  const own = settings[name] ?? {};
  const throughRouter = name === "perplexity" && !own.baseUrl && isRouterKey(apiKey, environment);
  return {
    name,
    apiKey,
    baseUrl: own.baseUrl ?? addresses[throughRouter ? "openrouter" : name],
    isOwnAddress: own.baseUrl !== undefined,
    model: own.model ?? (throughRouter ? `perplexity/${MODELS.perplexity}` : MODELS[name]),
    inlineCitations: name === "grok" && settings.grok?.inlineCitations === true,
  };
}

function findKey(name: keyof typeof KEYS, settings: SearchSettings, environment: Environment): string | undefined {
  const configured = name === "brave" ? settings.apiKey : settings[name]?.apiKey;
  const candidates = [configured, ...KEYS[name].map(environment)];
  return candidates.map((key) => key?.trim()).find((key) => key);
}

/** A key tells by its beginning whose it is; one without tells by where it came from. */
function isRouterKey(key: string, environment: Environment): boolean {
  if (key.startsWith("pplx-")) return false;
  return (
    key.startsWith("sk-or-") ||
    (key === environment("OPENROUTER_API_KEY")?.trim() && !environment("PERPLEXITY_API_KEY"))
  );
}
