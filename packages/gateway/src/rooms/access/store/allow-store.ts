// Senders approved by pairing, by channel and account: `<channel>[-<account>]-allowFrom.json`, both names read.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import type { Believed } from "../../../base/files/believed.ts";
import { errnoOf } from "@chela/sdk/files";
import { accountFile, otherAccountFile } from "./file-names.ts";
import { ALLOW_FILE_END, OWNERS } from "./owners-at-start.ts";
import { SharedFile, storeError, type StoreParts } from "./shared-file.ts";

/** Other programs keep their own things in it, too: they stay. `owners` is ours, and believed as far as we wrote it. */
const allowSchema = once(() =>
  z.looseObject({ allowFrom: z.array(z.unknown()).optional(), owners: z.array(z.unknown()).optional() }),
);
type AllowDocument = Parsed<typeof allowSchema>;

export interface Approved {
  readonly ids: ReadonlySet<string>;
  /** Some of `ids`. */
  readonly owners: ReadonlySet<string>;
}

export interface AllowParts extends StoreParts {
  readonly believed: Pick<Believed, "sift" | "known" | "remember">;
}

export class AllowStore {
  readonly #parts: AllowParts;
  readonly #files = new Map<string, SharedFile<AllowDocument>>();
  readonly #read = new WeakMap<AllowDocument, Approved>();

  constructor(parts: AllowParts) {
    this.#parts = parts;
  }

  /** At all there are: who is one before any agent runs was made so by us, or while no gateway ran. */
  lookAtOwners(): void {
    const { believed } = this.#parts;
    const written = this.#names().flatMap((name) => this.#ownersWritten(name).map((id) => itemOf(name, id)));
    const known = believed.sift(OWNERS, written);
    believed.remember(
      OWNERS,
      written.filter((item) => known.has(item)),
    );
  }

  approved(channel: string, account: string): Approved {
    const [own, other] = namesOf(channel, account).map((name) => this.#approvedIn(name));
    if (!own || !other || other.ids.size === 0) return own ?? NOBODY;
    return { ids: new Set([...own.ids, ...other.ids]), owners: new Set([...own.owners, ...other.owners]) };
  }

  /** Whether anybody was ever approved here, on whatever channel. A file that cannot be understood counts, too. */
  hasAnybody(): boolean {
    // Files that somebody took away do not make the next one an owner.
    if (this.#parts.believed.known(OWNERS).length > 0) return true;
    return this.#names().some((name) => this.#file(name).isDamaged() || this.#approvedIn(name).ids.size > 0);
  }

  add(channel: string, account: string, id: string, isOwner: boolean): void {
    const name = accountFile(channel, account, "allowFrom");
    const file = this.#file(name);
    const document = file.read();
    this.#remember(name, id, isOwner);
    const owners = isOwner || document.owners ? { owners: withEntry(document.owners, id, isOwner) } : {};
    file.write({ version: 1, ...document, allowFrom: withEntry(document.allowFrom, id, true), ...owners });
  }

  /** False when the id was not there. */
  remove(channel: string, account: string, id: string): boolean {
    const removed = namesOf(channel, account).map((name) => {
      this.#remember(name, id, false);
      return this.#removeFrom(this.#file(name), id);
    });
    return removed.includes(true);
  }

  #remember(name: string, id: string, isOwner: boolean): void {
    const { believed } = this.#parts;
    const others = believed.known(OWNERS).filter((item) => item !== itemOf(name, id));
    believed.remember(OWNERS, isOwner ? [...others, itemOf(name, id)] : others);
  }

  #ownersWritten(name: string): string[] {
    const { allowFrom, owners } = this.#file(name).read();
    const ids = idsIn(allowFrom);
    return [...idsIn(owners)].filter((id) => ids.has(id));
  }

  #removeFrom(file: SharedFile<AllowDocument>, id: string): boolean {
    const document = file.read();
    if (!idsIn(document.allowFrom).has(id) && !idsIn(document.owners).has(id)) return false;
    const owners = document.owners ? { owners: withEntry(document.owners, id, false) } : {};
    file.write({ ...document, allowFrom: withEntry(document.allowFrom, id, false), ...owners });
    return true;
  }

  #approvedIn(name: string): Approved {
    const document = this.#file(name).read();
    const known = this.#read.get(document);
    if (known) return known;
    const ids = idsIn(document.allowFrom);
    const written = this.#ownersWritten(name);
    const believed = this.#parts.believed.sift(
      OWNERS,
      written.map((id) => itemOf(name, id)),
    );
    const approved = { ids, owners: new Set(written.filter((id) => believed.has(itemOf(name, id)))) };
    this.#read.set(document, approved);
    return approved;
  }

  #file(name: string): SharedFile<AllowDocument> {
    const known = this.#files.get(name);
    if (known) return known;
    const file = new SharedFile<AllowDocument>(join(this.#parts.directory, name), allowSchema, {}, this.#parts);
    this.#files.set(name, file);
    return file;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#parts.directory).filter((name) => name.endsWith(ALLOW_FILE_END));
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw storeError(this.#parts.directory, error);
    }
  }
}

function itemOf(name: string, id: string): string {
  return JSON.stringify([name, id]);
}

const NOBODY: Approved = { ids: new Set(), owners: new Set() };

function namesOf(channel: string, account: string): string[] {
  const other = otherAccountFile(channel, account, "allowFrom");
  return [accountFile(channel, account, "allowFrom"), ...(other === undefined ? [] : [other])];
}

function withEntry(list: readonly unknown[] | undefined, id: string, isIn: boolean): unknown[] {
  const others = (list ?? []).filter((entry) => String(entry).trim() !== id);
  return isIn ? [...others, id] : others;
}

/** "*" approves nobody: pairing is about people one by one. A long number has lost digits and may name somebody else. */
function idsIn(list: readonly unknown[] | undefined): Set<string> {
  const ids = (list ?? []).flatMap((entry) =>
    typeof entry === "string" || Number.isSafeInteger(entry) ? [String(entry).trim()] : [],
  );
  return new Set(ids.filter((id) => id !== "" && id !== "*"));
}
