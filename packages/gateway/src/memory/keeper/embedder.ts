// The seam for embedders: who turns texts into vectors of one space.

export interface Embedder {
  /** As stored beside vectors: "local", "static", "openai" … */
  readonly provider: string;
  /** The space its vectors are in: vectors of two models are never compared. */
  readonly model: string;
  /** Accounts and endpoints of a provider, told apart; "" where there is one only. */
  readonly providerKey: string;
  /** What vectors of any two texts of one language have in common, and no score should have; usually nothing. */
  readonly common?: number;
  /** Vectors have length 1. One for each text, in their order. Throws MEMORY_EMBEDDING when it cannot. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Lets go of what it holds; the next text loads it again. */
  unload(): Promise<void>;
}

/** Some models embed questions otherwise than what is looked for. */
export type EmbeddingPurpose = "query" | "document";

/** What is asked, as a vector; `space` is the name of the one it is in. */
export interface QueryVector {
  readonly space: string;
  readonly vector: Float32Array;
  /** As its embedder says. */
  readonly common?: number;
}
