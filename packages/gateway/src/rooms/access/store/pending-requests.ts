// Strangers who wait to be let in, per channel: `<channel>-pairing.json`. They expire, and cannot pile up.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { once, type Clock, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { errnoOf } from "@chela/sdk/files";
import { canonicalAccount, channelFile } from "./file-names.ts";
import { SharedFile, storeError, type StoreParts } from "./shared-file.ts";

const FILE_END = "-pairing.json";
const LIFETIME_MS = 60 * 60_000;

const requestSchema = once(() =>
  z.looseObject({
    id: z.string().min(1),
    code: z.string().min(1),
    createdAt: z.string(),
    lastSeenAt: z.string(),
    meta: z.record(z.string(), z.string()).optional(),
  }),
);
export type StoredRequest = Parsed<typeof requestSchema>;

const pairingSchema = once(() => z.looseObject({ requests: z.array(z.unknown()).optional() }));
type PairingDocument = Parsed<typeof pairingSchema>;

export class PendingRequests {
  readonly #parts: StoreParts;
  readonly #files = new Map<string, SharedFile<PairingDocument>>();

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** All that can be understood, expired ones too. */
  all(channel: string): StoredRequest[] {
    return this.#requestsIn(channelFile(channel, "pairing"));
  }

  /** Those that still count. */
  live(channel: string): StoredRequest[] {
    return this.all(channel).filter((request) => !isExpired(request, this.#parts.clock));
  }

  /** Those that still count, on every channel there is a file of. */
  everywhere(): Array<{ channel: string; request: StoredRequest }> {
    return this.#names().flatMap((name) =>
      this.#requestsIn(name)
        .filter((request) => !isExpired(request, this.#parts.clock))
        .map((request) => ({ channel: name.slice(0, -FILE_END.length), request })),
    );
  }

  replace(channel: string, requests: readonly StoredRequest[]): void {
    const file = this.#file(channelFile(channel, "pairing"));
    file.write({ version: 1, ...file.read(), requests: [...requests] });
  }

  #requestsIn(name: string): StoredRequest[] {
    return (this.#file(name).read().requests ?? []).flatMap((value) => {
      const parsed = requestSchema().safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });
  }

  #file(name: string): SharedFile<PairingDocument> {
    const known = this.#files.get(name);
    if (known) return known;
    const file = new SharedFile<PairingDocument>(join(this.#parts.directory, name), pairingSchema, {}, this.#parts);
    this.#files.set(name, file);
    return file;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#parts.directory)
        .filter((name) => name.endsWith(FILE_END))
        .sort();
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw storeError(this.#parts.directory, error);
    }
  }
}

export function accountOf({ meta }: StoredRequest): string {
  return canonicalAccount(meta?.["accountId"]);
}

/** A time that cannot be read, or that is far ahead, is no reason to wait for ever. */
export function isExpired({ createdAt }: StoredRequest, clock: Clock): boolean {
  return !(Math.abs(clock.now() - Date.parse(createdAt)) < LIFETIME_MS);
}
