// Where a file may be read: in the workspace, and by its very name among what came with messages.
import { dirname, resolve } from "node:path";
import type { FileSettings } from "./file-tools.ts";
import type { Confinement } from "./written-path.ts";

/** Names begin with the digest of the content: only who was given the file, or its name, can know it. */
const BY_CONTENT = /^[0-9a-f]{64}[^/]*$/;

export function readingRules(
  path: string,
  { workspaceOnly = true, forbidden, attached }: FileSettings,
  workspace: string,
): Confinement {
  if (attached !== undefined && isAttached(path, attached))
    return { workspace: attached, workspaceOnly: true, forbidden: [] };
  return { workspace, workspaceOnly, forbidden };
}

function isAttached(path: string, directory: string): boolean {
  const whole = resolve(path);
  const name = whole.slice(dirname(whole).length + 1);
  return (
    path.startsWith("/") && dirname(whole) === resolve(directory) && BY_CONTENT.test(name) && !name.endsWith(".json")
  );
}
