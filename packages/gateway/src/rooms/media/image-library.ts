// The library that decodes and scales pictures, off the main thread. It is native and optional, and loaded when first needed.
import type Sharp from "sharp";
import type { ImageSize } from "./image-size.ts";

export interface ImageHeader extends ImageSize {
  readonly hasAlpha: boolean;
}

interface Rendering {
  /** The longest side is at most this; smaller pictures are not blown up. */
  readonly maxDimension: number;
  readonly format: "jpeg" | "png";
  /** For JPEG. */
  readonly quality: number;
}

export interface ImageLibrary {
  readHeader(path: string): Promise<ImageHeader>;
  render(path: string, rendering: Rendering): Promise<Buffer>;
}

/** What a picture may hold once it is decoded: 400 MB at the worst. */
export const MAX_PIXELS = 100_000_000;
const MAX_SECONDS = 20;
/** All that is decoded; whatever else the library knows is more surface for harmful files. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}`);

/** Undefined when the package is not installed, or has no build for this system. */
export async function loadImageLibrary(): Promise<ImageLibrary | undefined> {
  let sharp: typeof Sharp;
  try {
    sharp = (await import("sharp")).default;
  } catch {
    return undefined;
  }
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  // Pictures come one by one and are never the same: what it would remember is memory lost.
  sharp.cache(false);
  return {
    async readHeader(path) {
      const { width, height, hasAlpha } = await sharp(path, { limitInputPixels: false }).metadata();
      return { width, height, hasAlpha };
    },
    async render(path, { maxDimension, format, quality }) {
      const image = sharp(path, {
        limitInputPixels: MAX_PIXELS,
        failOn: "error",
        sequentialRead: true,
        autoOrient: true,
      })
        .timeout({ seconds: MAX_SECONDS })
        .resize({ width: maxDimension, height: maxDimension, fit: "inside", withoutEnlargement: true });
      if (format === "png") return await image.png().toBuffer();
      return await image.flatten({ background: "#ffffff" }).jpeg({ quality }).toBuffer();
    },
  };
}
