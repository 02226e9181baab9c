// The embedder for notes in any language: a model the owner installed, run like the one that comes along.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import type { Embedder } from "../embedder.ts";
import { openCrew, type LocalParts } from "./local-embedder.ts";
import { findModelFiles, NO_MODEL } from "./model-files.ts";

/** Without them it was not trained. */
const PREFIXES = { query: "query: ", document: "passage: " };
/** Its makers say that cosines of any two texts lie between 0.7 and 1. */
const COMMON = 0.7;

/** `folder` has its files; the runtime is that of the model that comes along. */
export function createMultilingualEmbedder(
  folder: string,
  parts: LocalParts,
  runtime = findModelFiles()?.runtime,
): Embedder {
  const [model, tokenizer] = [join(folder, "model.onnx"), join(folder, "tokenizer.json")];
  const threads =
    runtime === undefined
      ? undefined
      : openCrew(parts, { model, runtime, tokens: { kind: "tokenizer", path: tokenizer } });
  return {
    provider: "local",
    model: "multilingual-e5-small-q8",
    providerKey: "",
    languages: "all",
    bias: { common: COMMON },
    async embed(texts, purpose, signal) {
      if (!threads) throw new GatewayError("MEMORY_EMBEDDING", NO_MODEL);
      if (![model, tokenizer].every((path) => existsSync(path))) {
        throw new GatewayError("MEMORY_EMBEDDING", "the model for all languages is gone; install it again");
      }
      const prefix = PREFIXES[purpose];
      return threads.embed(
        texts.map((text) => prefix + text),
        purpose === "query",
        signal,
      );
    },
    async unload() {
      await threads?.unload();
    },
  };
}
