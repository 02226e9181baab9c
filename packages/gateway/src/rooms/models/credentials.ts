// Finds the keys of a provider outside of profiles: in the configuration, and in the environment under the usual names.
import { Secret, type ModelInfo } from "@chela/sdk";
import { compatOf, findModelView, type ProviderEntry } from "./catalog.ts";
import type { SecretView } from "./config-view.ts";
import { isOpen } from "./known-providers.ts";
import type { Access, GivenKey, GivenKeys } from "./profiles/profile.ts";
import { bedrockUrl, findAwsCredentials } from "./providers/aws/aws-access.ts";
import type { WireSettings } from "./providers/wire.ts";

const BEDROCK = "amazon-bedrock";
const AWS_NAMES = ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE"];

/** What OpenClaw writes where a key has to stand and the sign-in is meant. */
const STANDS_FOR_SIGN_IN = "qwen-oauth";

export type Env = Readonly<Record<string, string | undefined>>;

/** All keys that were given for a provider, what the configuration says first. */
export function findKeys(entry: ProviderEntry, env: Env): GivenKeys {
  const configured = fromConfig(entry, env);
  const keys = [...(configured?.kind === "found" ? [configured.key] : []), ...fromEnvironment(entry, env)];
  // An empty key in the configuration says that none shall be sent.
  if (configured?.kind === "not-needed") return { kind: "not-needed" };
  if (keys.length > 0) return { kind: "keys", keys };
  if (configured?.kind === "missing") return configured;
  if (!entry.known || isOpen(entry.known)) return { kind: "not-needed" };
  if (entry.known.signsIn) {
    return { kind: "missing", why: `nobody has signed in: chela models auth login --provider ${entry.id}` };
  }
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
  access: Access | undefined,
): { readonly kind: "ready"; readonly settings: WireSettings } | { readonly kind: "missing"; readonly why: string } {
  const baseUrl = entry.configured?.baseUrl ?? access?.resourceUrl ?? baseUrlOf(entry, env);
  if (!baseUrl) return { kind: "missing", why: `no address: set models.providers.${entry.id}.baseUrl` };
  if (access && !access.secret.isFor(baseUrl)) {
    const why = `the credential is only for ${access.secret.origin}, and calls go to ${baseUrl}; add it anew for that address`;
    return { kind: "missing", why };
  }
  const { auth, authHeader } = entry.configured ?? {};
  const headers = { ...entry.configured?.headers, ...findModelView(entry, model.id)?.headers };
  return {
    kind: "ready",
    settings: {
      provider: entry.id,
      modelId: model.id,
      baseUrl,
      bearer: authHeader ?? (access?.bearer || auth === "token" || auth === "oauth"),
      headers: joinHeaders(headers, access?.headers ?? {}),
      compat: compatOf(entry, model.id),
      ...(access?.projectId ? { projectId: access.projectId } : {}),
      ...(access?.aws ? { aws: access.aws } : access ? { apiKey: access.secret.reveal() } : {}),
    },
  };
}

/** Headers that both sides set are lists, as those that switch on features are. */
function joinHeaders(configured: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const joined: Record<string, string> = { ...configured };
  for (const [name, value] of Object.entries(own)) {
    const same = Object.keys(configured).find((candidate) => candidate.toLowerCase() === name) ?? name;
    joined[same] = joined[same] ? `${joined[same]},${value}` : value;
  }
  return joined;
}

export function baseUrlOf(entry: ProviderEntry, env: Env): string | undefined {
  if (entry.configured?.baseUrl) return entry.configured.baseUrl;
  if (entry.id === BEDROCK) return bedrockUrl(env);
  if (entry.id === "ollama" && env["OLLAMA_HOST"]) return ollamaUrl(env["OLLAMA_HOST"]);
  return entry.known?.baseUrl;
}

type Configured =
  | { readonly kind: "found"; readonly key: GivenKey }
  | { readonly kind: "not-needed" }
  | { readonly kind: "missing"; readonly why: string };

function fromConfig({ id, configured }: ProviderEntry, env: Env): Configured | undefined {
  const secret: SecretView | undefined = configured?.apiKey;
  if (secret === undefined) return undefined;
  const place = `models.providers.${id}.apiKey`;
  const found = (value: string, source: string): Configured => ({
    kind: "found",
    key: { origin: "config", key: new Secret(value), source },
  });
  if (secret === STANDS_FOR_SIGN_IN) return undefined;
  if (typeof secret === "string") return secret ? found(secret, place) : { kind: "not-needed" };
  if (secret.source !== "env") {
    return {
      kind: "missing",
      why: `${place} points to a secret (source "${secret.source}") that cannot be read; chela config validate says why`,
    };
  }
  const value = env[secret.id];
  if (value) return found(value, secret.id);
  return { kind: "missing", why: `${place} refers to the environment variable ${secret.id}, which is not set` };
}

function fromEnvironment(entry: ProviderEntry, env: Env): GivenKey[] {
  const name = entry.known?.keyNames.find((candidate) => env[candidate]);
  const value = name === undefined ? undefined : env[name];
  if (name && value) return [{ origin: "env", key: new Secret(value), source: name }];
  return entry.id === BEDROCK ? fromAws(entry, env) : [];
}

/** Files of the AWS tools are looked at only when somebody points to them, or wants Bedrock. */
function fromAws({ configured }: ProviderEntry, env: Env): GivenKey[] {
  if (!configured && !AWS_NAMES.some((name) => env[name])) return [];
  const found = findAwsCredentials(env);
  if (found.kind === "missing") return [];
  const { access, source } = found;
  return [{ origin: "env", key: new Secret(access.secretAccessKey), source, aws: access }];
}

/** OLLAMA_HOST may be a name, a port with a colon, or an address; 0.0.0.0 means "everywhere" and is reached at home. */
function ollamaUrl(host: string): string {
  const withScheme = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(":") ? "127.0.0.1" : ""}${host}`;
  const url = new URL(withScheme);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !/^https?:\/\//.test(host)) url.port = "11434";
  return url.href.replace(/\/+$/, "");
}
