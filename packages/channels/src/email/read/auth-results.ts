// Reads Authentication-Results: what a mail server found out about where a mail comes from (RFC 8601).
import { putBack, takeApart } from "./structured-value.ts";

export interface AuthResult {
  /** Such as dmarc, dkim, spf. */
  readonly method: string;
  /** Such as pass, fail, none. */
  readonly result: string;
  /** Such as `header.from`. */
  readonly properties: ReadonlyMap<string, string>;
}

export interface AuthResults {
  /** The server that says so. */
  readonly server: string;
  readonly results: readonly AuthResult[];
}

/** Undefined when it cannot be read. */
export function parseAuthResults(value: string): AuthResults | undefined {
  const parts = takeApart(value);
  if (!parts) return undefined;
  const [first = "", ...rest] = parts.text.replace(/\s+/g, " ").replace(/ ?= ?/g, "=").split(";");
  const [server = ""] = first.trim().split(" ");
  if (server === "") return undefined;
  const results = rest.map((piece) => parseResult(piece.trim(), parts.quoted));
  return { server: putBack(server, parts.quoted).toLowerCase(), results: results.filter((one) => one !== undefined) };
}

function parseResult(piece: string, quoted: readonly string[]): AuthResult | undefined {
  const [verdict = "", ...properties] = piece.split(" ");
  const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z0-9-]+)$/i.exec(verdict) ?? [];
  if (method === undefined || result === undefined) return undefined;
  const pairs = properties
    .map((property) => /^([a-z0-9-]+\.[a-z0-9_-]+)=(.+)$/i.exec(property))
    .filter((found) => found !== null)
    .map(([, name = "", value = ""]) => [name.toLowerCase(), putBack(value, quoted)] as const);
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties: new Map(pairs) };
}
