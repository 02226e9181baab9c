// Reads the head of a HOOK.md: the small part of YAML that hooks are described in, with JSON where it begins with a brace.
import JSON5 from "json5";

export type FrontMatter =
  | { readonly kind: "read"; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: "unreadable"; readonly why: string };

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

const KEY = /^([A-Za-z0-9_.-]+):(?:\s+(.*)|)$/;

class NotUnderstood extends Error {}

export function readFrontMatter(markdown: string): FrontMatter {
  const lines = markdown.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  if (lines[0]?.trim() !== "---" || end < 0) {
    return { kind: "unreadable", why: "it does not begin with a block between two lines of ---" };
  }
  try {
    const inside = lines.slice(1, end).map((text, index) => toLine(text, index + 2));
    const spoken = inside.filter(({ text }) => text !== "" && !text.startsWith("#"));
    return { kind: "read", fields: new Reader(spoken).readMap(0) };
  } catch (error) {
    if (error instanceof NotUnderstood) return { kind: "unreadable", why: error.message };
    throw error;
  }
}

function toLine(written: string, number: number): Line {
  const text = written.trimEnd();
  const indent = text.length - text.trimStart().length;
  if (text.slice(0, indent).includes("\t")) throw new NotUnderstood(`line ${number} is indented with a tab`);
  return { number, indent, text: text.slice(indent) };
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  readMap(indent: number): Record<string, unknown> {
    // Without a prototype: a key such as __proto__ is a key like any other.
    const fields: Record<string, unknown> = Object.create(null);
    for (let line = this.#next(); line && line.indent >= indent; line = this.#next()) {
      const [, key = "", value = ""] = KEY.exec(line.text) ?? [];
      if (line.indent > indent || key === "") throw new NotUnderstood(`line ${line.number} is not "name: value"`);
      this.#at += 1;
      fields[key] = this.#readValue(value, line);
    }
    return fields;
  }

  #next(): Line | undefined {
    return this.#lines[this.#at];
  }

  #readValue(written: string, line: Line): unknown {
    const deeper = this.#next();
    if (/^[{[]/.test(written)) return this.#readJson(written, line);
    if (written !== "") return scalar(written);
    if (!deeper || (deeper.indent <= line.indent && !isItem(deeper, line))) return undefined;
    if (/^[{[]/.test(deeper.text)) return this.#readJson("", line);
    return deeper.text.startsWith("- ") ? this.#readList(deeper.indent) : this.readMap(deeper.indent);
  }

  #readList(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#next(); line?.indent === indent && line.text.startsWith("- "); line = this.#next()) {
      items.push(scalar(line.text.slice(2).trim()));
      this.#at += 1;
    }
    return items;
  }

  /** Goes on for as long as the lines are indented. */
  #readJson(first: string, { number, indent }: Line): unknown {
    const parts = [first];
    for (let line = this.#next(); line && line.indent > indent; line = this.#next()) {
      parts.push(line.text);
      this.#at += 1;
    }
    try {
      return JSON5.parse(parts.join("\n"));
    } catch {
      return plainList(parts) ?? raise(`what begins in line ${number} is not valid JSON`);
    }
  }
}

/** A list may stand as deep as its name. */
function isItem(deeper: Line, { indent }: Line): boolean {
  return deeper.indent === indent && deeper.text.startsWith("- ");
}

/** `[command:new, command:reset]`, which JSON would want in quotes. */
function plainList(parts: readonly string[]): unknown[] | undefined {
  const inside = /^\[([^[\]{}"']*)\]$/.exec(parts.join(" ").trim())?.[1];
  return inside
    ?.split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function raise(why: string): never {
  throw new NotUnderstood(why);
}

function scalar(written: string): unknown {
  const [, double, single] = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^']|'')*)'$/.exec(written) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\])/g, "$1");
  if (single !== undefined) return single.replaceAll("''", "'");
  if (written === "true" || written === "false") return written === "true";
  return written.replace(/\s+#.*$/, "");
}
