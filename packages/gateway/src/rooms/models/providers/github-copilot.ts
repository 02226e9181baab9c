// GitHub Copilot: one login, and behind it models that speak three different APIs.
import type { ModelEvent, ModelProvider, ModelRequest } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import type { HttpFetch } from "@chela/sdk/http";
import { COPILOT_HEADERS, createCopilotTokens, type CopilotToken } from "./sign-in/copilot-tokens.ts";
import { abortedEvent } from "./endings.ts";
import { toFailure } from "./failure.ts";
import { failureContextOf } from "./http-wire.ts";
import { loadWire, type WireSettings, type WireTools } from "./wire.ts";

export function createGithubCopilot(settings: WireSettings, fetch: HttpFetch, tools: WireTools = {}): ModelProvider {
  const tokens = tools.copilotTokens ?? createCopilotTokens({ fetch, clock: tools.clock ?? systemClock });
  const context = failureContextOf(settings);
  const githubToken = settings.apiKey ?? "";
  const inner = createInnerWires(settings, fetch);

  async function* attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const token = await unlessAborted(tokens.get(githubToken), signal);
    if (!token) return yield abortedEvent();
    const wire = await inner(token, request);
    yield* wire.stream(request, signal);
  }

  return {
    id: settings.provider,
    async *stream(request, signal) {
      if (signal.aborted) return yield abortedEvent();
      try {
        let isFirst = true;
        for await (const event of attempt(request, signal)) {
          if (isFirst && isRefused(event)) {
            // A token may be called back before its time; a new one is worth one more try.
            tokens.forget(githubToken);
            return yield* attempt(request, signal);
          }
          isFirst = false;
          yield event;
        }
      } catch (error) {
        yield signal.aborted ? abortedEvent() : { kind: "failure", failure: toFailure(error, context) };
      }
    },
  };
}

/** Who asked and with what is said in headers, so there is a wire for each combination, until the token changes. */
function createInnerWires(
  settings: WireSettings,
  fetch: HttpFetch,
): (token: CopilotToken, request: ModelRequest) => Promise<ModelProvider> {
  const byToken = new WeakMap<CopilotToken, Map<string, Promise<ModelProvider>>>();
  return (token, request) => {
    const wires = byToken.get(token) ?? new Map<string, Promise<ModelProvider>>();
    byToken.set(token, wires);
    const isAgent = request.messages.at(-1)?.role !== "user";
    const hasImage = request.messages.some(({ content }) => typeof content !== "string" && content.some(isImage));
    const key = `${isAgent} ${hasImage}`;
    let wire = wires.get(key);
    if (!wire) {
      wire = loadWire(apiFor(settings.modelId)).then((create) =>
        create(toInner(settings, token, isAgent, hasImage), fetch),
      );
      wires.set(key, wire);
      wire.catch(() => wires.delete(key));
    }
    return wire;
  };
}

function apiFor(modelId: string): "anthropic-messages" | "openai-responses" | "openai-completions" {
  if (modelId.startsWith("claude")) return "anthropic-messages";
  return /^(gpt-[5-9]|o\d|grok|mai-)/.test(modelId) ? "openai-responses" : "openai-completions";
}

function toInner(settings: WireSettings, token: CopilotToken, isAgent: boolean, hasImage: boolean): WireSettings {
  // An address of somebody's own, as of a proxy, is meant; GitHub's comes better from the token.
  const isUsual = settings.baseUrl === "" || /\.githubcopilot\.com\b/.test(settings.baseUrl);
  return {
    ...settings,
    baseUrl: isUsual ? token.baseUrl : settings.baseUrl,
    apiKey: token.token,
    bearer: true,
    headers: {
      ...COPILOT_HEADERS,
      "Openai-Intent": "conversation-edits",
      "X-Initiator": isAgent ? "agent" : "user",
      ...(hasImage ? { "Copilot-Vision-Request": "true" } : {}),
      ...settings.headers,
    },
  };
}

function isImage(block: { readonly type: string }): boolean {
  return block.type === "image";
}

function isRefused(event: ModelEvent): boolean {
  return event.kind === "failure" && event.failure.reason === "auth" && event.failure.status === 401;
}

/** Others may wait for the same token, so it goes on being asked for. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
