// Text of a schema as a person reads it, in the manner of a TypeScript type; types that have a name are named.
import type * as z from "zod";

type Schema = z.core.$ZodTypes;
/** Of a schema that is used in several places; undefined writes it out. */
export type NameOf = (schema: unknown) => string | undefined;

export function typeText(schema: unknown, nameOf: NameOf): string {
  return nameOf(schema) ?? bodyText(schema, nameOf);
}

/** Without its own name. */
export function bodyText(schema: unknown, nameOf: NameOf): string {
  const { def } = (schema as Schema)._zod;
  const inner = (one: unknown): string => typeText(one, nameOf);
  switch (def.type) {
    case "object":
      return objectText(def, nameOf);
    case "array":
      return `${grouped(inner(def.element))}[]`;
    case "record":
      return `{ [${inner(def.keyType)}]: ${inner(def.valueType)} }`;
    case "tuple":
      return `[${def.items.map(inner).join(", ")}]`;
    case "union":
      return [...new Set(def.options.map(inner))].join(" | ");
    case "intersection":
      return `${inner(def.left)} & ${inner(def.right)}`;
    case "nullable":
      return `${inner(def.innerType)} | null`;
    case "optional":
    case "readonly":
    case "default":
    case "catch":
      return inner(def.innerType);
    case "pipe":
      return inner(def.in);
    case "enum":
      return Object.values(def.entries)
        .map((one) => JSON.stringify(one))
        .join(" | ");
    case "literal":
      return def.values.map((one) => JSON.stringify(one)).join(" | ");
    case "string":
    case "number":
    case "boolean":
      return `${def.type === "number" && isWhole(schema) ? "int" : def.type}${limitsOf(schema)}`;
    default:
      return def.type;
  }
}

function objectText(def: z.core.$ZodObjectDef, nameOf: NameOf): string {
  const fields = Object.entries(def.shape).map(([name, field]) => {
    const mayBeMissing = ["optional", "default"].includes((field as Schema)._zod.def.type);
    return `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mayBeMissing ? "?" : ""}: ${typeText(field, nameOf)}`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}

function grouped(text: string): string {
  return /[|&]/.test(text.replace(/\{.*\}/s, "")) ? `(${text})` : text;
}

function isWhole(schema: unknown): boolean {
  return (schema as z.ZodNumber).format === "safeint";
}

/** `(1…200)`: smallest and largest number, or shortest and longest text. */
function limitsOf(schema: unknown): string {
  const { minValue, maxValue, minLength, maxLength } = schema as Limits;
  const [least, most] = [minValue ?? minLength, maxValue ?? maxLength].map((limit) =>
    typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : "",
  );
  return least === "" && most === "" ? "" : `(${least}…${most})`;
}

/** Null, and the largest number there is, mean none. */
type Limits = Readonly<Partial<Record<"minValue" | "maxValue" | "minLength" | "maxLength", number | null>>>;

const WIDTH = 116;

/** Lines of a readable length: broken between fields, and indented by how deep they stand. */
export function layOut(text: string): string {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  for (const piece of piecesOf(text)) {
    const before = piece.startsWith("}") ? depth - 1 : depth;
    if (line.trim() !== "" && line.length + piece.trimEnd().length > WIDTH) {
      lines.push(line.trimEnd());
      line = "  ".repeat(before + 1);
    }
    line += piece;
    depth += count(piece, "{") - count(piece, "}");
  }
  return [...lines, line.trimEnd()].join("\n");
}

/** Parts that stay together: a field, or the beginning or end of an object. */
function piecesOf(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^"{};])*(?:\{ ?|\}|; ?|$)/g)?.filter(Boolean) ?? [];
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
