// The JSON Schema of the configuration, read for a form: what stands where, and what kind of field it needs.
import { isObject, type Path } from "../../settings/json-place.ts";

export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly enum?: readonly Choice[];
  readonly const?: Choice;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly secret?: boolean;
}

export type Choice = string | number | boolean;

export type Shape =
  | { readonly kind: "text"; readonly types: readonly string[] }
  | { readonly kind: "number"; readonly isWhole: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly Choice[] }
  /** A list of texts or numbers. */
  | { readonly kind: "texts"; readonly types: readonly string[] }
  /** Any of some values. */
  | { readonly kind: "choices"; readonly values: readonly Choice[] }
  | { readonly kind: "group" }
  | { readonly kind: "record"; readonly value: SchemaNode }
  | { readonly kind: "list"; readonly item: SchemaNode }
  | { readonly kind: "union"; readonly options: readonly SchemaNode[] }
  /** Anything else is written as JSON. */
  | { readonly kind: "json" };

/** One place of the schema. `pattern` is the name its hints have. */
export interface Spot {
  readonly path: Path;
  readonly pattern: string;
  readonly node: SchemaNode;
}

const NOT_FOR_FORMS = new Set(["$include", "$schema"]);
const SCALARS = new Set(["string", "number", "integer", "boolean"]);

export function shapeOf(node: SchemaNode): Shape {
  const options = node.anyOf ?? node.oneOf;
  if (options) return unionShape(options);
  const values = choicesOf(node);
  if (values) return { kind: "choice", values };
  const types = typesOf(node);
  if (types.length > 1) return types.every((type) => SCALARS.has(type)) ? { kind: "text", types } : { kind: "json" };
  switch (types[0]) {
    case "string":
      return { kind: "text", types };
    case "number":
    case "integer":
      return { kind: "number", isWhole: types[0] === "integer" };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return listShape(node.items ?? {});
    case "object":
      return objectShape(node);
    default:
      return { kind: "json" };
  }
}

function typesOf({ type }: SchemaNode): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function choicesOf(node: SchemaNode): readonly Choice[] | undefined {
  return node.const === undefined ? node.enum : [node.const];
}

/** "auto", on or off is one choice, not two alternatives. */
function unionShape(options: readonly SchemaNode[]): Shape {
  const values = options.map((option) => (option.type === "boolean" ? [true, false] : choicesOf(option)));
  if (values.every((some) => some !== undefined)) return { kind: "choice", values: values.flat() };
  return { kind: "union", options };
}

function listShape(item: SchemaNode): Shape {
  const values = choicesOf(item);
  if (values) return { kind: "choices", values };
  const types = typesOf(item);
  if (types.length > 0 && types.every((type) => SCALARS.has(type))) return { kind: "texts", types };
  return { kind: "list", item };
}

function objectShape({ properties, additionalProperties }: SchemaNode): Shape {
  if (properties && Object.keys(properties).some((key) => !NOT_FOR_FORMS.has(key))) return { kind: "group" };
  if (!isObject(additionalProperties)) return { kind: "json" };
  return { kind: "record", value: additionalProperties };
}

export function rootSpot(schema: unknown): Spot {
  return { path: [], pattern: "", node: schema as SchemaNode };
}

/** The named keys below a place. */
export function namedBelow(spot: Spot): Spot[] {
  return Object.keys(spot.node.properties ?? {})
    .filter((key) => !NOT_FOR_FORMS.has(key))
    .flatMap((key) => stepInto(spot, key) ?? []);
}

/** One key further down; undefined where the schema knows nothing of it. */
export function stepInto({ path, pattern, node }: Spot, key: string): Spot | undefined {
  const named = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
  const below = [...path, key];
  if (named) return { path: below, pattern: pattern ? `${pattern}.${key}` : key, node: named };
  if (node.items && /^\d+$/.test(key)) return { path: below, pattern: `${pattern}[]`, node: node.items };
  if (isObject(node.additionalProperties)) {
    return { path: below, pattern: `${pattern}.*`, node: node.additionalProperties as SchemaNode };
  }
  const inside = (node.anyOf ?? node.oneOf ?? []).map((option) => stepInto({ path, pattern, node: option }, key));
  return inside.find((one) => one !== undefined);
}

/** One entry of a record or list. */
export function entryOf(spot: Spot, key: string): Spot {
  return stepInto(spot, key) ?? { path: [...spot.path, key], pattern: `${spot.pattern}.*`, node: {} };
}

export function spotAt(root: Spot, path: Path): Spot | undefined {
  return path.reduce<Spot | undefined>((spot, key) => spot && stepInto(spot, key), root);
}

export function isSecret({ node }: Spot): boolean {
  return node.secret === true || (node.anyOf ?? node.oneOf ?? []).some(({ secret }) => secret === true);
}

/** Whether a value may be meant by one of several alternatives. */
export function fits(node: SchemaNode, value: unknown): boolean {
  const values = choicesOf(node);
  if (values) return values.includes(value as Choice);
  const types = typesOf(node);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  if (!isObject(value)) return true;
  // Alternatives that are objects differ in a key with one possible value.
  return Object.entries(node.properties ?? {}).every(
    ([key, child]) => child.const === undefined || child.const === value[key],
  );
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** What an alternative begins with when it is picked. */
export function firstValue(node: SchemaNode): unknown {
  const shape = shapeOf(node);
  switch (shape.kind) {
    case "text":
      return "";
    case "number":
      return Math.max(node.minimum ?? 0, node.exclusiveMinimum === undefined ? 0 : node.exclusiveMinimum + 1);
    case "flag":
      return false;
    case "choice":
      return shape.values[0];
    case "texts":
    case "choices":
    case "list":
      return [];
    case "union":
      return firstValue(shape.options[0] ?? {});
    case "json":
      return {};
    case "record":
      return {};
    case "group":
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
          child.const === undefined ? [] : [[key, child.const]],
        ),
      );
  }
}
