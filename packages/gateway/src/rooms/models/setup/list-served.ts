// Asks a provider which models it has. Many answer before they look at the key, so this proves nothing about it.
import * as z from "zod";
import { once, type Clock, type ModelApi } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import type { Access } from "../profiles/profile.ts";
import { trimUrl } from "../providers/wire.ts";

export interface ServedModel {
  readonly id: string;
  readonly name: string;
}

export type Served =
  | { readonly kind: "list"; readonly models: readonly ServedModel[] }
  | { readonly kind: "refused"; readonly status: number }
  /** Nobody is there, or it did not answer in time. */
  | { readonly kind: "silent" }
  /** Somebody is there who does not tell. */
  | { readonly kind: "unknown" };

const PATIENCE_MS = 10_000;
const MOST_MODELS = 500;
/** They are listed beside the others and cannot hold a conversation. */
const CANNOT_TALK = /embed|whisper|(^|-)tts(-|$)|dall-e|moderation|transcribe|realtime|rerank/i;

const Data = once(() =>
  z.looseObject({ data: z.array(z.looseObject({ id: z.string(), display_name: z.string().optional() })) }),
);
const Named = once(() =>
  z.looseObject({ models: z.array(z.looseObject({ name: z.string(), displayName: z.string().optional() })) }),
);

export async function listServed(
  place: { readonly api: ModelApi; readonly baseUrl: string; readonly access: Access | undefined },
  { fetch, clock }: { readonly fetch: HttpFetch; readonly clock: Clock },
): Promise<Served> {
  const url = addressOf(place);
  if (url === undefined || place.access?.secret.isFor(url) === false) return { kind: "unknown" };
  const abort = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => abort.abort());
  try {
    const response = await fetch(url, { signal: abort.signal, headers: headersOf(place) });
    if (response.ok) return readList(await response.json());
    response.discard();
    return response.status === 401 || response.status === 403
      ? { kind: "refused", status: response.status }
      : { kind: "unknown" };
  } catch (error) {
    // Words that are no JSON come from somebody; a refused or silent connection from nobody.
    return error instanceof SyntaxError ? { kind: "unknown" } : { kind: "silent" };
  } finally {
    cancel();
  }
}

function addressOf({ api, baseUrl }: { readonly api: ModelApi; readonly baseUrl: string }): string | undefined {
  switch (api) {
    case "ollama":
      return `${trimUrl(baseUrl, "/v1")}/api/tags`;
    case "anthropic-messages":
      return `${trimUrl(baseUrl, "/v1")}/v1/models?limit=100`;
    case "google-generative-ai":
      return `${trimUrl(baseUrl)}/models?pageSize=200`;
    case "openai-completions":
    case "openai-responses":
      return `${trimUrl(baseUrl)}/models`;
    default:
      return undefined;
  }
}

function headersOf({ api, access }: { readonly api: ModelApi; readonly access: Access | undefined }) {
  if (!access) return {};
  const secret = access.secret.reveal();
  if (api === "anthropic-messages") {
    const own = access.bearer ? { authorization: `Bearer ${secret}` } : { "x-api-key": secret };
    return { ...access.headers, ...own, "anthropic-version": "2023-06-01" };
  }
  if (api === "google-generative-ai") return { "x-goog-api-key": secret };
  return { ...access.headers, authorization: `Bearer ${secret}` };
}

function readList(answer: unknown): Served {
  const data = Data().safeParse(answer);
  const named = Named().safeParse(answer);
  const models = data.success
    ? data.data.data.map(({ id, display_name: name }) => ({ id, name: name ?? id }))
    : named.success
      ? named.data.models.map(({ name, displayName }) => {
          const id = name.replace(/^models\//, "");
          return { id, name: displayName ?? id };
        })
      : undefined;
  if (!models) return { kind: "unknown" };
  return { kind: "list", models: models.filter(({ id }) => !CANNOT_TALK.test(id)).slice(0, MOST_MODELS) };
}
