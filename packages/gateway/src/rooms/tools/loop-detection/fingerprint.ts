// Short fingerprints of calls and results: equal values have equal ones, whatever the order of their keys.
import { createHash } from "node:crypto";

export function fingerprint(value: unknown): string {
  return createHash("sha256").update(stableJson(value)).digest("base64url");
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlain(inner) ? sortKeys(inner) : inner)) ?? "";
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
