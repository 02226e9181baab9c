// Private folders below a shared one, by process: those of a gateway that was killed are found and removed by the next.
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../base/files.ts";

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

/** A name that says which process made it. */
export function nameOfThis(kind: string): string {
  return `chela-${kind}-${process.pid}`;
}

/** Whether a name was given by a process that is gone. */
export function isLeftOver(name: string): boolean {
  const pid = Number(/^chela-(?:sandbox|system|probe)-(\d{1,9})-/.exec(name)?.[1] ?? process.pid);
  return pid !== process.pid && !isAlive(pid);
}

export function removeLeftOvers(parent: string): void {
  for (const name of readdirSync(parent).filter(isLeftOver)) {
    const path = join(parent, name);
    const known = lstatSync(path, { throwIfNoEntry: false });
    // Others can write to the shared folder, too; what they made is not ours to remove.
    if (known?.isDirectory() && known.uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}
