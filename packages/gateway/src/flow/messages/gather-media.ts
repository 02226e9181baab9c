// Gets the files a message is to carry: kept ones by their handle, files the agent may read, addresses, or bytes in the request.
import { GatewayError, type OutboundMedia } from "@chela/sdk";
import type { StoredMedia } from "../../rooms/media/room.ts";
import { readForSending } from "../../rooms/tools/room.ts";
import type { SenderParts } from "./parts.ts";
import type { Actor, MessageRequest, WrittenFile } from "./request.ts";

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 5;
const MOST_FILES = 10;

export type MediaNeeds = Pick<
  SenderParts,
  "config" | "fetch" | "media" | "workspace" | "fileSettings" | "defaultAgent"
>;

/** Nothing is sent when one of them cannot be had. */
export async function gatherMedia(
  { media = [], file }: Pick<MessageRequest, "media" | "file">,
  by: Actor,
  parts: MediaNeeds,
): Promise<OutboundMedia[]> {
  if (media.length > MOST_FILES) {
    throw new GatewayError("MESSAGE_REQUEST", `At most ${MOST_FILES} files can be sent with one message.`);
  }
  const maxBytes = (parts.config.current().agents?.defaults?.mediaMaxMb ?? DEFAULT_MEGABYTES) * MEGABYTE;
  const gathered: StoredMedia[] = [];
  for (const source of media) gathered.push(await gather(plainSource(source), maxBytes, by, parts));
  if (file) gathered.push(await decode(file, maxBytes, parts));
  return gathered.map(({ kind, path, mimeType, name, bytes }) => ({ kind, path, mimeType, name, bytes }));
}

/** The line that `attach` gives for replies means the same here. */
function plainSource(written: string): string {
  return written.trim().replace(/^MEDIA:\s*(?=media:)/, "");
}

async function gather(source: string, maxBytes: number, by: Actor, parts: MediaNeeds): Promise<StoredMedia> {
  if (/^media:/i.test(source)) return fromHandle(source, by, parts);
  if (/^https?:/i.test(source)) return download(source, maxBytes, by, parts);
  if (/^data:/i.test(source)) return decode(readDataUrl(source), maxBytes, parts);
  // What looks like an address of another kind is none of a file.
  if (/^[a-z][a-z0-9+.-]+:/i.test(source)) {
    const detail = `"${source.slice(0, 80)}" cannot be sent. Give a file of the workspace, an http(s) address or a MEDIA handle.`;
    throw new GatewayError("MEDIA_REFUSED", detail);
  }
  return fromWorkspace(source, maxBytes, by, parts);
}

/** A handle works in the conversation it was made for, and nowhere else. */
async function fromHandle(handle: string, by: Actor, parts: MediaNeeds): Promise<StoredMedia> {
  const madeIn = (by.kind === "operator" ? by.saidIn : undefined) ?? by.sessionKey;
  const found = madeIn === undefined ? undefined : await (await parts.media()).resolveHandle(madeIn, handle);
  if (!found) throw new GatewayError("MEDIA_REFUSED", "this handle leads to no file of this conversation");
  return found;
}

async function fromWorkspace(path: string, maxBytes: number, by: Actor, parts: MediaNeeds): Promise<StoredMedia> {
  const agentId = by.agentId ?? parts.defaultAgent();
  const seen = by.kind === "agent" ? by : { workspace: parts.workspace(agentId) };
  const signal = signalOf(by);
  const media = await parts.media();
  return readForSending(path, { settings: parts.fileSettings(agentId), seen, maxBytes, signal }, (content, name) =>
    media.take(content, { direction: "outbound", maxBytes, name, signal }),
  );
}

async function download(url: string, maxBytes: number, by: Actor, parts: MediaNeeds): Promise<StoredMedia> {
  const signal = signalOf(by);
  const response = await parts.fetch(url, { maxBytes, signal });
  if (response.status !== 200) {
    throw new GatewayError("MEDIA_FETCH", `${new URL(url).host} answered with status ${response.status}`);
  }
  const name = decodeName(new URL(response.url).pathname.split("/").at(-1) ?? "");
  const declaredType = response.headers.get("content-type") ?? undefined;
  return keep(response.bytes, { maxBytes, declaredType, ...(name ? { name } : {}) }, parts);
}

function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function readDataUrl(source: string): WrittenFile {
  const comma = source.indexOf(",");
  const [, mimeType] = /^data:([^;,]*)(?:;[^,]*)?;base64$/i.exec(source.slice(0, Math.max(0, comma))) ?? [];
  if (mimeType === undefined)
    throw new GatewayError("MEDIA_REFUSED", "a data URL must look like data:image/png;base64,…");
  return { base64: source.slice(comma + 1), mimeType };
}

/** The length is checked before anything is decoded. */
async function decode(
  { base64, name, mimeType }: WrittenFile,
  maxBytes: number,
  parts: MediaNeeds,
): Promise<StoredMedia> {
  if (base64.length * 0.75 > maxBytes + 8) {
    throw new GatewayError("MEDIA_REFUSED", `it is larger than ${Math.floor(maxBytes / MEGABYTE)} MB`);
  }
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64)) throw new GatewayError("MEDIA_REFUSED", "the content is not base64");
  return keep(Buffer.from(base64, "base64"), { maxBytes, name, declaredType: mimeType }, parts);
}

async function keep(
  bytes: Uint8Array,
  about: { readonly maxBytes: number; readonly name?: string | undefined; readonly declaredType?: string | undefined },
  parts: MediaNeeds,
): Promise<StoredMedia> {
  const media = await parts.media();
  return media.take(oneChunk(bytes), { direction: "outbound", ...about });
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function signalOf(by: Actor): AbortSignal {
  return by.kind === "agent" ? by.signal : AbortSignal.timeout(PATIENCE_MS);
}

const PATIENCE_MS = 60_000;
