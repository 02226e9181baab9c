// What is the same turn after turn and conversation after conversation is kept once, under the digest of its text.
import { hash } from "node:crypto";
import { freeze } from "../../base/freeze.ts";
import type { Get, Write } from "./apply-change.ts";

export type KeptKind = "turn-policy" | "prompt-part";

const DIGEST_CHARS = 24;

/** The key under which the value can be read again. */
export function keepOnce(write: Write, kind: KeptKind, value: object): string {
  const text = JSON.stringify(value);
  const key = `${kind}:${hash("sha256", text).slice(0, DIGEST_CHARS)}`;
  write("INSERT OR IGNORE INTO ledger_values (key, value) VALUES (?, ?)", key, text);
  return key;
}

export function isKept(kind: KeptKind, value: unknown): value is string {
  return typeof value === "string" && value.startsWith(`${kind}:`);
}

/** Undefined when it was lost with a damaged page. */
export function readKept(get: Get, key: string): unknown {
  const row = get("SELECT value FROM ledger_values WHERE key = ?", key);
  return row && JSON.parse(String(row["value"]));
}

/** As many as conversations have, with some that were. */
const MOST_READ = 64;

/**
 * Values that were read, and need not be read or written again. All who ask get the same one, which nobody can change.
 * Only what is committed is read.
 */
export class ReadOnce {
  readonly #values = new Map<string, object>();
  readonly #keys = new WeakMap<object, string>();

  keep(write: Write, kind: KeptKind, value: object): string {
    return this.#keys.get(value) ?? keepOnce(write, kind, value);
  }

  /** Undefined when it was lost with a damaged page. */
  read(get: Get, key: string): object | undefined {
    const known = this.#values.get(key);
    if (known) return known;
    const value = readKept(get, key);
    if (typeof value !== "object" || value === null) return undefined;
    const [oldest] = this.#values.size < MOST_READ ? [] : this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, freeze(value));
    this.#keys.set(value, key);
    return value;
  }
}
