// `$include`: other files become part of the config. They stay inside the config directory, and circles are named.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";
import type { Finding } from "./issue.ts";
import { isObject, type JsonObject, type Path } from "../edit/path.ts";
import { readConfigText } from "./read-text.ts";

const MAX_DEPTH = 10;
export const MAX_CONFIG_BYTES = 2 * 1024 * 1024;

export interface Included {
  readonly value: unknown;
  /** Every file that took part, without the main one. */
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
}

export function resolveIncludes(value: unknown, mainFile: string): Included {
  const walk = new IncludeWalk(dirname(mainFile));
  const resolved = walk.visit(value, { file: mainFile, chain: [mainFile], path: [] });
  return { value: resolved, files: [...walk.files], findings: walk.findings };
}

/** Objects merge, lists are joined, of anything else the later one wins. */
export function mergeDeep(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(above)) return [...below, ...above];
  if (!isObject(below) || !isObject(above)) return above;
  const merged: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    merged[key] = Object.hasOwn(below, key) ? mergeDeep(below[key], value) : value;
  }
  return merged;
}

interface IncludeSite {
  readonly file: string;
  readonly chain: readonly string[];
  readonly path: Path;
}

class IncludeWalk {
  readonly files = new Set<string>();
  readonly findings: Finding[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  visit(value: unknown, place: IncludeSite): unknown {
    if (Array.isArray(value)) {
      return value.map((entry, index) => this.visit(entry, { ...place, path: [...place.path, index] }));
    }
    if (!isObject(value)) return value;
    const own: JsonObject = {};
    for (const [key, entry] of Object.entries(value)) {
      if (key !== "$include") own[key] = this.visit(entry, { ...place, path: [...place.path, key] });
    }
    return Object.hasOwn(value, "$include") ? this.#join(value["$include"], own, place) : own;
  }

  /** What is included lies below; the keys written beside `$include` are merged over it. */
  #join(named: unknown, own: JsonObject, place: IncludeSite): unknown {
    const names = typeof named === "string" ? [named] : named;
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
      return this.#refuse(own, place, "must be a file name or a list of file names");
    }
    let included: unknown;
    for (const name of names) {
      const content = this.#read(name, place);
      if (content !== undefined) included = included === undefined ? content : mergeDeep(included, content);
    }
    if (included === undefined || Object.keys(own).length === 0) return included ?? own;
    if (!isObject(included))
      return this.#refuse(own, place, "the included file is not an object, so keys beside $include have no place");
    return mergeDeep(included, own);
  }

  #read(name: string, place: IncludeSite): unknown {
    const file = resolve(dirname(place.file), name);
    if (place.chain.includes(file)) {
      return this.#refuse(
        undefined,
        place,
        `files include each other in a circle: ${[...place.chain, file].join(" → ")}`,
      );
    }
    if (place.chain.length > MAX_DEPTH)
      return this.#refuse(undefined, place, `${name} is nested deeper than ${MAX_DEPTH} files`);
    const text = this.#readConfined(name, file, place);
    if (text === undefined) return undefined;
    this.files.add(file);
    const read = readConfigText(text);
    if (read.kind === "read") return this.visit(read.value, { ...place, file, chain: [...place.chain, file] });
    const problem =
      read.kind === "syntax" ? `line ${read.line ?? 1}: ${read.message}` : (read.findings[0]?.message ?? "");
    return this.#refuse(undefined, place, `${name} cannot be used: ${problem}`);
  }

  #readConfined(name: string, file: string, place: IncludeSite): string | undefined {
    if (!isBelow(this.#root, file)) return this.#refuse(undefined, place, `${name} lies outside the config directory`);
    try {
      if (!isBelow(realpathSync(this.#root), realpathSync(file))) {
        return this.#refuse(undefined, place, `${name} leads outside the config directory through a link`);
      }
      const stat = statSync(file);
      if (!stat.isFile()) return this.#refuse(undefined, place, `${name} is not a file`);
      if (stat.size > MAX_CONFIG_BYTES) return this.#refuse(undefined, place, `${name} is larger than 2 MiB`);
      return readFileSync(file, "utf8");
    } catch (error) {
      return this.#refuse(undefined, place, `${name} cannot be read (${errnoOf(error) ?? String(error)})`);
    }
  }

  #refuse<Value>(value: Value, place: IncludeSite, message: string): Value {
    this.findings.push({ path: [...place.path, "$include"], message });
    return value;
  }
}
