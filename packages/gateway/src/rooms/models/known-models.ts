// The models that work without being described in the configuration, read from the catalogue when they are asked for.
import type { ModelPrice } from "@chela/sdk";
import catalog from "./catalog-data.json" with { type: "json" };
import type { CompatView } from "./config-view.ts";

export interface KnownModel {
  readonly id: string;
  readonly name: string;
  readonly reasoning: boolean;
  readonly input: readonly ("text" | "image")[];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly price?: ModelPrice;
  readonly compat?: CompatView;
}

const TEXT_AND_IMAGE = ["text", "image"] as const;
const TEXT = ["text"] as const;

export const DEMO_MODEL: KnownModel = {
  id: "demo",
  name: "Demo (not a language model)",
  reasoning: true,
  input: TEXT,
  contextWindow: 32_000,
  maxTokens: 4_000,
  price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** In the form of the catalogue, for providers that it lacks. */
const FURTHER_MODELS: Readonly<Record<string, readonly string[]>> = {
  "google-gemini-cli": [
    "gemini-3.1-pro-preview|Gemini 3.1 Pro Preview|ri|1048576|65536",
    "gemini-3-pro-preview|Gemini 3 Pro Preview|ri|1048576|65536",
    "gemini-3-flash-preview|Gemini 3 Flash Preview|ri|1048576|65536",
    "gemini-2.5-pro|Gemini 2.5 Pro|ri|1048576|65536",
    "gemini-2.5-flash|Gemini 2.5 Flash|ri|1048576|65536",
  ],
  "qwen-portal": ["coder-model|Qwen Coder||128000|8192", "vision-model|Qwen Vision|i|128000|8192"],
};

/** The models of a provider, as the catalogue has them. */
export function readCatalog(provider: string): readonly KnownModel[] {
  const known: Readonly<Record<string, readonly string[]>> = { ...FURTHER_MODELS, ...catalog.models };
  return (Object.hasOwn(known, provider) ? (known[provider] ?? []) : []).map(readRow);
}

function readRow(row: string): KnownModel {
  const [id = "", name = "", marks = "", contextWindow, maxTokens, ...prices] = row.split("|");
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = prices.map(Number);
  const compat = readMarks(marks);
  return {
    id,
    name,
    reasoning: marks.includes("r"),
    input: marks.includes("i") ? TEXT_AND_IMAGE : TEXT,
    contextWindow: Number(contextWindow),
    maxTokens: Number(maxTokens),
    ...(prices.length > 0 ? { price: { input, output, cacheRead, cacheWrite } } : {}),
    ...(compat ? { compat } : {}),
  };
}

function readMarks(marks: string): CompatView | undefined {
  if (marks.includes("z")) return { thinkingFormat: "zai" };
  if (marks.includes("q")) return { thinkingFormat: "qwen" };
  return marks.includes("n") ? { supportsReasoningEffort: false } : undefined;
}
