// Stored credentials: what there is and who uses it, adding, removing, checking, and moving plain secrets in and out.
import { GatewayError, type Clock, type Secret } from "@chela/sdk";
import { createSafeFetch, type SafeFetch } from "../../base/http/safe-fetch.ts";
import type { ConfigStore, StatePaths } from "../../rooms/config/room.ts";
import { channelAddress, providerAddress } from "./credential-places.ts";
import { findProvider } from "../../rooms/models/catalog.ts";
import type { Models, ModelsConfigView } from "../../rooms/models/room.ts";
import type { CredentialView, KeyKind, NewCredential, Vault, Verification } from "../../rooms/vault/room.ts";
import { enabledByAll, type Enabled } from "./enables.ts";
import { findNeeds, type CredentialNeed } from "./needs.ts";
import { exportSecrets, importSecrets, type Moved } from "./move-secrets.ts";
import { patchKeepingSecrets, type KeepingPatch } from "./new-secrets.ts";
import { placedSecrets } from "./secret-places.ts";
import { verifyCredential } from "./verify.ts";

export interface StoredCredentialsParts {
  readonly vault: Vault;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly models: Pick<Models, "setup" | "candidates" | "hasCredential">;
  readonly clock: Clock;
  readonly fetch?: SafeFetch;
  workspaces(): readonly string[];
}

interface ListedCredential extends CredentialView {
  /** Places that refer to it, in words. */
  readonly usedBy: readonly string[];
  /** What these places make possible: models, channels, tools. */
  readonly enables: readonly Enabled[];
}

interface CredentialList {
  readonly credentials: readonly ListedCredential[];
  /** Who keeps the key; absent while nothing is closed with one. */
  readonly key?: KeyKind;
  /** Secrets that lie outside in plain text; never their values. */
  readonly plain: readonly { readonly where: string; readonly file: string }[];
}

export interface StoredCredentials {
  list(): CredentialList;
  /** What is configured and waits for a credential. */
  needs(): Promise<readonly CredentialNeed[]>;
  /** Bound to the address of its service unless told. Throws CREDENTIAL_REFUSED when there is one of that id already. */
  add(credential: NewCredential, options: { readonly replace: boolean }): Promise<ListedCredential>;
  /** Throws CREDENTIAL_REFUSED when it is used, unless told. */
  remove(id: string, options: { readonly force: boolean }): Promise<void>;
  verify(id: string): Promise<Verification & { readonly id: string }>;
  rotate(kind?: KeyKind, passphrase?: Secret): Promise<{ readonly values: number; readonly key: KeyKind }>;
  import(): Promise<readonly Moved[]>;
  /** Changes the configuration; secrets that are new in it are kept here. */
  patchConfig(raw: string, baseHash?: string): Promise<KeepingPatch>;
  export(directory: string): readonly string[];
}

const ANYWHERE = "any";

function listed(view: CredentialView, usedBy: readonly string[]): ListedCredential {
  return { ...view, usedBy, enables: enabledByAll(usedBy) };
}

export function createStoredCredentials(parts: StoredCredentialsParts): StoredCredentials {
  const { vault, config, models, clock } = parts;
  const fetch = parts.fetch ?? createSafeFetch({ clock });
  const settings = () => config.current() as Readonly<Record<string, unknown>>;
  const isProvider = (service: string) => {
    const known = findProvider(settings() as ModelsConfigView, service);
    return known !== undefined && known.known?.api !== "demo";
  };
  const usersOf = (): Map<string, string[]> => {
    const users = new Map<string, string[]>();
    for (const { where, content } of placedSecrets(parts)) {
      if (content.kind === "vault") users.set(content.id, [...(users.get(content.id) ?? []), where]);
    }
    return users;
  };
  /** Where its service is reached now, unless told; what goes to several places is said to be for any. */
  const bindingOf = ({ origin, service }: NewCredential): string | undefined => {
    if (origin !== undefined) return origin === ANYWHERE ? undefined : origin;
    return providerAddress(service, settings()) ?? channelAddress(service, settings());
  };
  const find = (id: string): ListedCredential => {
    const view = vault.list().find((one) => one.id === id);
    if (!view) throw new GatewayError("CREDENTIAL_UNKNOWN", id);
    return listed(view, usersOf().get(id) ?? []);
  };

  return {
    list() {
      const users = usersOf();
      const key = vault.keyKind();
      return {
        credentials: vault.list().map((view) => listed(view, users.get(view.id) ?? [])),
        ...(key ? { key } : {}),
        plain: placedSecrets(parts).flatMap(({ where, file, content }) =>
          content.kind === "plain" ? [{ where, file }] : [],
        ),
      };
    },
    needs: () => findNeeds(parts),
    async add(credential, { replace }) {
      if (!replace && vault.list().some(({ id }) => id === credential.id)) {
        throw new GatewayError("CREDENTIAL_REFUSED", `there is a credential "${credential.id}" already`);
      }
      await vault.put([{ ...credential, origin: bindingOf(credential) }]);
      return find(credential.id);
    },
    async remove(id, { force }) {
      const { usedBy } = find(id);
      if (usedBy.length > 0 && !force) {
        throw new GatewayError("CREDENTIAL_REFUSED", `"${id}" is used by ${usedBy.join(", ")}`);
      }
      await vault.remove([id]);
    },
    async verify(id) {
      const verification = await verifyCredential(find(id), vault.find(id), {
        fetch,
        models,
        config: settings,
        isProvider,
      });
      await vault.note(id, verification);
      return { ...verification, id };
    },
    rotate: (kind, passphrase) => vault.rotate(kind, passphrase),
    import: () => importSecrets(parts),
    patchConfig: (raw, baseHash) => patchKeepingSecrets(raw, baseHash, parts),
    export: (directory) => exportSecrets(directory, parts),
  };
}
