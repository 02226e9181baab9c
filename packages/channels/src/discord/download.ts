// Fetches an attachment; when its address has run out, the message is asked for the new one.
import { GatewayError, type ChannelHost } from "@chela/sdk";
import type { DiscordApi } from "./api.ts";
import { toChannelError } from "./failure.ts";
import { readMediaRef } from "./media-ref.ts";
import { Message } from "./receive/payload.ts";

const CONNECT_MS = 30_000;

export interface DownloadParts {
  readonly api: DiscordApi;
  readonly fetch: ChannelHost["fetch"];
  readonly maxBytes: number;
}

export async function download(
  parts: DownloadParts,
  ref: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const media = readMediaRef(ref);
  if (!media) throw new GatewayError("MEDIA_REFUSED", "this is no attachment of Discord");
  let response = await open(parts, media.url, signal);
  if (response.status === 403 || response.status === 404) {
    await response.body?.cancel();
    response = await open(parts, await newAddress(parts.api, media), signal);
  }
  if (!response.ok || !response.body) {
    throw new GatewayError("MEDIA_REFUSED", `Discord does not hand out the file (${response.status})`);
  }
  return capped(response.body, parts.maxBytes);
}

async function open({ fetch }: DownloadParts, url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]) });
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError("CHANNEL_OFFLINE", "the file could not be fetched", { cause: error });
  }
}

async function newAddress(
  api: DiscordApi,
  { channelId, messageId, attachmentId }: { channelId: string; messageId: string; attachmentId: string },
): Promise<string> {
  const answer = await api.call("GET", `/channels/${channelId}/messages/${messageId}`).catch((error: unknown) => {
    throw toChannelError(error);
  });
  const message = Message().safeParse(answer).data;
  const all = [
    ...(message?.attachments ?? []),
    ...(message?.message_snapshots ?? []).flatMap((one) => one.message.attachments),
  ];
  const found = all.find(({ id }) => id === attachmentId);
  if (!found) throw new GatewayError("MEDIA_REFUSED", "the message does not have this file any more");
  return found.url;
}

async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new GatewayError(
        "MEDIA_REFUSED",
        `it is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB (channels.discord.mediaMaxMb)`,
      );
    }
    yield chunk;
  }
}
