// Finds hooks: those that come with the gateway, those of the owner, and those that lie in workspaces.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";
import { readRegular } from "../../base/files/read-regular.ts";
import type { FolderRules } from "./read-folder.ts";
import { isHookName, readManifest, sortEvents, type Manifest } from "./manifest.ts";

/** "managed": in the state directory. "extra": in a directory the configuration names. */
type HookSource = "bundled" | "managed" | "extra" | "workspace";

export interface FoundHook {
  readonly name: string;
  readonly source: HookSource;
  /** Absent for those that come with the gateway. */
  readonly directory?: string;
  /** The file with the handler, inside the directory. */
  readonly handler?: string;
  /** Whose events it hears; of all agents when absent. */
  readonly agentIds?: readonly string[];
  readonly manifest?: Manifest;
  /** The configuration names its file and its event: that is the owner's wish already. */
  readonly isNamed?: true;
  /** Why it can never run as it is. */
  readonly broken?: string;
}

/** A handler the configuration names by its file, without a HOOK.md. */
export interface NamedHandler {
  readonly event: string;
  readonly path: string;
  readonly exportName: string;
}

export interface HookPlaces {
  readonly named: readonly NamedHandler[];
  readonly bundled: readonly Manifest[];
  readonly managed: string;
  readonly extra: readonly string[];
  readonly workspaces: ReadonlyArray<{ readonly path: string; readonly agentIds: readonly string[] }>;
}

const HANDLERS = ["handler.ts", "handler.mts", "handler.js", "handler.mjs", "index.ts", "index.js", "index.mjs"];
const MOST_HOOKS = 200;
const MOST_BYTES = 256 * 1024;

/** Whoever comes first keeps a name. Nothing that lies in a workspace takes the place of anything else. */
export function discoverHooks({ bundled, managed, extra, workspaces, named }: HookPlaces): FoundHook[] {
  return [
    ...named.map((handler) => describeNamed(handler, workspaces)),
    ...hooksIn(managed, "managed"),
    ...bundled.map((manifest): FoundHook => ({ name: manifest.name, source: "bundled", manifest })),
    ...extra.flatMap((place) => hooksIn(place, "extra")),
    ...workspaces.flatMap(({ path, agentIds }) =>
      isInside(path, join(path, "hooks"))
        ? hooksIn(join(path, "hooks"), "workspace").map((hook) => ({ ...hook, agentIds }))
        : [],
    ),
  ];
}

/** One that lies in a workspace is still in the reach of agents, and waits like all that lie there. */
function describeNamed(handler: NamedHandler, workspaces: HookPlaces["workspaces"]): FoundHook {
  const { event, path, exportName } = handler;
  const file = basename(path);
  const name = `${file.replace(/\.[a-z]+$/, "")}-${event}`.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 64);
  const home = workspaces.find((workspace) => isBelow(workspace.path, path));
  const { known, unknown } = sortEvents([event]);
  const manifest: Manifest = {
    name,
    description: `${file} on ${event}, named by the configuration`,
    events: known,
    unknownEvents: unknown,
    requires: {},
    always: true,
    hookKey: name,
    exportName,
    guard: false,
  };
  const problem = isFile(path) ? problemOf(manifest, file) : `There is no file ${path}.`;
  return {
    name,
    source: home ? "workspace" : "extra",
    directory: dirname(path),
    handler: file,
    manifest,
    isNamed: true,
    ...(home ? { agentIds: home.agentIds } : {}),
    ...(problem ? { broken: problem } : {}),
  };
}

/** What an owner installed brings its own libraries; in a workspace every file counts. */
export function rulesFor({ source }: Pick<FoundHook, "source">): FolderRules {
  return { skipsModules: source !== "workspace" };
}

function hooksIn(place: string, source: HookSource): FoundHook[] {
  return foldersIn(place).flatMap((folder) => {
    const found = look(join(place, folder), folder);
    return found ? [{ ...found, source }] : [];
  });
}

function foldersIn(place: string): string[] {
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && isHookName(entry.name))
      .map(({ name }) => name)
      .sort()
      .slice(0, MOST_HOOKS);
  } catch {
    // Most places do not exist, and one that cannot be read has nothing to offer.
    return [];
  }
}

/** Undefined for a folder that is no hook. */
function look(directory: string, folder: string): Omit<FoundHook, "source"> | undefined {
  const text = readDescription(directory);
  if (text === undefined) return undefined;
  if (typeof text === "object") return { name: folder, directory, broken: text.why };
  const read = readManifest(text, folder);
  if (read.kind === "broken") return { name: folder, directory, broken: read.why };
  const { manifest } = read;
  const handler = HANDLERS.find((file) => isFile(join(directory, file)));
  const problem = problemOf(manifest, handler);
  return {
    name: manifest.name,
    directory,
    manifest,
    ...(handler ? { handler } : {}),
    ...(problem ? { broken: problem } : {}),
  };
}

function problemOf({ events, unknownEvents }: Manifest, handler: string | undefined): string | undefined {
  if (!handler) return `It has no handler: put one of ${HANDLERS.slice(0, 4).join(", ")} beside HOOK.md.`;
  if (events.length > 0) return undefined;
  if (unknownEvents.length === 0) return "HOOK.md names no events: list them under metadata.openclaw.events.";
  return `It wants to hear only events that do not exist here: ${unknownEvents.join(", ")}.`;
}

function readDescription(directory: string): string | { readonly why: string } | undefined {
  const path = join(directory, "HOOK.md");
  try {
    if (lstatSync(directory).isSymbolicLink()) return { why: "Its folder is a link; put the files themselves there." };
    lstatSync(path);
    if (!isInside(directory, path)) return { why: "HOOK.md is a link that leads out of its folder." };
    const read = readRegular(realpathSync(path), MOST_BYTES);
    if (read.kind === "read") return read.bytes.toString("utf8");
    return { why: read.kind === "too-large" ? "HOOK.md is larger than 256 KB." : "HOOK.md is not a regular file." };
  } catch (error) {
    const code = errnoOf(error);
    return code === "ENOENT" ? undefined : { why: `HOOK.md cannot be read (${code ?? "unknown error"}).` };
  }
}

/** Also when links are on the way. */
function isInside(directory: string, path: string): boolean {
  try {
    return isBelow(realpathSync(directory), realpathSync(path));
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
