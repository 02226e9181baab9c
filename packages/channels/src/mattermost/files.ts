// Files: what people attached is read from the server, and ours are put there before the post that shows them.
import { openAsBlob } from "node:fs";
import * as z from "zod";
import { GatewayError, once, type OutboundMedia } from "@chela/sdk";
import { isMattermostId } from "./address.ts";
import type { Asked, MattermostApi } from "./api.ts";

export interface Files {
  download(ref: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** The id of the file, for a post in this channel. */
  upload(media: OutboundMedia, channelId: string, signal: AbortSignal): Promise<Asked<string>>;
}

const Uploaded = once(() => z.object({ file_infos: z.array(z.object({ id: z.string() })).min(1) }));
const UPLOAD_MS = 120_000;
const DOWNLOAD_MS = 10 * 60_000;

export function createFiles(api: MattermostApi, maxBytes: number): Files {
  return {
    async download(ref, signal) {
      if (!isMattermostId(ref)) throw new GatewayError("MEDIA_FETCH", "this is no file of Mattermost");
      const opened = await api.open("GET", `/files/${ref}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]),
      });
      if (opened.kind === "failed") throw new GatewayError("MEDIA_FETCH", opened.failure.why);
      return readCapped(opened.answer, maxBytes);
    },
    async upload(media, channelId, signal) {
      const form = new FormData();
      form.append("channel_id", channelId);
      form.append("files", await openAsBlob(media.path, { type: media.mimeType }), media.name);
      const opened = await api.open("POST", "/files", {
        body: form,
        signal: AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]),
      });
      if (opened.kind === "failed") return opened;
      const read = Uploaded().safeParse(await opened.answer.json().catch(() => undefined));
      const id = read.data?.file_infos[0]?.id;
      if (id) return { kind: "answered", answer: id };
      const why = "the answer of Mattermost to a file could not be read";
      return { kind: "failed", failure: { reason: "unavailable", status: opened.answer.status, why } };
    },
  };
}

async function* readCapped(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new GatewayError("MEDIA_REFUSED", `the file is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
    }
    yield chunk;
  }
}
