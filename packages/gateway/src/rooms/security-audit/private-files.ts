// Lists files of a state directory that are for its owner alone, and how they lie there.
import { lstatSync, readdirSync, readlinkSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import type { FileFact, LooseParent } from "@chela/sdk";

export interface PrivatePlaces {
  readonly stateDir: string;
  readonly configPath: string;
  /** Where credentials of agents are kept, of those in the configuration. */
  readonly agentDirs: readonly string[];
  /** A directory of ours, or one file somewhere else. */
  readonly logs: { readonly directory: string } | { readonly file: string };
}

/** Named by what they are in the state directory; what is not there is passed over. */
const SECRET_FILES = [
  "openclaw.json",
  "openclaw.json.last-good",
  "openclaw.json.bak",
  ".env",
  "gateway-token",
  "gateway-running.json",
  "identity/device.json",
  "identity/device-auth.json",
  "identity/audit.key",
  "identity/guard.key",
  "identity/guarded.json",
  "devices/paired.json",
  "devices/pending.json",
  "exec-approvals.json",
];
const AGENT_FILES = ["auth-profiles.json", "auth.json", "oauth.json", "models.json"];
/** Of telephones that were linked: the proof of the link, and its copy. Their other files change with every message. */
const LINK_FILES = ["creds.json", "creds.json.bak"];
const LEDGER_FILES = ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "search.sqlite"];
const DIRECTORIES = ["credentials", "identity", "devices", "agents", "logs"];
/** Beyond this nobody reads the list; the directory itself is told all the same. */
const MOST_FILES = 5000;

/** Files with credentials, and the record of all conversations. */
export function listPrivateFiles(places: Pick<PrivatePlaces, "stateDir" | "configPath" | "agentDirs">): {
  readonly secret: readonly string[];
  readonly personal: readonly string[];
} {
  const { stateDir, configPath, agentDirs } = places;
  const agents = join(stateDir, "agents");
  const left = listEntries(agents)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(agents, name, "agent"));
  const owners = [...new Set([...agentDirs, ...left])];
  const secret = [
    configPath,
    ...SECRET_FILES.map((name) => join(stateDir, name)),
    ...owners.flatMap((directory) => AGENT_FILES.map((name) => join(directory, name))),
    ...filesIn(join(stateDir, "credentials")),
    ...linkFiles(join(stateDir, "credentials", "whatsapp")),
  ];
  return { secret: [...new Set(secret)], personal: LEDGER_FILES.map((name) => join(stateDir, name)) };
}

export function lookAtFiles(places: PrivatePlaces): FileFact[] {
  const { stateDir, logs } = places;
  const { secret, personal } = listPrivateFiles(places);
  const logDirs = "directory" in logs ? [logs.directory] : [];
  const logFiles = "directory" in logs ? filesIn(logs.directory) : [logs.file];
  const directories = [stateDir, ...logDirs, ...DIRECTORIES.map((name) => join(stateDir, name))];
  return [
    ...[...new Set(directories)].flatMap((path) => lookAt(path, "directory")),
    ...secret.flatMap((path) => lookAt(path, "secret")),
    ...personal.flatMap((path) => lookAt(path, "personal")),
    ...conversationFiles(stateDir).flatMap((path) => lookAt(path, "personal")),
    ...logFiles.flatMap((path) => lookAt(path, "personal")),
  ];
}

function linkFiles(directory: string): string[] {
  const accounts = listEntries(directory).filter((entry) => entry.isDirectory());
  return accounts.flatMap(({ name }) => LINK_FILES.map((file) => join(directory, name, file)));
}

function conversationFiles(stateDir: string): string[] {
  const agents = join(stateDir, "agents");
  const all = listEntries(agents).flatMap(({ name }) => filesIn(join(agents, name, "sessions")));
  return all.slice(0, MOST_FILES);
}

function lookAt(path: string, kind: FileFact["kind"]): FileFact[] {
  try {
    const here = lstatSync(path, { throwIfNoEntry: false });
    if (!here) return [];
    const facts = here.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : here;
    if (!facts) return [];
    const leadsTo = here.isSymbolicLink() ? { leadsTo: readlinkSync(path) } : {};
    return [{ path, kind, mode: facts.mode & 0o7777, uid: facts.uid, ...leadsTo }];
  } catch {
    // What we may not look at, others may not read either.
    return [];
  }
}

/** Directories on the way to the state directory in which everybody may rename what is not theirs. */
export function findLooseParents(stateDir: string): LooseParent[] {
  const found: LooseParent[] = [];
  for (let path = dirname(stateDir); ; path = dirname(path)) {
    const mode = modeOf(path);
    const isSticky = (mode & 0o1000) !== 0;
    if ((mode & 0o002) !== 0 && !isSticky) found.push({ path, mode });
    if (path === dirname(path)) return found;
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  } catch {
    return 0;
  }
}

function filesIn(directory: string): string[] {
  const files = listEntries(directory).filter((entry) => entry.isFile() || entry.isSymbolicLink());
  return files.map(({ name }) => join(directory, name)).slice(0, MOST_FILES);
}

/** Empty when it is not there, or may not be looked into: then nobody else sees what is in it either. */
export function listEntries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
