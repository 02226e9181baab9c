// Perplexity, directly or through OpenRouter: an answer with its sources.
import * as z from "zod";
import { once } from "@chela/sdk";
import { askInWords } from "./ask-in-words.ts";
import { askProvider, bearer, type Search, type SearchQuery } from "./search-provider.ts";

const Answer = once(() =>
  z.object({
    choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
    citations: z.array(z.string()).optional().catch(undefined),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const json = {
    model: provider.model,
    messages: [{ role: "user", content: askInWords(query, { knowsSpans: true, knowsRanges: true }) }],
    ...freshnessFields(query.freshness),
  };
  const request = { headers: bearer(provider.apiKey), json };
  const answer = await askProvider("/chat/completions", request, Answer(), { provider, ways });
  const content = answer.choices[0]?.message.content ?? "";
  return {
    kind: "answer",
    model: provider.model,
    content,
    citations: (answer.citations ?? []).map((url) => ({ url })),
  };
};

function freshnessFields(freshness: SearchQuery["freshness"]): Record<string, string> {
  if (!freshness) return {};
  if (freshness.kind === "span") return { search_recency_filter: freshness.span };
  return {
    search_after_date_filter: americanDate(freshness.from),
    search_before_date_filter: americanDate(freshness.to),
  };
}

function americanDate(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${month}/${date}/${year}`;
}
