// Destinations of the configuration's secrets, so that a credential bound to one address goes to no other.
import { parsePath, type SecretAnswer, type SecretReference } from "../../rooms/config/room.ts";
import { findProvider } from "../../rooms/models/catalog.ts";
import type { ModelsConfigView } from "../../rooms/models/room.ts";
import type { FoundCredential, SourceSettings } from "../../rooms/vault/room.ts";

/** Channels whose platform has one address for everybody. */
const CHANNEL_ADDRESSES: Readonly<Record<string, string>> = {
  telegram: "https://api.telegram.org",
  discord: "https://discord.com",
  slack: "https://slack.com",
};

interface Finder {
  find(id: string): FoundCredential;
  follow(
    reference: { source: string; provider?: string | undefined; id: string },
    settings: SourceSettings,
  ): FoundCredential;
}

export function answerSecret(
  vault: Finder,
  reference: SecretReference,
  place: string,
  config: Readonly<Record<string, unknown>>,
): SecretAnswer {
  const found =
    reference.kind === "vault"
      ? vault.find(reference.id)
      : vault.follow(reference, reference.settings as SourceSettings);
  if (found.kind === "unknown") return { kind: "missing", why: "the vault has no such entry" };
  if (found.kind === "unreadable") return { kind: "missing", why: found.why };
  const { secret } = found;
  const address = secret.origin === undefined ? "" : addressOf(place, config);
  if (!secret.isFor(address ?? "")) {
    const where = address ? `what stands here is sent to ${address}` : "nobody knows where what stands here is sent to";
    return { kind: "missing", why: `it is only for ${secret.origin}, and ${where}` };
  }
  return { kind: "found", value: secret.reveal() };
}

/** The address that a text at this place of the configuration is sent to; undefined when that cannot be known. */
export function addressOf(place: string, config: Readonly<Record<string, unknown>>): string | undefined {
  const [section, name, ...rest] = parsePath(place).map(String);
  if (section === "models" && name === "providers" && rest[0] !== undefined) return providerAddress(rest[0], config);
  if (section !== "channels" || name === undefined) return undefined;
  return channelAddress(name, config, rest[0] === "accounts" ? rest[1] : undefined);
}

/** Where a channel's platform is reached, for one of its accounts. */
export function channelAddress(
  name: string,
  config: Readonly<Record<string, unknown>>,
  accountId?: string,
): string | undefined {
  const channel = partOf(partOf(config, "channels"), name);
  const account = accountId === undefined ? {} : partOf(partOf(channel, "accounts"), accountId);
  for (const block of [account, channel]) {
    for (const key of ["apiRoot", "baseUrl"]) if (typeof block[key] === "string") return block[key];
  }
  return Object.hasOwn(CHANNEL_ADDRESSES, name) ? CHANNEL_ADDRESSES[name] : undefined;
}

/** Where a provider of models is reached. */
export function providerAddress(provider: string, config: Readonly<Record<string, unknown>>): string | undefined {
  const entry = findProvider(config as ModelsConfigView, provider);
  return entry?.configured?.baseUrl ?? entry?.known?.baseUrl;
}

function partOf(value: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const part = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof part === "object" && part !== null ? (part as Record<string, unknown>) : {};
}
