// A small JSON file that other programs change, too: read again when it did, written whole, and kept when it is damaged.
import { readFileSync, renameSync, statSync } from "node:fs";
import { GatewayError, type Clock, type Lazy, type Logger } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";

export interface StoreParts {
  /** `<state directory>/credentials`. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keeps other processes out until the returned function is called; undefined when that takes too long. */
  readonly lock: (path: string) => Promise<(() => void) | undefined>;
}

interface Loaded<Document> {
  readonly stamp: string;
  readonly document: Document;
  readonly isDamaged: boolean;
}

export class SharedFile<Document extends object> {
  readonly #path: string;
  readonly #schema: Lazy<z.ZodType<Document>>;
  readonly #empty: Document;
  readonly #parts: StoreParts;
  #loaded: Loaded<Document> | undefined;

  constructor(path: string, schema: Lazy<z.ZodType<Document>>, empty: Document, parts: StoreParts) {
    this.#path = path;
    this.#schema = schema;
    this.#empty = empty;
    this.#parts = parts;
  }

  /** The same object as long as nobody wrote the file. A file that cannot be understood says nothing, and is left alone. */
  read(): Document {
    return this.#load().document;
  }

  isDamaged(): boolean {
    return this.#load().isDamaged;
  }

  /** Replaces the document; what cannot be understood is set aside first. On failure the file is as before. */
  write(document: Document): void {
    try {
      if (this.#load().isDamaged) renameSync(this.#path, `${this.#path}.damaged.${this.#parts.clock.now()}`);
      writeFileAtomic(this.#path, `${JSON.stringify(document, null, 2)}\n`);
    } catch (error) {
      throw storeError(this.#path, error);
    } finally {
      this.#loaded = undefined;
    }
  }

  #load(): Loaded<Document> {
    const stamp = stampOf(this.#path);
    if (this.#loaded?.stamp !== stamp) this.#loaded = this.#readAnew(stamp);
    return this.#loaded;
  }

  #readAnew(stamp: string): Loaded<Document> {
    const nothing = { stamp, document: this.#empty };
    if (stamp === "") return { ...nothing, isDamaged: false };
    try {
      const parsed = this.#schema().safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      if (parsed.success) return { stamp, document: parsed.data, isDamaged: false };
      this.#complain(z.prettifyError(parsed.error));
    } catch (error) {
      // Removed since we looked: the next reader sees that.
      if (errnoOf(error) === "ENOENT") return { ...nothing, isDamaged: false };
      this.#complain(errnoOf(error) ?? "it is not JSON");
    }
    return { ...nothing, isDamaged: true };
  }

  #complain(why: string): void {
    this.#parts.log.error("A file of who may write to us cannot be understood, so it lets nobody in", {
      file: this.#path,
      why,
    });
  }
}

export function storeError(path: string, error: unknown): GatewayError {
  if (GatewayError.is(error)) return error;
  const errno = errnoOf(error);
  if (errno === "ENOSPC" || errno === "EDQUOT") return new GatewayError("STORE_FULL", path, { cause: error });
  return new GatewayError("ACCESS_STORE", `${path} (${errno ?? "unknown reason"})`, { cause: error });
}

/** Changes whenever the file is replaced or rewritten; empty when there is none. */
function stampOf(path: string): string {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    return facts ? `${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}` : "";
  } catch (error) {
    throw storeError(path, error);
  }
}
