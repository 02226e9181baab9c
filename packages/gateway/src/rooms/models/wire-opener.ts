// Makes the provider that a model is called through, with one credential; equal settings share one.
import { GatewayError, type Clock, type ModelApi, type ModelInfo, type ModelProvider } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { findProvider } from "./catalog.ts";
import type { ModelsConfigView } from "./config-view.ts";
import { toWireSettings, type Env } from "./credentials.ts";
import type { OpenedProvider } from "./failover/attempt.ts";
import type { AccessOutcome, Profile } from "./profiles/profile.ts";
import type { CopilotTokens } from "./providers/sign-in/copilot-tokens.ts";
import { makeFailure } from "./providers/failure.ts";
import { githubAddresses } from "./providers/sign-in/github-addresses.ts";
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

interface WantedWire {
  readonly api: Exclude<ModelApi, "demo">;
  readonly settings: WireSettings;
  /** Whose GitHub the login belongs to; the public one unless told. */
  readonly enterpriseUrl: string | undefined;
}

/** Access tokens change every few hours; the wires of old ones are let go. */
const MOST_WIRES = 100;

export function createWireOpener(
  parts: WireOpenerParts,
): (model: ModelInfo, profile: Profile) => Promise<OpenedProvider> {
  const { fetch, extra, clock } = parts;
  let demo: ModelProvider | undefined;
  const wires = new Map<string, Promise<ModelProvider>>();
  const copilotTokensOf = createCopilotTokensByGithub(parts);

  const createWire = async (wanted: WantedWire): Promise<ModelProvider> => {
    const { api, settings, enterpriseUrl } = wanted;
    const create = await loadWire(api);
    if (api !== "github-copilot") return create(settings, fetch, { clock });
    return create(settings, fetch, { clock, copilotTokens: await copilotTokensOf(enterpriseUrl) });
  };

  /** Connections and prepared schemas hang on these objects. */
  const openWire = (wanted: WantedWire): Promise<ModelProvider> => {
    const key = JSON.stringify([wanted.api, wanted.settings, wanted.enterpriseUrl]);
    const known = wires.get(key);
    if (known) return known;
    const wire = createWire(wanted);
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
    if (api === "demo") {
      const { createDemoModel } = await import("./demo.ts");
      return { kind: "ready", provider: (demo ??= createDemoModel(clock)) };
    }
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
      const enterpriseUrl = outcome.access?.enterpriseUrl;
      return { kind: "ready", provider: await openWire({ api, settings: wanted.settings, enterpriseUrl }) };
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      return { kind: "failed", failure: makeFailure("not-found", `${provider}: ${error.detail}`) };
    }
  };
}

/** One for each GitHub, shared by all models of Copilot there, so that they use one token. */
function createCopilotTokensByGithub(
  parts: WireOpenerParts,
): (enterpriseUrl: string | undefined) => Promise<CopilotTokens> {
  const byAddress = new Map<string, Promise<CopilotTokens>>();
  return (enterpriseUrl) => {
    const apiUrl = githubAddresses(enterpriseUrl).api;
    const known = byAddress.get(apiUrl);
    if (known) return known;
    const tokens = openCopilotTokens(parts, apiUrl);
    byAddress.set(apiUrl, tokens);
    tokens.catch(() => byAddress.delete(apiUrl));
    return tokens;
  };
}

/** The file holds the newest token of any GitHub; it says from which login that was made. */
async function openCopilotTokens(parts: WireOpenerParts, apiUrl: string): Promise<CopilotTokens> {
  const { fetch, clock, copilotTokenFile } = parts;
  const { createCopilotTokens } = await import("./providers/sign-in/copilot-tokens.ts");
  if (copilotTokenFile === undefined) return createCopilotTokens({ fetch, clock, apiUrl });
  const { openCopilotTokenFile } = await import("./providers/sign-in/copilot-token-file.ts");
  return createCopilotTokens({ fetch, clock, apiUrl, store: openCopilotTokenFile(copilotTokenFile) });
}
