// Finds the key of a provider: what the configuration says comes first, then the environment under the usual names.
import type { ModelInfo } from "@chela/sdk";
import { compatOf, findModelView, type ProviderEntry } from "./catalog.ts";
import type { WireSettings } from "./providers/wire.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export type Credential =
  | { readonly kind: "found"; readonly key: string; readonly source: string }
  /** The provider takes calls without a key, as local servers do. */
  | { readonly kind: "not-needed" }
  | { readonly kind: "missing"; readonly why: string };

export function findCredential(entry: ProviderEntry, env: Env): Credential {
  const given = entry.configured?.apiKey;
  if (given !== undefined) return fromConfig(entry.id, given, env);
  for (const name of entry.known?.keyNames ?? []) {
    const key = env[name];
    if (key) return { kind: "found", key, source: name };
  }
  if (!entry.known || entry.known.keyNames.length === 0) return { kind: "not-needed" };
  return {
    kind: "missing",
    why: `no key: set ${entry.known.keyNames.join(" or ")}, or models.providers.${entry.id}.apiKey`,
  };
}

/** Everything the wire needs, or the sentence why it cannot be had. */
export function toWireSettings(
  entry: ProviderEntry,
  model: ModelInfo,
  env: Env,
): { readonly kind: "ready"; readonly settings: WireSettings } | { readonly kind: "missing"; readonly why: string } {
  const credential = findCredential(entry, env);
  if (credential.kind === "missing") return credential;
  const baseUrl = baseUrlOf(entry, env);
  if (!baseUrl) return { kind: "missing", why: `no address: set models.providers.${entry.id}.baseUrl` };
  const { auth, authHeader } = entry.configured ?? {};
  return {
    kind: "ready",
    settings: {
      provider: entry.id,
      modelId: model.id,
      baseUrl,
      bearer: authHeader ?? (auth === "token" || auth === "oauth"),
      headers: { ...entry.configured?.headers, ...findModelView(entry, model.id)?.headers },
      compat: compatOf(entry, model.id),
      ...(credential.kind === "found" ? { apiKey: credential.key } : {}),
    },
  };
}

export function baseUrlOf(entry: ProviderEntry, env: Env): string | undefined {
  if (entry.configured?.baseUrl) return entry.configured.baseUrl;
  if (entry.id === "ollama" && env["OLLAMA_HOST"]) return ollamaUrl(env["OLLAMA_HOST"]);
  return entry.known?.baseUrl;
}

function fromConfig(provider: string, secret: string | { source: string; id: string }, env: Env): Credential {
  const place = `models.providers.${provider}.apiKey`;
  if (typeof secret === "string")
    return secret ? { kind: "found", key: secret, source: place } : { kind: "not-needed" };
  if (secret.source !== "env") {
    return {
      kind: "missing",
      why: `${place} has the source "${secret.source}"; only "env" and a plain value are supported`,
    };
  }
  const key = env[secret.id];
  if (key) return { kind: "found", key, source: secret.id };
  return { kind: "missing", why: `${place} refers to the environment variable ${secret.id}, which is not set` };
}

/** OLLAMA_HOST may be a name, a port with a colon, or an address; 0.0.0.0 means "everywhere" and is reached at home. */
function ollamaUrl(host: string): string {
  const withScheme = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(":") ? "127.0.0.1" : ""}${host}`;
  const url = new URL(withScheme);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !/^https?:\/\//.test(host)) url.port = "11434";
  return url.href.replace(/\/+$/, "");
}
