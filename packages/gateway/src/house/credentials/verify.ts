// Asks a service whether it takes a credential. Never throws for what the other side says.
import { GatewayError, type Secret } from "@chela/sdk";
import type { SafeFetch } from "../../base/http/safe-fetch.ts";
import { channelAddress } from "./credential-places.ts";
import type { Models } from "../../rooms/models/room.ts";
import type { CredentialView, FoundCredential, Verification } from "../../rooms/vault/room.ts";
import { parseJson } from "@chela/sdk/base";

export interface VerifyParts {
  readonly fetch: SafeFetch;
  readonly models: Pick<Models, "setup">;
  config(): Readonly<Record<string, unknown>>;
  /** Providers of models, by id. */
  isProvider(service: string): boolean;
}

interface ChannelCheck {
  /** What the token of a bot looks like: other secrets of the channel cannot be asked for. */
  readonly token: RegExp;
  readonly root: string;
  address(root: string, token: string): string;
  headers(token: string): Record<string, string>;
  accepts(status: number, body: unknown): boolean;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

const CHANNELS: Readonly<Record<string, ChannelCheck>> = {
  telegram: {
    token: /^\d+:[\w-]+$/,
    root: "https://api.telegram.org",
    address: (root, token) => `${root}/bot${token}/getMe`,
    headers: () => ({}),
    accepts: (_status, body) => isOk(body),
  },
  discord: {
    token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    root: "https://discord.com/api/v10",
    address: (root) => `${root}/users/@me`,
    headers: (token) => ({ authorization: `Bot ${token}` }),
    accepts: (status) => status === 200,
  },
  slack: {
    token: /^xox[bp]-/,
    root: "https://slack.com/api",
    address: (root) => `${root}/auth.test`,
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    accepts: (_status, body) => isOk(body),
  },
};

/** Parts of a sign-in, which nobody but the sign-in itself takes. */
const OF_SIGN_INS = /^profiles\/.*\/(access|refresh|clientSecret|idToken)$/;

export async function verifyCredential(
  view: CredentialView,
  found: FoundCredential,
  parts: VerifyParts,
): Promise<Verification> {
  if (found.kind === "unknown") return { status: "failed", why: "it is gone" };
  if (found.kind === "unreadable") return { status: "failed", why: found.why };
  if (OF_SIGN_INS.test(view.id)) return unable("it belongs to a sign-in, which is renewed by itself");
  const check = Object.hasOwn(CHANNELS, view.service) ? CHANNELS[view.service] : undefined;
  if (check) return askChannel(view.service, check, found.secret, parts);
  if (parts.isProvider(view.service)) return askProvider(view.service, found.secret, parts);
  return unable(`nobody knows how to ask "${view.service}"`);
}

async function askProvider(provider: string, key: Secret, { models }: VerifyParts): Promise<Verification> {
  const answer = await (await models.setup()).checkKey(provider, key);
  if (answer.kind === "good") return { status: "verified" };
  return answer.kind === "refused" ? { status: "failed", why: answer.why } : unable(answer.why);
}

async function askChannel(
  service: string,
  check: ChannelCheck,
  secret: Secret,
  { fetch, config }: VerifyParts,
): Promise<Verification> {
  const token = secret.reveal();
  if (!check.token.test(token)) return unable("only the token of a bot can be asked for");
  const configured = channelAddress(service, config());
  const root = (configured && configured !== new URL(check.root).origin ? configured : check.root).replace(/\/+$/, "");
  if (!secret.isFor(root)) return { status: "failed", why: `it is only for ${secret.origin}, not for ${root}` };
  try {
    const answer = await fetch(check.address(root, token), {
      headers: check.headers(token),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      // An address of the configuration is the operator's own choice.
      ...(configured ? { allowPrivate: [new URL(root).hostname] } : {}),
    });
    if (check.accepts(answer.status, parseJson(answer.bytes.toString("utf8")))) return { status: "verified" };
    if (answer.status >= 500 || answer.status === 429) return unable(`${service} answered ${answer.status}`);
    return { status: "failed", why: `${service} does not take it (${answer.status})` };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    // The address may hold the token, so the words of the failure are not repeated.
    return unable(`${service} could not be asked (${error.code})`);
  }
}

function unable(why: string): Verification {
  return { status: "unverified", why };
}

function isOk(body: unknown): boolean {
  return typeof body === "object" && body !== null && Reflect.get(body, "ok") === true;
}
