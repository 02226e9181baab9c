// Chooses who makes vectors for an agent, by its settings. The model on this machine is loaded once, whoever uses it.
import { dirname } from "node:path";
import type { Clock } from "@chela/sdk";
import type { Embedder, EmbeddingPurpose } from "./embedder.ts";
import { createAskedEmbedder } from "./embedding/asked-embedder.ts";
import { createGgufEmbedder } from "./embedding/gguf-embedder.ts";
import { createLocalEmbedder } from "./embedding/local-embedder.ts";
import { createMultilingualEmbedder } from "./embedding/multilingual-embedder.ts";
import { createStaticEmbedder } from "./embedding/static-embedder.ts";
import type { EmbedderSet } from "./index/memory-index.ts";
import type { KeeperLog } from "./keeper-log.ts";
import type { IndexSettings } from "./messages.ts";

export interface EmbeddersParts {
  readonly clock: Clock;
  readonly log: KeeperLog;
  /** Vectors of the remote model an agent is configured with. */
  ask(agentId: string, texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
}

export class Embedders {
  readonly #parts: EmbeddersParts;
  readonly #shared = new Map<string, Embedder | undefined>();

  constructor(parts: EmbeddersParts) {
    this.#parts = parts;
  }

  choose({ agentId, embedding, path }: IndexSettings): EmbedderSet {
    if (embedding.kind === "none") return {};
    // Runtimes that the owner installed beside the state are found there.
    const parts = { ...this.#parts, packageFolders: [dirname(dirname(path))] };
    const local = (): Embedder => this.#once("local", () => createLocalEmbedder(parts)) as Embedder;
    const instant = this.#once("static", () => createStaticEmbedder());
    const still = instant ? { instant } : {};
    if (embedding.kind === "local") {
      const { modelFolder } = embedding;
      if (modelFolder === undefined) return { main: local(), ...still };
      const make = (): Embedder => createMultilingualEmbedder(modelFolder, parts);
      return { main: this.#once(`model ${modelFolder}`, make) as Embedder, former: local() };
    }
    if (embedding.kind === "gguf") {
      const { modelPath } = embedding;
      const main = this.#once(`gguf ${modelPath}`, () => createGgufEmbedder(modelPath, parts)) as Embedder;
      return { main, former: local(), ...still };
    }
    const { provider, model, providerKey, fallsBackToLocal } = embedding;
    const ask = (texts: readonly string[], purpose: EmbeddingPurpose) => this.#parts.ask(agentId, texts, purpose);
    const main = createAskedEmbedder({ provider, model, providerKey, ask });
    return { main, ...(fallsBackToLocal ? { fallback: local() } : { former: local() }), ...still };
  }

  async unload(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((embedder) => embedder?.unload()));
  }

  #once(name: string, make: () => Embedder | undefined): Embedder | undefined {
    if (!this.#shared.has(name)) this.#shared.set(name, make());
    return this.#shared.get(name);
  }
}
