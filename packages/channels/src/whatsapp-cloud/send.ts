// Sends messages, files first, and says of each what became of it.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { once, type OutboundMedia, type OutboundMessage, type SendOutcome } from "@chela/sdk";
import { recipientOf } from "./address.ts";
import { jsonBody, type CallBody, type CloudApi } from "./api.ts";
import { composeMedia, composeWords, hasCaption, mediaTypeOf, MOST_DOCUMENT_BYTES } from "./compose.ts";
import type { WhatsAppCloudAccount } from "./config.ts";
import { TEXT_LIMIT } from "./format.ts";

const Sent = once(() => z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) }));
const Uploaded = once(() => z.object({ id: z.string().min(1) }));

type Composed =
  | { readonly kind: "composed"; readonly content: Record<string, unknown> }
  | Extract<SendOutcome, { kind: "failed" }>;

const rejected = (why: string): Extract<SendOutcome, { kind: "failed" }> => ({
  kind: "failed",
  reason: "rejected",
  why,
});

export interface SendParts {
  readonly api: CloudApi;
  readonly account: WhatsAppCloudAccount;
  /** Keys of messages whose words are there already, while the sound they belong to is not. */
  readonly halfSent: Set<string>;
}

export async function sendMessage(
  parts: SendParts,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { target, content, key } = message;
  const recipient = recipientOf(target.to);
  if (!recipient) return rejected(`"${target.to}" is no address on WhatsApp`);
  // Before anything is shown: what can fail here shall not leave half a message behind.
  const composed = await composeContent(parts, message, signal);
  if (composed.kind === "failed") return composed;
  const words = wordsApart(content);
  if (words && !parts.halfSent.has(key)) {
    const outcome = await sendMessage(parts, { ...message, content: words }, signal);
    if (outcome.kind === "failed") return outcome;
    noteHalfSent(parts.halfSent, key);
  }
  const context = message.replyTo ? { context: { message_id: message.replyTo } } : {};
  const body = jsonBody({ messaging_product: "whatsapp", ...recipient, ...context, ...composed.content });
  const called = await parts.api.callNumber("/messages", body, signal);
  if (called.kind === "failed") return called;
  parts.halfSent.delete(key);
  const id = Sent().safeParse(called.result).data?.messages[0]?.id;
  if (id) return { kind: "sent", messageId: id };
  return { kind: "failed", reason: "uncertain", why: "Meta's answer does not name the message" };
}

const MOST_HALF_SENT = 200;

function noteHalfSent(halfSent: Set<string>, key: string): void {
  halfSent.add(key);
  const [oldest] = halfSent;
  if (halfSent.size > MOST_HALF_SENT && oldest !== undefined) halfSent.delete(oldest);
}

/** Sounds and stickers have no words below them: those go before. */
function wordsApart(content: OutboundMessage["content"]): OutboundMessage["content"] | undefined {
  if (content.kind !== "media" || !content.caption || hasCaption(mediaTypeOf(content.media))) return undefined;
  return { kind: "text", markdown: content.caption };
}

async function composeContent(
  { api, account: { tables } }: SendParts,
  { content }: OutboundMessage,
  signal: AbortSignal,
): Promise<Composed> {
  if (content.kind !== "media") {
    const words = composeWords(content, tables);
    const { text } = words as { text?: { body: string } };
    if (text?.body.trim() === "") return rejected("there is no text in it");
    if (text && text.body.length > TEXT_LIMIT)
      return rejected(`a text on WhatsApp has at most ${TEXT_LIMIT} characters`);
    return { kind: "composed", content: words };
  }
  const { media } = content;
  if (media.bytes > MOST_DOCUMENT_BYTES) return rejected("WhatsApp takes files of up to 100 MB");
  const uploaded = await upload(api, media, signal);
  if (typeof uploaded !== "string") return uploaded;
  return { kind: "composed", content: composeMedia(mediaTypeOf(media), uploaded, content, tables) };
}

/** The file's id at WhatsApp. Until the message is sent nobody sees it, so no answer means: not sent. */
async function upload(
  api: CloudApi,
  media: OutboundMedia,
  signal: AbortSignal,
): Promise<string | Extract<SendOutcome, { kind: "failed" }>> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(media.path, { signal });
  } catch {
    if (signal.aborted) return { kind: "failed", reason: "unavailable", why: "sending was stopped before it began" };
    return rejected("the file cannot be read any more");
  }
  const called = await api.callNumber("/media", encodeForm(media, bytes), signal);
  if (called.kind === "failed") return called.reason === "uncertain" ? { ...called, reason: "unavailable" } : called;
  const id = Uploaded().safeParse(called.result).data?.id;
  return id ?? { kind: "failed", reason: "unavailable", why: "Meta's answer does not name the file" };
}

function encodeForm({ name, mimeType }: OutboundMedia, bytes: Uint8Array): CallBody {
  const boundary = `chela-${randomBytes(16).toString("hex")}`;
  const type = /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)?$/.test(mimeType) ? mimeType : "application/octet-stream";
  const field = (key: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const head = [
    field("messaging_product", "whatsapp"),
    field("type", type),
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeName(name)}"\r\n`,
    `Content-Type: ${type}\r\n\r\n`,
  ].join("");
  const parts = [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}

/** As browsers do it: a name must not end its own quotes or line. */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
