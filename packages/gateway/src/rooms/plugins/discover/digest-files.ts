// The hash over all files of a plugin: what was approved is exactly what runs. Links that lead out of it are refused.
import { createHash } from "node:crypto";
import { createReadStream, type BigIntStats } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { isInside } from "@chela/sdk/files";

const MOST_FILES = 60_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Files are read anew when they may have changed; of what did not, this many hashes are kept. */
const MOST_KEPT = 100_000;

export type Digest =
  | { readonly kind: "digest"; readonly digest: string; readonly files: number; readonly bytes: number }
  | { readonly kind: "refused"; readonly reason: "source_escapes_root" | "path_stat_failed"; readonly why: string };

export class FileDigests {
  readonly #kept = new Map<string, { readonly stamp: string; readonly hash: string }>();

  /** Of a folder, or of the one file a plugin consists of. */
  async of(root: string, file?: string): Promise<Digest> {
    const whole = createHash("sha256");
    let files = 0;
    let bytes = 0;
    try {
      for await (const { path, stats } of file === undefined ? walk(root, root) : one(file)) {
        const name = relative(root, path).split(sep).join("/");
        files += 1;
        bytes += Number(stats.size);
        if (files > MOST_FILES || bytes > MOST_BYTES) return tooMuch(root);
        const own = stats.isSymbolicLink() ? `link ${await readlink(path)}` : await this.#hashOf(path, stats);
        whole.update(`${JSON.stringify(name)} ${own}\n`);
      }
    } catch (error) {
      if (error instanceof Escape) return { kind: "refused", reason: "source_escapes_root", why: error.message };
      const why = `${root} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
      return { kind: "refused", reason: "path_stat_failed", why };
    }
    return { kind: "digest", digest: whole.digest("hex"), files, bytes };
  }

  async #hashOf(path: string, { ino, size, mtimeNs, ctimeNs }: BigIntStats): Promise<string> {
    const stamp = [ino, size, mtimeNs, ctimeNs].join(":");
    const known = this.#kept.get(path);
    if (known?.stamp === stamp) return known.hash;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    const text = hash.digest("hex");
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(path, { stamp, hash: text });
    return text;
  }
}

class Escape extends Error {}

interface Walked {
  readonly path: string;
  readonly stats: BigIntStats;
}

async function* one(path: string): AsyncGenerator<Walked> {
  yield { path, stats: await lstat(path, { bigint: true }) };
}

async function* walk(root: string, folder: string): AsyncGenerator<Walked> {
  const names = (await readdir(folder)).sort();
  for (const name of names) {
    const path = join(folder, name);
    const stats = await lstat(path, { bigint: true });
    if (stats.isDirectory()) yield* walk(root, path);
    else if (stats.isFile()) yield { path, stats };
    else if (stats.isSymbolicLink()) {
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined && !isInside(root, real))
        throw new Escape(`${path} is a link that leads out of the plugin, to ${real}.`);
      yield { path, stats };
    }
  }
}

function tooMuch(root: string): Digest {
  const why = `${root} holds more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MB.`;
  return { kind: "refused", reason: "path_stat_failed", why };
}
