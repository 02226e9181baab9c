// The picture of an agent: a few characters, an address, or an image file in its workspace.
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { extname, isAbsolute, join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { writeFileAtomic, isInside } from "@chela/sdk/files";
import { realPath } from "./workspace-place.ts";

export type Avatar =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "url"; readonly url: string }
  /** Relative to the workspace. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "unusable"; readonly why: string };

/** A picture that is open: whoever has it reads it from the descriptor, and closes that. */
export interface AvatarImage extends Disposable {
  readonly type: string;
  readonly size: number;
  readonly file: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_CHARACTERS = 4;
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;
const DATA_URL = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** More than the longest of these looks at. */
const SIGN_BYTES = 16;
const SIGNS: ReadonlyArray<readonly [type: string, isIt: (bytes: Buffer) => boolean]> = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => /^RIFF....WEBP$/s.test(bytes.toString("latin1", 0, 12))],
];

export function readAvatar(written: string): Avatar {
  const text = written.trim();
  if (/^https?:\/\//i.test(text)) {
    const url = URL.parse(text);
    return url && !url.username && !url.password
      ? { kind: "url", url: url.href }
      : { kind: "unusable", why: "the address is not valid, or carries a password" };
  }
  if (/^data:/i.test(text)) {
    if (!DATA_URL.test(text)) return { kind: "unusable", why: "a data URL must be a png, jpeg, gif or webp in base64" };
    const isSmall = text.length * 0.75 <= MAX_BYTES;
    return isSmall ? { kind: "url", url: text } : { kind: "unusable", why: "it is larger than 2 MB" };
  }
  if (/[/\\]/.test(text) || IMAGE_NAME.test(text)) return readPath(text);
  const length = [...new Intl.Segmenter().segment(text)].length;
  if (length >= 1 && length <= MAX_CHARACTERS && !/[\p{Cc}<>]/u.test(text)) return { kind: "text", text };
  const why = `write an emoji, up to ${MAX_CHARACTERS} letters, an http(s) or data address, or a picture in the workspace`;
  return { kind: "unusable", why };
}

function readPath(path: string): Avatar {
  if (/^[a-z][a-z0-9+.-]+:/i.test(path))
    return { kind: "unusable", why: "only http, https and data addresses are used" };
  if (isAbsolute(path) || path.startsWith("~") || path.split(/[/\\]/).includes("..") || /\p{Cc}/u.test(path)) {
    return { kind: "unusable", why: "the picture must lie in the workspace: write its path from there" };
  }
  if (!IMAGE_NAME.test(path)) return { kind: "unusable", why: "only png, jpeg, gif and webp pictures are shown" };
  return { kind: "file", path };
}

export function requireAvatar(written: string | undefined): void {
  const avatar = written ? readAvatar(written) : undefined;
  if (avatar?.kind === "unusable") throw new GatewayError("AGENT_REQUEST", `the avatar cannot be used: ${avatar.why}`);
}

/**
 * A picture that is handed over as data becomes a file of the workspace, so that the configuration stays readable.
 * Returns what is to be written into the configuration.
 */
export function keepPicture(workspace: string, written: string): string {
  const [, data] = DATA_URL.exec(written.trim()) ?? [];
  if (data === undefined) return written;
  const bytes = Buffer.from(data, "base64");
  const type = typeOf(bytes);
  if (!type) throw new GatewayError("AGENT_REQUEST", "the avatar cannot be used: it is not a png, jpeg, gif or webp");
  // A name of its own for each picture: nothing is written over, and nobody shows an old one.
  const mark = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const name = `avatar-${mark}.${type.replace("image/", "").replace("jpeg", "jpg")}`;
  writeFileAtomic(join(workspace, name), bytes);
  return name;
}

function typeOf(bytes: Buffer): string | undefined {
  return SIGNS.find(([, isIt]) => isIt(bytes))?.[0];
}

/** The picture behind a path, or undefined when it is not one, too large, or not inside the workspace. */
export function openAvatar(workspace: string, path: string): AvatarImage | undefined {
  const root = realPath(workspace);
  const real = realPath(join(root, path));
  if (!isInside(root, real) || extname(real) === "") return undefined;
  let file: number | undefined;
  let image: AvatarImage | undefined;
  try {
    // Never through a link that was put there meanwhile, and never waiting for a pipe.
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    image = lookInto(file, real);
  } catch {
    // It is not there, or not for us to read.
  }
  if (file !== undefined && !image) closeSync(file);
  return image;
}

function lookInto(file: number, real: string): AvatarImage | undefined {
  const opened = fstatSync(file);
  if (!opened.isFile() || opened.size > MAX_BYTES) return undefined;
  const now = lstatSync(real);
  if (realPath(real) !== real || now.ino !== opened.ino || now.dev !== opened.dev) return undefined;
  const head = Buffer.alloc(SIGN_BYTES);
  const type = typeOf(head.subarray(0, readSync(file, head, 0, SIGN_BYTES, 0)));
  const { size } = opened;
  return type ? { type, size, file, [Symbol.dispose]: () => closeSync(file) } : undefined;
}
