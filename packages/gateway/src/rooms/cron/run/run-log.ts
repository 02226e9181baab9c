// The logs of runs: a file for each job, one line of JSON for each run, the newest last, cut when it grows too long.
import { appendFile, mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";

export interface RunLogLimits {
  readonly maxBytes: number;
  readonly keepLines: number;
}

/** How much of a log that is cut stays, so that it is not cut again with the next line. */
const KEPT_SHARE = 0.75;
const MOST_REMEMBERED = 2_000;

export class RunLogs {
  /** How many lines each file has, as long as it is as large as we left it. */
  readonly #known = new Map<string, { readonly bytes: number; readonly lines: number }>();

  async isThere(path: string): Promise<boolean> {
    return (await sizeOf(path)) > 0;
  }

  /** A line that is there already is not written again. */
  async append(path: string, lines: readonly string[], limits: RunLogLimits): Promise<void> {
    const size = await sizeOf(path);
    const known = this.#known.get(path);
    if (known?.bytes !== size) return this.#appendToRead(path, lines, limits);
    const bytes = size + bytesOf(lines);
    if (bytes > limits.maxBytes || known.lines + lines.length > limits.keepLines) {
      return this.#appendToRead(path, lines, limits);
    }
    await appendFile(path, `${lines.join("\n")}\n`, { mode: 0o600 });
    this.#remember(path, bytes, known.lines + lines.length);
  }

  async #appendToRead(path: string, lines: readonly string[], limits: RunLogLimits): Promise<void> {
    const present = await readLines(path);
    const last = new Set(present.slice(-4 * Math.max(lines.length, 100)));
    const fresh = lines.filter((line) => !last.has(line));
    const all = [...present, ...fresh];
    const isTooLong = all.length > limits.keepLines || bytesOf(all) > limits.maxBytes;
    const kept = isTooLong ? keepNewest(all, limits) : all;
    if (isTooLong) writeFileAtomic(path, `${kept.join("\n")}\n`);
    else if (fresh.length > 0) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, `${fresh.join("\n")}\n`, { mode: 0o600 });
    }
    this.#remember(path, bytesOf(kept), kept.length);
  }

  #remember(path: string, bytes: number, lines: number): void {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(path, { bytes, lines });
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return 0;
    throw error;
  }
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, "utf8")).split("\n").filter(Boolean);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function keepNewest(lines: readonly string[], { maxBytes, keepLines }: RunLogLimits): readonly string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(-Math.max(1, Math.floor(keepLines * KEPT_SHARE))).toReversed()) {
    bytes += Buffer.byteLength(line) + 1;
    if (kept.length > 0 && bytes > maxBytes * KEPT_SHARE) break;
    kept.push(line);
  }
  return kept.toReversed();
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
