// The new text of the config for a wanted change. As little of the old text is touched as possible.
import { GatewayError } from "@chela/sdk";
import { issueSentence, type ConfigIssue } from "../read/issue.ts";
import { removeFromText, setInText } from "./json5-edit.ts";
import { modernise } from "../state/legacy-keys.ts";
import type { Reading } from "../read/load.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { nearestWord } from "../../../base/text/nearest.ts";
import { stepAnywhere, unusedAt } from "../openclaw-keys.ts";
import {
  deepEqual,
  dropAt,
  formatPath,
  isObject,
  parsePath,
  putAt,
  valueAt,
  type JsonObject,
  type Path,
} from "./path.ts";
import { readConfigText } from "../read/read-text.ts";
import { restoreText, restoreValue, type RestoreFrom } from "./redact-text.ts";
import { isUndescribed, knownKeys, type Standing } from "../schema-walk.ts";
import { shapeOf } from "@chela/sdk/config";

export interface Change {
  readonly text: string;
  /** What the config, with its included files, must come to. Undefined when the text itself is what was asked for. */
  readonly target?: JsonObject;
}

/** The whole text anew. A text made by a program is not taken as it is: its differences are worked into the user's own text. */
export function replaceWhole(incoming: string, before: Reading, from: RestoreFrom): Change {
  readOrThrow(incoming);
  const restored = restoreText(incoming, from);
  const wanted = readOrThrow(restored);
  if (before.raw === undefined || Object.keys(before.parsed).length === 0 || !isMachineWritten(restored, wanted)) {
    return { text: keepReferences(restored, wanted, before) };
  }
  for (const { path, value } of before.quarantined) {
    if (valueAt(wanted, path) === undefined && valueAt(before.source, path) !== undefined) putAt(wanted, path, value);
  }
  const flattened = before.includedFiles.length > 0 && !JSON.stringify(wanted).includes('"$include"');
  return flattened
    ? editTowards(before, wanted)
    : { text: editTowards({ ...before, source: before.parsed }, wanted).text };
}

/** `references` stand, by place, for secrets of the patch that are kept elsewhere. */
export function patchConfig(
  incoming: string,
  before: Reading,
  from: RestoreFrom,
  references: ReadonlyMap<string, string> = new Map(),
): Change {
  const patch = restoreValue(readOrThrow(incoming), from);
  const wanted = structuredClone(applyMergePatch(before.source, patch)) as JsonObject;
  for (const [place, reference] of references) putAt(wanted, parsePath(place), reference);
  return editTowards(before, wanted);
}

export function setValue(typed: Path, value: unknown, before: Reading, from: RestoreFrom): Change {
  const path = knownPath(typed);
  refuseReserved(path, value);
  const asked = structuredClone(before.source);
  putAt(asked, path, value);
  const restored = restoreValue(value, from, path, asked);
  if (deepEqual(valueAt(before.resolved, path), restored)) return { text: before.raw ?? "", target: before.source };
  putAt(asked, path, restored);
  return { text: setInText(before.raw ?? "", path, restored), target: asked };
}

export function unsetValue(path: Path, before: Reading): Change {
  const target = structuredClone(before.source);
  if (!dropAt(target, path)) return { text: before.raw ?? "", target: before.source };
  return { text: removeFromText(before.raw ?? "", path), target };
}

function readOrThrow(text: string): JsonObject {
  const read = readConfigText(text);
  if (read.kind === "read") return read.value;
  if (read.kind === "refused")
    throw invalidConfig(read.findings.map(({ path, message }) => ({ path: formatPath(path), message })));
  throw new GatewayError("CONFIG_SYNTAX", issueSentence({ path: "", ...read }));
}

/** The issues travel as the cause; `issuesOf` gets them back. */
export function invalidConfig(issues: readonly ConfigIssue[]): GatewayError {
  const shown = issues.slice(0, 3).map(issueSentence).join("; ");
  const more = issues.length > 3 ? `; and ${issues.length - 3} more` : "";
  return new GatewayError("CONFIG_INVALID", `${shown}${more}`, { cause: { issues } });
}

export function issuesOf(error: unknown): readonly ConfigIssue[] {
  const cause = GatewayError.is(error) ? error.cause : undefined;
  return isObject(cause) && Array.isArray(cause["issues"]) ? (cause["issues"] as ConfigIssue[]) : [];
}

/** Exactly what JSON.stringify would write, so there is nothing of a person's hand in it. */
function isMachineWritten(text: string, value: JsonObject): boolean {
  const trimmed = text.trim();
  return [undefined, 2, 4, "\t"].some((indent) => JSON.stringify(value, null, indent) === trimmed);
}

/** `${NAME}` stays where the value is what the variable gives anyway. */
function withReferences(wanted: unknown, resolved: unknown, source: unknown): unknown {
  if (source !== undefined && deepEqual(wanted, resolved)) return source;
  if (Array.isArray(wanted)) {
    return wanted.map((entry, index) => withReferences(entry, valueAt(resolved, [index]), valueAt(source, [index])));
  }
  if (!isObject(wanted)) return wanted;
  const copy: JsonObject = {};
  for (const [key, entry] of Object.entries(wanted))
    copy[key] = withReferences(entry, valueAt(resolved, [key]), valueAt(source, [key]));
  return copy;
}

function keepReferences(text: string, wanted: JsonObject, before: Reading): string {
  const kept = withReferences(wanted, before.resolved, before.source);
  return changedPlaces(wanted, kept).reduce((edited, path) => setInText(edited, path, valueAt(kept, path)), text);
}

function editTowards(before: Reading, wanted: JsonObject): Change {
  const target = withReferences(wanted, before.resolved, before.source) as JsonObject;
  const text = changedPlaces(before.source, target).reduce((edited, path) => {
    const value = valueAt(target, path);
    return value === undefined ? removeFromText(edited, path) : setInText(edited, path, value);
  }, before.raw ?? "");
  return { text, target };
}

/** Like a diff, but inside lists of the same length too, so that comments in them survive. */
function changedPlaces(before: unknown, after: unknown, at: Path = []): Path[] {
  if (deepEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((entry, index) => changedPlaces(entry, after[index], [...at, index]));
  }
  if (!isObject(before) || !isObject(after)) return [at];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedPlaces(before[key], after[key], [...at, key]));
}

/**
 * A single setting is typed by hand: a key nobody knows is a slip, and is better refused than ignored.
 * Returns the path with places in lists as numbers, also when they were written `list.0`.
 */
function knownPath(typed: Path): Path {
  const path: Array<string | number> = [];
  let standing: Standing | undefined;
  for (const key of typed) {
    const next = stepAnywhere(standing, path, key);
    const isOpen = standing?.some(isUndescribed) ?? false;
    if (next.length === 0 && !isOpen) throw unknownKey(path, key, standing);
    const inList = standing?.some((schema) => shapeOf(schema).kind === "list") ?? false;
    path.push(inList ? Number(key) : key);
    standing = isOpen ? standing : next;
  }
  return path;
}

function unknownKey(parent: Path, key: string | number, standing: Standing | undefined): GatewayError {
  const near = nearestWord(String(key), [...knownKeys(standing), ...knownKeys(unusedAt(parent))]);
  const hint = near ? `; did you mean "${formatPath([...parent, near])}"?` : "";
  return invalidConfig([{ path: formatPath([...parent, key]), message: `is not a key of this config${hint}` }]);
}

function refuseReserved(path: Path, value: unknown): void {
  const read = readConfigText(JSON.stringify({ value }));
  if (read.kind === "refused") {
    throw invalidConfig(
      read.findings.map((finding) => ({
        path: formatPath([...path, ...finding.path.slice(1)]),
        message: finding.message,
      })),
    );
  }
}

/** The forms in which a client may have seen the current config. */
export function restorableSources(readings: readonly Reading[]): JsonObject[] {
  return readings.flatMap(({ source }) => {
    const modern = structuredClone(source);
    modernise(modern);
    return [source, modern];
  });
}
