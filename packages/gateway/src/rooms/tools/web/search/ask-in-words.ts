// Puts wishes that have no field of their own into the question, for providers whose model searches by itself.
import type { SearchQuery } from "./search-provider.ts";

export function askInWords(
  query: SearchQuery,
  { knowsSpans = false, knowsRanges = false }: { readonly knowsSpans?: boolean; readonly knowsRanges?: boolean } = {},
): string {
  const { freshness } = query;
  const wishes = [
    query.country && query.country.toUpperCase() !== "ALL"
      ? `Prefer sources from the country ${query.country.toUpperCase()}.`
      : "",
    query.searchLang ? `Prefer sources in the language "${query.searchLang}".` : "",
    query.uiLang ? `Answer in the language "${query.uiLang}".` : "",
    freshness?.kind === "span" && !knowsSpans ? `Use only sources of the past ${freshness.span}.` : "",
    freshness?.kind === "range" && !knowsRanges
      ? `Use only sources published from ${freshness.from} to ${freshness.to}.`
      : "",
  ];
  return [query.query, ...wishes.filter(Boolean)].join("\n");
}
