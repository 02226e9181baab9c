// Checks a config against the schema: wrong values are named, unknown keys are set aside, and so are keys of OpenClaw that
// nobody here acts on. What is left is the config in use.
import type * as z from "zod";
import type { Finding } from "./issue.ts";
import { nearestWord } from "../../../base/text/nearest.ts";
import { unusedAt } from "../openclaw-keys.ts";
import { dropAt, formatPath, isObject, parsePath, putAt, valueAt, type JsonObject, type Path } from "../edit/path.ts";
import { factsOf, shapeOf, unwrap, type Shaped } from "@chela/sdk/config";
import type { ChelaConfig } from "../schema/sections.ts";
import { allowedText, choicesOf, isUndescribed, knownKeys, step } from "../schema-walk.ts";
import { isMarkedSecret, REDACTED, soundsSecret, hasUrlPassword } from "../secret-rules.ts";

type Schema = z.core.$ZodType;

export interface Quarantined {
  readonly path: Path;
  readonly value: unknown;
  readonly message: string;
}

/** A part of the config that has no effect in this version. */
export interface Unused {
  readonly path: Path;
  readonly value: unknown;
}

export interface Examined {
  readonly config: ChelaConfig;
  readonly findings: readonly Finding[];
  readonly quarantined: readonly Quarantined[];
  /** Of a part that is unused as a whole, only the part itself. */
  readonly unused: readonly Unused[];
  /** What is right, and not yet enough. */
  readonly warnings: readonly Finding[];
}

interface Notes {
  findings: Finding[];
  quarantined: Quarantined[];
  unused: Unused[];
  warnings: Finding[];
  /** The config as written, before variables were filled in: what complaints may quote. */
  readonly written: JsonObject;
  /** Inside of a part that has no effect, all of which is known. */
  readonly inUnused: boolean;
}

/** Only the sections and blocks that the config really has are built. */
export function examineConfig(value: JsonObject, written: JsonObject = value): Examined {
  const notes: Notes = { findings: [], quarantined: [], unused: [], warnings: [], written, inUnused: false };
  const config: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    const schema = step(undefined, key)[0];
    if (schema) config[key] = examine(schema, entry, [key], notes);
    else setAside(entry, [key], knownKeys(undefined), notes);
  }
  const { findings, quarantined, unused, warnings } = notes;
  return { config: config as ChelaConfig, findings, quarantined, unused, warnings };
}

/** The config with what has no effect in its place again: all that was written and is right. */
export function wholeOf({ config, unused }: Pick<Examined, "config" | "unused">): JsonObject {
  if (unused.length === 0) return config as JsonObject;
  const whole = structuredClone(config) as JsonObject;
  for (const { path, value } of unused) putAt(whole, path, value);
  return whole;
}

/** The way back, for those who judge what a config does: without the paths that have no effect. */
export function usedParts(config: unknown, notUsed: readonly string[]): unknown {
  const parts = structuredClone(config);
  for (const path of notUsed) dropAt(parts, parsePath(path));
  return parts;
}

function examine(schema: Schema, value: unknown, path: Path, notes: Notes): unknown {
  const shaped = shapeOf(schema);
  switch (shaped.kind) {
    case "object":
      return isObject(value) ? examineObject(schema, shaped, value, path, notes) : complain(schema, value, path, notes);
    case "map":
      return isObject(value)
        ? mapValues(value, (entry, key) => examine(shaped.value, entry, [...path, key], notes))
        : complain(schema, value, path, notes);
    case "list":
      return Array.isArray(value)
        ? value.map((entry, index) => examine(shaped.item, entry, [...path, index], notes))
        : complain(schema, value, path, notes);
    case "union":
      return examineUnion(schema, shaped.options, value, path, notes);
    case "leaf":
      return accepts(shaped.schema, value) ? value : complain(schema, value, path, notes);
  }
}

function accepts(schema: Schema, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value, { jitless: true }).success;
}

function mapValues(value: JsonObject, change: (entry: unknown, key: string) => unknown): JsonObject {
  const copy: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) copy[key] = change(entry, key);
  return copy;
}

function examineObject(
  schema: Schema,
  shaped: Shaped & { kind: "object" },
  value: JsonObject,
  path: Path,
  notes: Notes,
): unknown {
  const before = notes.findings.length;
  const copy: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    const place = [...path, key];
    const isNamed = Object.hasOwn(shaped.shape, key);
    const child = isNamed ? shaped.shape[key] : otherKey(shaped, place, notes);
    const { says, needs } = factsOf(unwrap(schema), key);
    const hasEffect = isNamed || says !== undefined;
    if (isNamed && needs !== undefined)
      notes.warnings.push({ path: place, message: `needs a package that is not installed: npm install ${needs}` });
    if (!child) setAside(entry, place, Object.keys(shaped.shape), notes);
    else copy[key] = (hasEffect ? examine : examineUnused)(child, entry, place, notes);
  }
  for (const [key, child] of Object.entries(shaped.shape)) {
    // Lazy blocks are always optional; asking them would build them.
    const mayBeAbsent = child._zod.def.type === "lazy" || child._zod.optin === "optional";
    if (!mayBeAbsent && !Object.hasOwn(copy, key))
      notes.findings.push({ path: [...path, key], message: `is missing; it must be ${allowedText(child)}` });
  }
  if (notes.findings.length === before) checkTogether(unwrap(schema), copy, path, notes);
  return copy;
}

/** For a key of any other name, where there may be some. One of OpenClaw is not taken for one that somebody made up. */
function otherKey({ rest }: Shaped & { kind: "object" }, path: Path, { inUnused }: Notes): Schema | undefined {
  if (!rest || inUnused) return rest;
  const [known] = unusedAt(path);
  // A channel that is not here may come with a plugin, so it stays; that much is known of what stands in it.
  return isUndescribed(rest) ? (known ?? rest) : known ? undefined : rest;
}

function examineUnused(schema: Schema, value: unknown, path: Path, notes: Notes): unknown {
  const kept = examine(schema, value, path, { ...notes, inUnused: true });
  if (!notes.inUnused) notes.unused.push({ path, value: kept });
  return kept;
}

/** Rules that concern several keys at once, such as a policy and its list. */
function checkTogether(schema: Schema, value: JsonObject, path: Path, notes: Notes): void {
  if (!schema._zod.def.checks?.length) return;
  const result = (schema as z.ZodType).safeParse(value, { jitless: true });
  for (const issue of result.error?.issues ?? []) {
    if (issue.code === "custom")
      notes.findings.push({ path: [...path, ...(issue.path as Path)], message: issue.message });
  }
}

/** The choice that fits without complaint; else the one that is closest in form tells what is wrong. */
function examineUnion(schema: Schema, options: readonly Schema[], value: unknown, path: Path, notes: Notes): unknown {
  const attempts = options.map((option) => {
    const own: Notes = { ...notes, findings: [], quarantined: [], unused: [], warnings: [] };
    return { option, own, result: examine(option, value, path, own) };
  });
  const fitting = attempts.filter((attempt) => attempt.own.findings.length === 0);
  const best =
    fitting.find((attempt) => attempt.own.quarantined.length === 0) ??
    fitting[0] ??
    attempts.filter((attempt) => hasForm(attempt.option, value)).sort((a, b) => misfit(a, value) - misfit(b, value))[0];
  if (!best) return complain(schema, value, path, notes);
  notes.findings.push(...best.own.findings);
  notes.quarantined.push(...best.own.quarantined);
  notes.unused.push(...best.own.unused);
  notes.warnings.push(...best.own.warnings);
  return best.result;
}

/** Fewer complaints fit better, but a key that names the kind of object (`source: "file"`) decides. */
function misfit({ option, own }: { option: Schema; own: Notes }, value: unknown): number {
  const shaped = shapeOf(option);
  const members = shaped.kind === "object" && isObject(value) ? Object.entries(shaped.shape) : [];
  const isOther = members.some(
    ([key, child]) => child._zod.def.type === "literal" && !accepts(child, valueAt(value, [key])),
  );
  return own.findings.length + (isOther ? 1000 : 0);
}

function hasForm(option: Schema, value: unknown): boolean {
  const { kind } = shapeOf(option);
  return kind === "list" ? Array.isArray(value) : (kind === "object" || kind === "map") && isObject(value);
}

/** A key that no schema knows: one of OpenClaw that nobody acts on is checked all the same. */
function setAside(value: unknown, path: Path, known: readonly string[], notes: Notes): void {
  const [schema] = notes.inUnused ? [] : unusedAt(path);
  if (schema) return void examineUnused(schema, value, path, notes);
  const near = nearestWord(String(path.at(-1)), [...known, ...knownKeys(unusedAt(path.slice(0, -1)))]);
  const hint = near ? `; did you mean "${formatPath([...path.slice(0, -1), near])}"?` : "";
  notes.quarantined.push({ path, value, message: `is not a key of this config and is ignored${hint}` });
}

function complain(schema: Schema, value: unknown, path: Path, notes: Notes): unknown {
  const choices = choicesOf(schema);
  const written = valueAt(notes.written, path) ?? value;
  const near =
    choices && typeof written === "string"
      ? nearestWord(
          written,
          choices.map((choice) => choice.slice(1, -1)),
        )
      : undefined;
  const hint = near ? `; did you mean "${near}"?` : "";
  const message = `${showValue(schema, written, path)} is not allowed; it must be ${allowedText(schema)}${hint}`;
  notes.findings.push({ path, message });
  return value;
}

function showValue(schema: Schema, value: unknown, path: Path): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  // A text where a block belongs may be the very secret that belongs into the block.
  if (typeof value === "string" && shapeOf(schema).kind !== "leaf") return "a text";
  const hidden =
    isMarkedSecret(schema) ||
    path.some((key) => typeof key === "string" && soundsSecret(key)) ||
    (typeof value === "string" && hasUrlPassword(value));
  if (hidden) return REDACTED;
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 80 ? `${shown.slice(0, 77)}…` : shown;
}
