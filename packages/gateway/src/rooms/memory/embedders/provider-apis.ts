// APIs of the providers of embeddings: the address, what a request looks like, and where an answer has the vectors.
import * as z from "zod";
import { once } from "@chela/sdk";
import type { RemoteProvider } from "./default-models.ts";
import type { EmbeddingPurpose } from "@chela/memory";

export interface ProviderApi {
  readonly baseUrl: string;
  /** Of one request. Providers allow more texts, but their vectors are read in one go. */
  readonly limits: { readonly texts: number; readonly tokens: number };
  path(model: string): string;
  keyHeader(key: string): Record<string, string>;
  body(texts: readonly string[], model: string, purpose: EmbeddingPurpose): unknown;
  /** Undefined for what is no answer of this API. */
  read(answer: unknown): readonly (readonly number[])[] | undefined;
}

const MOST_TEXTS = 64;

/** Checked in one pass: a schema for each of a hundred thousand numbers would hold up everybody else. */
const vector = () =>
  z.custom<readonly number[]>((value) => Array.isArray(value) && value.length > 0 && value.every(Number.isFinite));

const listAnswer = once(() =>
  z.object({ data: z.array(z.object({ index: z.int().min(0).optional(), embedding: vector() })) }),
);
const geminiAnswer = once(() => z.object({ embeddings: z.array(z.object({ values: vector() })) }));

/** The shape OpenAI began with; most others, and servers on one's own machine, speak it too. */
const openaiShape = {
  path: () => "/embeddings",
  keyHeader: (key: string) => ({ authorization: `Bearer ${key}` }),
  body: (texts: readonly string[], model: string) => ({ model, input: texts }),
  read(answer: unknown) {
    const { data } = listAnswer().safeParse(answer);
    return data?.data
      .map(({ index, embedding }, at) => ({ index: index ?? at, embedding }))
      .sort((one, other) => one.index - other.index)
      .map(({ embedding }) => embedding);
  },
};

export const PROVIDER_APIS: Readonly<Record<RemoteProvider, ProviderApi>> = {
  openai: {
    ...openaiShape,
    baseUrl: "https://api.openai.com/v1",
    limits: { texts: MOST_TEXTS, tokens: 200_000 },
  },
  mistral: {
    ...openaiShape,
    baseUrl: "https://api.mistral.ai/v1",
    limits: { texts: MOST_TEXTS, tokens: 12_000 },
  },
  voyage: {
    ...openaiShape,
    baseUrl: "https://api.voyageai.com/v1",
    limits: { texts: MOST_TEXTS, tokens: 80_000 },
    body: (texts, model, purpose) => ({ model, input: texts, input_type: purpose }),
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    limits: { texts: MOST_TEXTS, tokens: 15_000 },
    path: (model) => `/models/${encodeURIComponent(bareName(model))}:batchEmbedContents`,
    keyHeader: (key) => ({ "x-goog-api-key": key }),
    body: (texts, model, purpose) => ({
      requests: texts.map((text) => ({
        model: `models/${bareName(model)}`,
        content: { parts: [{ text }] },
        taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
      })),
    }),
    read: (answer) =>
      geminiAnswer()
        .safeParse(answer)
        .data?.embeddings.map(({ values }) => values),
  },
};

function bareName(model: string): string {
  return model.replace(/^models\//, "");
}
