// Runs a model on this machine: text in, vector out. By the native runtime where the owner installed it, else by WebAssembly.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { openTokens, type Tokens, type TokensWish } from "./open-tokens.ts";
import { toUnitLength } from "./unit-vector.ts";

/** What the two runtimes have in common, as far as we use it. */
interface Runtime {
  readonly InferenceSession: { create(model: string | Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => unknown;
}
interface Session {
  readonly inputNames: readonly string[];
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
  /** An ONNX file that gives a state for each token. */
  readonly model: string;
  /** Main file of onnxruntime-web. */
  readonly runtime: string;
  readonly tokens: TokensWish;
  /** Main file of onnxruntime-node, where it is installed. */
  readonly native?: string | undefined;
}

/** Models see no more at once, those that begin and end a text not counted. */
const MOST_PIECES = 510;
/** Longer texts are cut: a search does not need all of a book. */
const MOST_CHARS = 20_000;

export async function openModelSession({
  model,
  runtime: web,
  tokens: wish,
  native,
}: SessionWish): Promise<ModelSession> {
  const tokens = await openTokens(wish);
  let nativeFailure: string | undefined;
  if (native !== undefined) {
    try {
      const runtime = createRequire(import.meta.url)(native) as Runtime;
      const session = await runtime.InferenceSession.create(model, { intraOpNumThreads: 1 });
      return { runtime: "native", embed: (text) => embed(text, tokens, runtime, session) };
    } catch (error) {
      nativeFailure = String(error);
    }
  }
  const runtime = await openWebRuntime(web);
  const session = await runtime.InferenceSession.create(new Uint8Array(readFileSync(model)), {});
  const failure = nativeFailure === undefined ? {} : { nativeFailure };
  return { runtime: "wasm", ...failure, embed: (text) => embed(text, tokens, runtime, session) };
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
async function embed(text: string, tokens: Tokens, runtime: Runtime, session: Session): Promise<Float32Array> {
  let sum: Float32Array | undefined;
  for (const window of windowsOf(tokens.cut(text.slice(0, MOST_CHARS)), tokens)) {
    const states = await run(window, runtime, session);
    sum ??= new Float32Array(states.length / window.length);
    addStates(sum, states);
  }
  return toUnitLength(sum ?? new Float32Array());
}

/** What does not fit is cut into parts of the same length, whose mean is taken. */
function windowsOf(ids: readonly number[], { begin, end }: Tokens): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / MOST_PIECES));
  const size = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, at) => [...begin, ...ids.slice(at * size, (at + 1) * size), ...end]);
}

async function run(ids: readonly number[], runtime: Runtime, session: Session): Promise<Float32Array> {
  const shape = [1, ids.length];
  const tensor = (data: BigInt64Array): unknown => new runtime.Tensor("int64", data, shape);
  const inputs: Record<string, unknown> = {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
  // Some models want fewer of them.
  const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  const states = (await session.run(Object.fromEntries(wanted)))["last_hidden_state"]?.data;
  if (!states || states.length === 0 || states.length % ids.length !== 0) {
    throw new Error("the model gave something else than vectors");
  }
  return states;
}

function addStates(sum: Float32Array, states: Float32Array): void {
  for (let start = 0; start < states.length; start += sum.length) {
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (states[start + at] ?? 0);
  }
}
