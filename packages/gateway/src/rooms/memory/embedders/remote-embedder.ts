// Vectors from a provider elsewhere, or from a server the owner runs: asked by the gateway, which has the keys and the network.
import { GatewayError, type Clock, type Logger, type Secret } from "@chela/sdk";
import type { SafeFetch } from "../../../base/http/safe-fetch.ts";
import { type EmbeddingPurpose, toUnitLength } from "@chela/memory";
import { batchTexts } from "./batch-texts.ts";
import { callProvider } from "./call-provider.ts";
import { defaultRemoteModel, type RemoteProvider } from "./default-models.ts";
import { PROVIDER_APIS } from "./provider-apis.ts";

export interface RemoteEmbedderParts {
  readonly provider: RemoteProvider;
  /** The provider's usual one where the owner named none. */
  readonly model?: string | undefined;
  /** The owner's own endpoint, which may be on this machine; it need not ask for a key. */
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  apiKey(): Promise<Secret | undefined>;
  readonly fetch: SafeFetch;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RemoteEmbedder {
  /** Vectors have length 1, one for each text in their order. Throws MEMORY_EMBEDDING; its cause may tell `retryAfterMs`. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>;
}

export function createRemoteEmbedder(parts: RemoteEmbedderParts): RemoteEmbedder {
  const { provider } = parts;
  const api = PROVIDER_APIS[provider];
  const model = parts.model ?? defaultRemoteModel(provider);
  const url = `${(parts.baseUrl ?? api.baseUrl).replace(/\/+$/, "")}${api.path(model)}`;
  let dimensions: number | undefined;
  return {
    async embed(texts, purpose, signal) {
      if (!URL.canParse(url)) throw refuse(`${parts.baseUrl} is no web address`);
      const vectors: Float32Array[] = [];
      for (const batch of batchTexts(texts, api.limits)) {
        signal?.throwIfAborted();
        const headers = { ...(await keyHeaders(url, parts)), ...parts.headers };
        const call = {
          url,
          headers,
          body: api.body(batch, model, purpose),
          isOwners: parts.baseUrl !== undefined,
          isUrgent: purpose === "query",
          signal,
        };
        const read = api.read(await callProvider(call, parts));
        if (read?.length !== batch.length) throw refuse(`${provider} gave something else than ${batch.length} vectors`);
        for (const numbers of read) {
          dimensions ??= numbers.length;
          if (numbers.length !== dimensions) throw refuse(`${provider} gave vectors of different lengths`);
          vectors.push(toVector(numbers, provider));
        }
      }
      return vectors;
    },
  };
}

function toVector(numbers: readonly number[], provider: string): Float32Array {
  try {
    return toUnitLength(Float32Array.from(numbers));
  } catch {
    throw refuse(`${provider} gave numbers that are too large`);
  }
}

async function keyHeaders(url: string, { provider, baseUrl, apiKey }: RemoteEmbedderParts) {
  const key = await apiKey();
  if (!key) {
    if (baseUrl !== undefined) return {};
    throw refuse(`there is no key for ${provider}`);
  }
  if (!key.isFor(url)) throw refuse(`the key for ${provider} may not be sent to ${new URL(url).host}`);
  return PROVIDER_APIS[provider].keyHeader(key.reveal());
}

function refuse(why: string): GatewayError {
  return new GatewayError("MEMORY_EMBEDDING", why);
}
