// Remembers what the files of workspaces hold, so that an unchanged workspace costs a look at each file and no reading.
import { join } from "node:path";
import type { Logger } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { readFile, stampOf, type FileContent } from "./read-file.ts";

const MAX_FILES = 1000;
const MAX_CHARS = 16 * 1024 * 1024;

interface Remembered {
  readonly stamp: string;
  readonly content: FileContent;
}

export class FileCache {
  readonly #files = new Map<string, Remembered>();
  readonly #log: Logger | undefined;
  readonly #paths = new Map<string, Map<string, string>>();
  #chars = 0;

  constructor(log?: Logger) {
    this.#log = log;
  }

  /** The same string as the last time while the file is unchanged. */
  read(directory: string, name: string): FileContent {
    const path = this.pathOf(directory, name);
    const stamp = lookAt(path);
    const known = this.#files.get(path);
    if (known && known.stamp === stamp && !this.#isCrowded) return known.content;
    if (known) this.#forget(path, known);
    if (stamp === undefined) return { kind: "missing" };
    const fresh = known?.stamp === stamp ? known : { stamp, content: readFile(directory, name) };
    if (fresh !== known && fresh.content.kind === "refused") this.#tell(path, fresh.content.why);
    this.#remember(path, fresh);
    return fresh.content;
  }

  /** Asked for with every turn, and always the same. */
  pathOf(directory: string, name: string): string {
    let paths = this.#paths.get(directory);
    if (!paths) {
      if (this.#paths.size >= MAX_FILES) this.#paths.clear();
      this.#paths.set(directory, (paths = new Map()));
    }
    const path = paths.get(name) ?? join(directory, name);
    paths.set(name, path);
    return path;
  }

  /** Only then does it matter which file was asked for last. */
  get #isCrowded(): boolean {
    return this.#files.size > MAX_FILES / 2 || this.#chars > MAX_CHARS / 2;
  }

  #tell(path: string, why: string): void {
    this.#log?.warn(`${path} ${why}, so the agent does not see it. Put a text file of at most 2 MB there.`);
  }

  #forget(path: string, known: Remembered): void {
    this.#files.delete(path);
    this.#chars -= charsOf(known);
  }

  /** Always the youngest; the ones that were not asked for the longest give way. */
  #remember(path: string, file: Remembered): void {
    this.#files.set(path, file);
    this.#chars += charsOf(file);
    for (const [oldest, one] of this.#files) {
      if (this.#files.size <= MAX_FILES && this.#chars <= MAX_CHARS) return;
      this.#forget(oldest, one);
    }
  }
}

/** A path that cannot be looked at is a state of its own: it is read, and the reading says what is wrong. */
function lookAt(path: string): string | undefined {
  try {
    return stampOf(path);
  } catch (error) {
    return `failed:${errnoOf(error) ?? ""}`;
  }
}

function charsOf(file: Remembered): number {
  return file.content.kind === "text" ? file.content.text.length : 0;
}
