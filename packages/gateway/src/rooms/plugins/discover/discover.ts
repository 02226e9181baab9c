// Finds plugins in their places. Reads folders, manifests and package files, and nothing that would run.
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { findEntries, isPluginPackage, MODULE_ENDINGS, packagePart } from "./find-entry.ts";
import { checkSafety } from "./find-danger.ts";
import type { FoundPlugin, PluginManifest, PluginOrigin, Trouble } from "./found.ts";
import { readBundle } from "./read-bundle.ts";
import { MANIFEST, readJsonFile, readManifest, textsOf, type JsonFile } from "./read-manifest.ts";

export interface PluginPlaces {
  /** Files and folders of `plugins.load.paths`, absolute. */
  readonly config: readonly string[];
  readonly workspaces: ReadonlyArray<{ readonly path: string; readonly agentIds: readonly string[] }>;
  /** Folders that hold plugins. */
  readonly global: readonly string[];
  readonly bundled: readonly string[];
  /** Single folders that were installed. */
  readonly installed: readonly string[];
}

interface Look {
  readonly path: string;
  readonly origin: PluginOrigin;
  readonly within: string | undefined;
  readonly agentIds?: readonly string[];
}

const MOST_ENTRIES = 500;
const ID = /^(?:@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]{0,99}(?:\/[\w.-]{1,100})?$/;
export const WORKSPACE_FOLDER = join(".openclaw", "extensions");

/** In the order in which they keep an id. Never throws: what cannot be read is told as broken. */
export function discover(places: PluginPlaces): FoundPlugin[] {
  const looks: Look[] = [
    ...places.config.flatMap((path) => namedByConfig(path)),
    ...places.workspaces.flatMap(({ path, agentIds }) =>
      entriesOf(join(path, WORKSPACE_FOLDER), "workspace").map((look) => ({ ...look, agentIds })),
    ),
    ...places.global.flatMap((place) => entriesOf(place, "global")),
    ...places.installed.map((path): Look => ({ path, origin: "global", within: undefined })),
    ...places.bundled.flatMap((place) => entriesOf(place, "bundled")),
  ];
  const seen = new Set<string>();
  return looks.flatMap(lookAt).filter(({ root, id, file }) => {
    const key = JSON.stringify([root, id, file]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A path may be a plugin, or a folder with plugins. */
function namedByConfig(path: string): Look[] {
  const look: Look = { path, origin: "config", within: undefined };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || isPluginFolder(path)) return [look];
  const below = entriesOf(path, "config");
  return below.length > 0 ? below : [look];
}

function isPluginFolder(path: string): boolean {
  if (readJsonFile(join(path, MANIFEST)).kind !== "none") return true;
  const pack = readJsonFile(join(path, "package.json"));
  if (pack.kind === "read" && isPluginPackage(pack.value)) return true;
  return findEntries(path, undefined, undefined).kind === "found" || readBundle(path) !== undefined;
}

function entriesOf(place: string, origin: PluginOrigin): Look[] {
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules")
      .filter((entry) => !entry.isFile() || isLooseModule(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, MOST_ENTRIES)
      .map(({ name }) => ({ path: join(place, name), origin, within: place }));
  } catch {
    // Most places do not exist.
    return [];
  }
}

function isLooseModule(name: string): boolean {
  return MODULE_ENDINGS.includes(extname(name)) && !/\.d\.[cm]?ts$|\.test\.[cm]?[jt]s$/.test(name);
}

function lookAt(look: Look): FoundPlugin[] {
  const { path, origin, agentIds } = look;
  const base = { origin, source: path, ...(agentIds ? { agentIds } : {}) };
  const name = basename(path).replace(/\.[cm]?[jt]s$/, "");
  const safety = checkSafety(look);
  if (safety.kind === "blocked") {
    return [{ ...base, id: name, root: path, manifest: EMPTY, warnings: [], trouble: safety }];
  }
  if (!statSync(safety.real).isDirectory()) {
    const warnings = [`It has no ${MANIFEST}, so it is known by the name of its file.`];
    const root = dirname(safety.real);
    return [{ ...base, id: name, root, file: safety.real, entry: safety.real, manifest: EMPTY, warnings }];
  }
  return readFolder(safety.real, name).map((read) => ({ ...base, ...read }));
}

type Read = Omit<FoundPlugin, "origin" | "source" | "agentIds">;

function readFolder(root: string, name: string): Read[] {
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const written = readJsonFile(join(root, MANIFEST));
  const pack = readJsonFile(join(root, "package.json"));
  const packed = pack.kind === "read" ? pack.value : undefined;
  if (written.kind === "unreadable") {
    const fix = `Correct or reinstall it; until then: chela plugins disable ${name}`;
    return [{ id: name, root, manifest: EMPTY, warnings, trouble: { kind: "broken", why: `${written.why}.`, fix } }];
  }
  if (pack.kind === "unreadable") warn(`${pack.why}; it is left aside.`);
  if (written.kind === "none" && !isPluginPackage(packed)) {
    const bundle = readBundle(root);
    if (bundle) return [readAsBundle(root, name, bundle, warnings)];
    if (findEntries(root, packed, undefined).kind === "missing") return [];
    warn(`It has no ${MANIFEST}, so it is known by the name of its folder.`);
  }
  return readNative({ root, name, written, packed, warnings, warn });
}

interface NativeParts {
  readonly root: string;
  readonly name: string;
  readonly written: JsonFile;
  readonly packed: Readonly<Record<string, unknown>> | undefined;
  readonly warnings: readonly string[];
  warn(sentence: string): void;
}

function readNative({ root, name, written, packed, warnings, warn }: NativeParts): Read[] {
  const value = written.kind === "read" ? written.value : undefined;
  const manifest = completed(value ? readManifest(value, warn) : EMPTY, packed);
  if (value && value["configSchema"] === undefined)
    warn("Its manifest has no configSchema, so its settings are not checked.");
  const id = idOf(manifest, name, warn);
  const entries = findEntries(root, packed, value);
  if (entries.kind === "missing") {
    const why = `Its module was not found (looked for ${entries.looked}).`;
    const fix = "It may have to be built first, or installed anew from where it was published.";
    return [{ id, root, manifest, warnings, trouble: { kind: "broken", why, fix } }];
  }
  return entries.entries.map(({ path, member }): Read => {
    const safety = checkSafety({ path, origin: "global", within: root });
    const trouble: Trouble | undefined = safety.kind === "blocked" ? safety : undefined;
    const own = member === undefined ? id : `${id}/${member}`;
    const found = { id: own, root, manifest, warnings };
    return trouble ? { ...found, trouble } : { ...found, entry: entryOf(path, safety) };
  });
}

function entryOf(path: string, safety: ReturnType<typeof checkSafety>): string {
  return safety.kind === "safe" ? safety.real : path;
}

function idOf({ id }: PluginManifest, name: string, warn: (sentence: string) => void): string {
  if (id !== undefined && ID.test(id)) return id;
  if (id !== undefined) warn(`${MANIFEST}: the id "${id.slice(0, 80)}" cannot be used; the name of its folder is.`);
  return name;
}

/** What a manifest does not say, its package may. */
function completed(manifest: PluginManifest, pack: Readonly<Record<string, unknown>> | undefined): PluginManifest {
  const [description, version] = [textsOf(pack?.["description"])[0], textsOf(pack?.["version"])[0]];
  const plain = textsOf(pack?.["name"])[0]?.replace(/^@[^/]+\//, "");
  const { install, channel } = packagePart(pack);
  const minHostVersion = textsOf((install as Record<string, unknown> | undefined)?.["minHostVersion"])[0];
  const channelId = textsOf((channel as Record<string, unknown> | undefined)?.["id"])[0];
  return {
    ...(plain === undefined ? {} : { id: plain }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(minHostVersion === undefined ? {} : { minHostVersion }),
    ...manifest,
    channels: manifest.channels.length === 0 && channelId !== undefined ? [channelId] : manifest.channels,
  };
}

function readAsBundle(
  root: string,
  name: string,
  read: NonNullable<ReturnType<typeof readBundle>>,
  warnings: readonly string[],
): Read {
  const manifest = readManifest(read.about, () => {});
  const id = textsOf(read.about["name"])[0];
  return {
    id: id !== undefined && ID.test(id) ? id : name,
    root,
    manifest: { ...manifest, skills: read.bundle.skills },
    bundle: read.bundle,
    warnings,
  };
}

export const EMPTY: PluginManifest = {
  kinds: [],
  enabledByDefault: false,
  channels: [],
  providers: [],
  skills: [],
  envNames: [],
  toolNames: [],
  requiresPlugins: [],
  startsWithGateway: false,
  mcpServers: {},
};
