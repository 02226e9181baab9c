// The keeper's side of a remote model: the gateway, which has the keys and the network, is asked for the vectors.
import { GatewayError } from "@chela/sdk";
import { orAborted } from "@chela/sdk/base";
import type { Embedder, EmbeddingPurpose } from "../embedder.ts";

export interface AskedParts {
  readonly provider: string;
  readonly model: string;
  readonly providerKey: string;
  /** Gives vectors of length 1, as the gateway makes them. */
  ask(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
}

export function createAskedEmbedder({ provider, model, providerKey, ask }: AskedParts): Embedder {
  return {
    provider,
    model,
    providerKey,
    async embed(texts, purpose, signal) {
      if (texts.length === 0) return [];
      const asked = ask(texts, purpose);
      const vectors = await (signal ? orAborted(asked, signal) : asked);
      if (vectors.length !== texts.length) {
        throw new GatewayError(
          "MEMORY_EMBEDDING",
          `${provider} gave ${vectors.length} vectors for ${texts.length} texts`,
        );
      }
      return vectors;
    },
    async unload() {},
  };
}
