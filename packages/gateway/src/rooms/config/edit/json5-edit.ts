// Changes single values of a JSON5 text. Comments, quotes, order and spacing of everything else stay as they were.
import { GatewayError } from "@chela/sdk";
import { deepestNode, memberOf, scanJson5, type SpanNode } from "./json5-scan.ts";
import { formatPath, type Path } from "./path.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

/** Sets a value, adding the objects on the way when they are missing. */
export function setInText(written: string, path: Path, value: unknown): string {
  const text = written.trim() === "" ? "{}\n" : written;
  const layout = layoutOf(text);
  const { root } = scanJson5(text);
  const { node, depth } = deepestNode(root, path);
  const rest = path.slice(depth);
  const first = rest[0];
  const fresh = rest
    .slice(1)
    .reduceRight<unknown>((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);
  if (first === undefined) {
    return applyEdits(text, [
      { start: node.start, end: node.end, text: render(fresh, layout, indentAt(text, node.start)) },
    ]);
  }
  if (node.kind === "object")
    return applyEdits(
      text,
      insertion(
        text,
        node,
        layout,
        (indent) => `${keyFor(node, text, String(first))}: ${render(fresh, layout, indent)}`,
      ),
    );
  if (node.kind === "array") {
    if (Number(first) !== node.items.length)
      throw new GatewayError("CONFIG_INVALID", `${formatPath(path)}: the list has ${node.items.length} entries`);
    return applyEdits(
      text,
      insertion(text, node, layout, (indent) => render(fresh, layout, indent)),
    );
  }
  // Something that is not an object stands in the way: it gives way to one.
  return applyEdits(text, [
    { start: node.start, end: node.end, text: render({ [first]: fresh }, layout, indentAt(text, node.start)) },
  ]);
}

/** Removes a key or a list entry, with its comma. Comments around it stay. */
export function removeFromText(text: string, path: Path): string {
  const { root } = scanJson5(text);
  const holder = deepestNode(root, path.slice(0, -1));
  const last = path.at(-1);
  if (holder.depth !== path.length - 1 || last === undefined) return text;
  const { node } = holder;
  if (node.kind === "array") {
    return node.items[Number(last)] ? applyEdits(text, removal(text, node, Number(last))) : text;
  }
  // A key may have been written twice; all of them go.
  const member = memberOf(node, last);
  if (!member || node.kind !== "object") return text;
  return removeFromText(applyEdits(text, removal(text, node, node.members.indexOf(member))), path);
}

interface Layout {
  readonly newline: string;
  readonly unit: string;
}

function layoutOf(text: string): Layout {
  return {
    newline: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /^[{[][^\n]*\r?\n([ \t]+)\S/.exec(text.trimStart())?.[1] ?? "  ",
  };
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

function render(value: unknown, layout: Layout, indent: string): string {
  const json = JSON.stringify(value, null, layout.unit) ?? "null";
  return json.replaceAll("\n", `${layout.newline}${indent}`);
}

/** A new key follows the habit of its neighbours: quoted or not. */
function keyFor(node: SpanNode & { kind: "object" }, text: string, key: string): string {
  const neighbour = node.members.at(-1)?.keySpan.start ?? firstKeyOf(text);
  const quotes = neighbour === undefined || text[neighbour] === '"' || text[neighbour] === "'";
  return !quotes && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function firstKeyOf(text: string): number | undefined {
  const { root } = scanJson5(text);
  return root.kind === "object" ? root.members[0]?.keySpan.start : undefined;
}

type Bracketed = Exclude<SpanNode, { kind: "scalar" }>;

function entriesOf(node: Bracketed): ReadonlyArray<{ readonly start: number; readonly end: number }> {
  return node.kind === "array"
    ? node.items
    : node.members.map(({ keySpan, value }) => ({ start: keySpan.start, end: value.end }));
}

function insertion(text: string, node: Bracketed, layout: Layout, write: (indent: string) => string): Edit[] {
  const last = entriesOf(node).at(-1);
  const outer = indentAt(text, node.start);
  if (!last) {
    const inner = outer + layout.unit;
    const close = node.end - 1;
    const start = close - (/\s*$/.exec(text.slice(node.start + 1, close))?.[0].length ?? 0);
    return [{ start, end: close, text: `${layout.newline}${inner}${write(inner)}${layout.newline}${outer}` }];
  }
  const comma = commaAfter(text, last.end, node.end);
  const oneLine = !text.slice(node.start, node.end).includes("\n");
  if (oneLine) return [{ start: last.end, end: comma === undefined ? last.end : comma + 1, text: `, ${write(outer)}` }];
  const inner = startsItsLine(text, last.start) ? indentAt(text, last.start) : outer + layout.unit;
  const added = `${layout.newline}${inner}${write(inner)}`;
  if (comma !== undefined) {
    const start = endOfTrailingComment(text, comma + 1);
    return [{ start, end: start, text: `${added},` }];
  }
  const start = endOfTrailingComment(text, last.end);
  return start === last.end
    ? [{ start, end: start, text: `,${added}` }]
    : [
        { start: last.end, end: last.end, text: "," },
        { start, end: start, text: added },
      ];
}

function removal(text: string, node: Bracketed, index: number): Edit[] {
  const entries = entriesOf(node);
  const entry = entries[index];
  if (!entry) return [];
  const comma = commaAfter(text, entry.end, node.end);
  const previous = entries[index - 1];
  const edits: Edit[] = [];
  if (comma === undefined && previous) {
    const before = commaAfter(text, previous.end, entry.start);
    if (before !== undefined) edits.push({ start: before, end: before + 1, text: "" });
  }
  const adjacent = comma !== undefined && text.slice(entry.end, comma).trim() === "";
  if (comma !== undefined && !adjacent) edits.push({ start: comma, end: comma + 1, text: "" });
  edits.push(wholeLine(text, entry.start, adjacent ? comma + 1 : entry.end));
  return edits;
}

/** When nothing else stands on the lines, the lines go too. */
function wholeLine(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const after = /^[ \t]*\r?\n/.exec(text.slice(end));
  if (text.slice(lineStart, start).trim() === "" && lineStart > 0 && after)
    return { start: lineStart, end: end + after[0].length, text: "" };
  const space = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return { start, end: end + space, text: "" };
}

/** The comma between here and there, not one inside a comment. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  const blank = text.slice(from, to).replace(/\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g, (comment) => " ".repeat(comment.length));
  const gap = /^\s*,/.exec(blank);
  return gap ? from + gap[0].length - 1 : undefined;
}

function startsItsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}

/** A comment on the same line belongs to the entry before it. */
function endOfTrailingComment(text: string, offset: number): number {
  const comment = /^[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*?\*\/(?=[ \t]*(?:\r?\n|$)))/.exec(text.slice(offset));
  return offset + (comment?.[0].length ?? 0);
}
