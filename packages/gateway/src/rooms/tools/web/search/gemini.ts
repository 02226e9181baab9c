// Gemini with Google Search: an answer with its sources.
import * as z from "zod";
import { once } from "@chela/sdk";
import { askInWords } from "./ask-in-words.ts";
import { askProvider, type Search } from "./search-provider.ts";

const Answer = once(() =>
  z.object({
    candidates: z
      .array(
        z.object({
          content: z.object({ parts: z.array(z.object({ text: z.string().optional() })).optional() }).optional(),
          groundingMetadata: z
            .object({
              groundingChunks: z
                .array(z.object({ web: z.object({ uri: z.string(), title: z.string().optional() }).optional() }))
                .optional(),
            })
            .optional(),
        }),
      )
      .min(1),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const json = { contents: [{ role: "user", parts: [{ text: askInWords(query) }] }], tools: [{ google_search: {} }] };
  const path = `/models/${encodeURIComponent(provider.model)}:generateContent`;
  const request = { headers: { "x-goog-api-key": provider.apiKey }, json };
  const answer = await askProvider(path, request, Answer(), { provider, ways });
  const candidate = answer.candidates[0];
  const content = (candidate?.content?.parts ?? []).map(({ text }) => text ?? "").join("");
  const chunks = candidate?.groundingMetadata?.groundingChunks ?? [];
  const citations = chunks.flatMap(({ web }) => (web ? [{ url: web.uri, title: web.title }] : []));
  return { kind: "answer", model: provider.model, content, citations };
};
