// The anchor of the audit trail: a small file beside the ledger that names an event which must be in it, under the trail's key.
import { defined } from "@chela/sdk/base";
import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { once, type AuditBase } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { hashOf, makeKey, readKey } from "../../base/files/key-file.ts";

/** An event by its number and hash. */
export interface AuditHead extends AuditBase {
  /** From this event on every hash is made with the key. */
  readonly keyedFrom?: number | undefined;
}

const link = () => z.string().regex(/^[0-9a-f]{64}$/);
const headSchema = once(() =>
  z.object({ seq: z.int().min(1), hash: link(), keyedFrom: z.int().min(1).optional(), mac: link().optional() }),
);

const pathIn = (stateDir: string): string => join(stateDir, "audit.head");
const keyPathIn = (stateDir: string): string => join(stateDir, "identity", "audit.key");

export type ReadHead =
  /** Without a key it is one that anybody can make. */
  | { readonly kind: "head"; readonly head: AuditHead; readonly isSealed: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly why: string };

/** The key by which the trail of this machine is chained; undefined when there is none. */
export function readAuditKey(stateDir: string): Buffer | undefined {
  return readKey(keyPathIn(stateDir));
}

export interface AuditKey {
  readonly key: Buffer;
  /** It was made just now: what is there from before is without it. */
  readonly isNew: boolean;
}

/** Made once, and never again while it is there. */
export function openAuditKey(stateDir: string): AuditKey {
  const key = readAuditKey(stateDir);
  return key ? { key, isNew: false } : { key: makeKey(keyPathIn(stateDir)), isNew: true };
}

export function readHead(stateDir: string, key: Buffer | undefined): ReadHead {
  try {
    const parsed = headSchema().safeParse(JSON.parse(readFileSync(pathIn(stateDir), "utf8")));
    if (!parsed.success) return { kind: "unreadable", why: "it does not name an event" };
    const { mac, ...head } = parsed.data;
    if (key && mac !== undefined && !timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(head, key))))
      return { kind: "unreadable", why: "it was not written by the gateway, or its key is another one" };
    return { kind: "head", head, isSealed: mac !== undefined };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "none" };
    return { kind: "unreadable", why: errnoOf(error) ?? "it is not JSON" };
  }
}

export function writeHead(stateDir: string, { seq, hash, keyedFrom }: AuditHead, key: Buffer | undefined): void {
  const head = { seq, hash, ...defined({ keyedFrom }) };
  writeFileAtomic(pathIn(stateDir), `${JSON.stringify({ ...head, ...(key ? { mac: macOf(head, key) } : {}) })}\n`);
}

function macOf({ seq, hash, keyedFrom }: AuditHead, key: Buffer): string {
  return hashOf(JSON.stringify(["audit.head", seq, hash, keyedFrom ?? null]), key);
}
