// The file vault.json on the disk: read again when somebody changed it, written whole and by one process at a time.
import { statSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { waitForLock } from "../../base/locks/lock-file.ts";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { EMPTY, parseVault, writeVault, type VaultDocument } from "./entry.ts";
import { readOwnFile } from "./private-file.ts";

const LOCK_PATIENCE_MS = 10_000;
const NO_FILE = "none";

export function credentialsDirectory(stateDir: string): string {
  return join(stateDir, "credentials");
}

export function vaultPath(stateDir: string): string {
  return join(credentialsDirectory(stateDir), "vault.json");
}

export class VaultFile {
  readonly path: string;
  readonly #clock: Clock;
  #known: { readonly stamp: string; readonly document: VaultDocument } | undefined;

  constructor(stateDir: string, clock: Clock) {
    this.path = vaultPath(stateDir);
    this.#clock = clock;
  }

  exists(): boolean {
    return this.stamp() !== NO_FILE;
  }

  /** Another text whenever the file may be another one. */
  stamp(): string {
    try {
      const stat = statSync(this.path, { bigint: true, throwIfNoEntry: false });
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : NO_FILE;
    } catch {
      return "unreachable";
    }
  }

  /** Throws CREDENTIAL_STORE for a file that cannot be understood as a whole. */
  read(): VaultDocument {
    const stamp = this.stamp();
    if (this.#known?.stamp !== stamp) this.#known = { stamp, document: this.#load() };
    return this.#known.document;
  }

  /** Changes the newest version, alone among all processes. Nothing is written when the change throws. */
  async change(edit: (before: VaultDocument) => VaultDocument | Promise<VaultDocument>): Promise<VaultDocument> {
    let release: (() => void) | undefined;
    try {
      release = await waitForLock(`${this.path}.lock`, this.#clock, LOCK_PATIENCE_MS);
      if (!release) throw new GatewayError("CREDENTIAL_STORE", `${this.path} is being changed by another process`);
      const after = await edit(this.#load());
      writeFileAtomic(this.path, writeVault(after));
      this.#known = undefined;
      return after;
    } catch (error) {
      if (GatewayError.is(error)) throw error;
      throw new GatewayError("CREDENTIAL_STORE", `${this.path} (${errnoOf(error) ?? "unknown reason"})`, {
        cause: error,
      });
    } finally {
      release?.();
    }
  }

  #load(): VaultDocument {
    const text = readOwnFile(this.path);
    if (text === undefined) return EMPTY;
    const parsed = parseVault(text);
    if (parsed.kind === "read") return parsed.document;
    throw new GatewayError(
      "CREDENTIAL_STORE",
      `${this.path} is not used, because ${parsed.why}; nothing in it was changed`,
    );
  }
}
