// Everything an account can do besides sending: signs, reactions, topics, commands, files, looking things up.
import { createHash } from "node:crypto";
import { GatewayError, type ChannelConnection, type Target } from "@chela/sdk";
import { kindOfId } from "./addresses.ts";
import { expectDone, type TelegramApi } from "./api.ts";
import { placeOf, withoutGeneralTopic, type Place, type SendParts } from "./deliver.ts";
import { downloadFile } from "./download.ts";
import { toHtml } from "./format.ts";
import { nearestReaction } from "./reactions.ts";

const MAX_COMMANDS = 100;
const MAX_TOPIC_NAME = 128;

export interface Self {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

export function capabilitiesOf(
  parts: SendParts,
  self: Self,
): Omit<ChannelConnection, "ended" | "close" | "send" | "edit"> {
  const { api, host } = parts;
  return {
    draft: (target, key, markdown) => showDraft(parts, target, key, markdown),
    async unsend(target, messageId) {
      const about = messageIn(target, messageId);
      expectDone(await api.call("deleteMessage", about), "the message was not deleted");
    },
    async react(target, messageId, emoji, isRemoved) {
      const reaction = isRemoved ? [] : [{ type: "emoji" as const, emoji: nearestReaction(emoji) }];
      const about = messageIn(target, messageId);
      expectDone(await api.call("setMessageReaction", { ...about, reaction }), "the reaction was not set");
    },
    async typing(target) {
      // Unlike a message, this sign has to name the general topic.
      const place = expectPlace(target);
      expectDone(await api.call("sendChatAction", { ...place, action: "typing" }), "the typing sign was not shown");
    },
    async pin(target, messageId, isRemoved) {
      const about = messageIn(target, messageId);
      const result = isRemoved
        ? await api.call("unpinChatMessage", about)
        : await api.call("pinChatMessage", { ...about, disable_notification: true });
      expectDone(result, isRemoved ? "the message was not unpinned" : "the message was not pinned");
    },
    async createThread(target, name) {
      const { chat_id } = expectPlace(target);
      const topic = await api.call("createForumTopic", { chat_id, name: name.slice(0, MAX_TOPIC_NAME) });
      const { message_thread_id } = expectDone(topic, "the topic was not created");
      return { to: String(chat_id), threadId: String(message_thread_id) };
    },
    directory: { self: async () => ({ kind: "user", ...self }) },
    resolveName: (name, kind) => (kind === "group" ? findPublicChat(api, name) : Promise.resolve(undefined)),
    download: (ref, signal) => downloadFile(api, host.clock, ref, signal),
    offerCommands: (commands) => offerCommands(api, commands),
    probe: () => probe(api),
  };
}

function expectPlace(target: Target): Place {
  const place = placeOf(target);
  if (!place) throw new GatewayError("CHANNEL_TARGET", `"${target.to}" is no Telegram address`);
  return place;
}

function messageIn(target: Target, messageId: string): { chat_id: number | string; message_id: number } {
  const { chat_id } = expectPlace(target);
  if (!/^\d+$/.test(messageId)) throw new GatewayError("CHANNEL_REFUSED", `"${messageId}" is no id of a message`);
  return { chat_id, message_id: Number(messageId) };
}

/** An ornament: that it fails changes nothing, and a server without drafts is not asked again. */
async function showDraft(parts: SendParts, target: Target, key: string, markdown: string): Promise<void> {
  const place = withoutGeneralTopic(expectPlace(target));
  const { chat_id } = place;
  if (typeof chat_id !== "number" || kindOfId(String(chat_id)) !== "direct") {
    throw new GatewayError("CHANNEL_UNSUPPORTED", "Telegram shows drafts in direct chats only");
  }
  if (parts.missing.has("drafts")) return;
  const draft = { ...place, chat_id, draft_id: numberOf(key), text: toHtml(markdown), parse_mode: "HTML" as const };
  const result = await parts.api.call("sendMessageDraft", draft);
  if (result.kind === "refused" && result.code === 404) parts.missing.add("drafts");
}

/** Drafts are told apart by a number that is not 0. */
function numberOf(key: string): number {
  return createHash("sha256").update(key).digest().readUInt32BE() >>> 1 || 1;
}

/** Bots can look up public groups and channels, but not people. */
async function findPublicChat(api: TelegramApi, name: string): Promise<string | undefined> {
  const found = await api.call("getChat", { chat_id: name.startsWith("@") ? name : `@${name}` });
  if (found.kind === "refused" && found.code === 400) return undefined;
  const { id, type } = expectDone(found, "the name was not looked up");
  return type === "private" ? undefined : String(id);
}

async function offerCommands(
  api: TelegramApi,
  commands: ReadonlyArray<{ name: string; description: string }>,
): Promise<void> {
  const byName = new Map(
    commands.map(({ name, description }) => [
      name.toLowerCase().replaceAll("-", "_"),
      description.trim().slice(0, 256) || name,
    ]),
  );
  const offered = [...byName]
    .filter(([command]) => /^[a-z0-9_]{1,32}$/.test(command))
    .slice(0, MAX_COMMANDS)
    .map(([command, description]) => ({ command, description }));
  expectDone(await api.call("setMyCommands", { commands: offered }), "the commands were not offered");
}

async function probe(api: TelegramApi): Promise<Readonly<Record<string, unknown>>> {
  const me = expectDone(await api.call("getMe", undefined), "Telegram does not know this bot");
  const webhook = expectDone(await api.call("getWebhookInfo", undefined), "Telegram does not tell about the webhook");
  return {
    id: String(me.id),
    username: me.username,
    canJoinGroups: me.can_join_groups,
    canReadAllGroupMessages: me.can_read_all_group_messages,
    mode: webhook.url ? "webhook" : "polling",
    waiting: webhook.pending_update_count,
    ...(webhook.last_error_message ? { lastWebhookError: webhook.last_error_message } : {}),
  };
}
