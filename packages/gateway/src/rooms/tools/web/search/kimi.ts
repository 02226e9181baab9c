// Kimi with its built-in search: its model asks for searches, which its server carries out when we say so, and then answers.
import * as z from "zod";
import { GatewayError, once } from "@chela/sdk";
import { askInWords } from "./ask-in-words.ts";
import { askProvider, bearer, type Citation, type Search } from "./search-provider.ts";

const MAX_ROUNDS = 4;

const ToolCall = () =>
  z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const Answer = once(() =>
  z.object({
    choices: z
      .array(
        z.object({
          finish_reason: z.string().nullish(),
          message: z.looseObject({ content: z.string().nullish(), tool_calls: z.array(ToolCall()).optional() }),
        }),
      )
      .min(1),
    search_results: z
      .array(z.object({ url: z.string(), title: z.string().optional() }))
      .optional()
      .catch(undefined),
  }),
);

export const search: Search = async (query, provider, ways) => {
  const messages: unknown[] = [{ role: "user", content: askInWords(query) }];
  const citations = new Map<string, Citation>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const json = {
      model: provider.model,
      messages,
      tools: [{ type: "builtin_function", function: { name: "$web_search" } }],
    };
    const request = { headers: bearer(provider.apiKey), json };
    const answer = await askProvider("/chat/completions", request, Answer(), { provider, ways });
    for (const { url, title } of answer.search_results ?? []) citations.set(url, { url, title });
    const message = answer.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    if (calls.length === 0) {
      return {
        kind: "answer",
        model: provider.model,
        content: message?.content ?? "",
        citations: [...citations.values()],
      };
    }
    // Handing the arguments back is how one says "yes, search for that".
    messages.push(message, ...calls.map((call) => handBack(call)));
  }
  throw new GatewayError("SEARCH_FAILED", `kimi went on searching after ${MAX_ROUNDS} rounds`);
};

function handBack(call: {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}) {
  return { role: "tool", tool_call_id: call.id, name: call.function.name, content: call.function.arguments };
}
