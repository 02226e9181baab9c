// Drops imported names that only types used: after the types are gone nobody mentions them, and their module may not have them.
import { blank } from "./blank.ts";

const NAMED = /\bimport\s+([\w$]+\s*,\s*)?\{([^}]*)\}(\s*from\b)/g;

/** `source` has no types any more. */
export function dropTypeImports(source: string): string {
  const code = blank(source);
  const isUsed = (name: string): boolean => {
    const pattern = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
    return (code.match(pattern)?.length ?? 0) > 1;
  };
  const keep = (entries: string): string =>
    entries
      .split(",")
      .filter((entry) => {
        const own = entry
          .trim()
          .split(/\s+as\s+/)
          .at(-1)
          ?.trim();
        return own === undefined || own === "" || isUsed(own);
      })
      .join(",");
  return atSamePlaces(source, code, NAMED, ([, first = "", entries = "", rest = ""]) => {
    const kept = keep(entries);
    return `import ${first}{${kept}}${rest}`;
  });
}

/** Replaces in `source` what `pattern` finds in `code`, whose characters have the same places. */
function atSamePlaces(
  source: string,
  code: string,
  pattern: RegExp,
  change: (match: readonly string[]) => string,
): string {
  let out = "";
  let from = 0;
  for (const match of code.matchAll(pattern)) {
    out += source.slice(from, match.index) + change(match);
    from = match.index + match[0].length;
  }
  return out + source.slice(from);
}
