// Rules for reading files: in the workspace, and by its very name among what came with messages.
import { dirname, resolve } from "node:path";
import { GatewayError, type SandboxView, type ToolContext } from "@chela/sdk";
import { isBelow } from "@chela/sdk/files";
import type { FileSettings } from "./file-tools.ts";
import type { Confinement } from "./written-path.ts";

/** Names begin with the digest of the content: only who was given the file, or its name, can know it. */
const BY_CONTENT = /^[0-9a-f]{64}[^/]*$/;

export function readingRules(
  path: string,
  { workspaceOnly = true, forbidden, attached, skills = [] }: FileSettings,
  { workspace, sandbox, closedNotes }: Pick<ToolContext, "workspace" | "sandbox" | "closedNotes">,
): Confinement {
  if (attached !== undefined && isAttached(path, attached))
    return { workspace: attached, workspaceOnly: true, forbidden: [] };
  const skill = sandbox ? undefined : skills.find((folder) => isBelow(folder, resolve(path)));
  if (skill !== undefined) return { workspace: skill, workspaceOnly: true, forbidden: [], closedNotes };
  const rules = sandbox ? insideRules(sandbox, forbidden, path) : { workspace, workspaceOnly, forbidden };
  return { ...rules, closedNotes };
}

/** In a sandbox the tools see what its commands see. A folder that can only be read is found by its name, for readers. */
export function insideRules(
  { mounts, workdir }: SandboxView,
  forbidden: readonly string[],
  path?: string,
): Confinement {
  const named =
    path === undefined ? undefined : mounts.find(({ inside }) => path === inside || path.startsWith(`${inside}/`));
  const mount = named ?? mounts.find(({ inside }) => inside === workdir);
  if (!mount) throw new GatewayError("SANDBOX_FAILED", "the sandbox has no folder to work in");
  return { workspace: mount.outside, workspaceOnly: true, forbidden, seenAs: mount.inside };
}

function isAttached(path: string, directory: string): boolean {
  const whole = resolve(path);
  const name = whole.slice(dirname(whole).length + 1);
  return (
    path.startsWith("/") && dirname(whole) === resolve(directory) && BY_CONTENT.test(name) && !name.endsWith(".json")
  );
}
