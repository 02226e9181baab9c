// Keys of OpenClaw that nobody here acts on. They are one file of data, read when a config has a key that no schema
// knows, or when somebody asks for everything that may be written.
import { readFileSync } from "node:fs";
import * as z from "zod";
import { once } from "@chela/sdk";
import type { Path } from "./edit/path.ts";
import { keyed, openKeyed } from "@chela/sdk/config";
import { isUndescribed, step, type Standing } from "./schema-walk.ts";
import { schemaFrom } from "./read/type-text.ts";

/** A type in the notation of the reference, or what stands below: `<key>` is any name, `[]` each entry, `*` any other name. */
type KeyNotation = string | { readonly [key: string]: KeyNotation };

const EACH_NAME = "<key>";
const EACH_ENTRY = "[]";
const OTHERS = "*";

/** All of them as one schema, with nothing in it but what is not used. */
export const unusedKeys = once(() => schemaOf(readTold()));

function readTold(): KeyNotation {
  return JSON.parse(readFileSync(new URL("./openclaw-keys.json", import.meta.url), "utf8")) as KeyNotation;
}

/** What may stand at a place that no schema knows; empty when OpenClaw does not know it either. */
export function unusedAt(path: Path): Standing {
  return path.reduce<Standing>(step, [unusedKeys()]);
}

/** One key further down, into what is used as well as into what is not. */
export function stepAnywhere(standing: Standing | undefined, from: Path, key: string | number): Standing {
  const known = step(standing, key);
  if (!known.every(isUndescribed)) return known;
  const unused = unusedAt([...from, key]);
  return unused.length > 0 ? unused : known;
}

function schemaOf(told: KeyNotation): z.ZodType {
  if (typeof told === "string") return schemaFrom(told);
  const { [EACH_NAME]: each, [EACH_ENTRY]: entry, [OTHERS]: others, ...named } = told;
  if (each !== undefined) return z.record(z.string(), schemaOf(each));
  if (entry !== undefined) return z.array(schemaOf(entry));
  return z.lazy(() => {
    const keys = Object.fromEntries(Object.entries(named).map(([name, inner]) => [name, schemaOf(inner).optional()]));
    return others === undefined ? keyed(keys) : openKeyed(keys, schemaOf(others));
  });
}
