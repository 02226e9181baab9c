// HTTP headers that repeat parts of a request for proxies: its method, its name, and the arguments a tool's schema marks.
import { isObject } from "@chela/sdk/base";
import { MODERN_VERSION, type ToolDefinition } from "./protocol.ts";

const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES = ["string", "integer", "boolean"];

interface MarkedParameter {
  readonly path: readonly string[];
  readonly header: string;
}

export type MarkedParameters =
  | { readonly kind: "fine"; readonly marked: readonly MarkedParameter[] }
  /** A tool whose marks cannot be followed is not offered. */
  | { readonly kind: "wrong"; readonly why: string };

/** The arguments that have to be repeated in a header. */
export function markedParameters({ inputSchema }: Pick<ToolDefinition, "inputSchema">): MarkedParameters {
  const marked: MarkedParameter[] = [];
  const why = collect(inputSchema, [], marked, true);
  if (why !== undefined) return { kind: "wrong", why };
  const names = marked.map(({ header }) => header.toLowerCase());
  if (new Set(names).size < names.length) return { kind: "wrong", why: "two arguments have one header" };
  return { kind: "fine", marked };
}

/** Walks the whole schema: a mark that no argument can be found by is as wrong as one that is misspelt. */
function collect(
  schema: unknown,
  path: readonly string[],
  marked: MarkedParameter[],
  isReachable: boolean,
): string | undefined {
  if (Array.isArray(schema)) return firstOf(schema, (part) => collect(part, path, marked, false));
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, MARK)) {
    const header = schema[MARK];
    if (typeof header !== "string" || !TOKEN.test(header)) return "the name of a header is none";
    if (!isReachable || path.length === 0) return "a header is marked where no argument stands";
    if (typeof schema["type"] !== "string" || !PRIMITIVES.includes(schema["type"]))
      return "an argument with a header is no text, whole number or truth value";
    marked.push({ path, header });
  }
  return firstOf(Object.entries(schema), ([key, part]) => {
    if (key !== "properties") return isData(key) ? undefined : collect(part, path, marked, false);
    if (!isObject(part)) return undefined;
    return firstOf(Object.entries(part), ([name, inner]) => collect(inner, [...path, name], marked, isReachable));
  });
}

/** What stands there is a value and no schema. */
function isData(key: string): boolean {
  return ["default", "const", "enum", "examples"].includes(key);
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of every request without a handshake. */
export function standardHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": MODERN_VERSION,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": headerValue(name) }),
  };
}

export function parameterHeaders(
  marked: readonly MarkedParameter[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of marked) {
    const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), args);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      headers[`mcp-param-${header}`] = headerValue(String(value));
  }
  return headers;
}

const ENCODED = /^=\?base64\?.*\?=$/;

/** What a header cannot hold as it is goes encoded; so does what only looks as if it were. */
export function headerValue(text: string): string {
  const isPlain = /^[\x20-\x7e\t]*$/.test(text) && text === text.trim() && text !== "" && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** The other way round; undefined for what is encoded wrongly. */
export function readHeaderValue(written: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(written) ?? [];
  if (encoded === undefined) return written;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : undefined;
}
