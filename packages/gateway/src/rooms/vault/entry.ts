// Format of the file vault.json: everything about a credential can be read in it, except values. It is read by hand,
// because a start waits for it and building schemas would take longer than everything else about the vault together.
import type { Sealed } from "./seal.ts";

const CREDENTIAL_KINDS = ["value", "env", "file", "exec", "keyring"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** Where a value lies that is not in the vault itself. */
export type Pointer =
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "exec"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "keyring"; readonly service: string; readonly account: string };

/** Never the name of something every object has. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._@+:/-]{0,199}$/;

export function isCredentialId(text: string): boolean {
  return ID.test(text) && !["constructor", "prototype"].includes(text);
}

export const ID_RULE = "letters, digits and . _ @ + : / -, beginning with a letter or digit, 200 at most";

const STATUSES = ["unverified", "verified", "failed"] as const;
const KEY_KINDS = ["file", "keyring", "passphrase"] as const;

export interface StoredCredential {
  readonly service: string;
  readonly account?: string;
  readonly kind: CredentialKind;
  /** Of a value. */
  readonly sealed?: Sealed;
  /** Of all other kinds. */
  readonly pointer?: Pointer;
  readonly capabilities?: readonly string[];
  /** The only place the value may be sent to, such as https://api.example.com. */
  readonly origin?: string;
  readonly status: (typeof STATUSES)[number];
  readonly verifiedAt?: number;
  readonly lastUsedAt?: number;
  readonly lastError?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface KeyRow {
  /** Who keeps the key that opens `wrapped`. */
  readonly kind: (typeof KEY_KINDS)[number];
  readonly id: string;
  readonly salt: string;
  /** How a passphrase becomes a key. */
  readonly scrypt?: ScryptCost;
  /** The data key. That it opens is also the proof that the key is the right one. */
  readonly wrapped: Sealed;
}

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export interface VaultDocument {
  readonly key?: KeyRow | undefined;
  readonly entries: ReadonlyMap<string, StoredCredential>;
  /** Rows of a form that is not known; they are kept as they are. */
  readonly strange: ReadonlyMap<string, unknown>;
}

export const EMPTY: VaultDocument = { entries: new Map(), strange: new Map() };

export function parseVault(
  text: string,
): { readonly kind: "read"; readonly document: VaultDocument } | { readonly kind: "broken"; readonly why: string } {
  const whole = parseObject(text);
  if (!whole) return { kind: "broken", why: "it is not a JSON object" };
  if (whole["version"] !== 1) return { kind: "broken", why: "it is of a version that is not known here" };
  const rows = asObject(whole["entries"]);
  if (!rows) return { kind: "broken", why: '"entries" in it is not an object' };
  const key = readKey(whole["key"]);
  if (whole["key"] !== undefined && !key) return { kind: "broken", why: '"key" in it is not what this version writes' };
  const entries = new Map<string, StoredCredential>();
  const strange = new Map<string, unknown>();
  // One by one: a damaged entry must not hide the others.
  for (const [id, row] of Object.entries(rows)) {
    const entry = isCredentialId(id) ? readEntry(row) : undefined;
    if (entry) entries.set(id, entry);
    else strange.set(id, row);
  }
  return { kind: "read", document: { key, entries, strange } };
}

type WrittenEntry = Readonly<Record<string, unknown>>;

function readEntry(value: unknown): StoredCredential | undefined {
  const row = asObject(value);
  const kind = CREDENTIAL_KINDS.find((one) => one === row?.["kind"]);
  const service = row && textOf(row, "service");
  if (!row || !kind || !service) return undefined;
  const sealed = readSealed(row["sealed"]);
  const pointer = readPointer(row["pointer"]);
  if (kind === "value" ? !sealed : pointer?.kind !== kind) return undefined;
  const { capabilities } = row;
  const words = Array.isArray(capabilities) ? capabilities.filter((word) => typeof word === "string") : [];
  return {
    service,
    kind,
    ...texts(row, "account"),
    ...(kind === "value" && sealed ? { sealed } : {}),
    ...(kind !== "value" && pointer ? { pointer } : {}),
    ...(words.length > 0 ? { capabilities: words } : {}),
    ...texts(row, "origin"),
    status: STATUSES.find((status) => status === row["status"]) ?? "unverified",
    ...moments(row, "verifiedAt"),
    ...moments(row, "lastUsedAt"),
    ...texts(row, "lastError"),
    createdAt: momentOf(row, "createdAt") ?? 0,
    updatedAt: momentOf(row, "updatedAt") ?? 0,
  };
}

function readPointer(value: unknown): Pointer | undefined {
  const row = asObject(value);
  if (!row) return undefined;
  const [name, path, command] = [textOf(row, "name"), textOf(row, "path"), textOf(row, "command")];
  const [service, { args, account }] = [textOf(row, "service"), row];
  if (row["kind"] === "env" && name) return { kind: "env", name };
  if (row["kind"] === "file" && path) return { kind: "file", path };
  if (row["kind"] === "exec" && command && Array.isArray(args) && args.every((word) => typeof word === "string")) {
    return { kind: "exec", command, args };
  }
  if (row["kind"] === "keyring" && service && typeof account === "string") return { kind: "keyring", service, account };
  return undefined;
}

function readKey(value: unknown): KeyRow | undefined {
  const row = asObject(value);
  const kind = KEY_KINDS.find((one) => one === row?.["kind"]);
  const wrapped = readSealed(row?.["wrapped"]);
  const [id, salt] = row ? [textOf(row, "id"), textOf(row, "salt")] : [];
  if (!row || !kind || !wrapped || !id || !salt) return undefined;
  const scrypt = readCost(row["scrypt"]);
  if (row["scrypt"] !== undefined && !scrypt) return undefined;
  return { kind, id, salt, ...(scrypt ? { scrypt } : {}), wrapped };
}

/** A cost that no machine could pay would be a way to stop the gateway. */
function readCost(value: unknown): ScryptCost | undefined {
  const row = asObject(value);
  const within = (name: string, most: number): number => {
    const cost = row?.[name];
    return typeof cost === "number" && Number.isInteger(cost) && cost >= 1 && cost <= most ? cost : 0;
  };
  const [N, r, p] = [within("N", 2 ** 20), within("r", 32), within("p", 16)];
  return N && r && p ? { N, r, p } : undefined;
}

function readSealed(value: unknown): Sealed | undefined {
  const row = asObject(value);
  const { nonce, data, tag } = row ?? {};
  if (typeof nonce !== "string" || typeof data !== "string" || typeof tag !== "string") return undefined;
  return { nonce, data, tag };
}

function texts<Name extends string>(row: WrittenEntry, name: Name): { readonly [N in Name]?: string } {
  const value = row[name];
  return (typeof value === "string" ? { [name]: value } : {}) as { readonly [N in Name]?: string };
}

function moments<Name extends string>(row: WrittenEntry, name: Name): { readonly [N in Name]?: number } {
  const value = momentOf(row, name);
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: number };
}

function momentOf(row: WrittenEntry, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function textOf(row: WrittenEntry, name: string): string | undefined {
  const value = row[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Undefined for whatever is no object in JSON. */
export function parseObject(text: string): WrittenEntry | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): WrittenEntry | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WrittenEntry) : undefined;
}

export function writeVault({ key, entries, strange }: VaultDocument): string {
  const rows = Object.fromEntries([...strange, ...entries]);
  return `${JSON.stringify({ version: 1, ...(key ? { key } : {}), entries: rows }, null, 2)}\n`;
}

/** What a value is bound to: moved under another id, service or address it no longer opens. */
export function boundTo(id: string, { service, kind, origin }: StoredCredential): string {
  return JSON.stringify(["chela-vault/1", id, service, kind, origin ?? null]);
}
