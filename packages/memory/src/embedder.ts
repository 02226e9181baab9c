// The seam for embedders: who turns texts into vectors of one space.

export interface Embedder {
  /** As stored beside vectors: "local", "static", "openai" … */
  readonly provider: string;
  /** The space its vectors are in: vectors of two models are never compared. */
  readonly model: string;
  /** Accounts and endpoints of a provider, told apart; "" where there is one only. */
  readonly providerKey: string;
  readonly bias?: Bias;
  /** What it reads; undefined where nobody knows. */
  readonly languages?: "en" | "all";
  /** Vectors have length 1. One for each text, in their order. Throws MEMORY_EMBEDDING when it cannot. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Lets go of what it holds; the next text loads it again. */
  unload(): Promise<void>;
}

/** What makes cosines of an embedder higher than texts are alike. It is taken off, where it is known. */
export interface Bias {
  readonly crowd?: CrowdBias;
  /** The cosine of texts that have nothing in common; 0 unless told. */
  readonly common?: number;
}

/** A text that is near to others is near to questions about anything: a share of that is taken off. */
export interface CrowdBias {
  readonly share: number;
  /** How near others are to most texts: those keep their scores. */
  readonly usual: number;
  /** Texts that stand further apart than this gain no more by it. */
  readonly least: number;
}

/** Some models embed questions otherwise than what is looked for. */
export type EmbeddingPurpose = "query" | "document";

/** What is asked, as a vector; `space` is the name of the one it is in. */
export interface QueryVector {
  readonly space: string;
  readonly vector: Float32Array;
  readonly bias?: Bias;
}
