// The file auth-profiles.json as others write it: read leniently, so that every form of it can be used and nothing is lost.
import * as z from "zod";
import { Secret, once, type Parsed } from "@chela/sdk";
import { referredId, secretBehind, type ProfileVault } from "./profile-vault.ts";
import { defined, isObject } from "@chela/sdk/base";

const PROFILE_TYPES = ["api_key", "oauth", "token"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

/** The file as it is on the disk. Only our own fields are ever touched in it. */
export type ProfilesDocument = Record<string, unknown>;

/** One credential of the file. */
export interface StoredProfile {
  readonly id: string;
  readonly provider: string;
  readonly type: ProfileType;
  /** The key, the token, or the access token; undefined when it is kept elsewhere and not to be found there. */
  readonly secret: Secret | undefined;
  readonly refresh?: Secret;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
  readonly accountId?: string;
  /** The project that calls are made in. */
  readonly projectId?: string;
  /** Where the token is good, when the provider said so with it. */
  readonly resourceUrl?: string;
  /** Where the secret is good, when that is the server of an enterprise. */
  readonly enterpriseUrl?: string;
  readonly email?: string;
  readonly clientId?: string;
  readonly clientSecret?: Secret;
  /** The entry of the vault that holds the secret. */
  readonly vaultId?: string;
}

const optionalText = () => z.string().min(1).optional().catch(undefined);
const optionalNumber = () => z.number().optional().catch(undefined);
const secretReference = () =>
  z
    .looseObject({ source: z.literal("env"), id: z.string() })
    .optional()
    .catch(undefined);

/** `mode` and `apiKey` are what older versions wrote instead of `type` and `key`. */
const ProfileRow = once(() =>
  z.looseObject({
    type: optionalText(),
    mode: optionalText(),
    provider: z.string().min(1),
    key: optionalText(),
    apiKey: optionalText(),
    keyRef: secretReference(),
    token: optionalText(),
    tokenRef: secretReference(),
    access: optionalText(),
    refresh: optionalText(),
    expires: optionalNumber(),
    accountId: optionalText(),
    projectId: optionalText(),
    resourceUrl: optionalText(),
    enterpriseUrl: optionalText(),
    email: optionalText(),
    clientId: optionalText(),
    clientSecret: optionalText(),
  }),
);

/** What others keep beside these, and what is worthless without the sign-in that it came with. */
const FIELDS_OF_OTHERS = ["idToken"];

const StatsRow = once(() =>
  z.looseObject({
    lastUsed: optionalNumber(),
    errorCount: z.number().catch(0).default(0),
    cooldownUntil: optionalNumber(),
    cooldownReason: optionalText(),
    disabledUntil: optionalNumber(),
    disabledReason: optionalText(),
    lastFailureAt: optionalNumber(),
    failureCounts: z.record(z.string(), z.number()).optional().catch(undefined),
  }),
);
export type UsageStats = Parsed<typeof StatsRow>;

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined when the row is none we can use; it stays in the file. */
export function readProfile(id: string, row: unknown, env: Env, vault?: ProfileVault): StoredProfile | undefined {
  const parsed = ProfileRow().safeParse(row);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const type = PROFILE_TYPES.find((candidate) => candidate === (data.type ?? data.mode));
  if (!type) return undefined;
  const written = {
    api_key: data.key ?? data.apiKey ?? env[data.keyRef?.id ?? ""],
    oauth: data.access,
    token: data.token ?? env[data.tokenRef?.id ?? ""],
  }[type];
  const open = (text: string | undefined): Secret | undefined =>
    secretBehind(text || undefined, (value) => new Secret(value), vault);
  const [secret, refresh, clientSecret] = [open(written), open(data.refresh), open(data.clientSecret)];
  const vaultId = referredId(written ?? "");
  return {
    id,
    type,
    provider: data.provider.trim().toLowerCase(),
    secret,
    ...(refresh ? { refresh } : {}),
    ...(data.expires === undefined ? {} : { expires: toMilliseconds(data.expires) }),
    ...(data.accountId ? { accountId: data.accountId } : {}),
    ...(data.projectId ? { projectId: data.projectId } : {}),
    ...(data.resourceUrl ? { resourceUrl: data.resourceUrl } : {}),
    ...(data.enterpriseUrl ? { enterpriseUrl: data.enterpriseUrl } : {}),
    ...(data.email ? { email: data.email } : {}),
    ...(data.clientId ? { clientId: data.clientId } : {}),
    ...(clientSecret ? { clientSecret } : {}),
    ...defined({ vaultId }),
  };
}

/** What is left of a row without its credential: what others wrote into it. */
export function withoutCredential(row: unknown): Record<string, unknown> {
  if (!isObject(row)) return {};
  const gone = [...Object.keys(ProfileRow().shape), ...FIELDS_OF_OTHERS];
  return Object.fromEntries(Object.entries(row).filter(([name]) => !gone.includes(name)));
}

export function readStats(row: unknown): UsageStats {
  return StatsRow().safeParse(row).data ?? { errorCount: 0 };
}

/** A part of the document that should be an object of its own; an empty one where it is not. */
export function partOf(document: ProfilesDocument, name: string): Readonly<Record<string, unknown>> {
  const part = document[name];
  return isObject(part) ? part : {};
}

/** The same, to be changed: what is missing is made. */
export function openPart(document: ProfilesDocument, name: string): Record<string, unknown> {
  const part = document[name];
  if (isObject(part)) return part;
  const made: Record<string, unknown> = {};
  document[name] = made;
  return made;
}

/** The document in a file's text, or why it is none. */
export function parseDocument(
  text: string,
): { readonly kind: "read"; readonly document: ProfilesDocument } | { readonly kind: "broken"; readonly why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words may repeat a piece of the text, and with it of a secret.
    return { kind: "broken", why: "it is not valid JSON" };
  }
  if (!isObject(value)) return { kind: "broken", why: "it holds no JSON object" };
  if (value["profiles"] !== undefined && !isObject(value["profiles"])) {
    return { kind: "broken", why: '"profiles" in it is not an object' };
  }
  return { kind: "read", document: value };
}

/** Some programs count seconds. No such number is a sensible time in milliseconds. */
function toMilliseconds(time: number): number {
  return time > 0 && time < 100_000_000_000 ? time * 1000 : time;
}
