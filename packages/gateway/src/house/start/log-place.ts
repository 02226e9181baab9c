// Path of the log: one file a day, in the state directory.
import { join } from "node:path";

export function logDirectory({ stateDir }: { readonly stateDir: string }): string {
  return join(stateDir, "logs");
}

export function logFileName(at: number): string {
  return `openclaw-${new Date(at).toISOString().slice(0, 10)}.log`;
}
