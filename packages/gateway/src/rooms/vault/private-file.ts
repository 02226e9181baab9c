// Reads a file that holds a secret: a plain file of ours that nobody else can read, and that no agent can write.
import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute } from "node:path";
import { GatewayError } from "@chela/sdk";
import { errnoOf, isBelow } from "@chela/sdk/files";

const MAX_BYTES = 64 * 1024;

/** A file somebody points to. Throws CREDENTIAL_REFUSED for one that is not kept safely, CREDENTIAL_UNREADABLE else. */
export function readPointedFile(
  path: string,
  { workspaces, maxBytes = MAX_BYTES }: { readonly workspaces: readonly string[]; readonly maxBytes?: number },
): string {
  if (!isAbsolute(path) || path.includes("\0")) throw refused(`${path} is no absolute path`);
  const text = withFile(path, (handle, stat) => {
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
      throw refused(`others can read ${path}; chmod 600 makes it private`);
    }
    if (!isOurs(stat)) throw refused(`${path} belongs to somebody else`);
    if (stat.size > maxBytes) throw refused(`${path} is far too large for a secret`);
    refuseWorkspace(realpathSync(path), workspaces);
    return readFileSync(handle, "utf8");
  });
  if (text === undefined) throw new GatewayError("CREDENTIAL_UNREADABLE", `the file ${path} does not exist`);
  const value = text.replace(/\r?\n$/, "");
  if (value === "") throw new GatewayError("CREDENTIAL_UNREADABLE", `the file ${path} is empty`);
  return value;
}

/** A file of the vault itself; one that became readable for others, as by a restored backup, is closed again. */
export function readOwnFile(path: string): string | undefined {
  return withFile(path, (handle, stat) => {
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0 && isOurs(stat)) fchmodSync(handle, 0o600);
    return readFileSync(handle, "utf8");
  });
}

/** What is looked at is what is read: a link or another file put in its place meanwhile changes nothing. */
function withFile<T>(path: string, use: (handle: number, stat: Stats) => T): T | undefined {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP" || code === "EMLINK") throw refused(`${path} is a link; name the file itself`);
    throw new GatewayError("CREDENTIAL_UNREADABLE", `${path} cannot be read (${code ?? "unknown reason"})`);
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw refused(`${path} is not a file`);
    return use(handle, stat);
  } finally {
    closeSync(handle);
  }
}

function isOurs({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own || uid === 0;
}

function refuseWorkspace(path: string, workspaces: readonly string[]): void {
  const inside = workspaces.find((directory) => isBelow(realOf(directory), path));
  if (inside !== undefined) throw refused(`${path} lies in the workspace ${inside}, where agents read and write`);
}

function realOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

function refused(why: string): GatewayError {
  return new GatewayError("CREDENTIAL_REFUSED", why);
}
