// Derives from the schema, for people and programs: reference rows, hints for forms, a JSON Schema for editors.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { isObject, type JsonObject } from "./edit/path.ts";
import { shapeOf } from "@chela/sdk/config";
import { isMarkedSecret } from "./secret-rules.ts";
import { typeText } from "./read/type-text.ts";
import { toldOf, wholeSchema } from "./whole-schema.ts";

type Schema = z.core.$ZodType;

export interface ReferenceRow {
  /** `<key>` stands for any name, `[]` for each entry of a list, `.*` for keys of any other name. */
  readonly path: string;
  readonly type: string;
  readonly default?: unknown;
  readonly secret: boolean;
  readonly implemented: boolean;
  readonly description?: string;
}

export type UiHint = {
  readonly label: string;
  readonly help: string;
  /** The top-level key it stands below. */
  readonly group: string;
  readonly order: number;
  readonly sensitive?: boolean;
  readonly advanced?: boolean;
  readonly placeholder?: string;
};

export function configReferenceRows(): ReferenceRow[] {
  return Object.entries(wholeSchema().shape).flatMap(([name, section]) => rowsBelow(section, name));
}

function rowsBelow(schema: Schema, path: string): ReferenceRow[] {
  const shaped = shapeOf(schema);
  if (shaped.kind === "object") {
    const named = Object.entries(shaped.shape).flatMap(([key, child]) => rowsBelow(child, `${path}.${key}`));
    return shaped.rest ? [...named, row(shaped.rest, `${path}.*`)] : named;
  }
  if (shaped.kind === "map") return rowsOfEach(schema, shaped.value, path, ".<key>");
  if (shaped.kind === "list") return rowsOfEach(schema, shaped.item, path, "[]");
  return shaped.kind === "union" ? rowsOfUnion(schema, shaped.options, path, path) : [row(schema, path)];
}

/** Of a map or a list. Where each entry is an object, its keys say everything. */
function rowsOfEach(schema: Schema, each: Schema, path: string, mark: string): ReferenceRow[] {
  const shaped = shapeOf(each);
  if (shaped.kind === "object") return rowsBelow(each, path + mark);
  return shaped.kind === "union" ? rowsOfUnion(schema, shaped.options, path, path + mark) : [row(schema, path)];
}

/** The row of the whole, and one for each key that one of the objects among the options has. */
function rowsOfUnion(schema: Schema, options: readonly Schema[], path: string, below: string): ReferenceRow[] {
  // A secret is one value, however it is referred to.
  if (options.some((option) => isMarkedSecret(option) || isReference(option))) return [row(schema, path)];
  const objects = options.filter((option) => shapeOf(option).kind === "object");
  const rows = objects.flatMap((option) => rowsBelow(option, below));
  const merged = [...Map.groupBy(rows, (one) => one.path).values()].flatMap(([first, ...others]) => {
    const types = new Set([first, ...others].flatMap((one) => one?.type ?? []));
    return first ? [{ ...first, type: [...types].join("|") }] : [];
  });
  return [row(schema, path), ...merged];
}

function isReference(schema: Schema): boolean {
  const shaped = shapeOf(schema);
  return shaped.kind === "object" && ["source", "provider", "id"].every((key) => Object.hasOwn(shaped.shape, key));
}

function row(schema: Schema, path: string): ReferenceRow {
  const { description, default: preset } = toldOf(schema);
  return {
    path,
    type: typeText(schema),
    ...defined({ default: preset }),
    secret: holdsSecret(schema),
    implemented: description !== undefined,
    ...defined({ description }),
  };
}

function holdsSecret(schema: Schema): boolean {
  const shaped = shapeOf(schema);
  if (shaped.kind === "map") return holdsSecret(shaped.value);
  return shaped.kind === "list" ? holdsSecret(shaped.item) : isMarkedSecret(schema);
}

const NOT_USED_YET = "Kept and checked, but without effect in this version.";

/** Keyed by path, with `*` for names of any kind; the order is that of the schema. */
export function configUiHints(): Record<string, UiHint> {
  const sections = Object.entries(wholeSchema().shape).map(([name, section], order): [string, UiHint] => {
    const help = toldOf(section).description ?? NOT_USED_YET;
    return [name, { label: labelFor(name), help, group: name, order }];
  });
  const keys = configReferenceRows().map((each, order): [string, UiHint] => [
    each.path.replaceAll("<key>", "*"),
    hintFor(each, order),
  ]);
  return Object.fromEntries([...sections, ...keys]);
}

function hintFor(each: ReferenceRow, order: number): UiHint {
  return {
    label: labelFor(each.path),
    help: each.description ?? NOT_USED_YET,
    group: each.path.split(/[.[]/)[0] ?? "",
    order,
    ...(each.secret ? { sensitive: true } : {}),
    ...(each.implemented ? {} : { advanced: true }),
    ...(each.default === undefined ? {} : { placeholder: String(each.default) }),
  };
}

/** `customBindHost` → `Custom bind host` */
function labelFor(path: string): string {
  const last =
    path
      .replaceAll("[]", "")
      .split(".")
      .findLast((key) => key !== "*" && key !== "<key>") ?? path;
  const words = last.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** JSON Schema of the whole file. `$include` is allowed in every object, since it is resolved before the check. */
export function configJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(wholeSchema(), { io: "input", unrepresentable: "any" }) as JsonObject;
  schema["title"] = "Chela configuration";
  allowIncludes(schema);
  return schema;
}

function allowIncludes(schema: unknown): void {
  if (Array.isArray(schema)) return schema.forEach(allowIncludes);
  if (!isObject(schema)) return;
  Object.values(schema).forEach(allowIncludes);
  const properties = schema["properties"];
  if (schema["type"] === "object" && isObject(properties)) {
    properties["$include"] = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
    // What is required may come from the included file.
    delete schema["required"];
  }
}
