// One place of the configuration's schema at a time: what may stand there, and which keys are below it.
import * as z from "zod";
import { isObject, type JsonObject } from "./edit/path.ts";
import { configUiHints, type UiHint } from "./reference.ts";
import { shapeOf, unwrap, type Shaped } from "@chela/sdk/config";
import { wholeSchema } from "./whole-schema.ts";

type Schema = z.core.$ZodType;

export type SchemaChild = {
  readonly key: string;
  readonly path: string;
  readonly type?: string | string[];
  readonly required: boolean;
  readonly hasChildren: boolean;
  readonly hint?: UiHint;
  readonly hintPath?: string;
};

export interface SchemaPlace {
  /** As it was asked for, with `*` for each entry of a list or map. */
  readonly path: string;
  /** What may stand here, without what is below it. */
  readonly schema: JsonObject;
  readonly hint?: UiHint;
  readonly hintPath?: string;
  readonly children: readonly SchemaChild[];
}

type Hints = Readonly<Record<string, UiHint>>;

/** Where a walk stands: the schema, and the same path as forms write it. */
interface Standing {
  readonly schema: Schema;
  readonly path: string;
  readonly hintPath: string;
}

const EACH = "*";
/** What is said of a place itself; the rest of a JSON Schema is said of places below. */
const OWN_KEYWORDS = [
  "type",
  "description",
  "enum",
  "const",
  "format",
  "pattern",
  "default",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** Undefined when the schema knows nothing of the path. */
export function lookupConfigSchema(written: string): SchemaPlace | undefined {
  const [first = "", ...rest] = keysOf(written);
  const { shape } = wholeSchema();
  const section = Object.hasOwn(shape, first) ? shape[first] : undefined;
  let standing: Standing | undefined = section && { schema: section, path: first, hintPath: first };
  for (const key of rest) standing &&= into(standing, key);
  if (!standing) return undefined;
  const { path, schema } = standing;
  const hints = configUiHints();
  return { path, schema: ownSchema(schema), ...hintOf(standing, hints), children: childrenOf(standing, hints) };
}

/** `agents.list[].model`, `agents.list[0].model` and `agents.list.*.model` name the same place. */
function keysOf(written: string): string[] {
  return written
    .replaceAll("[]", `.${EACH}`)
    .replaceAll(/\[(\w+|\*)\]/g, ".$1")
    .split(".")
    .filter(Boolean);
}

function into(from: Standing, key: string): Standing | undefined {
  const shaped = shapeOf(from.schema);
  const path = `${from.path}.${key}`;
  if (shaped.kind === "object") {
    const child = Object.hasOwn(shaped.shape, key) ? shaped.shape[key] : shaped.rest;
    return child && { schema: child, path, hintPath: `${from.hintPath}.${key}` };
  }
  if (shaped.kind === "map") return { schema: shaped.value, path, hintPath: `${from.hintPath}.${EACH}` };
  if (shaped.kind === "list") {
    const isEntry = key === EACH || /^\d+$/.test(key);
    return isEntry ? { schema: shaped.item, path, hintPath: `${from.hintPath}[]` } : undefined;
  }
  if (shaped.kind === "leaf") return undefined;
  for (const option of shaped.options) {
    const found = into({ ...from, schema: option }, key);
    if (found) return found;
  }
  return undefined;
}

function childrenOf(from: Standing, hints: Hints): SchemaChild[] {
  return childKeys(shapeOf(from.schema)).flatMap((key) => {
    const child = into(from, key);
    if (!child) return [];
    const { type } = ownSchema(child.schema);
    return {
      key,
      path: child.path,
      ...(type === undefined ? {} : { type: type as string | string[] }),
      required: isNamed(from.schema, key) && child.schema._zod.def.type !== "optional",
      hasChildren: childKeys(shapeOf(child.schema)).length > 0,
      ...hintOf(child, hints),
    };
  });
}

function isNamed(schema: Schema, key: string): boolean {
  const shaped = shapeOf(schema);
  return shaped.kind === "object" && Object.hasOwn(shaped.shape, key);
}

function childKeys(shaped: Shaped): string[] {
  if (shaped.kind === "object") return [...Object.keys(shaped.shape), ...(shaped.rest ? [EACH] : [])];
  if (shaped.kind === "map" || shaped.kind === "list") return [EACH];
  if (shaped.kind === "leaf") return [];
  return [...new Set(shaped.options.flatMap((option) => childKeys(shapeOf(option))))];
}

function ownSchema(schema: Schema): JsonObject {
  const whole: unknown = z.toJSONSchema(unwrap(schema) as z.ZodType, { io: "input", unrepresentable: "any" });
  if (!isObject(whole)) return {};
  const own = OWN_KEYWORDS.flatMap((word) => (whole[word] === undefined ? [] : [[word, whole[word]]]));
  const others = whole["additionalProperties"];
  const open = whole["type"] === "object" ? { additionalProperties: others !== false } : {};
  return { ...Object.fromEntries(own), ...open };
}

function hintOf({ hintPath }: Standing, hints: Hints): Pick<SchemaPlace, "hint" | "hintPath"> {
  const hint = Object.hasOwn(hints, hintPath) ? hints[hintPath] : undefined;
  return hint ? { hint, hintPath } : {};
}
