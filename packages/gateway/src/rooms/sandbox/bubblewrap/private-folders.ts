// Private folders below a shared one, by process: those of a gateway that was killed are found and removed by the next.
//
// Others share the folder: gateways of other containers, too, whose processes cannot be seen from here. So a name says
// where its process runs, and only what was made in our own namespace, or before this machine started, is asked about.
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../base/processes.ts";
import { whereWeAre } from "../../../base/where.ts";

/** In memory where that is possible: files come and go with every command. */
export function findParent(): string {
  const { XDG_RUNTIME_DIR: own } = process.env;
  return [own, "/dev/shm"].find((path) => path !== undefined && mayMakeFolders(path)) ?? tmpdir();
}

/** Either nobody else can write there, or nobody can take away what others made. */
function mayMakeFolders(path: string): boolean {
  const known = statSync(path, { throwIfNoEntry: false });
  if (!known?.isDirectory()) return false;
  const isOurs = known.uid === process.getuid?.() && (known.mode & 0o022) === 0;
  const isShared = known.uid === 0 && (known.mode & 0o1777) === 0o1777;
  return isOurs || isShared;
}

/** Only the gateway's own user can look into it. */
export function makePrivateFolder(parent: string, kind: string): string {
  return mkdtempSync(join(parent, `${nameOfThis(kind)}-`));
}

/** A name that says which process made it, and where that runs. */
export function nameOfThis(kind: string): string {
  return `chela-${kind}-${whereWeAre() ?? "somewhere"}-${process.pid}`;
}

/** Whether a name was given by a process that is certainly gone. */
export function isLeftOver(name: string): boolean {
  const [, boot, namespace, pid] = /^chela-(?:sandbox|system|probe)-(b[0-9a-f]+)(n\d+)-(\d{1,9})-/.exec(name) ?? [];
  const here = whereWeAre();
  if (boot === undefined || here === undefined) return false;
  if (!here.startsWith(`${boot}n`)) return true;
  return here === `${boot}${namespace}` && Number(pid) !== process.pid && !isAlive(Number(pid));
}

export function removeLeftOvers(parent: string): void {
  for (const name of namesIn(parent).filter(isLeftOver)) {
    const path = join(parent, name);
    const known = lstatSync(path, { throwIfNoEntry: false });
    // Others can write to the shared folder, too; what they made is not ours to remove.
    if (known?.isDirectory() && known.uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was left in a folder that is not there.
    return [];
  }
}
