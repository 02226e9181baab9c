// Walking along the schema: which schema belongs to a key, what it allows, and in what words to say it.
import type * as z from "zod";
import { shapeOf, unwrap, type Schema, type Shaped } from "@chela/sdk/config";
import { isSectionName, SECTIONS } from "./schema/sections.ts";

/** Where a walk stands: the schemas that may apply. Empty means that the schema knows nothing of this place. */
export type Standing = readonly Schema[];

/** Anything may stand there. */
export function isUndescribed(schema: Schema): boolean {
  const shaped = shapeOf(schema);
  return shaped.kind === "leaf" && shaped.schema._zod.def.type === "unknown";
}

/** The schemas for one key further down. The root is `undefined`. */
export function step(standing: Standing | undefined, key: string | number): Standing {
  if (standing === undefined) return typeof key === "string" && isSectionName(key) ? [SECTIONS[key].schema()] : [];
  return standing.flatMap((schema) => stepInto(shapeOf(schema), key));
}

function stepInto(shaped: Shaped, key: string | number): Standing {
  switch (shaped.kind) {
    case "object": {
      const child = Object.hasOwn(shaped.shape, key) ? shaped.shape[key] : shaped.rest;
      return child ? [child] : [];
    }
    case "map":
      return [shaped.value];
    case "list":
      return typeof key === "number" || /^\d+$/.test(key) ? [shaped.item] : [];
    case "union":
      return shaped.options.flatMap((option) => stepInto(shapeOf(option), key));
    case "leaf":
      return [];
  }
}

/** The keys one may write here, for "did you mean". */
export function knownKeys(standing: Standing | undefined): string[] {
  if (standing === undefined) return Object.keys(SECTIONS);
  return standing.flatMap((schema) => {
    const shaped = shapeOf(schema);
    if (shaped.kind === "object") return Object.keys(shaped.shape);
    return shaped.kind === "union" ? knownKeys(shaped.options) : [];
  });
}

/** The limits of a number or text, in the notation of the reference. */
export function limitsOf(schema: Schema): string[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & { readonly format?: string };
  const limits = (def.checks ?? []).map((check) => limitText(check._zod.def as Limit));
  return [...(def.format === "safeint" ? ["int"] : []), ...limits.filter((limit) => limit !== "")];
}

type Limit = { readonly check: string; readonly value?: unknown; readonly inclusive?: boolean } & Partial<
  Record<"minimum" | "maximum", number>
>;

function limitText(limit: Limit): string {
  const orEqual = limit.inclusive ? "=" : "";
  switch (limit.check) {
    case "greater_than":
      return `>${orEqual}${String(limit.value)}`;
    case "less_than":
      return `<${orEqual}${String(limit.value)}`;
    case "min_length":
      return `minLen ${limit.minimum}`;
    case "max_length":
      return `maxLen ${limit.maximum}`;
    default:
      return "";
  }
}

/** What is allowed, as part of a sentence. */
export function allowedText(wrapped: Schema): string {
  const shaped = shapeOf(wrapped);
  switch (shaped.kind) {
    case "object":
    case "map":
      return "an object";
    case "list":
      return `a list, each entry ${allowedText(shaped.item)}`;
    case "union":
      return [...new Set(shaped.options.map(allowedText))].join(" or ");
    case "leaf":
      return leafAllowed(shaped.schema);
  }
}

function leafAllowed(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices) return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`;
  const { type } = schema._zod.def;
  if (type === "boolean") return "true or false";
  if (type !== "number" && type !== "string") return "any value";
  const limits = limitsOf(schema);
  const kind = type === "string" ? "a text" : limits.includes("int") ? "a whole number" : "a number";
  return [kind, limits.map(limitWords).filter(Boolean).join(" and ")].filter(Boolean).join(" ");
}

function limitWords(limit: string): string {
  return limit
    .replace("int", "")
    .replace(/^>=/, "of at least ")
    .replace(/^<=/, "of at most ")
    .replace(/^>/, "above ")
    .replace(/^minLen (.*)/, "of at least $1 characters")
    .replace(/^maxLen (.*)/, "of at most $1 characters");
}

/** The fixed values of an enumeration or literal, as they are written in the file. */
export function choicesOf(wrapped: Schema): string[] | undefined {
  const def = (unwrap(wrapped) as z.core.$ZodTypes)._zod.def;
  if (def.type === "enum") return Object.values(def.entries).map((entry) => JSON.stringify(entry));
  if (def.type === "literal") return def.values.map((value) => JSON.stringify(value));
  return undefined;
}
