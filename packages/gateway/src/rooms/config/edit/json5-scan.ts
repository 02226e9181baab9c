// Finds where each value of a JSON5 text stands: the base of edits that leave everything else as the user typed it.
import { parseEither } from "../read/read-text.ts";
import type { Path } from "./path.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: SpanNode;
}

export type SpanNode =
  | (Span & { readonly kind: "object"; readonly members: readonly Member[] })
  | (Span & { readonly kind: "array"; readonly items: readonly SpanNode[] })
  | (Span & { readonly kind: "scalar" });

export interface Scan {
  readonly root: SpanNode;
  readonly comments: readonly Span[];
}

const SPACE_OR_COMMENT = /[\s\uFEFF]+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y;
const BARE = /[^\s\uFEFF,:{}[\]"'/]+/y;

/** Scans a text that is already known to be valid JSON5. */
export function scanJson5(text: string): Scan {
  const comments: Span[] = [];
  let at = 0;

  const match = (pattern: RegExp): Span => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw new SyntaxError(`unexpected character at ${at}`);
    const span = { start: at, end: at + found[0].length };
    at = span.end;
    return span;
  };

  const skip = (): string => {
    for (;;) {
      SPACE_OR_COMMENT.lastIndex = at;
      const found = SPACE_OR_COMMENT.exec(text);
      if (!found) return text.charAt(at);
      if (found[0].startsWith("/")) comments.push({ start: at, end: at + found[0].length });
      at += found[0].length;
    }
  };

  const token = (): Span => match(text[at] === '"' || text[at] === "'" ? STRING : BARE);

  const readMember = (): Member => {
    const keySpan = token();
    skip();
    at++; // the colon
    skip();
    return { key: keyText(text.slice(keySpan.start, keySpan.end)), keySpan, value: readValue() };
  };

  /** Reads what stands between brackets, commas included. */
  const readAll = <Entry>(close: string, readEntry: () => Entry): Entry[] => {
    const entries: Entry[] = [];
    at++;
    while (skip() !== close) {
      entries.push(readEntry());
      if (skip() === ",") at++;
    }
    at++;
    return entries;
  };

  const readValue = (): SpanNode => {
    const start = at;
    if (text[at] === "{") {
      const members = readAll("}", readMember);
      return { kind: "object", start, end: at, members };
    }
    if (text[at] === "[") {
      const items = readAll("]", readValue);
      return { kind: "array", start, end: at, items };
    }
    return { kind: "scalar", ...token() };
  };

  skip();
  const root = readValue();
  skip();
  return { root, comments };
}

function keyText(written: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(written)) return written;
  return Object.keys(parseEither(`{${written}:0}`) as object)[0] ?? written;
}

/** Of a key written twice the last one counts, as in JSON5 itself. */
export function memberOf(node: SpanNode, key: string | number): Member | undefined {
  return node.kind === "object" ? node.members.findLast((member) => member.key === String(key)) : undefined;
}

function childNode(node: SpanNode, key: string | number): SpanNode | undefined {
  return node.kind === "array" ? node.items[Number(key)] : memberOf(node, key)?.value;
}

/** The deepest node on the way to a place, and how much of the path it covers. */
export function deepestNode(root: SpanNode, path: Path): { readonly node: SpanNode; readonly depth: number } {
  let node = root;
  for (const [depth, key] of path.entries()) {
    const child = childNode(node, key);
    if (!child) return { node, depth };
    node = child;
  }
  return { node, depth: path.length };
}

function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where a place of the config stands in the text; a missing key is looked for where it would belong. */
export function locatePath(
  text: string,
  root: SpanNode,
  path: Path,
): { readonly line: number; readonly column: number } {
  const { node, depth } = deepestNode(root, path);
  const holder = deepestNode(root, path.slice(0, Math.max(0, depth - 1))).node;
  const member = depth > 0 ? memberOf(holder, path[depth - 1] ?? "") : undefined;
  return lineAndColumn(text, member?.keySpan.start ?? node.start);
}
