// Grok with its web search: an answer with its sources.
import * as z from "zod";
import { once } from "@chela/sdk";
import { askInWords } from "./ask-in-words.ts";
import { askProvider, bearer, type Search } from "./search-provider.ts";

const Answer = once(() =>
  z.object({
    output: z.array(
      z.object({
        type: z.string().optional(),
        content: z
          .array(
            z.object({
              text: z.string().optional(),
              annotations: z.array(z.object({ url: z.string().optional(), title: z.string().optional() })).optional(),
            }),
          )
          .optional()
          .catch(undefined),
      }),
    ),
    citations: z.array(z.string()).optional().catch(undefined),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const json = {
    model: provider.model,
    input: [{ role: "user", content: askInWords(query) }],
    tools: [{ type: "web_search" }],
    ...(provider.inlineCitations ? { include: ["inline_citations"] } : {}),
  };
  const answer = await askProvider("/responses", { headers: bearer(provider.apiKey), json }, Answer(), {
    provider,
    ways,
  });
  const parts = answer.output.flatMap(({ type, content }) => (type === "message" ? (content ?? []) : []));
  const annotated = parts.flatMap(({ annotations }) => annotations ?? []).flatMap(({ url }) => (url ? [url] : []));
  const urls = new Set([...(answer.citations ?? []), ...annotated]);
  const content = parts.map(({ text }) => text ?? "").join("");
  return { kind: "answer", model: provider.model, content, citations: [...urls].map((url) => ({ url })) };
};
