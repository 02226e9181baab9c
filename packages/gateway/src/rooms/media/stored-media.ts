// A file the gateway keeps, and the note beside it that says what it is.
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { once, type MediaKind, type MediaRef } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { kindOfType } from "./media-types.ts";

export type Direction = "inbound" | "outbound";
export const DIRECTIONS: readonly Direction[] = ["outbound", "inbound"];

export interface StoredMedia {
  /** SHA-256 of the content, hexadecimal. */
  readonly id: string;
  readonly direction: Direction;
  /** Absolute. */
  readonly path: string;
  /** By its bytes. */
  readonly mimeType: string;
  readonly kind: MediaKind;
  readonly bytes: number;
  /** As its sender called it, made harmless. */
  readonly name: string;
}

/** How messages name it. */
export function refOf({ id, name, mimeType, bytes }: StoredMedia): MediaRef {
  return { id, fileName: name, mimeType, bytes };
}

const Note = once(() =>
  z.object({ file: z.string(), mimeType: z.string(), bytes: z.int().positive(), name: z.string() }),
);
const NOTE_ENDING = ".about.json";

/** Undefined when a name or path is none of a stored file or its note. */
export function mediaIdOf(path: string): string | undefined {
  return /^([0-9a-f]{64})[.-]/.exec(basename(path))?.[1];
}

export function isMediaId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}

export function isNote(name: string): boolean {
  return name.endsWith(NOTE_ENDING);
}

export function writeNote(media: StoredMedia, folder: string): void {
  const { mimeType, bytes, name } = media;
  const note = { file: basename(media.path), mimeType, bytes, name };
  writeFileAtomic(notePath(folder, media.id), `${JSON.stringify(note)}\n`);
}

export function removeNote(id: string, folder: string): void {
  rmSync(notePath(folder, id), { force: true });
}

/** What the note says; whether the file is still there has to be looked at. */
export function readNote(id: string, direction: Direction, folder: string): StoredMedia | undefined {
  const note = Note().safeParse(parseJson(readOptional(notePath(folder, id)))).data;
  if (!note || basename(note.file) !== note.file || mediaIdOf(note.file) !== id) return undefined;
  const { file, mimeType, bytes, name } = note;
  return { id, direction, path: join(folder, file), mimeType, kind: kindOfType(mimeType), bytes, name };
}

function notePath(folder: string, id: string): string {
  return join(folder, `${id}${NOTE_ENDING}`);
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    // A damaged note is as good as none: the file is taken anew, or swept away.
    return undefined;
  }
}
