// Discord's channels as chats of the gateway: where something was said.
import type { Chat, Target } from "@chela/sdk";
import type { Channel } from "./receive/payload.ts";

export interface Place {
  readonly id: string;
  /** Discord's own number for the kind of channel; unknown when it did not say. */
  readonly type: number | undefined;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly name?: string;
}

const DIRECT = 1;
const THREADS: ReadonlySet<number> = new Set([10, 11, 12]);
/** Text, voice, announcement, stage, directory, forum and media channels of a guild, and threads. */
const IN_GUILDS: ReadonlySet<number> = new Set([0, 2, 5, 13, 14, 15, 16, ...THREADS]);

export function placeOf(channel: Channel, guildId?: string): Place {
  const guild = channel.guild_id ?? guildId;
  return {
    id: channel.id,
    type: channel.type,
    ...(guild ? { guildId: guild } : {}),
    ...(channel.parent_id && channel.type !== undefined && THREADS.has(channel.type)
      ? { parentId: channel.parent_id }
      : {}),
    ...(channel.name ? { name: channel.name } : {}),
  };
}

/** A kind that is not known counts as a group: the stricter rules hold there. */
export function chatOf(place: Place, senderId: string, guildName?: string): Chat {
  if (place.type === DIRECT && place.guildId === undefined) return { kind: "direct", id: senderId };
  const title = [guildName, place.name && `#${place.name}`].filter(Boolean).join(" ");
  return {
    kind: place.type !== undefined && IN_GUILDS.has(place.type) ? "channel" : "group",
    id: place.id,
    ...(place.parentId ? { parentId: place.parentId } : {}),
    ...(place.guildId ? { guildId: place.guildId } : {}),
    ...(title ? { title } : {}),
  };
}

export function replyTargetOf(chat: Chat): Target {
  return { to: chat.kind === "direct" ? `user:${chat.id}` : `channel:${chat.id}` };
}

export function isThread(place: Place): boolean {
  return place.type !== undefined && THREADS.has(place.type);
}
