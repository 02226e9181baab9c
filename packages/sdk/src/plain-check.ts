// A quick check made of a schema: what it accepts, the schema accepts. What it does not, the schema has to judge.
import type * as z from "zod";

type Check = (value: unknown) => boolean;

const SIMPLE: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  unknown: () => true,
};

/**
 * Reading thousands of rows, zod would look at each member a row might have. This looks at those it has. Whatever is more
 * than plain JSON (lengths, patterns, defaults) is left to the schema.
 */
export function plainCheck(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ((def.checks?.length ?? 0) > 0) return refuse;
  switch (def.type) {
    case "object":
      return objectCheck(def);
    case "optional":
    case "readonly":
      return plainCheck(def.innerType);
    case "union":
      return anyOf(def.options.map(plainCheck));
    case "array":
      return listOf(plainCheck(def.element));
    case "enum":
      return oneOf(Object.values(def.entries));
    case "literal":
      return oneOf(def.values);
    default:
      return SIMPLE[def.type] ?? refuse;
  }
}

const refuse: Check = () => false;

function objectCheck({ shape, catchall }: z.core.$ZodObjectDef): Check {
  const members = new Map(Object.entries(shape).map(([name, schema]) => [name, plainCheck(schema)]));
  const needed = Object.keys(shape).filter((name) => shape[name]?._zod.optin !== "optional");
  const isClosed = catchall !== undefined && catchall._zod.def.type !== "unknown";
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    for (const name of needed) if (!Object.hasOwn(value, name)) return false;
    for (const [name, member] of Object.entries(value)) {
      const check = members.get(name);
      if (check ? !check(member) : isClosed) return false;
    }
    return true;
  };
}

const anyOf =
  (checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

function oneOf(values: readonly unknown[]): Check {
  const allowed = new Set(values);
  return (value) => allowed.has(value);
}
