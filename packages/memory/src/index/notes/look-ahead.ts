// Looks at notes, some of them ahead of the one that is being taken in: most of the time goes by waiting for the disk.
import type { FileHandle } from "node:fs/promises";
import type { NoteFile } from "./find-notes.ts";
import { lookAt, openNote, type NoteLook } from "./read-note.ts";

export type LookedNote = { readonly file: NoteFile } &
  /** `handle` of a long one, to be read again; open until the next one is asked for. */
  (
    | { readonly kind: "looked"; readonly look: NoteLook; readonly handle?: FileHandle }
    | { readonly kind: "failed"; readonly error: unknown }
  );

const AHEAD = 8;

/** In their order. */
export async function* lookAhead(files: readonly NoteFile[]): AsyncGenerator<LookedNote, void, void> {
  const ahead: Promise<LookedNote>[] = [];
  try {
    for (const file of files) {
      ahead.push(look(file));
      if (ahead.length > AHEAD) yield* takeFirst(ahead);
    }
    while (ahead.length > 0) yield* takeFirst(ahead);
  } finally {
    for (const looked of ahead) await close(await looked);
  }
}

async function* takeFirst(ahead: Promise<LookedNote>[]): AsyncGenerator<LookedNote, void, void> {
  const looked = await ahead.shift();
  if (!looked) return;
  try {
    yield looked;
  } finally {
    await close(looked);
  }
}

/** Never rejects: each has its turn first. */
async function look(file: NoteFile): Promise<LookedNote> {
  let handle: FileHandle | undefined;
  try {
    handle = await openNote(file.real);
    const seen = await lookAt(handle, file.size);
    if (seen.kind === "long") return { kind: "looked", file, look: seen, handle };
    await handle.close();
    return { kind: "looked", file, look: seen };
  } catch (error) {
    await handle?.close().catch(() => {});
    return { kind: "failed", file, error };
  }
}

async function close(looked: LookedNote): Promise<void> {
  if (looked.kind === "looked") await looked.handle?.close();
}
