// The models room owns everything between a model request and its stream of events: which models exist, which one to
// use when nobody says, the credentials of providers, and the wire protocols they speak.
import {
  GatewayError,
  type Clock,
  type Logger,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from "@chela/sdk";
import { createHttpFetch, type HttpFetch } from "../base/http-fetch.ts";
import { findProvider, listProviders, modelsOf, resolveModel } from "./catalog.ts";
import type { ModelsConfigView } from "./config-view.ts";
import { findCredential, toWireSettings, type Env } from "./credentials.ts";
import { createDemoModel } from "./demo.ts";
import { createLocalServers, findDefaultModel, type DefaultModel } from "./detect.ts";
import { abortedEvent, isEnd } from "./providers/endings.ts";
import { cutFailure, makeFailure } from "./providers/failure.ts";
import { loadWire } from "./providers/wire.ts";

export type { ModelsConfigView } from "./config-view.ts";
export type { DefaultModel } from "./detect.ts";

export interface ModelsOptions {
  /** The configuration as it is now; asked at every call. */
  readonly config: () => ModelsConfigView;
  readonly env: () => Env;
  readonly clock: Clock;
  readonly log: Logger;
  readonly fetch?: HttpFetch;
  /** Providers beside the wire APIs, by id. */
  readonly providers?: Readonly<Record<string, ModelProvider>>;
}

export interface Models {
  /** The models that can be called right now. */
  list(): Promise<ModelInfo[]>;
  /** The model behind a reference or alias. Throws MODEL_UNKNOWN. */
  resolve(ref: string): ModelInfo;
  defaultModel(): Promise<DefaultModel>;
  /** Keeps the contract of ModelProvider.stream, whatever the provider does. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  close(): void;
}

export function createModels(options: ModelsOptions): Models {
  const { clock, log } = options;
  const fetch = options.fetch ?? createHttpFetch();
  const local = createLocalServers(fetch, clock);
  const demo = createDemoModel(clock);
  const extra = options.providers ?? {};
  const wires = new Map<string, Promise<ModelProvider>>();

  /** Connections and prepared schemas hang on these objects, so equal settings share one. */
  const openWire = (model: ModelInfo): Promise<ModelProvider> | ModelProvider | undefined => {
    if (Object.hasOwn(extra, model.provider)) return extra[model.provider];
    if (model.api === "demo") return demo;
    const { api } = model;
    const entry = findProvider(options.config(), model.provider);
    if (!entry) return failingProvider(model, `the provider is no longer in the configuration`, "not-found");
    const wanted = toWireSettings(entry, model, options.env());
    if (wanted.kind === "missing") return failingProvider(model, wanted.why, "auth");
    const key = JSON.stringify([api, wanted.settings]);
    let wire = wires.get(key);
    if (!wire) {
      wire = loadWire(api, model.provider).then((create) => create(wanted.settings, fetch));
      wires.set(key, wire);
      // A chunk that could not be loaded is tried again at the next call.
      wire.catch(() => wires.delete(key));
    }
    return wire;
  };

  return {
    resolve(ref) {
      const provider = ref.slice(0, Math.max(0, ref.indexOf("/")));
      return Object.hasOwn(extra, provider) ? describeExtra(provider, ref) : resolveModel(options.config(), ref);
    },
    async list() {
      const config = options.config();
      const env = options.env();
      const usable = listProviders(config).filter((entry) => {
        if (entry.configured) return true;
        return (entry.known?.keyNames.length ?? 0) === 0 || findCredential(entry, env).kind === "found";
      });
      const found = [...usable.flatMap((entry) => modelsOf(entry)), ...(await local.find(config, env))];
      return [...new Map(found.map((model) => [`${model.provider}/${model.id}`, model])).values()];
    },
    defaultModel: () => findDefaultModel(options.config(), options.env(), local),
    async *stream(request, signal) {
      const { provider, id } = request.model;
      try {
        const wire = await openWire(request.model);
        if (!wire) throw new GatewayError("MODEL_UNKNOWN", `"${provider}/${id}"`);
        for await (const event of wire.stream(request, signal)) {
          yield event;
          if (isEnd(event)) return;
        }
        yield signal.aborted ? abortedEvent() : { kind: "failure", failure: cutFailure(provider) };
      } catch (error) {
        log.error("A model provider broke its promise not to throw", { provider, model: id, error: String(error) });
        yield { kind: "failure", failure: makeFailure("unknown", `${provider} failed in a way it should not`) };
      }
    },
    close: () => fetch.close(),
  };
}

function failingProvider(model: ModelInfo, why: string, reason: "auth" | "not-found"): ModelProvider {
  return {
    id: model.provider,
    async *stream() {
      yield { kind: "failure", failure: makeFailure(reason, `${model.provider}: ${why}`) };
    },
  };
}

function describeExtra(provider: string, ref: string): ModelInfo {
  const id = ref.slice(provider.length + 1);
  return {
    provider,
    id,
    name: id,
    api: "demo",
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 128_000,
    maxTokens: 8_192,
  };
}
