// Checks by `chela doctor` of private files: whether others can read them.
import { chmodSync, statSync } from "node:fs";
import type { DoctorCall, DoctorCheck, DoctorLine } from "@chela/sdk";
import { count } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";
import { isOpenToOthers } from "./checks/files.ts";
import { listPrivateFiles } from "./private-files.ts";

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "Files", look: checkFileModes }];

function checkFileModes({ paths, agents, agentOf }: House, { repairs }: Pick<DoctorCall, "repairs">): DoctorLine[] {
  if (process.platform === "win32") return [];
  const agentDirs = agents().map(({ id }) => agentOf(id).agentDir);
  const { secret, personal } = listPrivateFiles({ ...paths, agentDirs });
  const open = [...secret, ...personal].filter((path) => isOpenToOthers(modeOf(path)));
  if (open.length === 0) return [{ state: "ok", says: "readable by this user only" }];
  if (repairs) {
    for (const path of open) chmodSync(path, 0o600);
    return [{ state: "ok", says: `${count(open.length, "file")} closed to other users now` }];
  }
  return open.map((path) => ({
    state: personal.includes(path) ? "warn" : "fail",
    says: `${path} can be read by other users`,
    fix: `chmod 600 ${path}`,
  }));
}

function modeOf(path: string): { readonly mode: number } {
  return { mode: statSync(path, { throwIfNoEntry: false })?.mode ?? 0 };
}
