// Where secrets lie as they are, in the files of a state directory. Says which, never what they are.
import { readFileSync, statSync } from "node:fs";
import type { PlaintextPlace } from "./facts.ts";
import { eachKey, formatPlace, isSettings } from "./settings.ts";

export interface PlaintextSources {
  readonly configPath: string;
  /** The configuration as it is written, with `marker` in place of each secret. */
  readonly writtenConfig: unknown;
  readonly marker: string;
  readonly profileFiles: readonly string[];
  readonly envFile: string;
  /** Whether a name sounds as if its value were secret. */
  soundsSecret(name: string): boolean;
}

/** The gateway makes this one itself, and clients look for it there. */
const OWN_TOKEN = "gateway.auth.token";
const PROFILE_SECRETS = ["key", "token", "access", "refresh"];
const MOST_BYTES = 4 * 1024 * 1024;

export function findPlaintext(sources: PlaintextSources): PlaintextPlace[] {
  const { configPath, profileFiles, envFile } = sources;
  const all: PlaintextPlace[] = [
    { kind: "config", where: configPath, names: inConfig(sources) },
    ...profileFiles.map((where): PlaintextPlace => ({ kind: "profiles", where, names: inProfiles(where) })),
    { kind: "env", where: envFile, names: inEnvFile(sources) },
  ];
  return all.filter(({ names }) => names.length > 0);
}

function inConfig({ writtenConfig, marker }: PlaintextSources): string[] {
  const names: string[] = [];
  eachKey(writtenConfig, (_key, value, place) => {
    if (value === marker && formatPlace(place) !== OWN_TOKEN) names.push(formatPlace(place));
  });
  return names;
}

function inProfiles(path: string): string[] {
  const text = readSmall(path);
  if (text === undefined) return [];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  const profiles = isSettings(document) && isSettings(document["profiles"]) ? document["profiles"] : {};
  return Object.entries(profiles).flatMap(([id, profile]) => {
    const isPlain = isSettings(profile) && PROFILE_SECRETS.some((key) => isPlainText(profile[key]));
    return isPlain ? [id] : [];
  });
}

/** A reference to a variable gives nothing away. */
function isPlainText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/^\$\{[A-Z_][A-Z0-9_]*\}$/.test(value);
}

function inEnvFile({ envFile, soundsSecret }: PlaintextSources): string[] {
  const lines = (readSmall(envFile) ?? "").split(/\r?\n/);
  return lines.flatMap((line) => {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? [];
    return name !== undefined && soundsSecret(name) && value.replace(/["'\s]/g, "") !== "" ? [name] : [];
  });
}

/** Undefined when there is none, or it is too large to be what it is said to be. */
function readSmall(path: string): string | undefined {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts?.isFile() && facts.size <= MOST_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
