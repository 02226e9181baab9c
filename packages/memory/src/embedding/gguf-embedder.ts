// The embedder for a model file the owner has: a GGUF, run by node-llama-cpp where the owner installed that.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { GatewayError, type Clock } from "@chela/sdk";
import type { Embedder } from "../embedder.ts";
import type { KeeperLog } from "../keeper-log.ts";
import { findPackage } from "./find-package.ts";
import { toUnitLength } from "./unit-vector.ts";

export interface GgufParts {
  readonly clock: Clock;
  readonly log: KeeperLog;
  /** Folders the owner may have installed node-llama-cpp into. */
  readonly packageFolders?: readonly string[];
}

/** As much of node-llama-cpp as is used here. */
interface LlamaLibrary {
  getLlama(options: object): Promise<{ loadModel(options: { modelPath: string }): Promise<LlamaModel> }>;
}
interface LlamaModel {
  createEmbeddingContext(): Promise<LlamaContext>;
  tokenize(text: string): readonly number[];
  readonly trainContextSize: number;
  dispose(): Promise<void>;
}
interface LlamaContext {
  getEmbeddingFor(input: readonly number[]): Promise<{ readonly vector: readonly number[] }>;
}

interface Loaded {
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly mostTokens: number;
}

const LIBRARY = "node-llama-cpp";
const IDLE_MS = 60_000;
/** Longer texts are cut: a search does not need all of a book. */
const MOST_CHARS = 20_000;
const MOST_TOKENS = 2048;
/** What a model may put around a text. */
const SPARE_TOKENS = 8;
/** Only what is installed: nothing is fetched, nothing is compiled. */
const AS_INSTALLED = { build: "never", skipDownload: true, progressLogs: false, logLevel: "error" };

export function createGgufEmbedder(modelPath: string, parts: GgufParts): Embedder {
  const { clock, log } = parts;
  let loading: Promise<Loaded> | undefined;
  let cancelIdle: (() => void) | undefined;
  /** Nobody takes the model away from those who are at it. */
  let users = 0;
  const unload = async (): Promise<void> => {
    cancelIdle?.();
    const loaded = await loading?.catch(() => undefined);
    loading = undefined;
    await loaded?.model.dispose();
  };
  const load = (): Promise<Loaded> => {
    const startedAt = clock.now();
    const started = openModel(modelPath, parts.packageFolders ?? []);
    started.then(
      () => log("info", "The embedding model is loaded", { model: basename(modelPath), ms: clock.now() - startedAt }),
      () => (loading = undefined),
    );
    return started;
  };
  return {
    provider: "local",
    model: basename(modelPath),
    providerKey: "",
    async embed(texts, _purpose, signal) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      cancelIdle?.();
      users += 1;
      try {
        const loaded = await (loading ??= load());
        const vectors: Float32Array[] = [];
        for (const text of texts) {
          signal?.throwIfAborted();
          vectors.push(await embedOne(text, loaded));
        }
        return vectors;
      } finally {
        users -= 1;
        if (users === 0) cancelIdle = clock.after(IDLE_MS, () => void unload());
      }
    },
    unload,
  };
}

async function embedOne(text: string, { model, context, mostTokens }: Loaded): Promise<Float32Array> {
  try {
    const tokens = model.tokenize(text.slice(0, MOST_CHARS)).slice(0, mostTokens);
    const { vector } = await context.getEmbeddingFor(tokens);
    return toUnitLength(Float32Array.from(vector));
  } catch (error) {
    throw new GatewayError("MEMORY_EMBEDDING", "the model failed on a text", { cause: error });
  }
}

async function openModel(modelPath: string, folders: readonly string[]): Promise<Loaded> {
  if (/^(?:https?|hf):/i.test(modelPath)) {
    throw refuse(`${modelPath} is no file; fetch the model first, and name the file in memorySearch.local.modelPath`);
  }
  if (!existsSync(modelPath)) throw refuse(`there is no model at ${modelPath}`);
  const main = findPackage(LIBRARY, folders);
  if (main === undefined) {
    throw refuse(
      `models in GGUF files need ${LIBRARY}; install it beside chela, or leave out memorySearch.local.modelPath`,
    );
  }
  try {
    const library = (await import(pathToFileURL(main).href)) as LlamaLibrary;
    const model = await (await library.getLlama(AS_INSTALLED)).loadModel({ modelPath });
    const context = await model.createEmbeddingContext();
    const mostTokens = Math.min(MOST_TOKENS, model.trainContextSize) - SPARE_TOKENS;
    return { model, context, mostTokens };
  } catch (error) {
    throw refuse(`the model ${basename(modelPath)} cannot be run`, error);
  }
}

function refuse(why: string, cause?: unknown): GatewayError {
  return new GatewayError("MEMORY_EMBEDDING", why, { cause });
}
