// A tool as a model is told of it: name, description, and a JSON Schema without anything the model does not need.
import * as z from "zod";
import type { ModelTool, Tool } from "@chela/sdk";

type Schema = Record<string, unknown>;

export function describeTool(tool: Tool): ModelTool {
  const written = tool.schema ?? z.toJSONSchema(tool.parameters(), { io: "input", unrepresentable: "any" });
  const schema = compact(written as Schema);
  return {
    name: tool.name,
    description: tool.description,
    parameters: { type: "object", ...(schema.properties ? {} : { properties: {} }), ...schema },
  };
}

function compact(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, compactPart(key, value)]));
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "$schema" || key === "title") return true;
  if (key === "propertyNames") return isSchema(value) && Object.keys(value).join() === "type";
  if (key === "additionalProperties") return !isSchema(value) || Object.keys(value).length === 0;
  return (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** Only where a schema stands: a property may well be called "title", and a default may look like a schema. */
function compactPart(key: string, value: unknown): unknown {
  switch (key) {
    case "properties":
    case "$defs":
      return mapValues(value, compactAny);
    case "items":
    case "additionalProperties":
    case "not":
      return compactAny(value);
    case "anyOf":
    case "oneOf":
    case "allOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(compactAny) : value;
    default:
      return value;
  }
}

function compactAny(value: unknown): unknown {
  return isSchema(value) ? compact(value) : value;
}

function mapValues(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (!isSchema(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
