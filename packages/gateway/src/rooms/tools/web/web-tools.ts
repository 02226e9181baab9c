// The tools `web_fetch` and `web_search` as they are offered; what they do is loaded when one is used.
import * as z from "zod";
import { GatewayError, once, type Clock, type Ids, type Tool } from "@chela/sdk";
import { createSafeFetch, type SafeFetch } from "../../../base/http/safe-fetch.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { chooseProvider, type Environment, type SearchAddresses } from "./choose-provider.ts";
import type { FetchedPage } from "./fetch-page.ts";
import type { SearchAnswer } from "./search/search-provider.ts";
import type { WebSettings } from "./web-settings.ts";

export interface WebHouse {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly config: {
    current(): { readonly tools?: { readonly web?: WebSettings | undefined } | undefined };
    effectiveEnv(): Readonly<Record<string, string | undefined>>;
  };
}

/** What lies outside, where a test has something else. */
export interface WebOutside {
  readonly fetch?: SafeFetch;
  /** Other addresses of the providers. */
  readonly searchAddresses?: SearchAddresses;
}

const PAGES_KEPT_BYTES = 8 * 1024 * 1024;
const SEARCHES_KEPT_BYTES = 1024 * 1024;

const FetchParameters = once(() =>
  z.object({
    url: z.string(),
    extractMode: z.enum(["markdown", "text"]).optional(),
    maxChars: z.coerce.number().int().min(100).optional(),
  }),
);
const SearchParameters = once(() =>
  z.object({
    query: z.string().min(1),
    count: z.coerce.number().int().min(1).max(10).optional(),
    country: z.string().optional().describe("Like DE"),
    search_lang: z.string().optional().describe("Like de"),
    ui_lang: z.string().optional(),
    freshness: z.string().optional().describe("pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD"),
  }),
);

export function webFetchTool(house: WebHouse, outside: WebOutside = {}): Tool<ReturnType<typeof FetchParameters>> {
  const parts = webParts(house, outside);
  const cache = createBoundedCache<FetchedPage>(parts.clock, PAGES_KEPT_BYTES);
  return {
    name: "web_fetch",
    label: "Fetch a page",
    description: "Fetches a public web page and returns its readable text.",
    family: "web",
    inSandbox: "allowed",
    told: 110,
    effects: ["network"],
    parameters: FetchParameters,
    unavailable: () =>
      parts.settings().fetch?.enabled === false ? "web_fetch is switched off (tools.web.fetch.enabled)." : undefined,
    async run(args, context) {
      const { fetchPage } = await import("./fetch-page.ts");
      const { chooseFirecrawl } = await import("./firecrawl.ts");
      const settings = parts.settings().fetch ?? {};
      const firecrawl = chooseFirecrawl(settings.firecrawl ?? {}, parts.environment);
      return fetchPage(args, settings, { ...parts, cache, firecrawl }, context);
    },
  };
}

export function webSearchTool(house: WebHouse, outside: WebOutside = {}): Tool<ReturnType<typeof SearchParameters>> {
  const parts = webParts(house, outside);
  const cache = createBoundedCache<SearchAnswer>(parts.clock, SEARCHES_KEPT_BYTES);
  const choose = () => chooseProvider(parts.settings().search ?? {}, parts.environment, outside.searchAddresses);
  return {
    name: "web_search",
    label: "Search the web",
    description: "Searches the web.",
    family: "web",
    inSandbox: "allowed",
    told: 100,
    effects: ["network"],
    parameters: SearchParameters,
    unavailable: () => {
      const choice = choose();
      return choice.kind === "none" ? choice.why : undefined;
    },
    async run(args, context) {
      const choice = choose();
      if (choice.kind === "none") throw new GatewayError("SEARCH_KEY", choice.why);
      const { searchWeb } = await import("./search-web.ts");
      const chosen = { settings: parts.settings().search ?? {}, provider: choice.provider };
      return searchWeb(args, chosen, { ...parts, cache }, context);
    },
  };
}

function webParts({ clock, ids, config }: WebHouse, { fetch = createSafeFetch({ clock }) }: WebOutside) {
  const environment: Environment = (name) => config.effectiveEnv()[name];
  return { clock, ids, fetch, environment, settings: (): WebSettings => config.current().tools?.web ?? {} };
}
