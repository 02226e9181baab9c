// Fetches attachments from the homeserver: as a stream, never more than the operator allows, decrypted on the way.
import { GatewayError } from "@chela/sdk";
import { route, type Api, type StreamResult } from "./api.ts";
import { decryptStream } from "./attachment.ts";
import { toError } from "./failures.ts";
import { readMediaRef } from "./media-ref.ts";

export async function download(
  api: Api,
  ref: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const media = readMediaRef(ref);
  if (!media) throw new GatewayError("CHANNEL_REFUSED", "this is no attachment of Matrix");
  const { server, id, keys } = media;
  const result = await openMedia(api, server, id, maxBytes, signal);
  if (result.kind !== "open") throw toError(result, "an attachment cannot be fetched");
  return keys ? decryptStream(result.bytes, keys) : result.bytes;
}

/** Older servers know only the way without authentication. */
async function openMedia(
  api: Api,
  server: string,
  id: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<StreamResult> {
  const result = await api.stream(route`/client/v1/media/download/${server}/${id}`, maxBytes, signal);
  const isUnknownWay = result.kind === "refused" && result.code === "M_UNRECOGNIZED";
  return isUnknownWay ? api.stream(route`/media/v3/download/${server}/${id}`, maxBytes, signal) : result;
}
