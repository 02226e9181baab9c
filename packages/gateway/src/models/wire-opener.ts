// Makes the provider that a model is called through, with one credential; equal settings share one.
import { GatewayError, type Clock, type ModelApi, type ModelInfo, type ModelProvider } from "@chela/sdk";
import type { HttpFetch } from "../base/http-fetch.ts";
import { findProvider } from "./catalog.ts";
import type { ModelsConfigView } from "./config-view.ts";
import { toWireSettings, type Env } from "./credentials.ts";
import { createDemoModel } from "./demo.ts";
import type { Opened } from "./failover/attempt.ts";
import type { AccessOutcome, Profile } from "./profiles/profile.ts";
import { makeFailure } from "./providers/failure.ts";
import type { CopilotTokens } from "./providers/copilot-tokens.ts";
import { loadWire, type WireSettings } from "./providers/wire.ts";

export interface WireOpenerParts {
  readonly config: () => ModelsConfigView;
  readonly env: () => Env;
  readonly clock: Clock;
  readonly fetch: HttpFetch;
  readonly extra: Readonly<Record<string, ModelProvider>>;
  /** Keeps the token of GitHub Copilot over a restart. */
  readonly copilotTokenFile: string | undefined;
  readonly book: { access(profile: Profile): Promise<AccessOutcome> };
}

/** Access tokens change every few hours; the wires of old ones are let go. */
const MOST_WIRES = 100;

export function createWireOpener(parts: WireOpenerParts): (model: ModelInfo, profile: Profile) => Promise<Opened> {
  const { fetch, extra, clock } = parts;
  const demo = createDemoModel(clock);
  const wires = new Map<string, Promise<ModelProvider>>();

  let copilotTokens: Promise<CopilotTokens> | undefined;

  const createWire = async (api: Exclude<ModelApi, "demo">, settings: WireSettings): Promise<ModelProvider> => {
    const create = await loadWire(api);
    if (api !== "github-copilot") return create(settings, fetch, { clock });
    copilotTokens ??= openCopilotTokens(parts);
    return create(settings, fetch, { clock, copilotTokens: await copilotTokens });
  };

  /** Connections and prepared schemas hang on these objects. */
  const openWire = (api: Exclude<ModelApi, "demo">, settings: WireSettings): Promise<ModelProvider> => {
    const key = JSON.stringify([api, settings]);
    const known = wires.get(key);
    if (known) return known;
    const wire = createWire(api, settings);
    wires.set(key, wire);
    // A chunk that could not be loaded is tried again at the next call.
    wire.catch(() => wires.delete(key));
    for (const oldest of wires.keys()) {
      if (wires.size <= MOST_WIRES) break;
      wires.delete(oldest);
    }
    return wire;
  };

  return async (model, profile) => {
    const { provider, api } = model;
    const given = Object.hasOwn(extra, provider) ? extra[provider] : undefined;
    if (given) return { kind: "ready", provider: given };
    if (api === "demo") return { kind: "ready", provider: demo };
    const entry = findProvider(parts.config(), provider);
    if (!entry) {
      const why = `${provider}: the provider is no longer in the configuration`;
      return { kind: "failed", failure: makeFailure("not-found", why) };
    }
    const outcome = await parts.book.access(profile);
    if (outcome.kind === "failed") return outcome;
    const wanted = toWireSettings(entry, model, parts.env(), outcome.access);
    if (wanted.kind === "missing")
      return { kind: "failed", failure: makeFailure("auth", `${provider}: ${wanted.why}`) };
    try {
      return { kind: "ready", provider: await openWire(api, wanted.settings) };
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      return { kind: "failed", failure: makeFailure("not-found", `${provider}: ${error.detail}`) };
    }
  };
}

/** Shared by all models of Copilot, so that they use one token. */
async function openCopilotTokens({ fetch, clock, copilotTokenFile }: WireOpenerParts): Promise<CopilotTokens> {
  const { createCopilotTokens } = await import("./providers/copilot-tokens.ts");
  if (copilotTokenFile === undefined) return createCopilotTokens({ fetch, clock });
  const { openCopilotTokenFile } = await import("./providers/copilot-token-file.ts");
  return createCopilotTokens({ fetch, clock, store: openCopilotTokenFile(copilotTokenFile) });
}
