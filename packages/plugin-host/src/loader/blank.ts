// Blanks what is no code: comments, strings and regular expressions become spaces, and every other character keeps its place.

const BEFORE_PATTERN =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield))\s*$/;

/** Also the texts of templates; what stands in their `${…}` is code and stays. */
export function blank(source: string): string {
  const out: string[] = [];
  let from = 0;
  /** Depth of braces in each open `${`. */
  const templates: number[] = [];
  let depth = 0;
  const hide = (start: number, end: number): void => {
    out.push(source.slice(from, start), source.slice(start, end).replaceAll(/[^\n]/g, " "));
    from = end;
  };
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === "{") depth += 1;
    else if (sign === "}") {
      if (templates.length > 0 && templates.at(-1) === depth) {
        templates.pop();
        depth -= 1;
        const end = endOfTemplate(source, at + 1);
        hide(at + 1, end.at);
        if (end.opens) templates.push((depth += 1));
        at = end.at - 1 + (end.opens ? 2 : 0);
      } else depth -= 1;
    } else if (sign === "`") {
      const end = endOfTemplate(source, at + 1);
      hide(at, end.at);
      if (end.opens) templates.push((depth += 1));
      at = end.at - 1 + (end.opens ? 2 : 0);
    } else if (sign === '"' || sign === "'") {
      const end = endOfString(source, at);
      hide(at, end);
      at = end - 1;
    } else if (sign === "/") {
      const end = endOfSlash(source, at);
      if (end === undefined) continue;
      hide(at, end);
      at = end - 1;
    }
  }
  out.push(source.slice(from));
  return out.join("");
}

function endOfString(source: string, start: number): number {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === quote) return at + 1;
    else if (source[at] === "\n") return at;
  }
  return source.length;
}

/** Where the text ends: behind the closing sign, or before a `${`. */
function endOfTemplate(source: string, start: number): { readonly at: number; readonly opens: boolean } {
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") return { at: at + 1, opens: false };
    else if (source[at] === "$" && source[at + 1] === "{") return { at, opens: true };
  }
  return { at: source.length, opens: false };
}

/** Undefined for a division. */
function endOfSlash(source: string, start: number): number | undefined {
  const next = source[start + 1];
  if (next === "/") {
    const end = source.indexOf("\n", start);
    return end < 0 ? source.length : end;
  }
  if (next === "*") {
    const end = source.indexOf("*/", start + 2);
    return end < 0 ? source.length : end + 2;
  }
  if (!BEFORE_PATTERN.test(source.slice(Math.max(0, start - 40), start))) return undefined;
  let isInClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === "\\") at += 1;
    else if (sign === "[") isInClass = true;
    else if (sign === "]") isInClass = false;
    else if (sign === "/" && !isInClass) return at + 1;
    else if (sign === "\n") return undefined;
  }
  return undefined;
}
