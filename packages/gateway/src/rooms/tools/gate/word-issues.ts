// Says in words for a model what is wrong with the arguments of a call, and what is allowed.
import type * as z from "zod";
import type { ModelTool } from "@chela/sdk";

type Issue = z.core.$ZodIssue;

const MOST_ISSUES = 8;

export function wordIssues(issues: readonly Issue[], args: unknown): string {
  const words = issues.slice(0, MOST_ISSUES).map((issue) => wordIssue(issue, args));
  const more = issues.length - words.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** One line: `read takes path (string), offset? (integer)`. */
export function signatureOf({ name, parameters }: ModelTool): string {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const words = Object.entries(properties).map(
    ([key, schema]) => `${key}${required.includes(key) ? "" : "?"} (${kindOf(schema)})`,
  );
  return words.length > 0 ? `${name} takes ${words.join(", ")}` : `${name} takes no arguments`;
}

function wordIssue(issue: Issue, args: unknown): string {
  const place = issue.path.map(String).join(".") || "the arguments";
  return `${place}: ${complaint(issue, valueAt(args, issue.path))}`;
}

function complaint(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined
        ? `is missing, a value of type ${issue.expected} is needed`
        : `must be of type ${issue.expected}, but is ${nameValue(value)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}, but is ${nameValue(value)}`;
    case "unrecognized_keys":
      return `there is no argument ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
    case "too_small":
      return `must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case "invalid_union":
      return complainOfUnion(issue, value);
    case "custom":
      return issue.message;
    default:
      return `${nameValue(value)} is not allowed`;
  }
}

function complainOfUnion(issue: Extract<Issue, { code: "invalid_union" }>, value: unknown): string {
  const branches = issue.errors.flatMap(([first]) => (first ? [complaint(first, valueAt(value, first.path))] : []));
  return branches.length > 0 ? [...new Set(branches)].join(", or ") : `${nameValue(value)} is not allowed`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" || origin === "set" ? " items long" : "";
}

function nameValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function kindOf(schema: unknown): string {
  if (!isObject(schema)) return "any";
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const forms = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(forms)) return forms.map(kindOf).join(" | ");
  if (schema.type === "array") return `list of ${kindOf(schema.items)}`;
  return typeof schema.type === "string" ? schema.type : "any";
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
