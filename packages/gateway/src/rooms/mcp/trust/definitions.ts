// What a server says it offers, made fit to be shown, and known again by its hash.
import { hash } from "node:crypto";
import { isObject } from "@chela/sdk/base";
import { neutralizeExternal } from "../../../base/text/external-content.ts";
import type { ToolDefinition } from "../client/protocol.ts";

/** Descriptions go along with every message: what is longer has something else in mind. */
const MOST_DESCRIPTION = 2_000;
const MOST_NESTED = 500;
const MOST_SCHEMA_BYTES = 64 * 1024;

/** Over everything a model or a person would go by, whatever the order of its keys. */
export function hashOf({ name, title, description, inputSchema, outputSchema, annotations }: ToolDefinition): string {
  return hash("sha256", canonical({ name, title, description, inputSchema, outputSchema, annotations }));
}

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}

/** Without comments, hidden characters and marks of ours, and no longer than anybody needs. */
export function cleanText(text: string, most = MOST_DESCRIPTION): string {
  const plain = neutralizeExternal(text)
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return plain.length > most ? `${plain.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…` : plain;
}

/** The same schema, its texts made fit; undefined where it is too large to be told to a model at all. */
export function cleanSchema(schema: ToolDefinition["inputSchema"]): Record<string, unknown> | undefined {
  if (JSON.stringify(schema).length > MOST_SCHEMA_BYTES) return undefined;
  const { $schema: _dialect, ...rest } = visit(schema) as Record<string, unknown>;
  return { type: "object", properties: {}, ...rest };
}

const WORDS = ["description", "title", "$comment"];

function visit(value: unknown, key?: string): unknown {
  if (typeof value === "string")
    return key !== undefined && WORDS.includes(key) ? cleanText(value, MOST_NESTED) : value;
  if (Array.isArray(value)) return value.map((inner) => visit(inner));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "$comment" && name !== "x-mcp-header")
      .map(([name, inner]) => [name, key === "properties" ? visit(inner) : visit(inner, name)]),
  );
}
