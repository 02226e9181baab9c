// Every text a caller can give to a method, a tool or a command, found in their own schemas; and calls with one of them odd.
import * as z from "zod";
import type { Json } from "../wire-client.ts";

/** A JSON schema, as far as it is looked at here. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

/** Where a text stands: names of properties; "[]" for an element, "*" for a value under any name. */
export type Spot = readonly string[];

export function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as Shape;
}

/** All spots that take any text; not those that take one of a few words. */
export function findTexts(shape: Shape, at: Spot = []): Spot[] {
  const found: Spot[] = alternatives(shape).flatMap((one) => findTexts(one, at));
  if (isText(shape)) found.push(at);
  for (const [name, one] of Object.entries(shape.properties ?? {})) found.push(...findTexts(one, [...at, name]));
  if (shape.items) found.push(...findTexts(shape.items, [...at, "[]"]));
  if (typeof shape.additionalProperties === "object")
    found.push(...findTexts(shape.additionalProperties, [...at, "*"]));
  return [...new Map(found.map((spot) => [spot.join("."), spot])).values()];
}

/** The property a text belongs to. */
export const nameOf = (spot: Spot): string => spot.findLast((part) => part !== "[]" && part !== "*") ?? "";

/** The least a call must have, with `value` at `spot` where there is one; `sample` says what stands elsewhere. */
export function fillWith(
  shape: Shape,
  spot: Spot | undefined,
  value: unknown,
  sample: (name: string) => unknown,
): unknown {
  return fill(shape, spot, value, sample, "");
}

function fill(
  shape: Shape,
  spot: Spot | undefined,
  value: unknown,
  sample: (name: string) => unknown,
  name: string,
): unknown {
  const [next, ...rest] = spot ?? [];
  if (spot && next === undefined) return value;
  const options = alternatives(shape);
  if (options.length > 0) {
    const fitting = spot ? options.find((one) => leadsTo(one, spot)) : options[0];
    if (fitting) return fill(fitting, spot, value, sample, name);
  }
  if (next === "[]" && shape.items) return [fill(shape.items, rest, value, sample, name)];
  if (shape.type === "object") {
    const filled: Json = {};
    for (const key of shape.required ?? [])
      filled[key] = fill(shape.properties?.[key] ?? {}, undefined, value, sample, key);
    if (next === "*" && typeof shape.additionalProperties === "object")
      filled["x"] = fill(shape.additionalProperties, rest, value, sample, "x");
    else if (next !== undefined) filled[next] = fill(shape.properties?.[next] ?? {}, rest, value, sample, next);
    return filled;
  }
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.type === "array") return [fill(shape.items ?? {}, undefined, value, sample, name)];
  if (shape.type === "boolean") return true;
  if (shape.type === "number" || shape.type === "integer") return 1;
  return sample(name);
}

function leadsTo(shape: Shape, spot: Spot): boolean {
  return findTexts(shape).some((one) => one.join(".") === spot.join("."));
}

function alternatives({ anyOf = [], oneOf = [], allOf = [] }: Shape): readonly Shape[] {
  return [...anyOf, ...oneOf, ...allOf];
}

function isText({ type, enum: words, const: fixed }: Shape): boolean {
  return [type].flat().includes("string") && !words && fixed === undefined;
}
