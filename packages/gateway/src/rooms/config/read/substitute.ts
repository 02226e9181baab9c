// `${NAME}` in any text of the config stands for an environment variable; `$${NAME}` is the literal text.
import type { Finding } from "./issue.ts";
import { isObject, type JsonObject, type Path } from "../edit/path.ts";

const REFERENCE = /(\$?)\$\{([A-Z_][A-Z0-9_]*)\}/g;

export interface Substituted {
  readonly value: unknown;
  /** One per missing variable and place. The text stays as it was written. */
  readonly missing: readonly Finding[];
}

export function substituteVariables(root: unknown, env: Readonly<Record<string, string>>): Substituted {
  const missing: Finding[] = [];
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") return fillIn(value, path, env, missing);
    if (Array.isArray(value)) return value.map((entry, index) => visit(entry, [...path, index]));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [key, entry] of Object.entries(value)) copy[key] = visit(entry, [...path, key]);
    return copy;
  };
  return { value: visit(root, []), missing };
}

function fillIn(text: string, path: Path, env: Readonly<Record<string, string>>, missing: Finding[]): string {
  if (!text.includes("${")) return text;
  return text.replace(REFERENCE, (written: string, escape: string, name: string) => {
    if (escape) return written.slice(1);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value) return value;
    missing.push({
      path,
      message: `the environment variable ${name} is not set or is empty; set it, or write $\${${name}} for the literal text`,
    });
    return written;
  });
}

/** True when the text is nothing but one reference, so that showing it gives nothing away. */
export function isWholeReference(text: string): boolean {
  return /^\$\{[A-Z_][A-Z0-9_]*\}$/.test(text) || vaultIdIn(text) !== undefined;
}

/** `vault:<id>` or `${vault:<id>}`: the id, when the text is nothing else. */
export function vaultIdIn(text: string): string | undefined {
  const [, bare, braced] =
    /^(?:vault:([A-Za-z0-9][\w.@+:/-]{0,199})|\$\{vault:([A-Za-z0-9][\w.@+:/-]{0,199})\})$/.exec(text) ?? [];
  return bare ?? braced;
}
