// Changes several files together: all new versions are on the disk first, then they are put into place, or none is.
import { renameSync } from "node:fs";
import { GatewayError } from "@chela/sdk";
import { fileFailure } from "./file-failure.ts";
import type { LocatedPath } from "./locate.ts";
import type { Snapshot } from "./open-file.ts";
import { expectUnchanged, removeQuietly, stageFile, temporaryName, type StagedFile } from "./stage-file.ts";

export type FileChange =
  | {
      readonly kind: "write";
      readonly place: LocatedPath;
      /** Undefined for a file that is new. */
      readonly before: Snapshot | undefined;
      readonly after: Uint8Array;
      /** The rights a new file gets; those of every new file unless told otherwise. */
      readonly mode?: number | undefined;
    }
  | { readonly kind: "delete"; readonly place: LocatedPath; readonly before: Snapshot };

interface Move {
  do(): void;
  undo(): void;
  /** Called once all moves are done or undone. */
  settle(): void;
}

/** A file that changed since `before` was taken is left alone, and so are all others. */
export async function changeFiles(changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const moves: Move[] = [];
  // A single change has nobody who could fail after it.
  const isShared = changes.length > 1;
  try {
    for (const change of changes) {
      moves.push(change.kind === "delete" ? prepareDeletion(change) : await prepareWrite(change, isShared, signal));
    }
    signal.throwIfAborted();
    doAll(moves);
  } finally {
    for (const move of moves.reverse()) move.settle();
  }
}

function doAll(moves: readonly Move[]): void {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      move.do();
      done.push(move);
    }
  } catch (error) {
    for (const move of done.reverse()) move.undo();
    throw error;
  }
}

async function prepareWrite(
  change: Extract<FileChange, { kind: "write" }>,
  mayBeUndone: boolean,
  signal: AbortSignal,
): Promise<Move> {
  const { place, before, after, mode } = change;
  const staged = await stageFile(place, after, signal, mode);
  let backup: StagedFile | undefined;
  try {
    // Written beforehand, so that going back needs no space on the disk.
    if (before && mayBeUndone) backup = await stageFile(place, before.bytes, signal);
  } catch (error) {
    staged.settle();
    throw error;
  }
  return {
    do: () => staged.commit(before?.fingerprint ?? "absent"),
    undo: () => (backup ? backup.commit(undefined) : staged.revoke()),
    settle() {
      backup?.settle();
      staged.settle();
    },
  };
}

/** The file steps aside first; only when all else is done it is gone. */
function prepareDeletion({ place, before }: Extract<FileChange, { kind: "delete" }>): Move {
  const aside = temporaryName();
  return {
    do() {
      try {
        if (!place.folder.isInPlace()) throw new GatewayError("TOOL_FILE", `"${place.written}" was moved meanwhile.`);
        expectUnchanged(place, place.folder, before.fingerprint);
        renameSync(place.folder.at(place.name), place.folder.at(aside));
      } catch (error) {
        throw fileFailure(error, "TOOL_DISK", `"${place.written}" cannot be deleted`);
      }
    },
    undo: () => renameSync(place.folder.at(aside), place.folder.at(place.name)),
    settle: () => removeQuietly(place.folder, aside),
  };
}
