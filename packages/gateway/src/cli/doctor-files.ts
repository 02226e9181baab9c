// The checks of `chela doctor` about who may read what lies in the state directory.
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../config/defaults.ts";
import { TOKEN_FILE } from "../gateway-token.ts";
import { listAgents } from "../routing/room.ts";
import type { Check, Place } from "./doctor-check.ts";
import { count } from "./layout.ts";

const PRIVATE_FILES = [
  "openclaw.json",
  "openclaw.json.last-good",
  ".env",
  TOKEN_FILE,
  "gateway-running.json",
  "identity/device.json",
  "identity/device-auth.json",
  "devices/paired.json",
  "devices/pending.json",
  "exec-approvals.json",
];
/** No keys in it, but conversations. */
const PERSONAL_FILE = "ledger.sqlite";

export function checkStateDirectory({ paths: { stateDir }, repairs }: Place): Check {
  const name = "State";
  const stat = statSync(stateDir, { throwIfNoEntry: false });
  if (!stat) return { name, state: "warn", says: `${stateDir} does not exist yet`, fix: "chela gateway run" };
  const open = stat.mode & 0o077;
  if (open === 0 || process.platform === "win32") return { name, state: "ok", says: `${stateDir}, for this user only` };
  if (repairs) {
    chmodSync(stateDir, 0o700);
    return { name, state: "ok", says: `${stateDir} is closed to other users now` };
  }
  return { name, state: "warn", says: `${stateDir} can be entered by other users`, fix: `chmod 700 ${stateDir}` };
}

export function checkFileModes(place: Place): Check[] {
  if (process.platform === "win32") return [];
  const { stateDir } = place.paths;
  const personal = join(stateDir, PERSONAL_FILE);
  const kept = [...PRIVATE_FILES.map((name) => join(stateDir, name)), ...credentialFiles(place), personal];
  const open = kept.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  if (open.length === 0) return [{ name: "Files", state: "ok", says: "readable by this user only" }];
  if (place.repairs) {
    for (const path of open) chmodSync(path, 0o600);
    return [{ name: "Files", state: "ok", says: `${count(open.length, "file")} closed to other users now` }];
  }
  return open.map((path) => ({
    name: "Files",
    state: path === personal ? "warn" : "fail",
    says: `${path} can be read by other users`,
    fix: `chmod 600 ${path}`,
  }));
}

/** Of the agents in the configuration, and of those that are in it no longer. */
function credentialFiles({ config, paths }: Place): string[] {
  const current = config.current();
  const configured = listAgents(current).map(({ id }) => agentDirectory(current, id, paths));
  const agents = join(paths.stateDir, "agents");
  const left = listDirectory(agents).map((name) => join(agents, name, "agent"));
  return [...new Set([...configured, ...left])].map((directory) => join(directory, "auth-profiles.json"));
}

/** Empty when it is not there, or may not be looked into: then nobody else sees what is in it either. */
function listDirectory(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
