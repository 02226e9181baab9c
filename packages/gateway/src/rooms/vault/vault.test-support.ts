// A vault in a directory of its own, with a clock, a log and a keyring that tests own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayError, Secret } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { createLog } from "../../base/log.ts";
import { createVault, type Keyring, type NewCredential, type Vault, type VaultOptions } from "./room.ts";

export interface VaultBench extends Disposable {
  readonly stateDir: string;
  readonly file: string;
  readonly keyFile: string;
  readonly clock: ReturnType<typeof createFakeClock>;
  /** Every value the log was told of. */
  readonly told: string[];
  open(more?: Partial<VaultOptions>): Vault;
}

export function createBench(): VaultBench {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-vault-"));
  const clock = createFakeClock();
  const told: string[] = [];
  return {
    stateDir,
    clock,
    told,
    file: join(stateDir, "credentials", "vault.json"),
    keyFile: join(stateDir, "credentials", "vault.key"),
    open: (more = {}) =>
      createVault({
        stateDir,
        clock,
        log: createLog({ clock, level: "silent", consoleLevel: "silent" }),
        env: () => ({}),
        workspaces: () => [join(stateDir, "workspace")],
        onSecret: (value) => told.push(value),
        keyring: null,
        ...more,
      }),
    [Symbol.dispose]: () => rmSync(stateDir, { recursive: true, force: true }),
  };
}

export function value(id: string, text: string, more: Partial<NewCredential> = {}): NewCredential {
  return { id, service: id.split("/")[0] ?? id, content: { kind: "value", value: new Secret(text) }, ...more };
}

/** What `find` gives, in one word for expectations. */
export function read(vault: Vault, id: string): string {
  const found = vault.find(id);
  return found.kind === "found"
    ? found.secret.reveal()
    : found.kind === "unknown"
      ? "unknown"
      : `unreadable: ${found.why}`;
}

export function createKeyring(): Keyring & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  const find = (service: string, account: string): string => {
    const found = items.get(`${service}/${account}`);
    if (found === undefined) throw new GatewayError("CREDENTIAL_UNREADABLE", "the keyring has no such item");
    return found;
  };
  return {
    items,
    read: find,
    readLater: async (service, account) => find(service, account),
    store: async (service, account, text) => void items.set(`${service}/${account}`, text),
    forget: async (service, account) => void items.delete(`${service}/${account}`),
  };
}
