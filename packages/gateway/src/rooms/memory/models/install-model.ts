// Fetches the files of a model: goes on where it was broken off, and keeps nothing whose hash is another than the pinned one.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import type { HttpFetch, HttpResponse } from "@chela/sdk/http";
import { folderOfModel, type KnownModel, type ModelFile } from "./known-models.ts";

export interface InstallParts {
  readonly fetch: HttpFetch;
  readonly stateDir: string;
  /** Another place that has the same files under the same names: an address. */
  readonly mirror?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  progressed(file: ModelFile, bytes: number): void;
}

/** A hub answers with the address of its store, which may answer with another. */
const MOST_REDIRECTS = 5;

export async function installModel(model: KnownModel, parts: InstallParts): Promise<void> {
  const folder = folderOfModel(parts.stateDir, model.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of model.files) {
    const place = join(folder, file.name);
    if ((await sizeOf(place)) === file.bytes && (await hashOf(place)) === file.sha256) continue;
    await fetchFile(file, `${place}.part`, parts);
    await rename(`${place}.part`, place);
  }
}

export async function removeModel({ id }: KnownModel, stateDir: string): Promise<void> {
  await rm(folderOfModel(stateDir, id), { recursive: true, force: true });
}

async function fetchFile(file: ModelFile, place: string, parts: InstallParts): Promise<void> {
  // More than there can be is of something else.
  if ((await sizeOf(place)) > file.bytes) await rm(place);
  if ((await sizeOf(place)) < file.bytes) await fetchRest(file, place, parts);
  if ((await sizeOf(place)) === file.bytes && (await hashOf(place)) === file.sha256) return;
  await rm(place);
  throw refused(file, "it is not the file it should be: its hash is another");
}

async function fetchRest(file: ModelFile, place: string, parts: InstallParts): Promise<void> {
  const address = parts.mirror === undefined ? file.url : `${parts.mirror.replace(/\/$/, "")}/${file.name}`;
  const begun = await sizeOf(place);
  const response = await follow(new URL(address), begun, parts, file);
  // Whoever does not know ranges sends all of it.
  const goesOn = response.status === 206;
  if (!goesOn && response.status !== 200) {
    response.discard();
    throw refused(file, `${address} answers with ${response.status}`);
  }
  const handle = await open(place, goesOn ? "a" : "w", 0o600);
  try {
    await write(handle, response, goesOn ? begun : 0, file, parts);
    await handle.sync();
  } catch (error) {
    if (GatewayError.is(error) || parts.signal?.aborted) throw error;
    throw refused(file, "the connection broke off; the same command goes on where it was", error);
  } finally {
    await handle.close();
  }
}

async function write(
  handle: FileHandle,
  response: HttpResponse,
  begun: number,
  file: ModelFile,
  { progressed }: InstallParts,
): Promise<void> {
  let bytes = begun;
  for await (const chunk of response.chunks()) {
    bytes += chunk.length;
    if (bytes > file.bytes) {
      response.discard();
      throw refused(file, "it is longer than it should be");
    }
    await handle.writeFile(chunk);
    progressed(file, bytes);
  }
}

async function follow(url: URL, begun: number, parts: InstallParts, file: ModelFile): Promise<HttpResponse> {
  let address = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await ask(address, begun, parts, file);
    const next = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || next === null) return response;
    response.discard();
    address = new URL(next, address);
  }
  throw refused(file, "it is always elsewhere");
}

async function ask(url: URL, begun: number, { fetch, signal }: InstallParts, file: ModelFile): Promise<HttpResponse> {
  try {
    const headers: Record<string, string> = begun > 0 ? { range: `bytes=${begun}-` } : {};
    return await fetch(url, { headers, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw refused(file, `${url.host} cannot be reached`, error);
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function refused({ name }: ModelFile, why: string, cause?: unknown): GatewayError {
  return new GatewayError("MEMORY_EMBEDDING", `${name} cannot be installed: ${why}`, { cause });
}
