// Statistics of keys from the configuration and the environment. In memory only; forgotten when the key changes.
import type { Secret } from "@chela/sdk";
import { createHash } from "node:crypto";
import type { UsageStats } from "./stored-profile.ts";

export class GivenStats {
  readonly #rows = new Map<string, { fingerprint: string; stats: UsageStats }>();

  /** A new value is a new key, whatever happened to the old one. Returns true when it was not seen before. */
  meet(name: string, secret: Secret): boolean {
    const fingerprint = createHash("sha256").update(secret.reveal()).digest("base64");
    if (this.#rows.get(name)?.fingerprint === fingerprint) return false;
    this.#rows.set(name, { fingerprint, stats: { errorCount: 0 } });
    return true;
  }

  statsOf(name: string): UsageStats {
    return this.#rows.get(name)?.stats ?? { errorCount: 0 };
  }

  note(name: string, stats: UsageStats): void {
    const row = this.#rows.get(name);
    if (row) row.stats = stats;
  }
}
