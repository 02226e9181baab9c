// Sends one file of the page: in the form the browser reads best, and not at all when it has it already.
import { createHash } from "node:crypto";
import { closeSync, createReadStream, fstatSync, openSync, realpathSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { HttpCall } from "@chela/sdk";
import { isBelow } from "@chela/sdk/files";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};

/** In the order of preference: the smallest first. */
const ENCODINGS = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

const FOR_A_YEAR = "public, max-age=31536000, immutable";

/** The file behind a path of a URL, if it lies inside the root, is no hidden one, and exists. */
export function findFile(root: string, path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const names = decoded.split("/").slice(1);
  const isPlain = names.every((name) => name !== "" && !name.startsWith(".") && !/[\\:\0]/.test(name));
  if (!isPlain) return undefined;
  const full = join(root, ...names);
  // A link in the directory must not lead out of it.
  return isFile(full) && isBelow(realpathSync(root), realpathSync(full)) ? full : undefined;
}

export interface FileAnswer {
  readonly file: string;
  /** Its name says what is in it, so that it never has to be asked for again. */
  readonly isImmutable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function sendFile(call: HttpCall, { file, isImmutable, headers = {} }: FileAnswer): Promise<void> {
  const { request, response } = call;
  const encoding = chooseEncoding(file, String(request.headers["accept-encoding"] ?? ""));
  const path = file + (encoding?.suffix ?? "");
  const head = {
    ...headers,
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    vary: "accept-encoding",
    ...(encoding ? { "content-encoding": encoding.name } : {}),
  };
  if (isImmutable) return streamFile(call, openFile(path), { ...head, "cache-control": FOR_A_YEAR });
  const etag = await tagOf(path);
  const kept = { ...head, "cache-control": "no-cache", etag };
  if (!isKnown(String(request.headers["if-none-match"] ?? ""), etag)) return streamFile(call, openFile(path), kept);
  response.writeHead(304, kept);
  response.end();
}

/**
 * Sends an open file piece by piece, as fast as it is read at the other end, and closes it. Who hangs up leaves nothing
 * open behind.
 */
export async function streamFile(
  { request, response }: Pick<HttpCall, "request" | "response">,
  { file, size }: { readonly file: number; readonly size: number },
  head: Record<string, string>,
): Promise<void> {
  // They may have left while the file was looked at.
  if (response.destroyed) return closeSync(file);
  response.writeHead(200, { ...head, "content-length": size });
  if (request.method === "HEAD" || size === 0) {
    closeSync(file);
    return void response.end();
  }
  try {
    // Not more than was announced, even if the file grows meanwhile.
    await pipeline(createReadStream("", { fd: file, start: 0, end: size - 1 }), response);
  } catch {
    response.destroy();
  }
}

function openFile(path: string): { readonly file: number; readonly size: number } {
  const file = openSync(path, "r");
  return { file, size: fstatSync(file).size };
}

/** By what is in it: packages are unpacked with the same time for each version. */
async function tagOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

/** The best form that the browser takes and that lies beside the file. */
function chooseEncoding(file: string, accepted: string): (typeof ENCODINGS)[number] | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight)] as const;
      }),
  );
  const takes = (name: string): boolean => (weights.get(name) ?? weights.get("*") ?? 0) > 0;
  return ENCODINGS.find(({ name, suffix }) => takes(name) && isFile(file + suffix));
}

function isKnown(header: string, etag: string): boolean {
  const known = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(etag);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A name that no file can have, or a circle of links.
    return false;
  }
}
