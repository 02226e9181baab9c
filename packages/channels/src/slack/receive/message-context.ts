// Context that parsers of Slack's messages share: who we are, what was looked up, where something happened.
import type { ChannelEvent, ChannelSender, Chat, ChatKind, Target } from "@chela/sdk";
import { kindByPrefix } from "../address.ts";

/** Who we are in the workspace. */
export interface Self {
  readonly userId: string;
  readonly botId?: string;
  readonly teamId: string;
  readonly name: string;
}

/** What an event alone does not tell. */
export interface MessageContext {
  readonly self: Self;
  /** The chat's kind and title, as the workspace has them. */
  readonly kind?: ChatKind;
  readonly title?: string;
  /** What the clock says, for what carries no time of its own. */
  readonly now: number;
  /** What people are called at the moment, by id. For showing only. */
  readonly names: ReadonlyMap<string, string>;
}

export type Parsed =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

export function drop(why: string): Parsed {
  return { kind: "dropped", why };
}

export function person(id: string, around: MessageContext, username?: string): ChannelSender {
  const name = around.names.get(id);
  return { id, ...(name ? { name } : {}), ...(username ? { username } : {}) };
}

interface Place {
  readonly channel: string;
  readonly sender: ChannelSender;
  readonly kind?: ChatKind;
  readonly threadId?: string;
}

/** A direct chat is known by the person, so that it stays the same when Slack opens it anew. */
export function placeOf(place: Place, around: MessageContext): { readonly chat: Chat; readonly replyTarget: Target } {
  const kind = place.kind ?? around.kind ?? kindByPrefix(place.channel);
  const thread = place.threadId ? { threadId: place.threadId } : {};
  const isDirect = kind === "direct";
  return {
    chat: {
      kind,
      id: isDirect ? place.sender.id : place.channel,
      ...thread,
      teamId: around.self.teamId,
      ...(around.title ? { title: around.title } : {}),
    },
    replyTarget: { to: isDirect ? `user:${place.sender.id}` : `channel:${place.channel}`, ...thread },
  };
}

/** The first message of a thread carries its own time as the thread's; it is not inside the thread. */
export function threadOf(ts: string, threadTs: string | undefined): { readonly threadId?: string } {
  return threadTs && threadTs !== ts ? { threadId: threadTs } : {};
}

/** Slack's ids of messages are times: seconds with six decimals. */
export function millisecondsOf(ts: string): number {
  const seconds = Number(ts);
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : 0;
}
