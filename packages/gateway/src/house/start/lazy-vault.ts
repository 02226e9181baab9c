// The vault as it is there from the start: light; the rest is loaded when there is a vault, or somebody needs one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Logger } from "@chela/sdk";
import type { SecretStore } from "../../rooms/config/room.ts";
import { answerSecret } from "../credentials/credential-places.ts";
import type { ProfileVault } from "../../rooms/models/room.ts";
import { lazy } from "../../base/lazy.ts";
import type { FoundCredential, Vault } from "../../rooms/vault/room.ts";

export interface LazyVaultParts {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  env(): Readonly<Record<string, string | undefined>>;
  workspaces(): readonly string[];
  onSecret(value: string): void;
}

export interface LazyVault {
  open(): Promise<Vault>;
  /** Opens it when there is a vault, or somebody asked for one. */
  openIfNeeded(): Promise<void>;
  /** Whether somebody had to go without it. */
  wasMissed(): boolean;
  /** For the configuration. */
  readonly secrets: SecretStore;
  /** For the credentials of agents. */
  readonly profiles: ProfileVault;
  /** A value may have changed, or the vault was opened for somebody who had to go without it. */
  onChange(listener: () => void): void;
  /** Told every use of a credential. */
  onUse(listener: (id: string, forWhat: string) => void): void;
  close(): Promise<void>;
}

const CLOSED: FoundCredential = { kind: "unreadable", why: "the vault is being opened; this takes a moment" };

export function createLazyVault(parts: LazyVaultParts): LazyVault {
  const directory = join(parts.stateDir, "credentials");
  const file = join(directory, "vault.json");
  const changed = new Set<() => void>();
  const used = new Set<(id: string, forWhat: string) => void>();
  let vault: Vault | undefined;
  let wasMissed = false;

  const load = async (): Promise<Vault> => {
    const { createVault } = await import("../../rooms/vault/room.ts");
    vault = createVault({ ...parts, used: (id, forWhat) => used.forEach((listener) => listener(id, forWhat)) });
    vault.onChange(() => changed.forEach((listener) => listener()));
    return vault;
  };
  const open = lazy(load);
  /** Whoever needs it right now goes without it, and is told when it is there. */
  const miss = (): FoundCredential => {
    if (!wasMissed) {
      wasMissed = true;
      const tellAll = (): void => changed.forEach((listener) => listener());
      // One that could not be opened is tried again by the next who misses it.
      open().then(tellAll, () => (wasMissed = false));
    }
    return CLOSED;
  };
  /** Places of the configuration that were told to use a credential. */
  const served = new Set<string>();
  const noteServed = (id: string, place: string): void => {
    if (served.has(`${place} ${id}`)) return;
    served.add(`${place} ${id}`);
    vault?.noteUse(id, `the configuration, ${place}`);
  };
  const find = (id: string): FoundCredential =>
    vault ? vault.find(id) : existsSync(file) ? miss() : { kind: "unknown" };

  return {
    open,
    async openIfNeeded() {
      if (!vault && (wasMissed || existsSync(file))) await open();
    },
    wasMissed: () => wasMissed,
    secrets: {
      resolve(reference, place, config) {
        const follow: Vault["follow"] = (...asked) => (vault ? vault.follow(...asked) : miss());
        const answer = answerSecret({ find, follow }, reference, place, config);
        if (answer.kind === "found" && reference.kind === "vault") noteServed(reference.id, place);
        return answer;
      },
      files: () => (existsSync(directory) ? [file] : []),
      // Somebody made the vault beside us, and then the configuration that refers to it.
      opening: () => (!vault && existsSync(file) ? open() : undefined),
    },
    profiles: {
      stamp: () => vault?.stamp() ?? "closed",
      async ready() {
        if (!vault && existsSync(file)) await open();
      },
      find(id) {
        const found = find(id);
        return found.kind === "found" ? found.secret : undefined;
      },
      async keep(credentials) {
        const kept = credentials.map(({ value, ...about }) => ({
          ...about,
          content: { kind: "value" as const, value },
        }));
        await (await open()).put(kept);
      },
      async drop(ids) {
        const found = await open();
        const there = new Set(found.list().map(({ id }) => id));
        const left = ids.filter((id) => there.has(id));
        if (left.length > 0) await found.remove(left);
      },
      used: (id, forWhat) => vault?.noteUse(id, forWhat),
    },
    onChange: (listener) => void changed.add(listener),
    onUse: (listener) => void used.add(listener),
    async close() {
      await (await open.known())?.close();
    },
  };
}
