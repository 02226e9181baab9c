// Where the log lies: one file a day, in a directory only this user can read.
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

export function logDirectory(paths: { readonly stateDir: string; readonly isDefault: boolean }): string {
  return paths.isDefault ? join(tmpdir(), `openclaw-${userInfo().uid}`) : join(paths.stateDir, "logs");
}

export function logFileName(at: number): string {
  return `openclaw-${new Date(at).toISOString().slice(0, 10)}.log`;
}
