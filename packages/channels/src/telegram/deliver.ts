// Sends messages of any kind: where to, as an answer to what, and what came of it.
import { defined } from "@chela/sdk/base";
import type { ReplyParameters } from "grammy/types";
import type { ChannelHost, OutboundMessage, SendOutcome, Target } from "@chela/sdk";
import { kindOfId, readTarget } from "./addresses.ts";
import { failureOf, type CallResult, type NotDone, type TelegramApi } from "./api.ts";
import type { TelegramAccount } from "./config.ts";
import { GENERAL_TOPIC } from "./parse-origin.ts";
import type { SentMessages } from "./sent-messages.ts";

export interface SendParts {
  readonly api: TelegramApi;
  readonly account: TelegramAccount;
  readonly host: ChannelHost;
  readonly sent: SentMessages;
  /** What this server turned out not to have. */
  readonly missing: Set<"rich messages" | "drafts">;
}

export interface Place {
  readonly chat_id: number | string;
  readonly message_thread_id?: number;
}

export interface Envelope extends Place {
  readonly reply_parameters?: ReplyParameters;
  readonly disable_notification?: boolean;
}

/** Undefined when the address cannot be one. */
export function placeOf({ to, threadId }: Target): Place | undefined {
  const read = readTarget(to);
  if (read.kind === "name") return { chat_id: read.name };
  if (read.kind === "unusable") return undefined;
  const thread = threadId ?? read.target.threadId;
  return { chat_id: Number(read.chat.id), ...(thread === undefined ? {} : { message_thread_id: Number(thread) }) };
}

/** Messages for the general topic of a group are refused when they name it. */
export function withoutGeneralTopic(place: Place): Place {
  const isGeneral = String(place.message_thread_id) === GENERAL_TOPIC && kindOfId(String(place.chat_id)) === "group";
  return isGeneral ? { chat_id: place.chat_id } : place;
}

export function envelopeOf({ target, replyTo, isSilent }: OutboundMessage): Envelope | undefined {
  const place = placeOf(target);
  if (!place) return undefined;
  const answered = Number(replyTo ?? Number.NaN);
  return {
    ...withoutGeneralTopic(place),
    ...(Number.isSafeInteger(answered)
      ? { reply_parameters: { message_id: answered, allow_sending_without_reply: true } }
      : {}),
    ...(isSilent ? { disable_notification: true } : {}),
  };
}

interface Delivered {
  readonly message_id: number;
  readonly chat: { readonly id: number };
}

/** A group that became a supergroup has a new id: Telegram names it, and the message goes there. */
export async function deliver<E extends Place>(
  parts: SendParts,
  envelope: E,
  attempt: (envelope: E) => Promise<CallResult<Delivered>>,
): Promise<SendOutcome> {
  let result = await attempt(envelope);
  if (result.kind === "refused" && result.migratedTo !== undefined) {
    result = await attempt({ ...envelope, chat_id: Number(result.migratedTo) });
  }
  if (result.kind !== "done") return toFailure(result);
  const messageId = String(result.result.message_id);
  const chatId = String(result.result.chat.id);
  parts.sent.add(chatId, messageId);
  return { kind: "sent", messageId, chatId };
}

export function toFailure(result: NotDone): SendOutcome {
  const reason = failureOf(result);
  const retryAfterMs = result.kind === "refused" ? result.retryAfterMs : undefined;
  return {
    kind: "failed",
    reason,
    why: result.why,
    ...defined({ retryAfterMs }),
    ...(reason === "rate-limited" ? { holdsFor: "chat" as const } : {}),
  };
}

export function rejected(why: string): SendOutcome {
  return { kind: "failed", reason: "rejected", why };
}

/** Our mark-up should always be read; should it not, the words still arrive. */
export function isUnreadableMarkup(result: CallResult<unknown>): boolean {
  return result.kind === "refused" && result.code === 400 && /parse entities/i.test(result.why);
}
