// Decides how far an agent may act from the chat it is in. Pure.
import type { Chat, Target } from "@chela/sdk";
import type { Reach } from "./request.ts";

/** A chat on an account of a channel. */
export interface Spot {
  readonly channel: string;
  readonly account: string;
  readonly target: Target;
  readonly chat: Pick<Chat, "kind" | "id">;
}

/** The chat a turn belongs to. */
export interface CurrentChat extends Spot {
  /** "message": the turn answers a message from there. "session": the conversation was last led there. */
  readonly by: "message" | "session";
  /** The message that is answered. */
  readonly messageId?: string;
}

export interface ReachSettings {
  readonly allowCrossContextSend?: boolean | undefined;
  readonly crossContext?:
    | {
        readonly allowWithinProvider?: boolean | undefined;
        readonly allowAcrossProviders?: boolean | undefined;
        readonly marker?:
          | {
              readonly enabled?: boolean | undefined;
              readonly prefix?: string | undefined;
              readonly suffix?: string | undefined;
            }
          | undefined;
      }
    | undefined;
}

export interface ReachQuestion {
  readonly reach: Reach;
  readonly isOwner: boolean;
  readonly from: CurrentChat | undefined;
  readonly to: Spot;
  readonly settings: ReachSettings | undefined;
}

export type ReachVerdict =
  /** `isElsewhere`: people there must see that it comes from another chat. */
  { readonly kind: "allowed"; readonly isElsewhere: boolean } | { readonly kind: "refused"; readonly why: string };

const HERE: ReachVerdict = { kind: "allowed", isElsewhere: false };
const ELSEWHERE: ReachVerdict = { kind: "allowed", isElsewhere: true };

export function judgeReach({ reach, isOwner, from, to, settings }: ReachQuestion): ReachVerdict {
  if (from && isSameChat(from, to)) return HERE;
  // Whoever is no owner reaches the chat they are in, and no setting changes that.
  if (!isOwner) return refused(refusalOf(reach, from));
  // The owner speaks at our own door: there is no chat whose words could leak into another.
  if (reach !== "send" || from?.by !== "message") return HERE;
  const { allowWithinProvider = true, allowAcrossProviders = false } = settings?.crossContext ?? {};
  const isEverywhere = settings?.allowCrossContextSend === true;
  if (from.channel === to.channel) {
    if (allowWithinProvider || isEverywhere) return ELSEWHERE;
    return refused(
      `Messages to other chats of ${to.channel} are not allowed (tools.message.crossContext.allowWithinProvider).`,
    );
  }
  if (!allowAcrossProviders && !isEverywhere) {
    return refused(
      `Messages from ${from.channel} to ${to.channel} are not allowed (tools.message.crossContext.allowAcrossProviders).`,
    );
  }
  return ELSEWHERE;
}

function refusalOf(reach: Reach, from: CurrentChat | undefined): string {
  if (reach !== "send") return "Only an owner may have this done outside the chat you are in.";
  return from?.by === "message"
    ? "Only an owner may have messages sent to other chats than the one you are in."
    : "Only an owner may have messages sent from here.";
}

/** Threads of one chat have the same people in them. */
export function isSameChat(one: Spot, other: Spot): boolean {
  if (one.channel !== other.channel || one.account !== other.account) return false;
  const isDirect = ({ chat }: Spot): boolean => chat.kind === "direct";
  return one.target.to === other.target.to || (isDirect(one) === isDirect(other) && one.chat.id === other.chat.id);
}

const DEFAULT_PREFIX = "[from {channel}] ";

/** A text that comes from another chat says so. */
export function markText(text: string, from: string, settings: ReachSettings | undefined): string {
  const { enabled = true, prefix = DEFAULT_PREFIX, suffix = "" } = settings?.crossContext?.marker ?? {};
  if (!enabled) return text;
  const fill = (template: string): string => template.replaceAll("{channel}", from);
  return `${fill(prefix)}${text}${fill(suffix)}`;
}

function refused(why: string): ReachVerdict {
  return { kind: "refused", why };
}
