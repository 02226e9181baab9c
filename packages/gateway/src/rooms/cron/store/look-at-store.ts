// Checks whether the file of jobs is as we wrote it. Asked at every start, so it loads next to nothing.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Ledger } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

/** What the ledger knows of the file: the digests it may have, the newest first, and when it was written or taken over. */
export interface KnownStore {
  readonly digests: readonly string[];
  readonly at: number;
}

export type Looked =
  | { readonly kind: "absent" }
  /** As we wrote it. */
  | { readonly kind: "same" }
  /** `knownAt`: when we wrote it last; undefined when we never did. */
  | { readonly kind: "edited"; readonly text: string; readonly knownAt?: number };

/** In the ledger. */
export const KNOWN_STORE = "cron-store";

export async function lookAtStore(path: string, ledger: Pick<Ledger, "value">): Promise<Looked> {
  const text = await readIfThere(path);
  if (text === undefined) return { kind: "absent" };
  const known = await readKnown(ledger);
  if (known === undefined) return { kind: "edited", text };
  return knows(known, text) ? { kind: "same" } : { kind: "edited", text, knownAt: known.at };
}

export async function readKnown(ledger: Pick<Ledger, "value">): Promise<KnownStore | undefined> {
  const value = await ledger.value(KNOWN_STORE);
  return value === undefined ? undefined : (JSON.parse(value) as KnownStore);
}

export function knows(known: KnownStore | undefined, text: string): boolean {
  return known?.digests.includes(digestOf(text)) ?? false;
}

/** Files of older gateways have another name; they count while there is no other. */
export function storeFiles(storePath: string): string[] {
  const older = storePath.replace(/jobs\.json$/, "cron-store.json");
  return older === storePath ? [storePath] : [storePath, older];
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
