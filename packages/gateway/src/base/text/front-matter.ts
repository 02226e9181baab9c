// Reads the head of a Markdown file: the part of YAML that hooks and skills are described in. Anchors, tags and several documents are not.
import { FlowReader, NotUnderstood, scalar } from "./flow-values.ts";

export type FrontMatter =
  | {
      readonly kind: "read";
      readonly fields: Readonly<Record<string, unknown>>;
      /** What stands behind the head. */
      readonly body: string;
    }
  | { readonly kind: "unreadable"; readonly why: string };

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

const KEY = /^(?:"([^"\\]+)"|'([^']+)'|([A-Za-z0-9_.-]+)):(?:\s+(.*)|)$/;
const ITEM = /^-(?:\s+(.*)|)$/;
/** `|` keeps the lines of a text, `>` joins them. */
const BLOCK_TEXT = /^([|>])[+-]?$/;

export function readFrontMatter(markdown: string): FrontMatter {
  const lines = markdown.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  if (lines[0]?.trim() !== "---" || end < 0) {
    return { kind: "unreadable", why: "it does not begin with a block between two lines of ---" };
  }
  try {
    const inside = lines.slice(1, end).map((text, index) => toLine(text, index + 2));
    return { kind: "read", fields: new Reader(inside).readAll(), body: lines.slice(end + 1).join("\n") };
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
  #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  readAll(): Record<string, unknown> {
    const fields = this.#readMap(0);
    const left = this.#next();
    return left ? raise(`line ${left.number} is not "name: value"`) : fields;
  }

  #readMap(indent: number): Record<string, unknown> {
    // Without a prototype: a key such as __proto__ is a key like any other.
    const fields: Record<string, unknown> = Object.create(null);
    for (let line = this.#next(); line && line.indent >= indent; line = this.#next()) {
      const [, double, single, plain, value = ""] = KEY.exec(line.text) ?? [];
      const key = double ?? single ?? plain;
      if (line.indent > indent || key === undefined) return raise(`line ${line.number} is not "name: value"`);
      this.#at += 1;
      fields[key] = this.#readValue(value, line);
    }
    return fields;
  }

  #readList(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#next(); line?.indent === indent; line = this.#next()) {
      const [all, written = ""] = ITEM.exec(line.text) ?? [];
      if (all === undefined) break;
      items.push(this.#readItem(written, line));
    }
    return items;
  }

  /** What stands behind the dash is a value, or the first line of a block that goes on below it. */
  #readItem(written: string, line: Line): unknown {
    if (!KEY.test(written) && !ITEM.test(written)) {
      this.#at += 1;
      return this.#readValue(written, line);
    }
    const indent = line.indent + line.text.length - written.length;
    this.#lines = this.#lines.with(this.#at, { number: line.number, indent, text: written });
    return this.#readBlock(indent);
  }

  #readBlock(indent: number): unknown {
    return ITEM.test(this.#next()?.text ?? "") ? this.#readList(indent) : this.#readMap(indent);
  }

  /** The next line that says something. */
  #next(): Line | undefined {
    while (isSilent(this.#lines[this.#at])) this.#at += 1;
    return this.#lines[this.#at];
  }

  #readValue(written: string, line: Line): unknown {
    const block = BLOCK_TEXT.exec(withoutRemark(written))?.[1];
    if (block) return this.#readText(line.indent, block === "|" ? "\n" : " ");
    if (/^[{[]/.test(written)) return this.#readFlow(written, line);
    if (withoutRemark(written) !== "") return this.#readScalar(written, line);
    const deeper = this.#next();
    if (!deeper || (deeper.indent <= line.indent && !isItemOf(deeper, line))) return undefined;
    return /^[{[]/.test(deeper.text) ? this.#readFlow("", line) : this.#readBlock(deeper.indent);
  }

  /** Goes on for as long as the lines are indented. */
  #readFlow(first: string, { number, indent }: Line): unknown {
    const parts = [first];
    for (let line = this.#next(); line && line.indent > indent; line = this.#next()) {
      parts.push(line.text);
      this.#at += 1;
    }
    return new FlowReader(parts.join("\n"), number).readWhole();
  }

  /** Goes on in deeper lines; an end of a line is a space. */
  #readScalar(written: string, { indent }: Line): unknown {
    const parts = [written];
    for (let line = this.#next(); line && line.indent > indent; line = this.#next()) {
      parts.push(line.text);
      this.#at += 1;
    }
    return scalar(parts.join(" "));
  }

  #readText(indent: number, joint: string): string {
    const lines: Line[] = [];
    for (let line = this.#lines[this.#at]; line && (line.text === "" || line.indent > indent);) {
      lines.push(line);
      this.#at += 1;
      line = this.#lines[this.#at];
    }
    const least = Math.min(...lines.filter(({ text }) => text !== "").map((line) => line.indent));
    return lines
      .map((line) => " ".repeat(Math.max(0, line.indent - least)) + line.text)
      .join(joint)
      .trim();
  }
}

function isSilent(line: Line | undefined): boolean {
  return line !== undefined && (line.text === "" || line.text.startsWith("#"));
}

/** A list may stand as deep as its name. */
function isItemOf(deeper: Line, { indent, text }: Line): boolean {
  return deeper.indent === indent && ITEM.test(deeper.text) && !ITEM.test(text);
}

function withoutRemark(written: string): string {
  return written.replace(/(?:^|\s+)#.*$/, "");
}

function raise(why: string): never {
  throw new NotUnderstood(why);
}
