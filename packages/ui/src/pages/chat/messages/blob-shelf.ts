// Files of conversations that were fetched: kept a while, so that scrolling back and forth does not fetch them again.
import type { Wire } from "../../../wire/wire.ts";

const MOST_BYTES = 64 * 1024 * 1024;

class BlobShelf {
  readonly #wire: Wire;
  /** The least recently used first. */
  readonly #blobs = new Map<string, Blob>();
  readonly #fetching = new Map<string, Promise<Blob>>();
  #bytes = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** A file of the gateway's store. */
  media(id: string): Promise<Blob> {
    return this.#take(`media ${id}`, async () => {
      const { data, mimeType } = await this.#wire.call("media.get", { id });
      return toBlob(data, mimeType);
    });
  }

  /** A picture that stands in an entry itself: the `at`-th block of its content. */
  picture(sessionKey: string, entryId: string, at: number): Promise<Blob> {
    return this.#take(`picture ${sessionKey} ${entryId} ${at}`, async () => {
      const { content = [] } = await this.#wire.call("chat.entry", { sessionKey, id: entryId });
      const block = content[at];
      if (block?.type !== "image" || block.data === undefined) throw new Error("The picture is not kept any more.");
      return toBlob(block.data, block.mimeType);
    });
  }

  async #take(name: string, fetchIt: () => Promise<Blob>): Promise<Blob> {
    const known = this.#blobs.get(name);
    if (known) {
      this.#blobs.delete(name);
      this.#blobs.set(name, known);
      return known;
    }
    const fetching = this.#fetching.get(name) ?? fetchIt();
    this.#fetching.set(name, fetching);
    try {
      const blob = await fetching;
      this.#put(name, blob);
      return blob;
    } finally {
      this.#fetching.delete(name);
    }
  }

  #put(name: string, blob: Blob): void {
    if (this.#blobs.has(name)) return;
    this.#blobs.set(name, blob);
    this.#bytes += blob.size;
    for (const [oldest, { size }] of this.#blobs) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#blobs.delete(oldest);
      this.#bytes -= size;
    }
  }
}

const shelves = new WeakMap<Wire, BlobShelf>();

/** One for each connection. */
export function shelfOf(wire: Wire): BlobShelf {
  const shelf = shelves.get(wire) ?? new BlobShelf(wire);
  shelves.set(wire, shelf);
  return shelf;
}

function toBlob(base64: string, type: string): Blob {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new Blob([bytes], { type });
}
