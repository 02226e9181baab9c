// Puts a file on the homeserver, encrypted where the room is, and writes the message that shows it.
import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { once, type OutboundMedia, type SendOutcome } from "@chela/sdk";
import type { Api } from "./api.ts";
import { encryptFile } from "./attachment.ts";
import { toSendFailure } from "./failures.ts";
import { write } from "./format.ts";

export interface Upload {
  readonly media: OutboundMedia;
  readonly caption?: string;
  readonly asVoice?: boolean;
  readonly isEncrypted: boolean;
}

export type Uploaded =
  | { readonly kind: "content"; readonly content: object }
  | Extract<SendOutcome, { kind: "failed" }>;

const Stored = once(() => z.object({ content_uri: z.string() }));
const UPLOAD_TIMEOUT_MS = 300_000;
const TYPES = {
  image: "m.image",
  sticker: "m.image",
  audio: "m.audio",
  voice: "m.audio",
  video: "m.video",
  file: "m.file",
} as const;

export async function uploadMedia(api: Api, upload: Upload, signal: AbortSignal): Promise<Uploaded> {
  const { media, isEncrypted } = upload;
  let content: Blob;
  let file: object | undefined;
  try {
    if (isEncrypted) {
      const encrypted = encryptFile(await readFile(media.path));
      content = new Blob([encrypted.bytes]);
      file = encrypted.file;
    } else {
      content = await openAsBlob(media.path);
    }
  } catch {
    return { kind: "failed", reason: "rejected", why: `the file ${media.name} is not there any more` };
  }
  // What is encrypted must not tell what it is.
  const mimeType = isEncrypted ? "application/octet-stream" : media.mimeType;
  const result = await api.call({
    method: "POST",
    path: "/media/v3/upload",
    ...(isEncrypted ? {} : { query: { filename: media.name } }),
    file: { content, mimeType },
    timeoutMs: UPLOAD_TIMEOUT_MS,
    signal,
  });
  if (result.kind !== "done") {
    const failed = toSendFailure(result);
    // Nothing was shown to anybody yet, whatever became of the file.
    return failed.reason === "uncertain" ? { ...failed, reason: "unavailable" } : failed;
  }
  const stored = Stored().safeParse(result.body);
  if (!stored.success)
    return { kind: "failed", reason: "unavailable", why: "the homeserver did not say where the file is" };
  return { kind: "content", content: mediaContent(upload, stored.data.content_uri, file) };
}

function mediaContent({ media, caption, asVoice }: Upload, url: string, file: object | undefined): object {
  const written = caption?.trim() ? write(caption) : undefined;
  const isVoice = media.kind === "voice" || (asVoice === true && media.kind === "audio");
  return {
    msgtype: TYPES[media.kind],
    body: written?.body ?? media.name,
    filename: media.name,
    ...(written?.html ? { format: "org.matrix.custom.html", formatted_body: written.html } : {}),
    info: { mimetype: media.mimeType, size: media.bytes },
    ...(file ? { file: { ...file, url } } : { url }),
    ...(isVoice ? { "org.matrix.msc3245.voice": {} } : {}),
    "m.mentions": {},
  };
}
