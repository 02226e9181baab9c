// Chat and sender of a message, as Telegram's ids say.
import { defined } from "@chela/sdk/base";
import type { Chat, ChannelSender } from "@chela/sdk";
import type { TelegramChat, TelegramMessage, TelegramUser } from "./update-schema.ts";

/** The bot itself. */
export interface Us {
  readonly id: number;
  readonly username: string;
  /** Telegram does not say whose message somebody reacted to. */
  wrote(chatId: string, messageId: string): boolean;
}

const KINDS: Readonly<Record<string, Chat["kind"]>> = {
  private: "direct",
  group: "group",
  supergroup: "group",
  channel: "channel",
};

/** The topic everybody is in who did not choose one. */
export const GENERAL_TOPIC = "1";

export function chatOf(chat: TelegramChat, message?: TelegramMessage): Chat {
  const title = chat.title ?? nameOf(chat);
  const kind = Object.hasOwn(KINDS, chat.type) ? KINDS[chat.type] : undefined;
  const threadId = threadOf(chat, message);
  return {
    kind: kind ?? "group",
    id: String(chat.id),
    ...defined({ threadId }),
    ...(title ? { title } : {}),
  };
}

/** Groups without topics number their chains of answers in the same field. */
function threadOf(chat: TelegramChat, message: TelegramMessage | undefined): string | undefined {
  if (message?.is_topic_message && message.message_thread_id !== undefined) return String(message.message_thread_id);
  return message && chat.is_forum && chat.type !== "private" ? GENERAL_TOPIC : undefined;
}

/** Who writes as a chat (a channel, or an anonymous administrator) is that chat; `from` is only a placeholder then. */
export function senderOf(user: TelegramUser | undefined, asChat: TelegramChat | undefined): ChannelSender {
  const who = asChat ?? user;
  if (!who) return { id: "" };
  const name = nameOf(who) || asChat?.title;
  return {
    id: String(who.id),
    ...(name ? { name } : {}),
    ...(who.username ? { username: who.username } : {}),
    ...(!asChat && user?.is_bot ? { isBot: true } : {}),
  };
}

export function nameOf({ first_name, last_name }: Pick<TelegramUser, "first_name" | "last_name">): string {
  return [first_name, last_name].filter(Boolean).join(" ");
}
