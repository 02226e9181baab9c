// Runs the model that comes with Chela: text in, vector out. By the native runtime where the owner installed it, else by WebAssembly.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { ModelFiles } from "./model-files.ts";
import { toUnitLength } from "./unit-vector.ts";
import { CLASS_PIECE, END_PIECE, WordPieces } from "./word-pieces.ts";

/** What the two runtimes have in common, as far as we use it. */
interface Runtime {
  readonly InferenceSession: { create(model: string | Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => unknown;
}
interface Session {
  run(inputs: Record<string, unknown>): Promise<Record<string, { readonly data: Float32Array } | undefined>>;
}
interface WebRuntime extends Runtime {
  readonly env: { logLevel: string; wasm: { numThreads: number; wasmPaths: string } };
}

export interface ModelSession {
  readonly runtime: "native" | "wasm";
  /** Why the native runtime, though installed, is not the one. */
  readonly nativeFailure?: string;
  embed(text: string): Promise<Float32Array>;
}

export interface SessionWish {
  readonly files: ModelFiles;
  /** Main file of onnxruntime-node, where it is installed. */
  readonly native?: string | undefined;
}

const DIMENSIONS = 384;
/** The model sees no more at once, those that begin and end a text not counted. */
const MOST_PIECES = 510;
/** Longer texts are cut: a search does not need all of a book. */
const MOST_CHARS = 20_000;

export async function openModelSession({ files, native }: SessionWish): Promise<ModelSession> {
  const pieces = new WordPieces(readFileSync(files.vocabulary, "utf8"));
  let nativeFailure: string | undefined;
  if (native !== undefined) {
    try {
      const runtime = createRequire(import.meta.url)(native) as Runtime;
      const session = await runtime.InferenceSession.create(files.model, { intraOpNumThreads: 1 });
      return { runtime: "native", embed: (text) => embed(text, pieces, runtime, session) };
    } catch (error) {
      nativeFailure = String(error);
    }
  }
  const runtime = await openWebRuntime(files.runtime);
  const session = await runtime.InferenceSession.create(new Uint8Array(readFileSync(files.model)), {});
  const failure = nativeFailure === undefined ? {} : { nativeFailure };
  return { runtime: "wasm", ...failure, embed: (text) => embed(text, pieces, runtime, session) };
}

async function openWebRuntime(path: string): Promise<Runtime> {
  const runtime = (await import(pathToFileURL(path).href)) as WebRuntime;
  runtime.env.logLevel = "error";
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmPaths = `${pathToFileURL(dirname(path)).href}/`;
  return runtime;
}

/**
 * One text at a time: the model scales its numbers by the largest in a batch, so a text among others would have another
 * vector than by itself. Nothing is lost, since from fifty pieces on a batch is no faster.
 */
async function embed(text: string, pieces: WordPieces, runtime: Runtime, session: Session): Promise<Float32Array> {
  const ids = pieces.cut(text.slice(0, MOST_CHARS));
  const sum = new Float32Array(DIMENSIONS);
  for (const window of windowsOf(ids)) addStates(sum, await run(window, runtime, session));
  return toUnitLength(sum);
}

/** What does not fit is cut into parts of the same length, whose mean is taken. */
function windowsOf(ids: readonly number[]): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / MOST_PIECES));
  const size = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, at) => [CLASS_PIECE, ...ids.slice(at * size, (at + 1) * size), END_PIECE]);
}

async function run(ids: readonly number[], runtime: Runtime, session: Session): Promise<Float32Array> {
  const shape = [1, ids.length];
  const tensor = (data: BigInt64Array): unknown => new runtime.Tensor("int64", data, shape);
  const answer = await session.run({
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  });
  const states = answer["last_hidden_state"]?.data;
  if (states?.length !== ids.length * DIMENSIONS) throw new Error("the model gave something else than vectors");
  return states;
}

function addStates(sum: Float32Array, states: Float32Array): void {
  for (let start = 0; start < states.length; start += DIMENSIONS) {
    for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + (states[start + at] ?? 0);
  }
}
