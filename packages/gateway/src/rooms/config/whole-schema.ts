// Everything that may be written, as one schema: what is used and what is not, each key with its sentence and its preset.
// For documentation, editors and forms; nothing that runs asks for it.
import * as z from "zod";
import { once } from "@chela/sdk";
import { handedDown } from "./key-facts.ts";
import { unusedKeys } from "./openclaw-keys.ts";
import { factsOf, type KeyFacts, shapeOf, unwrap, type Shaped } from "@chela/sdk/config";
import { wholeConfig } from "./schema/sections.ts";
import { knownKeys, step, type Standing } from "./schema-walk.ts";

type Schema = z.core.$ZodType;
type ShapedObject = Extract<Shaped, { kind: "object" }>;

export const wholeSchema = once(() => merge(wholeConfig(), [unusedKeys()], {}) as z.ZodObject);

/** What is said of a key; nothing of one that has no effect. */
export interface KeyText {
  readonly description?: string;
  readonly default?: unknown;
}

export function toldOf(schema: Schema): KeyText {
  return (z.globalRegistry.get(schema as z.ZodType) ?? {}) as KeyText;
}

/** `facts` are those of the key that has this schema, `unused` what may be written below it in vain. */
function merge(schema: Schema, unused: Standing, facts: KeyFacts): z.ZodType {
  const merged = mergeShaped(shapeOf(schema), schema, unused, facts);
  return schema._zod.optin === "optional" ? merged.optional() : merged;
}

function mergeShaped(shaped: Shaped, schema: Schema, unused: Standing, facts: KeyFacts): z.ZodType {
  switch (shaped.kind) {
    case "object":
      return mergeObject(shaped, unwrap(schema), unused, facts);
    case "map":
      return z.record(z.string(), merge(shaped.value, step(unused, "any"), handedDown(facts, "any")));
    case "list":
      return z.array(merge(shaped.item, step(unused, 0), handedDown(facts, 0)));
    case "union":
      return z.union(shaped.options.map((option) => merge(option, unused, facts)));
    case "leaf":
      return shaped.schema as z.ZodType;
  }
}

function mergeObject({ shape, rest }: ShapedObject, object: Schema, unused: Standing, facts: KeyFacts): z.ZodType {
  const told = (name: string, child: Schema): z.ZodType => {
    const own = { ...handedDown(facts, name), ...factsOf(object, name) };
    return tell(merge(child, step(unused, name), own), own);
  };
  const used = Object.entries(shape).map(([name, child]) => [name, told(name, child)] as const);
  const others = knownKeys(unused).filter((name) => !Object.hasOwn(shape, name));
  const vain = others.flatMap((name) => step(unused, name).map((child) => [name, child as z.ZodType] as const));
  const keys = Object.fromEntries([...used, ...vain]);
  return rest ? z.object(keys).catchall(told("*", rest)) : z.strictObject(keys);
}

function tell(schema: z.ZodType, { says, preset, inherits }: KeyFacts): z.ZodType {
  if (says === undefined) return schema;
  return schema.meta({ description: says, ...(preset === undefined || inherits ? {} : { default: preset }) });
}
