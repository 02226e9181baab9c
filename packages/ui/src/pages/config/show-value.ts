// Values as they are shown: short, and never a secret.
import { isObject, REDACTED } from "../../settings/json-place.ts";
import { isSecret, stepInto, type Spot } from "./schema.ts";

const HIDDEN = "••••••••";

/** `${NAME}` names a variable of the environment, which is no secret itself. */
export function isReference(value: unknown): value is string {
  return typeof value === "string" && /^\$\{[A-Z][A-Z0-9_]*\}$/.test(value);
}

/** A copy in which no secret can be read. `spot` is where the value stands, as far as the schema knows. */
export function hideSecrets(value: unknown, spot: Spot | undefined): unknown {
  if (typeof value === "string") {
    const isHidden = value === REDACTED || (spot && isSecret(spot) && value !== "" && !isReference(value));
    return isHidden ? HIDDEN : value;
  }
  if (Array.isArray(value)) return value.map((entry, at) => hideSecrets(entry, spot && stepInto(spot, String(at))));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, hideSecrets(entry, spot && stepInto(spot, key))]),
  );
}

export function showValue(value: unknown): string {
  if (typeof value === "string") return value;
  const short = JSON.stringify(value) ?? "";
  return short.length <= 60 ? short : JSON.stringify(value, null, 2);
}

/** What stands in a text field, back as a value: a number stays a number where it may be one. */
export function readScalar(text: string, types: readonly string[], before: unknown): unknown {
  const couldBeNumber = types.includes("number") || types.includes("integer");
  const isNumber = couldBeNumber && text.trim() !== "" && Number.isFinite(Number(text));
  if (isNumber && (typeof before === "number" || !types.includes("string"))) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false") && typeof before !== "string") {
    return text === "true";
  }
  return text;
}

/** One entry per line; entries that were numbers stay numbers. */
export function readLines(text: string, types: readonly string[], before: unknown): unknown[] {
  const known = new Map(Array.isArray(before) ? before.map((entry) => [String(entry), entry as unknown]) : []);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => known.get(line) ?? readScalar(line, types, undefined));
}
