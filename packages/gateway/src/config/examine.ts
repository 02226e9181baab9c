// Checks a config against the schema: unknown keys are set aside, wrong values are named, everything else is kept.
import type * as z from "zod";
import type { Finding } from "./issue.ts";
import { nearestWord } from "./nearest.ts";
import { formatPath, isObject, valueAt, type JsonObject, type Path } from "./path.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import { allowedText, choicesOf, knownKeys, shapeOf, step, unwrap, type Shaped } from "./schema-walk.ts";
import { isMarkedSecret, REDACTED, soundsSecret, hasUrlPassword } from "./secret-rules.ts";

type Schema = z.core.$ZodType;

export interface Quarantined {
  readonly path: Path;
  readonly value: unknown;
  readonly message: string;
}

export interface Examined {
  readonly config: ChelaConfig;
  readonly findings: readonly Finding[];
  readonly quarantined: readonly Quarantined[];
}

interface Notes {
  findings: Finding[];
  quarantined: Quarantined[];
  /** The config as written, before variables were filled in: what complaints may quote. */
  readonly written: JsonObject;
}

/** Only the sections and blocks that the config really has are built. */
export function examineConfig(value: JsonObject, written: JsonObject = value): Examined {
  const notes: Notes = { findings: [], quarantined: [], written };
  const config: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    const schema = step(undefined, key)[0];
    if (schema) config[key] = examine(schema, entry, [key], notes);
    else setAside(entry, [key], knownKeys(undefined), notes);
  }
  return { config: config as ChelaConfig, findings: notes.findings, quarantined: notes.quarantined };
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
    const child = Object.hasOwn(shaped.shape, key) ? shaped.shape[key] : shaped.rest;
    if (child) copy[key] = examine(child, entry, [...path, key], notes);
    else setAside(entry, [...path, key], Object.keys(shaped.shape), notes);
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
    const own: Notes = { findings: [], quarantined: [], written: notes.written };
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

function setAside(value: unknown, path: Path, known: readonly string[], notes: Notes): void {
  const near = nearestWord(String(path.at(-1)), known);
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
