// The five last versions of the config, newest first: .bak, .bak.1 … .bak.4.
import { chmodSync, copyFileSync, existsSync, renameSync } from "node:fs";

const KEPT = 5;

function backupName(path: string, index: number): string {
  return index === 0 ? `${path}.bak` : `${path}.bak.${index}`;
}

/** Moves the older copies one place on and copies the current file to the first place. */
export function rotateBackups(path: string): void {
  if (!existsSync(path)) return;
  for (let index = KEPT - 1; index > 0; index--) {
    const older = backupName(path, index - 1);
    if (existsSync(older)) renameSync(older, backupName(path, index));
  }
  const newest = backupName(path, 0);
  copyFileSync(path, newest);
  chmodSync(newest, 0o600);
}
