// Copies of what was approved, in a folder nobody else writes: what an agent's files say a moment later does not matter.
import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Ids } from "@chela/sdk";
import type { DigestFile } from "./digest-files.ts";

export interface VerifiedCopies {
  /** The path of a copy that has this digest; undefined when the file does not have it any more. */
  take(file: string, sha256: string): Promise<string | undefined>;
  /** Removes them. What the programs wrote beside a copy goes where the original lies. */
  release(): Promise<void>;
}

/** A folder with more in it is not mirrored: its names would cost more than they are worth. */
const MOST_SIBLINGS = 1_000;

interface Shadow {
  readonly root: string;
  readonly file: string;
  /** What we put there, by its path. */
  readonly ours: Set<string>;
}

export function createVerifiedCopies(folder: string, ids: Ids, digestFile: DigestFile): VerifiedCopies {
  const shadows: Shadow[] = [];
  return {
    async take(file, sha256) {
      const shadow: Shadow = { root: join(folder, ids.secretHex(8)), file, ours: new Set() };
      shadows.push(shadow);
      const copy = join(shadow.root, file);
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      await copyFile(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      shadow.ours.add(copy);
      // The copy is looked at, not the original: nobody can change it in between.
      if ((await digestFile(copy))?.sha256 !== sha256) return undefined;
      await chmod(copy, 0o500);
      await mirrorSiblings(shadow);
      return copy;
    },
    async release() {
      for (const shadow of shadows.splice(0)) {
        await bringBack(shadow).catch(() => {});
        await rm(shadow.root, { recursive: true, force: true }).catch(() => {});
      }
    },
  };
}

/** A program finds what lies around it: in every folder on the way, links lead to the real neighbours. */
async function mirrorSiblings({ root, file, ours }: Shadow): Promise<void> {
  for (let at = file; at !== "/"; at = dirname(at)) {
    const folder = dirname(at);
    const names = await readdir(folder).catch(() => []);
    if (names.length > MOST_SIBLINGS) continue;
    for (const name of names) {
      if (name === basename(at)) continue;
      const link = join(root, folder, name);
      await symlink(join(folder, name), link).then(
        () => ours.add(link),
        () => {},
      );
    }
  }
}

/** What was written beside the copy was meant for the folder of the original. */
async function bringBack({ root, file, ours }: Shadow): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(join(root, folder))) {
    const [made, real] = [join(root, folder, name), join(folder, name)];
    if (ours.has(made)) continue;
    if (await lstat(real).catch(() => undefined)) continue;
    await rename(made, real);
  }
}
