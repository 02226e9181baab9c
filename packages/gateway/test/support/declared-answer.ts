// Check that an answer of the gateway holds nothing its method does not declare: fields, at any depth, that no schema names.
import { CronJobState } from "@chela/sdk";
import { ExecApprovalsFile, METHODS, type MethodName } from "@chela/sdk/protocol";
import type * as z from "zod";

type Schema = z.core.$ZodTypes;

/** What is kept in files that others write, too: whatever else they put there is told as it is. */
const KEPT: ReadonlySet<unknown> = new Set([CronJobState(), ExecApprovalsFile()]);

/** Throws when the payload has a field that the result schema of the method does not name. */
export function expectDeclared(method: string, payload: unknown): void {
  if (!Object.hasOwn(METHODS, method)) return;
  const undeclared = undeclaredFields(METHODS[method as MethodName].result() as unknown as Schema, payload);
  if (undeclared.length > 0)
    throw new Error(`${method} gives what its result schema does not declare: ${undeclared.join(", ")}`);
}

/** Places in `value`, such as `jobs[].state.extra`, that `schema` lets pass without naming them. */
export function undeclaredFields(schema: Schema, value: unknown): string[] {
  return [...new Set(walk(schema, value, ""))];
}

function walk(schema: Schema, value: unknown, place: string): string[] {
  if (KEPT.has(schema)) return [];
  const { def } = schema._zod;
  switch (def.type) {
    case "object":
      return isObject(value) ? inObject(def, value, place) : [];
    case "array":
      return inEach(def.element as Schema, value, place);
    case "record":
      if (!isObject(value)) return [];
      return Object.values(value).flatMap((one) => walk(def.valueType as Schema, one, `${place}.*`));
    case "tuple":
      return Array.isArray(value)
        ? value.flatMap((one, at) => walk((def.items[at] ?? def.rest) as Schema, one, `${place}[]`))
        : [];
    case "intersection": {
      const right = new Set(walk(def.right as Schema, value, place));
      return walk(def.left as Schema, value, place).filter((one) => right.has(one));
    }
    case "union":
      return inUnion(def.options as readonly Schema[], value, place);
    case "optional":
    case "nullable":
    case "readonly":
    case "default":
      return walk(def.innerType as Schema, value, place);
    default:
      return [];
  }
}

function inObject(def: z.core.$ZodObjectDef, value: Record<string, unknown>, place: string): string[] {
  // An object without any named field is a value of somebody else's making.
  if (Object.keys(def.shape).length === 0 && def.catchall?._zod.def.type === "unknown") return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(def.shape, name) ? (def.shape[name] as Schema) : undefined;
    const at = place === "" ? name : `${place}.${name}`;
    return field ? walk(field, one, at) : [at];
  });
}

function inEach(element: Schema, value: unknown, place: string): string[] {
  return Array.isArray(value) ? value.flatMap((one) => walk(element, one, `${place}[]`)) : [];
}

/** The option that fits and leaves the least unsaid. */
function inUnion(options: readonly Schema[], value: unknown, place: string): string[] {
  const fitting = options.filter((option) => (option as unknown as z.ZodType).safeParse(value).success);
  const unsaid = fitting.map((option) => walk(option, value, place));
  return unsaid.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
