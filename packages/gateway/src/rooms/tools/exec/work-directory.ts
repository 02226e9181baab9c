// Finds the directory a command runs in.
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

/** Absolute, links resolved. A relative directory is one of the workspace. */
export async function findWorkDirectory(workspace: string, wanted: string | undefined): Promise<string> {
  const path = resolve(workspace, wanted ?? "");
  try {
    const found = await realpath(path);
    if ((await stat(found)).isDirectory()) return found;
  } catch (cause) {
    const why = errnoOf(cause) === "ENOENT" ? "does not exist" : "cannot be opened";
    throw new GatewayError("EXEC_DIRECTORY", `${path} ${why}`, { cause });
  }
  throw new GatewayError("EXEC_DIRECTORY", `${path} is not a directory`);
}
