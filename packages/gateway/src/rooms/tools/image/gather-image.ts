// Gets the bytes of one picture from where it lies, and makes sure by its first bytes that it is one.
import { GatewayError, type ToolContext } from "@chela/sdk";
import { HEAD_BYTES, kindOfFile } from "../files/file-kind.ts";
import type { PictureSources } from "./image-tool.ts";

export interface GatheredImage {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

export async function gatherImage(
  source: string,
  maxBytes: number,
  parts: PictureSources,
  context: ToolContext,
): Promise<GatheredImage> {
  const bytes = await readSource(source, maxBytes, parts, context);
  if (bytes.length > maxBytes) throw tooLarge(source, maxBytes);
  const kind = kindOfFile(bytes.subarray(0, HEAD_BYTES));
  if (kind.kind === "image") return { bytes, mimeType: kind.mimeType };
  const what = kind.kind === "binary" ? kind.name : bytes.length === 0 ? "empty" : "text";
  throw new GatewayError("IMAGE_INPUT", `"${shortName(source)}" is ${what}, not a PNG, JPEG, GIF or WebP picture.`);
}

/** Data URLs are as long as their pictures; in words and records their beginning is enough. */
export function shortName(source: string): string {
  return source.length > 200 ? `${source.slice(0, isData(source) ? 40 : 200)}…` : source;
}

async function readSource(
  source: string,
  maxBytes: number,
  parts: PictureSources,
  context: ToolContext,
): Promise<Buffer> {
  if (isData(source)) return decodeDataUrl(source, maxBytes);
  if (/^https?:/i.test(source)) return await fetchImage(source, maxBytes, parts, context);
  if (/^[a-z][a-z0-9+.-]+:/i.test(source) && !/^[a-z]:[\\/]/i.test(source)) {
    throw new GatewayError(
      "IMAGE_INPUT",
      `"${shortName(source)}" cannot be opened. Give a path, an http(s) URL or a data URL.`,
    );
  }
  return Buffer.from(await parts.readFile(source, context, maxBytes));
}

async function fetchImage(
  url: string,
  maxBytes: number,
  { fetch }: Pick<PictureSources, "fetch">,
  { signal }: ToolContext,
): Promise<Buffer> {
  const response = await fetch(url, { headers: { accept: "image/*" }, signal, maxBytes });
  if (response.status !== 200) {
    throw new GatewayError(
      "IMAGE_INPUT",
      `"${shortName(url)}" answered with status ${response.status}, so there is no picture.`,
    );
  }
  return response.bytes;
}

/** The length is checked before anything is decoded. */
function decodeDataUrl(source: string, maxBytes: number): Buffer {
  const comma = source.indexOf(",");
  if (comma < 0 || !/;base64$/i.test(source.slice(0, Math.min(comma, 200)))) {
    throw new GatewayError("IMAGE_INPUT", "A data URL must look like data:image/png;base64,…");
  }
  if ((source.length - comma) * 0.75 > maxBytes + 8) throw tooLarge(source, maxBytes);
  return Buffer.from(source.slice(comma + 1), "base64");
}

function isData(source: string): boolean {
  return /^data:/i.test(source);
}

function tooLarge(source: string, maxBytes: number): GatewayError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${Math.floor(maxBytes / 1024)} KB`;
  return new GatewayError("IMAGE_INPUT", `"${shortName(source)}" is larger than the ${limit} that are left for it.`);
}
