// Brave Search: a list of results.
import * as z from "zod";
import { once } from "@chela/sdk";
import { askProvider, type Search } from "./search-provider.ts";

const Answer = once(() =>
  z.object({
    web: z
      .object({
        results: z.array(
          z.object({
            title: z.string().catch(""),
            url: z.string(),
            description: z.string().catch(""),
            age: z.string().optional().catch(undefined),
          }),
        ),
      })
      .optional(),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const { freshness } = query;
  const fields = new URLSearchParams({ q: query.query, count: String(query.count) });
  if (query.country) fields.set("country", query.country.toUpperCase());
  if (query.searchLang) fields.set("search_lang", query.searchLang);
  if (query.uiLang) fields.set("ui_lang", query.uiLang);
  if (freshness)
    fields.set("freshness", freshness.kind === "span" ? freshness.code : `${freshness.from}to${freshness.to}`);
  const headers = { "x-subscription-token": provider.apiKey };
  const answer = await askProvider(`/web/search?${fields}`, { headers }, Answer(), { provider, ways });
  const results = (answer.web?.results ?? []).slice(0, query.count);
  return { kind: "results", results: results.map(({ age, ...result }) => ({ ...result, published: age })) };
};
