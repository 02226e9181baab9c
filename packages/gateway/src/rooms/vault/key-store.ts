// Storage of the vault key: the keyring of the system, a file beside the vault, or a person with a passphrase.
import { randomBytes, scryptSync } from "node:crypto";
import { join } from "node:path";
import { GatewayError, type Secret } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { parseObject, type KeyRow } from "./entry.ts";
import type { Keyring } from "./os-keyring.ts";
import { readOwnFile } from "./private-file.ts";
import { deriveKey, KEY_BYTES, seal, unseal } from "./seal.ts";

export type KeyKind = KeyRow["kind"];

export interface KeyStoreOptions {
  /** `credentials` in the state directory. */
  readonly directory: string;
  readonly keyring: Keyring | undefined;
  passphrase(): string | undefined;
}

/** A data key, and the row of the file that gives it back to whoever has the key. */
export interface MadeKey {
  readonly row: KeyRow;
  readonly dataKey: Buffer;
}

export const PASSPHRASE_NAME = "OPENCLAW_VAULT_PASSPHRASE";
const KEYRING_SERVICE = "chela-vault";
/** About 60 ms and 64 MB for each guess. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1 };
const SCRYPT_MEMORY = 256 * 1024 * 1024;
const SALT_BYTES = 16;

export class KeyStore {
  readonly #options: KeyStoreOptions;

  constructor(options: KeyStoreOptions) {
    this.#options = options;
  }

  /** A passphrase that was set is meant; else the keyring where there is one that works; else a file. */
  async make(wanted?: KeyKind, passphrase?: Secret): Promise<MadeKey> {
    if (wanted) return this.#make(wanted, passphrase);
    if (this.#options.passphrase()) return this.#make("passphrase");
    if (!this.#options.keyring) return this.#make("file");
    try {
      return await this.#make("keyring");
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      return this.#make("file");
    }
  }

  /** The data key. Throws CREDENTIAL_UNREADABLE with what to do. */
  open(row: KeyRow): Buffer {
    const dataKey = unseal(this.#wrapKey(row), row.wrapped, wrapWords(row));
    if (dataKey?.length === KEY_BYTES) return dataKey;
    throw unreadable(
      row.kind === "passphrase"
        ? "the passphrase is not the one the vault was closed with"
        : "the key of the vault is not the one it was closed with, or the vault was changed",
    );
  }

  /** After the vault that needs `current` is on the disk, keys of before are of no use any more. */
  async forgetOthers(current: KeyRow, before: KeyRow | undefined): Promise<void> {
    if (current.kind === "file") this.#writeFile(new Map([[current.id, this.#fileKeys().get(current.id) ?? ""]]));
    else if (before?.kind === "file") this.#writeFile(new Map());
    if (before?.kind === "keyring" && before.id !== current.id) {
      await this.#options.keyring?.forget(KEYRING_SERVICE, before.id);
    }
  }

  async #make(kind: KeyKind, passphrase?: Secret): Promise<MadeKey> {
    const head = {
      kind,
      id: randomBytes(8).toString("hex"),
      salt: randomBytes(SALT_BYTES).toString("base64"),
      ...(kind === "passphrase" ? { scrypt: SCRYPT } : {}),
    };
    // Kept, and read back, before anything is closed with it. Keys of before stay: the vault on the disk needs them.
    if (kind === "file") this.#writeFile(this.#fileKeys().set(head.id, randomBytes(KEY_BYTES).toString("base64")));
    if (kind === "keyring") {
      await this.#requireKeyring().store(KEYRING_SERVICE, head.id, randomBytes(KEY_BYTES).toString("base64"));
    }
    const dataKey = randomBytes(KEY_BYTES);
    return { dataKey, row: { ...head, wrapped: seal(this.#wrapKey(head, passphrase), dataKey, wrapWords(head)) } };
  }

  #wrapKey(row: Omit<KeyRow, "wrapped">, passphrase?: Secret): Buffer {
    return deriveKey(
      this.#secretOf(row, passphrase?.reveal() ?? this.#options.passphrase()),
      Buffer.from(row.salt, "base64"),
      "wrap",
    );
  }

  #secretOf({ kind, id, salt, scrypt }: Omit<KeyRow, "wrapped">, passphrase: string | undefined): Buffer {
    switch (kind) {
      case "file":
        return decodeKey(this.#fileKeys().get(id), `${this.#path} does not hold the key of this vault`);
      case "keyring":
        return decodeKey(this.#requireKeyring().read(KEYRING_SERVICE, id), "the keyring holds no key of this vault");
      case "passphrase": {
        if (!passphrase) throw unreadable(`the vault is closed with a passphrase; set ${PASSPHRASE_NAME}`);
        return scryptSync(passphrase.normalize(), Buffer.from(salt, "base64"), KEY_BYTES, {
          ...(scrypt ?? SCRYPT),
          maxmem: SCRYPT_MEMORY,
        });
      }
    }
  }

  #requireKeyring(): Keyring {
    if (this.#options.keyring) return this.#options.keyring;
    throw unreadable(
      process.platform === "win32"
        ? "the keyring of Windows is not supported; a key file or a passphrase is"
        : "the keyring cannot be reached here; it needs secret-tool and the session of the user who is logged in",
    );
  }

  get #path(): string {
    return join(this.#options.directory, "vault.key");
  }

  #fileKeys(): Map<string, string> {
    const text = readOwnFile(this.#path);
    if (text === undefined) return new Map();
    const whole = parseObject(text);
    const keys = whole?.["version"] === 1 ? whole["keys"] : undefined;
    if (typeof keys !== "object" || keys === null)
      throw unreadable(`${this.#path} is damaged; restore it from a backup`);
    return new Map(Object.entries(keys).flatMap(([id, key]) => (typeof key === "string" ? [[id, key] as const] : [])));
  }

  #writeFile(keys: ReadonlyMap<string, string>): void {
    if (keys.size === 0 && readOwnFile(this.#path) === undefined) return;
    try {
      writeFileAtomic(this.#path, `${JSON.stringify({ version: 1, keys: Object.fromEntries(keys) }, null, 2)}\n`);
    } catch (error) {
      throw new GatewayError("CREDENTIAL_STORE", `${this.#path} (${errnoOf(error) ?? "unknown reason"})`, {
        cause: error,
      });
    }
  }
}

/** The head of the row is bound to what it opens, so that neither can be exchanged. */
function wrapWords({ kind, id, salt, scrypt }: Omit<KeyRow, "wrapped">): string {
  return JSON.stringify(["chela-vault/1/key", kind, id, salt, scrypt ? [scrypt.N, scrypt.r, scrypt.p] : null]);
}

function decodeKey(text: string | undefined, otherwise: string): Buffer {
  const key = Buffer.from(text ?? "", "base64");
  if (key.length !== KEY_BYTES) throw unreadable(otherwise);
  return key;
}

function unreadable(why: string): GatewayError {
  return new GatewayError("CREDENTIAL_UNREADABLE", why);
}
