// Keeps once what is the same turn after turn and in all conversations, under the digest of its text.
import { hash } from "node:crypto";
import { parseJson } from "@chela/sdk/base";
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

/** Undefined when it was lost with a damaged page, or is no JSON any more. */
export function readKept(get: Get, key: string): unknown {
  const row = get("SELECT value FROM ledger_values WHERE key = ?", key);
  return typeof row?.["value"] === "string" ? parseJson(row["value"]) : undefined;
}
