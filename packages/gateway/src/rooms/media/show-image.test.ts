// Pictures for models: small ones as they are, large ones scaled, harmful ones never opened.
import { writeFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openMediaWorld } from "./media-world.test-support.ts";
import type { Media, MediaParts, ShownImage } from "./room.ts";
import { avif, picture, pngHeader } from "./sample-files.test-support.ts";

/** No build of the library for this system. */
const MISSING: Partial<MediaParts> = { loadImages: async () => undefined };

async function show(
  content: Buffer,
  limits: Parameters<Media["forModel"]>[1] = {},
  parts: Partial<MediaParts> = {},
): Promise<ShownImage> {
  using world = openMediaWorld(parts);
  return await world.media.forModel(await world.take(content), limits);
}

async function sizeOf(shown: ShownImage): Promise<{ width: number; height: number; bytes: number; mimeType: string }> {
  if (shown.kind === "unshown") throw new Error(shown.why);
  const data = Buffer.from(shown.image.data, "base64");
  const { width, height } = await sharp(data).metadata();
  return { width, height, bytes: data.length, mimeType: shown.image.mimeType };
}

describe("a picture that is small enough", () => {
  it.for(["jpeg", "png", "gif", "webp"] as const)("goes out as it is: %s", async (format) => {
    const content = await picture(60, 40).toFormat(format).toBuffer();
    const image = { type: "image", data: content.toString("base64"), mimeType: `image/${format}` };
    expect(await show(content, { maxDimension: 60 }, MISSING)).toEqual({ kind: "shown", image });
  });

  it.for([
    ["lossy", { quality: 50 }],
    ["lossless", { lossless: true }],
  ] as const)("is known by its header as WebP: %s", async ([, options]) => {
    const content = await picture(61, 40).webp(options).toBuffer();
    const withAlpha = await picture(61, 40, 4).webp(options).toBuffer();
    for (const data of [content, withAlpha]) {
      expect(await show(data, { maxDimension: 61 }, MISSING)).toMatchObject({ kind: "shown" });
      expect(await sizeOf(await show(data, { maxDimension: 60 }))).toMatchObject({ width: 60 });
    }
  });
});

describe("a picture that is too large", () => {
  it.for(["jpeg", "png", "gif", "webp", "tiff"] as const)("is scaled: %s", async (format) => {
    const content = await picture(300, 200).toFormat(format).toBuffer();
    expect(await sizeOf(await show(content, { maxDimension: 150 }))).toMatchObject({ width: 150, height: 100 });
  });

  it("is converted when models cannot see its type", async () => {
    const shown = await show(await avif(64, 48));
    expect(await sizeOf(shown)).toMatchObject({ width: 64, height: 48, mimeType: "image/jpeg" });
  });

  it("keeps what is transparent, unless that takes too much room", async () => {
    const content = await picture(300, 200, 4).png().toBuffer();
    expect(await sizeOf(await show(content, { maxDimension: 200 }))).toMatchObject({ mimeType: "image/png" });
    const small = await sizeOf(await show(content, { maxDimension: 200, maxBytes: 8000 }));
    expect(small.mimeType).toBe("image/jpeg");
    expect(small.bytes).toBeLessThanOrEqual(8000);
  });

  it("is turned the way it was taken", async () => {
    const content = await picture(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sizeOf(await show(content, { maxDimension: 150 }))).toMatchObject({ width: 100, height: 150 });
  });

  it("is made worse and smaller until it fits, or refused", async () => {
    const content = await picture(400, 400).jpeg({ quality: 100 }).toBuffer();
    expect((await sizeOf(await show(content, { maxBytes: 20_000 }))).bytes).toBeLessThanOrEqual(20_000);
    expect(await show(content, { maxBytes: 100 })).toEqual({
      kind: "unshown",
      why: "it cannot be made smaller than the 1 KB that are allowed",
    });
  });
});

describe("without the library", () => {
  it("a picture that every provider takes is sent unscaled, a larger one is not", async () => {
    expect(await show(await picture(1300, 10).png().toBuffer(), {}, MISSING)).toMatchObject({ kind: "shown" });
    for (const content of [await picture(2001, 10).png().toBuffer(), await avif(16, 16)]) {
      const shown = await show(content, {}, MISSING);
      expect(shown).toMatchObject({ kind: "unshown", why: expect.stringContaining("package sharp") });
    }
    const heavy = await show(await picture(300, 300).png().toBuffer(), { maxBytes: 1000 }, MISSING);
    expect(heavy).toMatchObject({ kind: "unshown" });
  });
});

describe("a picture that must not be opened", () => {
  it("is refused by what its header says, and nothing is decoded", async () => {
    let loaded = 0;
    const loadImages = async () => {
      loaded++;
      return undefined;
    };
    const gif = Buffer.from("GIF89a\xff\xff\xff\xff\0\0\0", "latin1");
    const jpeg = Buffer.from("ffd8ffe00004aabbffc0001108ffffffff03", "hex");
    for (const content of [pngHeader(30_000, 30_000), pngHeader(0xffffffff, 0xffffffff), gif, jpeg]) {
      const shown = await show(content, {}, { loadImages });
      expect(shown).toMatchObject({ kind: "unshown", why: expect.stringMatching(/^it says to have \d+ × \d+ pixels/) });
    }
    expect(loaded).toBe(0);
  });

  it("is refused by the library's look at the header where we cannot read it", async () => {
    const tiff = await picture(20, 20).tiff().toBuffer();
    const width = tiff.indexOf(Buffer.from([0x00, 0x01, 0x03, 0x00, 0x01, 0, 0, 0, 20, 0]));
    const height = tiff.indexOf(Buffer.from([0x01, 0x01, 0x03, 0x00, 0x01, 0, 0, 0, 20, 0]));
    for (const at of [width, height]) tiff.writeUInt16LE(60_000, at + 8);
    expect(await show(tiff)).toMatchObject({ kind: "unshown", why: expect.stringContaining("60000 × 60000 pixels") });
  });

  it.for([
    ["damaged", Buffer.concat([pngHeader(2000, 2000), Buffer.from("no data")]), /may be damaged/],
    ["a drawing", Buffer.from("<svg width='9999999' height='9999999'/>"), /SVG drawing, which is text/],
    ["HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), /sent as JPEG or PNG/],
    ["BMP", Buffer.from("BM\x46\0\0\0\0\0\0\0\x36\0\0\0", "latin1"), /type image\/bmp cannot be opened/],
    ["no picture", Buffer.from("hello"), /it is no picture \(text\/plain\)/],
  ] as const)("is refused with a reason: %s", async ([, content, why]) => {
    expect(await show(content)).toEqual({ kind: "unshown", why: expect.stringMatching(why) });
  });

  it("is not opened by a loader that was not asked for, whatever the file has become", async () => {
    using world = openMediaWorld();
    const media = await world.take(await picture(300, 200).tiff().toBuffer());
    writeFileSync(media.path, "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/>");
    expect(await world.media.forModel(media)).toMatchObject({ kind: "unshown" });
  });
});
