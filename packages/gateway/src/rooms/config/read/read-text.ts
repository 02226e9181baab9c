// Text → value: JSON5, no reserved keys, no bottomless nesting.
import JSON5 from "json5";
import type { Finding } from "./issue.ts";
import { isObject, isReservedKey, type JsonObject, type Path } from "../edit/path.ts";

const MAX_DEPTH = 100;

export type ReadText =
  | { readonly kind: "read"; readonly value: JsonObject }
  | { readonly kind: "syntax"; readonly message: string; readonly line?: number; readonly column?: number }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

export function readConfigText(text: string): ReadText {
  const clean = text.replace(/^\uFEFF/, "");
  if (clean.trim() === "") return { kind: "read", value: {} };
  let value: unknown;
  try {
    value = parseEither(clean);
  } catch (error) {
    return describeSyntaxError(error);
  }
  if (!isObject(value)) return { kind: "syntax", message: "the file must hold one object, { … }", line: 1, column: 1 };
  const findings: Finding[] = [];
  findRefused(value, [], findings);
  return findings.length > 0 ? { kind: "refused", findings } : { kind: "read", value };
}

/** Most files are plain JSON, for which the built-in parser is far faster. */
export function parseEither(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON5.parse(text);
  }
}

function describeSyntaxError(error: unknown): ReadText {
  const place = error as { lineNumber?: unknown; columnNumber?: unknown; message?: unknown };
  const told = String(place.message)
    .replace(/^JSON5:\s*/, "")
    .replace(/\s+at\s+\d+:\d+$/, "");
  const line = typeof place.lineNumber === "number" ? { line: place.lineNumber } : {};
  // An error at the end of a line is placed in the column before the next one's first.
  const column = typeof place.columnNumber === "number" ? { column: Math.max(1, place.columnNumber) } : {};
  return { kind: "syntax", message: told, ...line, ...column };
}

function findRefused(value: unknown, path: Path, findings: Finding[]): void {
  if (path.length > MAX_DEPTH) {
    findings.push({ path: path.slice(0, 3), message: `is nested deeper than ${MAX_DEPTH} levels` });
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => findRefused(entry, [...path, index], findings));
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      if (isReservedKey(key)) findings.push({ path: [...path, key], message: `"${key}" cannot be a key; remove it` });
      else findRefused(entry, [...path, key], findings);
    }
  }
}
