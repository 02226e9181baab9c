// SearXNG: a list of results from a server of one's own; no key is needed.
import * as z from "zod";
import { once } from "@chela/sdk";
import { askProvider, type Search, type SearchQuery } from "./search-provider.ts";

const Answer = once(() =>
  z.object({
    results: z.array(
      z.object({
        title: z.string().catch(""),
        url: z.string(),
        content: z.string().nullish().catch(null),
        publishedDate: z.string().nullish().catch(null),
      }),
    ),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const fields = new URLSearchParams({ q: query.query, format: "json" });
  const language = languageOf(query);
  if (language) fields.set("language", language);
  if (query.freshness) fields.set("time_range", spanOf(query.freshness));
  const answer = await askProvider(`/search?${fields}`, {}, Answer(), { provider, ways });
  const results = answer.results.slice(0, query.count).map(({ title, url, content, publishedDate }) => ({
    title,
    url,
    description: content ?? "",
    published: publishedDate ?? undefined,
  }));
  return { kind: "results", results };
};

function languageOf({ searchLang, country }: SearchQuery): string | undefined {
  if (!searchLang) return undefined;
  return country && country.length === 2 ? `${searchLang}-${country.toUpperCase()}` : searchLang;
}

/** It knows spans only; the whole year is the nearest to days we name. */
function spanOf(freshness: NonNullable<SearchQuery["freshness"]>): string {
  return freshness.kind === "span" ? freshness.span : "year";
}
