// Names become ids once, and keep them: whoever takes a name later does not get what it stood for.
import { join } from "node:path";
import { once, type DirectoryEntry, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { Alone } from "./alone.ts";
import { accountFile } from "./file-names.ts";
import { SharedFile, type StoreParts } from "./shared-file.ts";

const pinsSchema = once(() => z.record(z.string(), z.looseObject({ id: z.string().min(1), at: z.string() })));
const bookSchema = once(() => z.looseObject({ names: pinsSchema().optional(), groups: pinsSchema().optional() }));
type Book = Parsed<typeof bookSchema>;
type Kind = DirectoryEntry["kind"];

/** The one id a name has now; undefined when nobody or several have it. */
export type LookUp = (name: string, kind: Kind) => Promise<string | undefined>;

interface Page {
  readonly file: SharedFile<Book>;
  readonly alone: Alone;
}

export class NameBook {
  readonly #parts: StoreParts;
  readonly #pages = new Map<string, Page>();

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /**
   * The id the name had when it was first looked up, which is now when it never was. Undefined when it cannot be known:
   * no connection, no such name, a book that cannot be read or written. Then the name means nobody.
   */
  async idOf(
    { channel, account }: { readonly channel: string; readonly account: string },
    name: string,
    kind: Kind,
    lookUp?: LookUp,
  ): Promise<string | undefined> {
    const { file, alone } = this.#page(accountFile(channel, account, "names"));
    const known = pinnedId(file.read(), kind, name);
    if (known !== undefined || file.isDamaged() || !lookUp) return known;
    try {
      const found = await lookUp(name, kind);
      return isUsable(found) ? await alone.run(() => this.#pin(file, kind, name, found)) : undefined;
    } catch (error) {
      this.#parts.log.warn("A name in an allow-list could not be looked up and means nobody for now", {
        channel,
        account,
        name,
        error,
      });
      return undefined;
    }
  }

  /** Another process may have been faster; what it wrote holds. */
  #pin(file: SharedFile<Book>, kind: Kind, name: string, id: string): string {
    const book = file.read();
    const known = pinnedId(book, kind, name);
    if (known !== undefined) return known;
    const pins = new Map(Object.entries(book[keyOf(kind)] ?? {}));
    pins.set(name, { id, at: new Date(this.#parts.clock.now()).toISOString() });
    file.write({ version: 1, ...book, [keyOf(kind)]: Object.fromEntries(pins) });
    return id;
  }

  #page(name: string): Page {
    const known = this.#pages.get(name);
    if (known) return known;
    const path = join(this.#parts.directory, name);
    const file = new SharedFile<Book>(path, bookSchema, {}, this.#parts);
    const page = { file, alone: new Alone(`${path}.lock`, this.#parts.lock) };
    this.#pages.set(name, page);
    return page;
  }
}

function pinnedId(book: Book, kind: Kind, name: string): string | undefined {
  const pins = book[keyOf(kind)] ?? {};
  return Object.hasOwn(pins, name) ? pins[name]?.id : undefined;
}

function keyOf(kind: Kind): "names" | "groups" {
  return kind === "user" ? "names" : "groups";
}

function isUsable(id: unknown): id is string {
  return typeof id === "string" && id.trim() !== "" && id !== "*";
}
