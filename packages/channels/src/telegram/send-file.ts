// Uploads files, each in the form that shows it best: a picture as a picture, if Telegram takes it as one.
import { open } from "node:fs/promises";
import type { InputFile } from "grammy";
import type { OutboundMedia, SendOutcome } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { failureOf, type CallResult, type TelegramApi } from "./api.ts";
import { deliver, isUnreadableMarkup, rejected, type Envelope, type SendParts } from "./deliver.ts";
import { toHtml, visibleText } from "./format.ts";

const MEGABYTE = 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * MEGABYTE;
/** Of Telegram's own servers; others take more. */
const MAX_UPLOAD_BYTES = 50 * MEGABYTE;
const UPLOAD_TIMEOUT_MS = 300_000;

type Form = "photo" | "animation" | "video" | "audio" | "voice" | "sticker" | "document";

function formOf({ kind, mimeType, bytes }: OutboundMedia): Form {
  const type = mimeType.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  if (type === "image/gif") return "animation";
  if (kind === "sticker" && type === "image/webp") return "sticker";
  if (/^image\/(jpeg|png|webp)$/.test(type)) return bytes <= MAX_PHOTO_BYTES ? "photo" : "document";
  if (type === "video/mp4") return "video";
  const isSpoken = kind === "voice" && /^audio\/(ogg|opus|mpeg|mp3|mp4|x-m4a|m4a)$/.test(type);
  if (isSpoken) return "voice";
  return /^audio\/(mpeg|mp3|mp4|x-m4a|m4a|ogg)$/.test(type) ? "audio" : "document";
}

export async function sendFile(
  parts: SendParts,
  envelope: Envelope,
  media: OutboundMedia,
  caption: string | undefined,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const isOfficial = new URL(parts.account.apiRoot).hostname === "api.telegram.org";
  if (isOfficial && media.bytes > MAX_UPLOAD_BYTES) {
    return rejected(`${media.name} has more than the 50 MB a bot may send`);
  }
  const unreadable = await whyUnreadable(media.path);
  if (unreadable) return rejected(`the file ${media.name} cannot be read (${unreadable})`);
  return deliver(parts, envelope, async (whole) => {
    const form = formOf(media);
    const result = await uploadReadably(parts, whole, media, form, caption, signal);
    // Odd sizes, unusual codecs, people who take no voice messages: as a plain file nearly everything is taken.
    const isRefusedForm = result.kind === "refused" && result.code === 400 && failureOf(result) === "rejected";
    if (!isRefusedForm || result.migratedTo !== undefined || form === "document") return result;
    return uploadReadably(parts, whole, media, "document", caption, signal);
  });
}

async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    await using _file = await open(path, "r");
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? "unknown reason";
  }
}

async function uploadReadably(
  parts: SendParts,
  envelope: Envelope,
  media: OutboundMedia,
  form: Form,
  caption: string | undefined,
  signal: AbortSignal,
) {
  const { account } = parts;
  const html = caption ? { caption: toHtml(caption, account.tables), parse_mode: "HTML" as const } : {};
  const result = await upload(parts, { ...envelope, ...html }, media, form, signal);
  if (!caption || !isUnreadableMarkup(result)) return result;
  return upload(parts, { ...envelope, caption: visibleText(caption) }, media, form, signal);
}

type Captioned = Envelope & { readonly caption?: string; readonly parse_mode?: "HTML" };
type Uploaded = CallResult<{ readonly message_id: number; readonly chat: { readonly id: number } }>;

async function upload(
  { api }: SendParts,
  envelope: Captioned,
  media: OutboundMedia,
  form: Form,
  signal: AbortSignal,
): Promise<Uploaded> {
  await using source = await open(media.path, "r");
  const file = api.file(source.createReadStream({ autoClose: false }), media.name);
  return await callAs(form, api, envelope, file, { signal, timeoutMs: UPLOAD_TIMEOUT_MS });
}

function callAs(
  form: Form,
  api: TelegramApi,
  envelope: Captioned,
  file: InputFile,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Uploaded> {
  switch (form) {
    case "photo":
      return api.call("sendPhoto", { ...envelope, photo: file }, limits);
    case "animation":
      return api.call("sendAnimation", { ...envelope, animation: file }, limits);
    case "video":
      return api.call("sendVideo", { ...envelope, video: file, supports_streaming: true }, limits);
    case "audio":
      return api.call("sendAudio", { ...envelope, audio: file }, limits);
    case "voice":
      return api.call("sendVoice", { ...envelope, voice: file }, limits);
    case "sticker":
      return api.call("sendSticker", { ...envelope, sticker: file }, limits);
    case "document":
      return api.call("sendDocument", { ...envelope, document: file }, limits);
  }
}
