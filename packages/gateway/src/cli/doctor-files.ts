// The checks of `chela doctor` about who may read what lies in the state directory.
import { chmodSync, statSync } from "node:fs";
import { agentDirectory } from "../rooms/config/settings/defaults.ts";
import { listAgents } from "../rooms/routing/room.ts";
import { isOpenToOthers, listPrivateFiles } from "../rooms/security-audit/room.ts";
import type { Check, CheckedGateway } from "./doctor-check.ts";
import { count } from "../base/terminal/layout.ts";

export function checkStateDirectory({ paths: { stateDir }, repairs }: CheckedGateway): Check {
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

export function checkFileModes(place: CheckedGateway): Check[] {
  if (process.platform === "win32") return [];
  const { secret, personal } = privateFilesOf(place);
  const open = [...secret, ...personal].filter((path) => isOpenToOthers(modeOf(path)));
  if (open.length === 0) return [{ name: "Files", state: "ok", says: "readable by this user only" }];
  if (place.repairs) {
    for (const path of open) chmodSync(path, 0o600);
    return [{ name: "Files", state: "ok", says: `${count(open.length, "file")} closed to other users now` }];
  }
  return open.map((path) => ({
    name: "Files",
    state: personal.includes(path) ? "warn" : "fail",
    says: `${path} can be read by other users`,
    fix: `chmod 600 ${path}`,
  }));
}

function privateFilesOf({ config, paths: { stateDir, configPath }, paths }: CheckedGateway) {
  const current = config.current();
  const agentDirs = listAgents(current).map(({ id }) => agentDirectory(current, id, paths));
  return listPrivateFiles({ stateDir, configPath, agentDirs });
}

function modeOf(path: string): { readonly mode: number } {
  return { mode: statSync(path, { throwIfNoEntry: false })?.mode ?? 0 };
}
