// Secrets of profiles in the vault: the file then holds only where to find them. Without a vault they are kept in the file.
import { createHash } from "node:crypto";
import type { Secret } from "@chela/sdk";

interface KeptSecret {
  readonly id: string;
  readonly service: string;
  readonly account?: string;
  readonly value: Secret;
  /** The only address it is sent to. */
  readonly origin?: string;
}

/** What profiles need of a vault. */
export interface ProfileVault {
  /** Another text whenever a value may be another one. */
  stamp(): string;
  /** Resolves when `find` knows what is in the vault. */
  ready(): Promise<void>;
  find(id: string): Secret | undefined;
  /** All of them in one step. */
  keep(secrets: readonly KeptSecret[]): Promise<void>;
  /** Those that are not there are passed over. */
  drop(ids: readonly string[]): Promise<void>;
  used(id: string, forWhat: string): void;
}

export interface ProfilePlace {
  readonly agentId: string;
  readonly profileId: string;
  readonly provider: string;
  readonly origin?: string | undefined;
}

const MARK = "vault:";

/** The fields of a row that are secret. */
export const SECRET_FIELDS = ["key", "apiKey", "token", "access", "refresh", "clientSecret", "idToken"] as const;
/** What is sent with calls; the others go to the sign-in. */
const SENT_FIELDS: readonly string[] = ["key", "token"];

/** The id in a reference; undefined for a value that stands for itself. */
export function referredId(text: string): string | undefined {
  return text.startsWith(MARK) ? text.slice(MARK.length) : undefined;
}

/** The secret behind a field: its value, or what the vault has for it. */
export function secretBehind(
  text: string | undefined,
  toSecret: (text: string) => Secret,
  vault: ProfileVault | undefined,
): Secret | undefined {
  if (text === undefined) return undefined;
  const id = referredId(text);
  return id === undefined ? toSecret(text) : vault?.find(id);
}

/** Keeps them in the vault and returns what the row says instead. */
export async function keepFields(
  fields: Readonly<Record<string, Secret>>,
  place: ProfilePlace,
  vault: ProfileVault | undefined,
): Promise<Record<string, string>> {
  const named = Object.entries(fields);
  if (!vault) return Object.fromEntries(named.map(([field, value]) => [field, value.reveal()]));
  const { provider: service, profileId: account, origin } = place;
  await vault.keep(
    named.map(([field, value]) => ({
      id: credentialId(place, field),
      service,
      account,
      value,
      ...(origin !== undefined && SENT_FIELDS.includes(field) ? { origin } : {}),
    })),
  );
  return Object.fromEntries(named.map(([field]) => [field, `${MARK}${credentialId(place, field)}`]));
}

/** The entries of the vault that were made for this row, and are of no use without it. */
export function ownEntries(row: unknown, place: Pick<ProfilePlace, "agentId" | "profileId">): string[] {
  if (typeof row !== "object" || row === null) return [];
  return SECRET_FIELDS.flatMap((field) => {
    const text: unknown = Reflect.get(row, field);
    const id = typeof text === "string" ? referredId(text) : undefined;
    return id !== undefined && id === credentialId(place, field) ? [id] : [];
  });
}

export function credentialId(
  { agentId, profileId }: Pick<ProfilePlace, "agentId" | "profileId">,
  field: string,
): string {
  return `profiles/${clean(agentId)}/${clean(profileId)}/${field}`;
}

/** Ids of others may have any letters; two that differ must stay different. */
function clean(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._@+:-]/g, "-").slice(0, 64);
  return plain === text ? text : `${plain}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}
