// The anchor of the audit trail: a small file beside the ledger that names an event which must be in it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { once, type AuditBase } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "../base/files.ts";

/** An event by its number and hash. */
export type AuditHead = AuditBase;

const headSchema = once(() => z.object({ seq: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }));

const pathIn = (stateDir: string): string => join(stateDir, "audit.head");

export type ReadHead =
  | { readonly kind: "head"; readonly head: AuditHead }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly why: string };

export function readHead(stateDir: string): ReadHead {
  try {
    const parsed = headSchema().safeParse(JSON.parse(readFileSync(pathIn(stateDir), "utf8")));
    return parsed.success
      ? { kind: "head", head: parsed.data }
      : { kind: "unreadable", why: "it does not name an event" };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { kind: "none" };
    return { kind: "unreadable", why: errnoOf(error) ?? "it is not JSON" };
  }
}

export function writeHead(stateDir: string, { seq, hash }: AuditHead): void {
  writeFileAtomic(pathIn(stateDir), `${JSON.stringify({ seq, hash })}\n`);
}
