// Values of YAML that stand in one piece: words, quoted texts, and lists and maps in brackets. JSON is a part of that.

export class NotUnderstood extends Error {}

/** Deeper than anybody writes. */
const MOST_DEEP = 50;

/** Reads `[command:new, "command:reset"]`, `{ bins: [git], always: true }` and all JSON. */
export class FlowReader {
  readonly #text: string;
  readonly #line: number;
  #at = 0;

  /** `line` is where the text begins, for the sentence that says what is wrong. */
  constructor(text: string, line: number) {
    this.#text = text;
    this.#line = line;
  }

  readWhole(): unknown {
    const value = this.#read(0);
    this.#skip();
    return this.#at === this.#text.length ? value : this.#fail();
  }

  #read(depth: number): unknown {
    this.#skip();
    if (depth > MOST_DEEP) return this.#fail();
    if (this.#take("[")) return this.#readItems(depth);
    return this.#take("{") ? this.#readFields(depth) : this.#readScalar(/^[^,\]}\n]*/);
  }

  #readItems(depth: number): unknown[] {
    const items: unknown[] = [];
    for (this.#skip(); !this.#take("]"); this.#skip()) {
      items.push(this.#read(depth + 1));
      this.#goOn("]");
    }
    return items;
  }

  #readFields(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = Object.create(null);
    for (this.#skip(); !this.#take("}"); this.#skip()) {
      const name = this.#readScalar(/^[^:,[\]{}\n]+/);
      this.#skip();
      if (!this.#take(":")) return this.#fail();
      fields[String(name)] = this.#read(depth + 1);
      this.#goOn("}");
    }
    return fields;
  }

  /** A comma, also a last one, or the end. */
  #goOn(end: string): void {
    this.#skip();
    if (!this.#take(",") && this.#text[this.#at] !== end) this.#fail();
  }

  #readScalar(plain: RegExp): unknown {
    const rest = this.#text.slice(this.#at);
    const found = (/^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'/.exec(rest) ?? plain.exec(rest))?.[0] ?? "";
    if (found.trim() === "") return this.#fail();
    this.#at += found.length;
    return scalar(found.trim());
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  /** Spaces, ends of lines and remarks. */
  #skip(): void {
    this.#at += /^(?:\s|#[^\n]*)*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
  }

  #fail(): never {
    throw new NotUnderstood(`what begins in line ${this.#line} is no list and no block: look for a bracket or comma`);
  }
}

export function scalar(written: string): unknown {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')(?:\s+#.*)?$/.exec(written) ?? [];
  if (double !== undefined) return unescape(double);
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = written.replace(/\s+#.*$/, "");
  if (plain === "null" || plain === "~") return undefined;
  return plain === "true" || plain === "false" ? plain === "true" : plain;
}

/** Escapes of JSON. What is none stays as it is written. */
function unescape(inside: string): string {
  return inside.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (all, code: string | undefined, one: string | undefined) => {
    if (code) return String.fromCharCode(Number.parseInt(code, 16));
    const known = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", '"': '"', "\\": "\\", "/": "/" }[one ?? ""];
    return known ?? all;
  });
}
