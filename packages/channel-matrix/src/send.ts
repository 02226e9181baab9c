// Sends texts, files and polls, and changes texts that were sent. The key of a message is Matrix's own key against duplicates.
import { createHash } from "node:crypto";
import { GatewayError, type ChannelHost, type OutboundMessage, type SendOutcome, type Target } from "@chela/sdk";
import { readTarget } from "./address.ts";
import { route, type Api } from "./api.ts";
import type { MatrixAccount } from "./config.ts";
import { editContent, POLL_TYPE, pollContent, relationsOf, textContent } from "./content.ts";
import type { Crypto } from "./crypto/crypto.ts";
import type { DirectRooms } from "./direct-rooms.ts";
import { toSendFailure } from "./failures.ts";
import { resolveAlias } from "./receive/invites.ts";
import type { Rooms } from "./rooms.ts";
import { uploadMedia, type Uploaded } from "./upload.ts";
import { SentEvent } from "./wire.ts";

export interface SendParts {
  readonly account: MatrixAccount;
  readonly host: ChannelHost;
  readonly api: Api;
  readonly rooms: Rooms;
  readonly direct: DirectRooms;
  readonly crypto: Crypto | undefined;
}

type Failed = Extract<SendOutcome, { kind: "failed" }>;
type Room = { readonly kind: "room"; readonly roomId: string; readonly isEncrypted: boolean };

export async function sendMessage(
  parts: SendParts,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { target, replyTo, key } = message;
  const room = await openRoom(parts, target);
  if (room.kind === "failed") return room;
  const written = await writeContent(parts, message, room, signal);
  if (written.kind === "failed") return written;
  const type = message.content.kind === "poll" ? POLL_TYPE : "m.room.message";
  const content = { ...written.content, ...relationsOf({ replyTo, threadId: target.threadId }) };
  return sendEvent(parts, room, type, content, key, signal);
}

export async function editMessage(
  parts: SendParts,
  target: Target,
  messageId: string,
  markdown: string,
): Promise<SendOutcome> {
  const room = await openRoom(parts, target);
  if (room.kind === "failed") return room;
  const content = editContent(messageId, markdown, parts.account.tables);
  const sent = await sendEvent(parts, room, "m.room.message", content, parts.host.ids.uuid());
  return sent.kind === "sent" ? { ...sent, messageId } : sent;
}

/** The room a target leads to; a failure when it leads nowhere. */
export async function openRoom(parts: SendParts, target: Target): Promise<Room | Failed> {
  const found = await findRoom(parts, target.to);
  if (found.kind === "failed") return found;
  const { rooms, crypto } = parts;
  const isEncrypted =
    (await crypto?.isKnownEncrypted(found.roomId)) === true || (await rooms.isEncrypted(found.roomId));
  if (isEncrypted && !crypto) {
    return rejected("the room is encrypted; set channels.matrix.encryption to true");
  }
  if (isEncrypted) await crypto?.rememberEncrypted(found.roomId);
  return { kind: "room", roomId: found.roomId, isEncrypted };
}

async function findRoom({ direct, api }: SendParts, to: string): Promise<{ kind: "found"; roomId: string } | Failed> {
  const read = readTarget(to);
  if (read.kind === "unusable") return rejected(`"${to}" is no Matrix address: ${read.why}`);
  if (read.kind === "name") {
    const roomId = await resolveAlias(api, read.name);
    if (roomId) return { kind: "found", roomId };
    return { kind: "failed", reason: "unreachable", why: `there is no room ${read.name}` };
  }
  if (read.chat.kind !== "direct") return { kind: "found", roomId: read.target.to };
  const found = await direct.find(read.chat.id);
  return found.kind === "found" ? found : toSendFailure(found.result);
}

async function writeContent(
  { account, api }: SendParts,
  { content, isSilent }: OutboundMessage,
  { isEncrypted }: Room,
  signal: AbortSignal,
): Promise<Uploaded> {
  switch (content.kind) {
    case "text":
      return {
        kind: "content",
        content: textContent(withButtons(content), isSilent ? "m.notice" : "m.text", account.tables),
      };
    case "media":
      return uploadMedia(api, { ...content, isEncrypted }, signal);
    case "poll":
      return { kind: "content", content: pollContent(content.poll) };
  }
}

/** Matrix has no buttons: what they say is listed, to be answered by words. */
function withButtons({ markdown, buttons }: Extract<OutboundMessage["content"], { kind: "text" }>): string {
  const names = (buttons ?? []).flat().map(({ text }) => `- ${text}`);
  return names.length > 0 ? `${markdown}\n\n${names.join("\n")}` : markdown;
}

async function sendEvent(
  { api, crypto, rooms }: SendParts,
  { roomId, isEncrypted }: Room,
  type: string,
  content: object,
  key: string,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const outer =
    isEncrypted && crypto
      ? { type: "m.room.encrypted", content: await crypto.encrypt(roomId, type, content, await rooms.readers(roomId)) }
      : { type, content };
  const path = route`/client/v3/rooms/${roomId}/send/${outer.type}/${transactionId(key)}`;
  const result = await api.call({ method: "PUT", path, body: outer.content, ...(signal ? { signal } : {}) });
  if (result.kind !== "done") return toSendFailure(result);
  const sent = SentEvent().safeParse(result.body);
  if (!sent.success) return { kind: "failed", reason: "uncertain", why: "the homeserver did not name the message" };
  return { kind: "sent", messageId: sent.data.event_id, chatId: roomId };
}

/** The same key always gives the same id, of a length and in letters every homeserver takes. */
export function transactionId(key: string): string {
  return `chela-${createHash("sha256").update(key).digest("base64url")}`;
}

function rejected(why: string): Failed {
  return { kind: "failed", reason: "rejected", why };
}

/** What went wrong before anything was sent. */
export function failureOf(error: unknown, host: ChannelHost): SendOutcome {
  if (!GatewayError.is(error)) host.log.error("sending failed in a way nobody foresaw", { error: String(error) });
  const why = GatewayError.is(error) ? error.detail : "sending failed in a way nobody foresaw";
  const reasons: Partial<Record<string, Failed["reason"]>> = {
    CHANNEL_AUTH: "unauthorised",
    CHANNEL_REFUSED: "unreachable",
  };
  const reason = GatewayError.is(error) ? (reasons[error.code] ?? "unavailable") : "uncertain";
  return { kind: "failed", reason, why };
}
