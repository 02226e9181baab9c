// Reads JSON whose shape is not known yet.
import { isTooDeep } from "./json-depth.ts";

/** Undefined for what is no JSON, or nested deeper than anybody means it: what reads it afterwards may go down into it. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What `{…}` is in JSON: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
