// A note is read where it was found, or not at all.
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findNotes } from "./find-notes.ts";
import { openNote } from "./read-note.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "chela-notes-")));
  for (const folder of ["workspace/extra/deep", "elsewhere/deep"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "note.md"), folder);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.for([
  ["the further folder itself", "workspace/extra", "elsewhere"],
  ["a folder below it", "workspace/extra/deep", "elsewhere/deep"],
] as const)("%s is swapped for a link after it was looked at: nothing behind it is read", async ([, swapped, by]) => {
  const { files } = await findNotes(join(root, "workspace"), ["extra"]);
  expect(files.map(({ path }) => path)).toEqual(["extra/deep/note.md"]);
  const real = files[0]?.real ?? "";
  await (await openNote(real)).close();
  renameSync(join(root, swapped), join(root, "aside"));
  symlinkSync(join(root, by), join(root, swapped));
  await expect(openNote(real)).rejects.toMatchObject({ code: "a folder on the way was swapped meanwhile" });
});
