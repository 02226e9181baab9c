// Repairs slips that models make in arguments and that cannot be misunderstood, such as "12" where a number belongs.
import type * as z from "zod";
import { parseJson } from "@chela/sdk/base";

type Issue = z.core.$ZodIssue;

/** Repairing one value may bring the next slip to light, as in an object that was written as text. */
const ROUNDS = 4;

/** The parsed arguments, when the slips were all there was wrong with them. */
export function repairArguments(
  schema: z.ZodType,
  args: unknown,
  issues: readonly Issue[],
): { readonly data: unknown } | undefined {
  const holder = { args: structuredClone(args) };
  let open = issues;
  for (let round = 0; round < ROUNDS; round++) {
    if (!repairAll(holder, open)) return undefined;
    const parsed = schema.safeParse(holder.args);
    if (parsed.success) return { data: parsed.data };
    open = parsed.error.issues;
  }
  return undefined;
}

function repairAll(holder: { args: unknown }, issues: readonly Issue[]): boolean {
  return issues.map((issue) => repairOne(holder, ["args", ...issue.path], issue)).some(Boolean);
}

function repairOne(holder: object, path: readonly PropertyKey[], issue: Issue): boolean {
  const place = placeAt(holder, path);
  if (!place) return false;
  const value = place.parent[place.key];
  if (value === null && !Array.isArray(place.parent)) return delete place.parent[place.key];
  if (issue.code === "invalid_union") return repairBranch(holder, path, issue.errors);
  if (issue.code !== "invalid_type" || typeof value !== "string") return false;
  const meant = readAs(issue.expected, value);
  if (meant === undefined) return false;
  place.parent[place.key] = meant;
  return true;
}

/** Of several allowed forms, the first that the value can be repaired for. */
function repairBranch(holder: object, path: readonly PropertyKey[], branches: readonly (readonly Issue[])[]): boolean {
  return branches.some((issues) =>
    issues.map((issue) => repairOne(holder, [...path, ...issue.path], issue)).some(Boolean),
  );
}

function placeAt(
  holder: object,
  path: readonly PropertyKey[],
): { readonly parent: Record<PropertyKey, unknown>; readonly key: PropertyKey } | undefined {
  let parent: unknown = holder;
  for (const key of path.slice(0, -1)) {
    if (!hasOwn(parent, key)) return undefined;
    parent = parent[key];
  }
  const key = path.at(-1);
  // Assigning to this one name would change what the object is.
  if (key === undefined || key === "__proto__" || !hasOwn(parent, key)) return undefined;
  return { parent, key };
}

function hasOwn(value: unknown, key: PropertyKey): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

function readAs(expected: string, text: string): unknown {
  const value = parseJson(text.trim());
  switch (expected) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "number":
    case "int":
      return typeof value === "number" ? value : undefined;
    case "array":
      return Array.isArray(value) ? value : undefined;
    case "object":
    case "record":
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
    default:
      return undefined;
  }
}
