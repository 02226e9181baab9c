// Files that are either the old version or the new one, never something between. Private to this user.
import { open, rename, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";

/** With `isLasting` the bytes are on the disk when this resolves, and not only with the system. */
export async function writePrivateFile(path: string, data: string, isLasting: boolean): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(data);
    if (isLasting) await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}

export function isMissing(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ENOENT";
}
