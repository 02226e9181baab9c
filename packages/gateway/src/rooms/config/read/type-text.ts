// Types in the notation of the reference: `number(int,>0)`, `"a"|"b"`, `("a"|"b")[]`, `record<string,string>`. Both ways.
import * as z from "zod";
import { limitsOf } from "../schema-walk.ts";
import { shapeOf, secretText } from "@chela/sdk/config";

type Schema = z.core.$ZodType;

export function typeText(wrapped: Schema): string {
  const shaped = shapeOf(wrapped);
  switch (shaped.kind) {
    case "object":
      return `{${Object.entries(shaped.shape).map(memberText).join(", ")}}`;
    case "map":
      return `record<string,${typeText(shaped.value)}>`;
    case "list": {
      const each = typeText(shaped.item);
      return isChoice(shaped.item) ? `(${each})[]` : `${each}[]`;
    }
    case "union":
      return shaped.options.map(typeText).join("|");
    case "leaf":
      return leafText(shaped.schema);
  }
}

function memberText([key, schema]: [string, Schema]): string {
  return `${key}${schema._zod.optin === "optional" ? "?" : ""}:${typeText(schema)}`;
}

function isChoice(schema: Schema): boolean {
  const shaped = shapeOf(schema);
  return shaped.kind === "union" || (shaped.kind === "leaf" && /\|/.test(leafText(shaped.schema)));
}

function leafText(schema: Schema): string {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  if (def.type === "enum")
    return Object.values(def.entries)
      .map((entry) => JSON.stringify(entry))
      .join("|");
  if (def.type === "literal") return def.values.map((value) => JSON.stringify(value)).join("|");
  const limits = limitsOf(schema);
  return limits.length > 0 ? `${def.type}(${limits.join(",")})` : def.type;
}

/** The way back. `secret` is a text that is never shown. */
export function schemaFrom(text: string): z.ZodType {
  const reader = new TypeReader(text);
  const schema = reader.type();
  reader.end();
  return schema;
}

class TypeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  type(): z.ZodType {
    const options = [this.#listed()];
    while (this.#takes("|")) options.push(this.#listed());
    if (options.length === 1) return options[0] as z.ZodType;
    const words = options.flatMap((option) => (option instanceof z.ZodLiteral ? [...option.values] : [undefined]));
    return words.every((word) => typeof word === "string") ? z.enum(words) : z.union(options);
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#unreadable();
  }

  #listed(): z.ZodType {
    let schema = this.#one();
    while (this.#takes("[]")) schema = z.array(schema);
    return schema;
  }

  #one(): z.ZodType {
    if (this.#takes("(")) return this.#until(")", () => this.type());
    if (this.#takes("record<string,")) return this.#until(">", () => z.record(z.string(), this.type()));
    if (this.#takes("{")) return this.#until("}", () => this.#members());
    const literal = this.#match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false/y);
    if (literal !== undefined) return z.literal(JSON.parse(literal) as string | number | boolean);
    const limits = () => (this.#takes("(") ? this.#until(")", () => this.#match(/[^)]*/y) ?? "").split(",") : []);
    switch (this.#match(/[a-z]+/y)) {
      case "boolean":
        return z.boolean();
      case "unknown":
        return z.unknown();
      case "secret":
        return secretText();
      case "string":
        return limits().reduce(limitText, z.string());
      case "number":
        return readNumber(limits());
      default:
        throw this.#unreadable();
    }
  }

  #members(): z.ZodType {
    const shape: Record<string, z.ZodType> = {};
    for (let name = this.#match(/\w+/y); name !== undefined; name = this.#match(/\w+/y)) {
      const isOptional = this.#takes("?");
      this.#until("", () => this.#takes(":"));
      shape[name] = isOptional ? this.type().optional() : this.type();
      this.#takes(", ");
    }
    return z.strictObject(shape);
  }

  #takes(mark: string): boolean {
    const isThere = this.#text.startsWith(mark, this.#at);
    if (isThere) this.#at += mark.length;
    return isThere;
  }

  #until<T>(mark: string, read: () => T): T {
    const result = read();
    if (!this.#takes(mark)) throw this.#unreadable();
    return result;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unreadable(): Error {
    return new Error(`"${this.#text}" is not a type: character ${this.#at + 1} does not fit`);
  }
}

function limitText(schema: z.ZodString, limit: string): z.ZodString {
  const size = Number(limit.split(" ")[1]);
  return limit.startsWith("minLen") ? schema.min(size) : schema.max(size);
}

function readNumber(limits: readonly string[]): z.ZodNumber {
  const isWhole = limits.includes("int");
  return limits.filter((limit) => limit !== "int").reduce(limitNumber, isWhole ? z.int() : z.number());
}

function limitNumber(schema: z.ZodNumber, limit: string): z.ZodNumber {
  const value = Number(limit.replace(/^[<>]=?/, ""));
  if (limit.startsWith("<=")) return schema.lte(value);
  return limit.startsWith(">=") ? schema.gte(value) : schema.gt(value);
}
