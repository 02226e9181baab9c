// The vault room owns credentials/vault.json: secrets that are closed with a key, and pointers to secrets that lie elsewhere.
// It finds a value for whoever may have it, and never shows one.
export { createVault } from "./vault.ts";
export type {
  CredentialView,
  FoundCredential,
  NewCredential,
  Vault,
  VaultOptions,
  Verification,
} from "./vault-types.ts";
export type { CredentialKind, Pointer } from "./entry.ts";
export { PASSPHRASE_NAME, type KeyKind } from "./key-store.ts";
export type { Keyring } from "./os-keyring.ts";
export type { SourceReference, SourceSettings } from "./secret-sources.ts";
export { vaultPath } from "./vault-file.ts";
