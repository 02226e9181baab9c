// Types of the vault for the rest of the gateway.
import type { Clock, Logger, Secret } from "@chela/sdk";
import type { CredentialKind, Pointer } from "./entry.ts";
import type { KeyKind } from "./key-store.ts";
import type { Keyring } from "./os-keyring.ts";
import type { SourceReference, SourceSettings } from "./secret-sources.ts";

export interface VaultOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  env(): Readonly<Record<string, string | undefined>>;
  /** Directories that agents may write to: no secret is read from there. */
  workspaces(): readonly string[];
  /** Told every value that is read, so that the log can leave it out. */
  onSecret?(value: string): void;
  /** A credential is used for something; told once for each use. */
  used?(id: string, forWhat: string): void;
  /** The keyring of the system unless told; `null` for none. */
  readonly keyring?: Keyring | null;
  /** Asked for when the vault is closed with one; from the environment unless told. */
  passphrase?(): string | undefined;
  readonly trustedDirectories?: readonly string[];
}

/** One line of the list, free of values. */
export interface CredentialView {
  readonly id: string;
  readonly service: string;
  readonly account?: string;
  readonly kind: CredentialKind;
  /** Where a pointer points, in words. */
  readonly points?: string;
  readonly capabilities: readonly string[];
  readonly origin?: string;
  readonly status: "unverified" | "verified" | "failed";
  readonly verifiedAt?: number;
  readonly lastUsedAt?: number;
  readonly lastError?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewCredential {
  readonly id: string;
  readonly service: string;
  readonly account?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  /** An address: the value is never sent to another one. */
  readonly origin?: string | undefined;
  readonly content: { readonly kind: "value"; readonly value: Secret } | Pointer;
}

export type FoundCredential =
  | { readonly kind: "found"; readonly secret: Secret }
  | { readonly kind: "unknown" }
  /** It is there, and cannot be opened or followed. */
  | { readonly kind: "unreadable"; readonly why: string };

export type Verification =
  | { readonly status: "verified" }
  | { readonly status: "failed"; readonly why: string }
  /** There is nobody who could be asked. */
  | { readonly status: "unverified"; readonly why: string };

export interface Vault {
  exists(): boolean;
  /** Another text whenever a value may be another one. */
  stamp(): string;
  /** Throws CREDENTIAL_STORE. */
  list(): CredentialView[];
  /** How the key is kept; undefined while there is no value to close. */
  keyKind(): KeyKind | undefined;
  /** Never throws. */
  find(id: string): FoundCredential;
  /** A secret that the configuration points to by itself. Never throws. */
  follow(reference: SourceReference, settings: SourceSettings): FoundCredential;
  /** All of them in one step, in place of those of the same id. Throws CREDENTIAL_REFUSED, CREDENTIAL_STORE. */
  put(credentials: readonly NewCredential[]): Promise<void>;
  /** Throws CREDENTIAL_UNKNOWN. */
  remove(ids: readonly string[]): Promise<void>;
  note(id: string, verification: Verification): Promise<void>;
  noteUse(id: string, forWhat: string): void;
  /** New keys for everything. Throws CREDENTIAL_UNREADABLE when something could not be taken along. */
  rotate(kind?: KeyKind, passphrase?: Secret): Promise<{ readonly values: number; readonly key: KeyKind }>;
  /** What programs and keyrings said is asked for anew. */
  forget(): void;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
