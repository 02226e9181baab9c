// The vault: credentials of all kinds under one roof. Reading is immediate, because whoever needs a secret needs it now.
import { defined } from "@chela/sdk/base";
import { GatewayError, Secret } from "@chela/sdk";
import { viewOf } from "./credential-view.ts";
import { boundTo, ID_RULE, isCredentialId, type KeyRow, type StoredCredential, type VaultDocument } from "./entry.ts";
import { KeyStore, PASSPHRASE_NAME, type KeyKind, type MadeKey } from "./key-store.ts";
import { findKeyring } from "./os-keyring.ts";
import { Pointers } from "./pointers.ts";
import { deriveKey, seal, unseal } from "./seal.ts";
import { readSource, type SourceReference, type SourceSettings } from "./secret-sources.ts";
import { credentialsDirectory, VaultFile } from "./vault-file.ts";
import type {
  CredentialView,
  FoundCredential,
  NewCredential,
  Vault,
  VaultOptions,
  Verification,
} from "./vault-types.ts";

export function createVault(options: VaultOptions): Vault {
  return new FileVault(options);
}

/** A time of use is worth writing down once an hour. */
const USE_EVERY_MS = 3_600_000;
const USE_BEHIND_MS = 5_000;

class FileVault implements Vault {
  readonly #options: VaultOptions;
  readonly #file: VaultFile;
  readonly #keys: KeyStore;
  readonly #pointers: Pointers;
  readonly #listeners = new Set<() => void>();
  /** The key of the values, and the row it came from. */
  #opened: { readonly wrapped: string; readonly valueKey: Buffer } | undefined;
  #generation = 0;
  readonly #uses = new Map<string, number>();
  #cancelUses: (() => void) | undefined;

  constructor(options: VaultOptions) {
    this.#options = options;
    const { stateDir, clock, env } = options;
    const keyring = options.keyring === null ? undefined : (options.keyring ?? findKeyring(env()));
    const passphrase = () => (options.passphrase ? options.passphrase() : env()[PASSPHRASE_NAME]);
    this.#file = new VaultFile(stateDir, clock);
    this.#keys = new KeyStore({ directory: credentialsDirectory(stateDir), keyring, passphrase });
    this.#pointers = new Pointers({
      clock,
      keyring,
      env,
      workspaces: options.workspaces,
      trusted: options.trustedDirectories,
      changed: () => this.#changed(),
    });
  }

  exists(): boolean {
    return this.#file.exists();
  }

  stamp(): string {
    return `${this.#generation} ${this.#file.stamp()}`;
  }

  list(): CredentialView[] {
    return [...this.#file.read().entries]
      .map(([id, entry]) => viewOf(id, entry))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  keyKind(): KeyKind | undefined {
    return this.#file.read().key?.kind;
  }

  find(id: string): FoundCredential {
    return this.#attempt(() => {
      const document = this.#file.read();
      const entry = document.entries.get(id);
      if (!entry) {
        if (!document.strange.has(id)) return undefined;
        throw new GatewayError("CREDENTIAL_UNREADABLE", `the entry "${id}" of the vault is damaged; add it anew`);
      }
      const secret = entry.pointer ? this.#pointers.read(entry.pointer) : this.#open(id, entry, document.key);
      return entry.origin === undefined ? secret : new Secret(secret.reveal(), { origin: entry.origin });
    });
  }

  follow(reference: SourceReference, settings: SourceSettings): FoundCredential {
    const { env, workspaces } = this.#options;
    return this.#attempt(() =>
      readSource(reference, settings, { pointers: this.#pointers, env: env(), workspaces: workspaces() }),
    );
  }

  async put(credentials: readonly NewCredential[]): Promise<void> {
    for (const { id, content } of credentials) {
      if (!isCredentialId(id)) throw refused(`"${id}" cannot be the id of a credential: ${ID_RULE}`);
      if (content.kind === "value") this.#options.onSecret?.(content.value.reveal());
      else this.#pointers.check(content);
    }
    await this.#file.change(async (before) => {
      const needsKey = credentials.some(({ content }) => content.kind === "value");
      const key = needsKey ? await this.#keyFor(before) : before.key;
      const entries = new Map(before.entries);
      const strange = new Map(before.strange);
      for (const credential of credentials) {
        entries.set(credential.id, this.#toEntry(credential, key, before.entries.get(credential.id)));
        strange.delete(credential.id);
      }
      return { key, entries, strange };
    });
    this.#changed();
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#file.change((before) => {
      const entries = new Map(before.entries);
      const strange = new Map(before.strange);
      for (const id of ids) if (!entries.delete(id) && !strange.delete(id)) throw unknown(id);
      return { ...before, entries, strange };
    });
    this.#changed();
  }

  async note(id: string, verification: Verification): Promise<void> {
    const { clock } = this.#options;
    await this.#edit(id, ({ lastError: _gone, ...entry }) => ({
      ...entry,
      status: verification.status,
      ...(verification.status === "unverified" ? {} : { verifiedAt: clock.now() }),
      ...(verification.status === "failed" ? { lastError: verification.why } : {}),
    }));
    this.#tell();
  }

  noteUse(id: string, forWhat: string): void {
    const { clock, used } = this.#options;
    used?.(id, forWhat);
    const last = this.#uses.get(id) ?? this.#lastUse(id);
    if (last === undefined || clock.now() - last < USE_EVERY_MS) return;
    this.#uses.set(id, clock.now());
    this.#cancelUses ??= clock.after(USE_BEHIND_MS, () => void this.#writeUses());
  }

  async rotate(kind?: KeyKind, passphrase?: Secret): Promise<{ readonly values: number; readonly key: KeyKind }> {
    let old: KeyRow | undefined;
    let values = 0;
    const after = await this.#file.change(async (before) => {
      old = before.key;
      const opened = [...before.entries].map(([id, entry]) => ({ id, entry, secret: this.#toCarry(id, entry, old) }));
      const made = await this.#keys.make(kind ?? old?.kind, passphrase);
      this.#remember(made);
      values = opened.filter(({ secret }) => secret).length;
      const entries = opened.map(
        ({ id, entry, secret }) => [id, secret ? this.#close(id, entry, secret, made.row) : entry] as const,
      );
      return { ...before, key: made.row, entries: new Map(entries) };
    });
    const key = after.key as KeyRow;
    await this.#keys.forgetOthers(key, old);
    this.#changed();
    return { values, key: key.kind };
  }

  forget(): void {
    this.#pointers.forget();
    this.#changed();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#cancelUses?.();
    if (this.#uses.size > 0) await this.#writeUses();
  }

  #attempt(read: () => Secret | undefined): FoundCredential {
    try {
      const secret = read();
      if (!secret) return { kind: "unknown" };
      this.#options.onSecret?.(secret.reveal());
      return { kind: "found", secret };
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      return { kind: "unreadable", why: error.detail };
    }
  }

  #open(id: string, entry: StoredCredential, key: KeyRow | undefined): Secret {
    const plain = entry.sealed && key && unseal(this.#valueKey(key), entry.sealed, boundTo(id, entry));
    if (plain) return new Secret(plain.toString("utf8"));
    throw new GatewayError(
      "CREDENTIAL_UNREADABLE",
      `the entry "${id}" of the vault was changed, or closed with another key; add it anew, the others are not touched`,
    );
  }

  /** What cannot be opened would be lost with the old key. */
  #toCarry(id: string, entry: StoredCredential, key: KeyRow | undefined): Secret | undefined {
    return entry.kind === "value" ? this.#open(id, entry, key) : undefined;
  }

  #close(id: string, entry: StoredCredential, secret: Secret, key: KeyRow): StoredCredential {
    return { ...entry, sealed: seal(this.#valueKey(key), Buffer.from(secret.reveal()), boundTo(id, entry)) };
  }

  #valueKey(row: KeyRow): Buffer {
    if (this.#opened?.wrapped === row.wrapped.data) return this.#opened.valueKey;
    return this.#remember({ row, dataKey: this.#keys.open(row) });
  }

  #remember({ row, dataKey }: MadeKey): Buffer {
    const valueKey = deriveKey(dataKey, Buffer.from(row.salt, "base64"), "value");
    this.#opened = { wrapped: row.wrapped.data, valueKey };
    return valueKey;
  }

  async #keyFor({ key }: VaultDocument): Promise<KeyRow> {
    if (key) return key;
    const made = await this.#keys.make();
    this.#remember(made);
    return made.row;
  }

  #toEntry(credential: NewCredential, key: KeyRow | undefined, before: StoredCredential | undefined): StoredCredential {
    const { id, service, account, capabilities, content } = credential;
    const now = this.#options.clock.now();
    const origin = credential.origin === undefined ? undefined : toOrigin(credential.origin);
    const entry: StoredCredential = {
      service,
      kind: content.kind,
      ...defined({ account }),
      ...(capabilities?.length ? { capabilities: [...capabilities] } : {}),
      ...defined({ origin }),
      status: "unverified",
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    if (content.kind === "value") return this.#close(id, entry, content.value, key as KeyRow);
    return { ...entry, pointer: content.kind === "exec" ? { ...content, args: [...content.args] } : content };
  }

  #lastUse(id: string): number | undefined {
    const entry = this.#file.read().entries.get(id);
    return entry && (entry.lastUsedAt ?? 0);
  }

  async #writeUses(): Promise<void> {
    this.#cancelUses = undefined;
    const uses = [...this.#uses];
    this.#uses.clear();
    try {
      await this.#file.change((before) => {
        const entries = new Map(before.entries);
        for (const [id, lastUsedAt] of uses) {
          const entry = entries.get(id);
          if (entry) entries.set(id, { ...entry, lastUsedAt });
        }
        return { ...before, entries };
      });
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      this.#options.log.warn("When credentials were used could not be written down", { why: error.detail });
    }
  }

  async #edit(id: string, change: (entry: StoredCredential) => StoredCredential): Promise<void> {
    await this.#file.change((before) => {
      const entry = before.entries.get(id);
      if (!entry) throw unknown(id);
      return { ...before, entries: new Map(before.entries).set(id, change(entry)) };
    });
  }

  #changed(): void {
    this.#generation++;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A bare name of a host means the encrypted way to it. */
function toOrigin(address: string): string {
  const written = address.includes("://") ? address : `https://${address}`;
  if (!URL.canParse(written) || new URL(written).host === "") throw refused(`"${address}" is no address`);
  return new URL(written).origin;
}

function refused(why: string): GatewayError {
  return new GatewayError("CREDENTIAL_REFUSED", why);
}

function unknown(id: string): GatewayError {
  return new GatewayError("CREDENTIAL_UNKNOWN", id);
}
