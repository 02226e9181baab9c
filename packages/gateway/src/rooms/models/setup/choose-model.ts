// Configuration patch for a model that shall answer; never a key.
import { GatewayError } from "@chela/sdk";
import { findProvider } from "../catalog.ts";
import type { ModelsConfigView } from "../config-view.ts";
import type { Env } from "../credentials.ts";
import { listModel } from "../default-choice.ts";
import { readAddress } from "./read-address.ts";

export interface ModelChoice {
  /** "provider/model". */
  readonly ref: string;
  /** To be merged into the configuration. */
  readonly patch: Readonly<Record<string, unknown>>;
}

/**
 * Throws PROVIDER_SETUP. `credentials` names what is kept for the provider beside the key that was given with this
 * choice: all of it would be sent to the address of the provider from now on.
 */
export function chooseModel(
  choice: { readonly provider: string; readonly baseUrl?: string | undefined; readonly model: string },
  { config, env, credentials }: { config: ModelsConfigView; env: Env; credentials: readonly string[] },
): ModelChoice {
  const { provider } = choice;
  const id = choice.model.trim();
  if (!id || /\s/.test(id)) throw new GatewayError("PROVIDER_SETUP", `"${choice.model}" cannot be the name of a model`);
  const { baseUrl, isElsewhere } = readAddress(choice, config, env);
  const kept = [...credentials, ...Object.keys(config.models?.providers?.[provider]?.headers ?? {})];
  if (isElsewhere && kept.length > 0) {
    throw new GatewayError(
      "PROVIDER_SETUP",
      `${kept.join(", ")} of "${provider}" was given for another address and must not be sent to ${baseUrl}; choose another id for the provider`,
    );
  }
  const ref = `${provider}/${id}`;
  const defaults = config.agents?.defaults ?? {};
  // Fallbacks that somebody chose stay.
  const model = typeof defaults.model === "object" ? { primary: ref } : ref;
  return {
    ref,
    patch: {
      agents: { defaults: { model, ...listModel(defaults, ref) } },
      ...(isElsewhere ? { models: { providers: { [provider]: providerAt(provider, baseUrl, id, config) } } } : {}),
    },
  };
}

function providerAt(provider: string, baseUrl: string, model: string, config: ModelsConfigView) {
  const { known, configured } = findProvider(config, provider) ?? {};
  const models = configured?.models ?? [];
  const isListed = models.some(({ id }) => id === model);
  return {
    baseUrl,
    ...(known || configured?.api ? {} : { api: "openai-completions" }),
    models: isListed ? models : [...models, { id: model, name: model }],
  };
}
