// Looks into a schema: what kind it is, and which schemas stand below it.
import type * as z from "zod";

export type Schema = z.core.$ZodType;

/** Kinds of schema a config is made of. Anything else is a mistake in the schema, found by the tests. */
export type Shaped =
  | { readonly kind: "object"; readonly shape: Record<string, Schema>; readonly rest: Schema | undefined }
  | { readonly kind: "map"; readonly value: Schema }
  | { readonly kind: "list"; readonly item: Schema }
  | { readonly kind: "union"; readonly options: readonly Schema[] }
  | { readonly kind: "leaf"; readonly schema: Schema };

/** Takes off the wrappers that only say "may be absent" and "built later". */
export function unwrap(schema: Schema): Schema {
  const { def } = schema._zod as z.core.$ZodTypeInternals & { def: z.core.$ZodTypes["_zod"]["def"] };
  if (def.type === "optional") return unwrap(def.innerType);
  if (def.type === "lazy") return unwrap((schema as z.core.$ZodLazy)._zod.innerType);
  return schema;
}

export function shapeOf(wrapped: Schema): Shaped {
  const schema = unwrap(wrapped);
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return { kind: "object", shape: def.shape as Record<string, Schema>, rest: restOf(def.catchall) };
    case "record":
      return { kind: "map", value: def.valueType };
    case "array":
      return { kind: "list", item: def.element };
    case "union":
      return { kind: "union", options: def.options };
    default:
      return { kind: "leaf", schema };
  }
}

/** A strict object says "never" for other keys, which is the same as having none. */
function restOf(catchall: Schema | undefined): Schema | undefined {
  return catchall && catchall._zod.def.type !== "never" ? catchall : undefined;
}
