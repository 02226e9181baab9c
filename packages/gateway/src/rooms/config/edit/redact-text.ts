// The raw text of a config without its secrets, and the way back: placeholders in a text that a client sends become the secrets again.
import { GatewayError } from "@chela/sdk";
import { applyEdits, type Edit } from "./json5-edit.ts";
import { scanJson5, type Scan, type SpanNode } from "./json5-scan.ts";
import { formatPath, isObject, valueAt, type JsonObject, type Path } from "./path.ts";
import { parseEither } from "../read/read-text.ts";
import { isSecretText, REDACTED, soundsSecret, WALK_START, walkInto, type SecretWalk } from "../secret-rules.ts";

/** Values are replaced where they stand; `known` secrets are also looked for in comments. */
export function redactText(text: string, known: readonly string[]): string {
  const scan = tryScan(text);
  // Not valid JSON5 (yet): judged by the names in front of the texts.
  if (!scan) return redactLoose(text, known);
  const edits: Edit[] = [];
  visitTexts(text, scan.root, WALK_START, (value, walk, node) => {
    if (isSecretText(walk, value)) edits.push({ start: node.start, end: node.end, text: JSON.stringify(REDACTED) });
  });
  for (const { start, end } of scan.comments)
    edits.push({ start, end, text: redactLoose(text.slice(start, end), known) });
  return applyEdits(text, edits);
}

/** The scanner trusts its input, so broken text must be found out before. */
function tryScan(text: string): Scan | undefined {
  try {
    parseEither(text.replace(/^\uFEFF/, ""));
    return scanJson5(text);
  } catch {
    return undefined;
  }
}

function visitTexts(
  text: string,
  node: SpanNode,
  walk: SecretWalk,
  found: (value: string, walk: SecretWalk, node: SpanNode) => void,
): void {
  if (node.kind === "object") {
    for (const { key, value } of node.members) visitTexts(text, value, walkInto(walk, key), found);
  } else if (node.kind === "array") {
    node.items.forEach((entry, index) => visitTexts(text, entry, walkInto(walk, index), found));
  } else if (text[node.start] === '"' || text[node.start] === "'") {
    found(String(parseEither(text.slice(node.start, node.end))), walk, node);
  }
}

/** For comments and broken files: the text after a name that sounds secret, even when its closing quote is missing. */
function redactLoose(text: string, known: readonly string[]): string {
  const pair = /(["']?)(?<![\w$-])([\w$-]+)\1(\s*:\s*)("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/g;
  const named = text.replace(pair, (all: string, quote: string, key: string, colon: string, value: string) =>
    soundsSecret(key) && !/^["']\$\{[A-Z0-9_]+\}/.test(value)
      ? `${quote}${key}${quote}${colon}${JSON.stringify(REDACTED)}`
      : all,
  );
  return known
    .filter((secret) => secret.length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((result, secret) => result.replaceAll(secret, REDACTED), named);
}

export interface RestoreFrom {
  /** The text the placeholders came from; undefined when there is no file. */
  readonly text: string | undefined;
  /** Its value before variables were filled in, in every form in which a client may have seen it. */
  readonly sources: readonly JsonObject[];
  /** The secrets that were looked for in comments. */
  readonly known: readonly string[];
}

/** Puts the secrets back into a text. A placeholder with no secret behind it is an error. */
export function restoreText(incoming: string, from: RestoreFrom): string {
  if (!incoming.includes(REDACTED)) return incoming;
  const { root, comments } = scanJson5(incoming);
  const value = parseEither(incoming);
  const edits: Edit[] = [];
  visitTexts(incoming, root, WALK_START, (text, { path }, node) => {
    if (text.includes(REDACTED))
      edits.push({ start: node.start, end: node.end, text: JSON.stringify(secretFor(text, path, value, from)) });
  });
  const before = originalComments(from);
  for (const { start, end } of comments) {
    const original = before.get(incoming.slice(start, end));
    if (original !== undefined) edits.push({ start, end, text: original });
  }
  return applyEdits(incoming, edits);
}

/** Comments as a client saw them → as they are in the file. */
function originalComments({ text, known }: RestoreFrom): Map<string, string> {
  const pairs = new Map<string, string>();
  if (text === undefined) return pairs;
  for (const { start, end } of tryScan(text)?.comments ?? []) {
    const original = text.slice(start, end);
    const shown = redactLoose(original, known);
    if (shown !== original) pairs.set(shown, original);
  }
  return pairs;
}

/** The same for a value: a patch or a single setting. */
export function restoreValue(incoming: unknown, from: RestoreFrom, path: Path = [], root: unknown = incoming): unknown {
  if (typeof incoming === "string")
    return incoming.includes(REDACTED) ? secretFor(incoming, path, root, from) : incoming;
  if (Array.isArray(incoming)) return incoming.map((entry, index) => restoreValue(entry, from, [...path, index], root));
  if (!isObject(incoming)) return incoming;
  const copy: JsonObject = {};
  for (const [key, entry] of Object.entries(incoming)) copy[key] = restoreValue(entry, from, [...path, key], root);
  return copy;
}

function secretFor(text: string, path: Path, incoming: unknown, from: RestoreFrom): string {
  for (const source of text === REDACTED ? from.sources : []) {
    const original = valueAt(source, samePlace(path, incoming, source));
    if (typeof original === "string") return original;
  }
  throw new GatewayError(
    "CONFIG_INVALID",
    `${formatPath(path)} holds the placeholder ${REDACTED}, but the current config has no secret there; write the value itself`,
  );
}

/** List entries with an id are found again by it, also when the list was reordered. */
function samePlace(path: Path, incoming: unknown, source: JsonObject): Path {
  const place: Array<string | number> = [];
  path.forEach((key, depth) => {
    const id = typeof key === "number" ? idOf(valueAt(incoming, path.slice(0, depth + 1))) : undefined;
    const list = id === undefined ? undefined : valueAt(source, place);
    const index = Array.isArray(list) ? list.findIndex((entry) => idOf(entry) === id) : -1;
    place.push(index >= 0 ? index : key);
  });
  return place;
}

function idOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry["id"] === "string" ? entry["id"] : undefined;
}
