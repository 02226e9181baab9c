// The chat completions API, as OpenAI speaks it and the many servers that took it over.
import type { ModelProvider } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { createHttpWire } from "../http-wire.ts";
import { ChatAnswer } from "./openai-completions-answer.ts";
import { chatStyleOf, createBodyWriter } from "./openai-completions-body.ts";
import { headersWithBearer, trimUrl, type WireSettings } from "../wire.ts";

export function createOpenaiCompletions(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const url = `${trimUrl(settings.baseUrl)}/chat/completions`;
  const headers = { ...headersWithBearer({ ...settings, bearer: true }), "content-type": "application/json" };
  const writeBody = createBodyWriter(chatStyleOf(settings));
  return createHttpWire(settings, fetch, {
    prepare: (request) => ({ url, headers, body: writeBody(request) }),
    open: (request, context) => new ChatAnswer(request.model, context),
  });
}
