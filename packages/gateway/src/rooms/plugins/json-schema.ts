// Schemas that others wrote as JSON Schema. The reader is a part of zod that nothing else needs: the build keeps it out of the start.
import * as z from "zod";

/** Undefined where it cannot be read as one. */
export function readJsonSchema(schema: Readonly<Record<string, unknown>>): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

/** Of the arguments of a tool, which are an object whatever else is said. */
export function readArguments(schema: Readonly<Record<string, unknown>> | undefined): z.ZodType {
  const read = schema && readJsonSchema({ type: "object", ...schema });
  return read instanceof z.ZodObject || read instanceof z.ZodRecord ? read : z.record(z.string(), z.unknown());
}
