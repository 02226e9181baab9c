// Text → config: parse, include, fill in variables, move old keys, check. Never throws; what is wrong comes back as issues.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { errnoOf } from "@chela/sdk/files";
import { effectiveEnvironment, type ProcessEnv } from "./environment.ts";
import { examineConfig, type Quarantined, type Unused } from "./examine.ts";
import { MAX_CONFIG_BYTES, resolveIncludes } from "./include.ts";
import type { ConfigIssue, Finding } from "./issue.ts";
import { locatePath, scanJson5, type SpanNode } from "../edit/json5-scan.ts";
import { modernise } from "../state/legacy-keys.ts";
import { dropAt, formatPath, parsePath, type JsonObject } from "../edit/path.ts";
import { readConfigText } from "./read-text.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { fillEnvironment, fillSecrets, type SecretResolver } from "./secret-references.ts";
import { substituteVariables } from "./substitute.ts";

export interface ConfigSources {
  readonly configPath: string;
  readonly env: ProcessEnv;
  /** What the .env file of the state directory says. */
  readonly envFile: Readonly<Record<string, string>>;
  /** Finds what references to secrets stand for. */
  readonly resolveSecret?: SecretResolver | undefined;
}

/** Everything that was found out about one version of the config. */
export interface Reading {
  readonly kind: "missing" | "loaded" | "broken";
  readonly raw: string | undefined;
  readonly hash: string;
  /** The text is JSON5 without forbidden keys, so that single values of it can be changed. */
  readonly isEditable: boolean;
  /** The main file as parsed, before anything was done to it. */
  readonly parsed: JsonObject;
  /** With included files, before variables were filled in. */
  readonly source: JsonObject;
  /** With variables filled in. */
  readonly resolved: JsonObject;
  /** Checked, without keys that are unknown or have no effect. Only to be used when nothing is wrong. */
  readonly config: ChelaConfig;
  readonly unused: readonly Unused[];
  readonly env: Readonly<Record<string, string>>;
  readonly issues: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
  readonly legacyIssues: readonly ConfigIssue[];
  readonly quarantined: readonly Quarantined[];
  readonly includedFiles: readonly string[];
}

/** SHA-256 of the text; of nothing when there is no file. */
function hashText(text: string | undefined): string {
  return createHash("sha256")
    .update(text ?? "")
    .digest("hex");
}

export function readConfigFile(surroundings: ConfigSources): Reading {
  const { configPath } = surroundings;
  try {
    const stat = statSync(configPath, { throwIfNoEntry: false });
    if (!stat) return emptyReading("missing", undefined, surroundings, []);
    if (!stat.isFile()) return unreadable(surroundings, `${configPath} is not a file`);
    if (stat.size > MAX_CONFIG_BYTES) return unreadable(surroundings, `${configPath} is larger than 2 MiB`);
    return readConfig(readFileSync(configPath, "utf8"), surroundings);
  } catch (error) {
    return unreadable(surroundings, `${configPath} cannot be read (${errnoOf(error) ?? String(error)})`);
  }
}

function unreadable(surroundings: ConfigSources, message: string): Reading {
  return emptyReading("broken", undefined, surroundings, [{ path: "", message }]);
}

function emptyReading(
  kind: Reading["kind"],
  raw: string | undefined,
  surroundings: ConfigSources,
  issues: ConfigIssue[],
): Reading {
  const { env, warnings } = environmentOf(surroundings, {});
  return {
    kind,
    raw,
    hash: hashText(raw),
    isEditable: kind === "missing",
    parsed: {},
    source: {},
    resolved: {},
    config: {},
    unused: [],
    env,
    issues,
    warnings: warnings.map(({ message }) => ({ path: "", message })),
    legacyIssues: [],
    quarantined: [],
    includedFiles: [],
  };
}

export function readConfig(raw: string, surroundings: ConfigSources): Reading {
  const read = readConfigText(raw);
  if (read.kind === "syntax") {
    const { kind: _kind, ...told } = read;
    return emptyReading("broken", raw, surroundings, [{ path: "", ...told }]);
  }
  const place = placer(raw);
  if (read.kind === "refused") return emptyReading("broken", raw, surroundings, read.findings.map(place));
  return interpret(raw, read.value, surroundings, place);
}

function environmentOf({ env, envFile, resolveSecret }: ConfigSources, source: JsonObject) {
  return fillEnvironment(effectiveEnvironment(env, envFile, source), source, resolveSecret);
}

function interpret(raw: string, parsed: JsonObject, surroundings: ConfigSources, place: Placer): Reading {
  const included = resolveIncludes(parsed, surroundings.configPath);
  const source = included.value as JsonObject;
  const { env, warnings } = environmentOf(surroundings, source);
  const filled = substituteVariables(source, env);
  const secrets = fillSecrets(filled.value as JsonObject, surroundings.resolveSecret);
  const resolved = secrets.value;

  const written = structuredClone(source);
  modernise(written);
  const modern = structuredClone(resolved);
  const legacyIssues = modernise(modern).map(place);
  const examined = examineConfig(modern, written);

  const issues = [...included.findings, ...filled.missing, ...secrets.findings, ...examined.findings].map(place);
  return {
    kind: issues.length > 0 ? "broken" : "loaded",
    raw,
    hash: hashText(raw),
    isEditable: true,
    parsed,
    source,
    resolved,
    config: examined.config,
    unused: examined.unused,
    env,
    issues,
    warnings: [
      ...legacyIssues,
      ...[...warnings, ...secrets.warnings, ...examined.quarantined, ...examined.warnings].map(place),
    ],
    legacyIssues,
    quarantined: examined.quarantined,
    includedFiles: included.files,
  };
}

type Placer = (finding: Finding) => ConfigIssue;

/** Adds line and column. The text is scanned only when there is something to place; nested too deep, it is not. */
function placer(raw: string): Placer {
  let root: SpanNode | undefined;
  return ({ path, message }) => {
    const issue = { path: formatPath(path), message };
    try {
      root ??= scanJson5(raw).root;
      return { ...issue, ...locatePath(raw, root, path) };
    } catch {
      return issue;
    }
  };
}

/**
 * Reads a config that was good once. What no longer holds (a variable that is gone, a value a newer version refuses) is left out
 * instead of refusing the whole, because the only other choice would be no config at all.
 */
export function readLeniently(raw: string, surroundings: ConfigSources): Reading {
  const first = readConfig(raw, surroundings);
  if (first.kind !== "broken" || Object.keys(first.source).length === 0) return first;
  const reduced = structuredClone(first.source);
  for (const { path } of first.issues.toReversed()) if (path) dropAt(reduced, parsePath(path));
  const again = readConfig(JSON.stringify(reduced), surroundings);
  return again.kind === "loaded" ? { ...again, warnings: [...again.warnings, ...first.issues] } : first;
}
