// Who was approved by pairing, for each channel and account: `<channel>[-<account>]-allowFrom.json`, both names read.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { errnoOf } from "../../../base/files/files.ts";
import { accountFile, otherAccountFile } from "./file-names.ts";
import { SharedFile, storeError, type StoreParts } from "./shared-file.ts";

const FILE_END = "-allowFrom.json";

/** Other programs keep their own things in it, too: they stay. `owners` is ours. */
const allowSchema = once(() =>
  z.looseObject({ allowFrom: z.array(z.unknown()).optional(), owners: z.array(z.unknown()).optional() }),
);
type AllowDocument = Parsed<typeof allowSchema>;

export interface Approved {
  readonly ids: ReadonlySet<string>;
  /** Some of `ids`. */
  readonly owners: ReadonlySet<string>;
}

export class AllowStore {
  readonly #parts: StoreParts;
  readonly #files = new Map<string, SharedFile<AllowDocument>>();
  readonly #read = new WeakMap<AllowDocument, Approved>();

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  approved(channel: string, account: string): Approved {
    const [own, other] = namesOf(channel, account).map((name) => this.#approvedIn(name));
    if (!own || !other || other.ids.size === 0) return own ?? NOBODY;
    return { ids: new Set([...own.ids, ...other.ids]), owners: new Set([...own.owners, ...other.owners]) };
  }

  /** Whether anybody was ever approved here, on whatever channel. A file that cannot be understood counts, too. */
  hasAnybody(): boolean {
    return this.#names().some((name) => this.#file(name).isDamaged() || this.#approvedIn(name).ids.size > 0);
  }

  add(channel: string, account: string, id: string, isOwner: boolean): void {
    const file = this.#file(accountFile(channel, account, "allowFrom"));
    const document = file.read();
    const owners = isOwner || document.owners ? { owners: withEntry(document.owners, id, isOwner) } : {};
    file.write({ version: 1, ...document, allowFrom: withEntry(document.allowFrom, id, true), ...owners });
  }

  /** False when the id was not there. */
  remove(channel: string, account: string, id: string): boolean {
    const removed = namesOf(channel, account).map((name) => this.#removeFrom(this.#file(name), id));
    return removed.includes(true);
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
    const approved = { ids, owners: new Set([...idsIn(document.owners)].filter((id) => ids.has(id))) };
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
      return readdirSync(this.#parts.directory).filter((name) => name.endsWith(FILE_END));
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw storeError(this.#parts.directory, error);
    }
  }
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
