// Makes a picture fit for a model: as it is when it is small, scaled when it is large, refused with a reason otherwise.
import { open, readFile } from "node:fs/promises";
import type { ImageBlock } from "@chela/sdk";
import { MAX_PIXELS, type ImageHeader, type ImageLibrary } from "./image-library.ts";
import { readImageSize, type ImageSize } from "./image-size.ts";
import type { StoredMedia } from "./stored-media.ts";

export interface ImageLimits {
  /** The longest side in pixels. */
  readonly maxDimension: number;
  /** Of the picture itself, before it is written as base64. */
  readonly maxBytes: number;
}

export type ShownImage =
  | { readonly kind: "shown"; readonly image: ImageBlock }
  /** `why` is a clause for the model and the person, such as "it is damaged". */
  | { readonly kind: "unshown"; readonly why: string };

const HEADER_BYTES = 256 * 1024;
/** What models take as it is. */
const FOR_MODELS: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const CONVERTED: readonly string[] = ["image/avif", "image/tiff"];
/** Without the library a picture of this size is still sent: every provider takes it and scales it itself. */
const TAKEN_UNSCALED = 2000;
/** Parts of the size and qualities that are tried, until one is small enough. */
const LADDER = [
  [1, 85],
  [1, 65],
  [0.7, 65],
  [0.5, 60],
  [0.35, 50],
] as const;

export async function showImage(
  media: StoredMedia,
  limits: ImageLimits,
  load: () => Promise<ImageLibrary | undefined>,
): Promise<ShownImage> {
  const forModels = FOR_MODELS.includes(media.mimeType);
  if (!forModels && !CONVERTED.includes(media.mimeType)) return unshown(whyNever(media));
  const size = readImageSize(await readHead(media.path), media.mimeType);
  if (size && isBomb(size)) return unshown(tooManyPixels(size));
  const isLight = forModels && size !== undefined && media.bytes <= limits.maxBytes;
  if (isLight && longest(size) <= limits.maxDimension) return await showAsIs(media);
  const library = await load();
  if (library) return await showScaled(media, limits, library);
  if (isLight && longest(size) <= TAKEN_UNSCALED) return await showAsIs(media);
  return unshown(
    "it is too large to be shown as it is, and the optional package sharp, which could scale it, is missing",
  );
}

async function showScaled(media: StoredMedia, limits: ImageLimits, library: ImageLibrary): Promise<ShownImage> {
  try {
    const header = await library.readHeader(media.path);
    if (isBomb(header)) return unshown(tooManyPixels(header));
    return await renderToFit(media, header, limits, library);
  } catch {
    // Whatever the library says is about its own inside; for people it means one thing.
    return unshown("it cannot be decoded; the file may be damaged");
  }
}

async function renderToFit(
  media: StoredMedia,
  header: ImageHeader,
  { maxDimension, maxBytes }: ImageLimits,
  library: ImageLibrary,
): Promise<ShownImage> {
  if (header.hasAlpha) {
    const data = await library.render(media.path, { maxDimension, format: "png", quality: 100 });
    if (data.length <= maxBytes) return shown(data, "image/png");
  }
  const start = Math.min(maxDimension, longest(header));
  for (const [part, quality] of LADDER) {
    const side = Math.max(1, Math.round(start * part));
    const data = await library.render(media.path, { maxDimension: side, format: "jpeg", quality });
    if (data.length <= maxBytes) return shown(data, "image/jpeg");
  }
  return unshown(`it cannot be made smaller than the ${Math.ceil(maxBytes / 1024)} KB that are allowed`);
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

async function showAsIs({ path, mimeType }: StoredMedia): Promise<ShownImage> {
  return shown(await readFile(path), mimeType);
}

function shown(data: Buffer, mimeType: string): ShownImage {
  return { kind: "shown", image: { type: "image", data: data.toString("base64"), mimeType } };
}

function unshown(why: string): ShownImage {
  return { kind: "unshown", why };
}

function longest({ width, height }: ImageSize): number {
  return Math.max(width, height);
}

function isBomb({ width, height }: ImageSize): boolean {
  return width * height > MAX_PIXELS;
}

function tooManyPixels({ width, height }: ImageSize): string {
  return `it says to have ${width} × ${height} pixels; at most ${MAX_PIXELS / 1_000_000} million are opened`;
}

function whyNever({ kind, mimeType }: StoredMedia): string {
  if (mimeType === "image/svg+xml") return "it is an SVG drawing, which is text; it can be read like a text file";
  if (mimeType === "image/heic") return "HEIC pictures cannot be opened here; it has to be sent as JPEG or PNG";
  return kind === "image" ? `pictures of type ${mimeType} cannot be opened here` : `it is no picture (${mimeType})`;
}
