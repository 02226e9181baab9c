// The provider a person means, with the address they gave. A key that was given for one address never goes to another.
import { GatewayError } from "@chela/sdk";
import { findProvider, type ProviderEntry } from "../catalog.ts";
import type { ModelsConfigView } from "../config-view.ts";
import { baseUrlOf, type Env } from "../credentials.ts";
import { trimUrl } from "../providers/wire.ts";

export interface Addressed {
  readonly entry: ProviderEntry;
  readonly baseUrl: string;
  /** It is not the address that is known or configured: nothing that was given for that one is sent here. */
  readonly isElsewhere: boolean;
}

const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Throws PROVIDER_SETUP. */
export function readAddress(
  question: { readonly provider: string; readonly baseUrl?: string | undefined },
  config: ModelsConfigView,
  env: Env,
): Addressed {
  const { provider } = question;
  const entry = findProvider(config, provider);
  if ((!entry && !PROVIDER_ID.test(provider)) || entry?.known?.api === "demo") {
    throw new GatewayError(
      "PROVIDER_SETUP",
      `"${provider}" cannot be the id of a provider; write small letters, digits and . _ -`,
    );
  }
  const own = entry && baseUrlOf(entry, env);
  const wanted = question.baseUrl?.trim();
  if (!wanted || (own !== undefined && trimUrl(wanted) === trimUrl(own))) {
    if (entry && own) return { entry, baseUrl: own, isElsewhere: false };
    throw new GatewayError("PROVIDER_SETUP", `"${provider}" is not a known provider, so its address is needed`);
  }
  const baseUrl = trimUrl(requireHttp(wanted));
  const { known } = entry ?? {};
  const api = entry?.configured?.api;
  const elsewhere = { id: provider, ...(known ? { known } : {}), configured: { baseUrl, ...(api ? { api } : {}) } };
  return { entry: elsewhere, baseUrl, isElsewhere: true };
}

function requireHttp(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:") || !url.hostname) {
    throw new GatewayError(
      "PROVIDER_SETUP",
      `"${withoutQuery(text)}" is no address of a model server; write it as https://…`,
    );
  }
  if (url.username || url.password) {
    throw new GatewayError("PROVIDER_SETUP", "the address holds a name or a password; give the key by itself instead");
  }
  if (url.search || url.hash) {
    throw new GatewayError("PROVIDER_SETUP", "the address of a model server ends before ? and #");
  }
  return url.href;
}

/** What was typed may hold a key behind the question mark. */
function withoutQuery(text: string): string {
  return text.replace(/[?#@].*$/s, "").slice(0, 200);
}
