// Bindings: which of the operator's rules holds for a message, and how specific it is.
import type { Chat } from "@chela/sdk";
import type { RoutedEvent } from "./chat-key.ts";
import { idsOfPeer } from "./identity-links.ts";

/** From the most specific to the least; within one, the order of the configuration decides. */
export const BINDING_TIERS = [
  "binding.peer",
  "binding.peer.parent",
  "binding.guild+roles",
  "binding.guild",
  "binding.team",
  "binding.account",
  "binding.channel",
] as const;
export type BindingTier = (typeof BINDING_TIERS)[number];

export interface BindingView {
  readonly agentId?: string | undefined;
  readonly comment?: string | undefined;
  readonly match?:
    | {
        readonly channel?: string | undefined;
        readonly accountId?: string | undefined;
        readonly peer?: PeerView | undefined;
        readonly guildId?: string | undefined;
        readonly teamId?: string | undefined;
        readonly roles?: readonly string[] | undefined;
      }
    | undefined;
}

interface PeerView {
  readonly kind?: "direct" | "group" | "channel" | "dm" | undefined;
  readonly id?: string | undefined;
}

export type BindingVerdict =
  | { readonly kind: "matches"; readonly tier: BindingTier }
  | { readonly kind: "differs"; readonly why: string }
  /** It can hold for no message at all. */
  | { readonly kind: "unusable"; readonly why: string };

type Miss = Exclude<BindingVerdict, { kind: "matches" }>;
type PeerTier = "binding.peer" | "binding.peer.parent";

/** Everything a binding names must hold. */
export function judgeBinding(binding: BindingView, event: RoutedEvent): BindingVerdict {
  const match = binding.match ?? {};
  const peer = match.peer === undefined ? undefined : judgePeer(match.peer, event);
  const miss =
    missedChannel(match.channel, event) ??
    missedAccount(match.accountId, event) ??
    (typeof peer === "object" ? peer : undefined) ??
    missedId("guild", match.guildId, event.chat.guildId) ??
    missedId("team", match.teamId, event.chat.teamId) ??
    missedRoles(match.roles, event);
  if (miss !== undefined) return miss;
  return { kind: "matches", tier: typeof peer === "string" ? peer : tierWithoutPeer(match) };
}

function tierWithoutPeer(match: NonNullable<BindingView["match"]>): BindingTier {
  if (match.guildId?.trim()) return match.roles?.length ? "binding.guild+roles" : "binding.guild";
  if (match.teamId?.trim()) return "binding.team";
  return match.accountId?.trim() === "*" ? "binding.channel" : "binding.account";
}

function missedChannel(written: string | undefined, event: RoutedEvent): Miss | undefined {
  if (!written?.trim()) return { kind: "unusable", why: "it names no channel; write match.channel" };
  return isSameName(written, event.channel) ? undefined : differs(`it is for the channel "${written.trim()}"`);
}

function missedAccount(written: string | undefined, event: RoutedEvent): Miss | undefined {
  if (written?.trim() === "*") return undefined;
  if (written?.trim()) {
    return isSameName(written, event.account) ? undefined : differs(`it is for the account "${written.trim()}"`);
  }
  const account = event.defaultAccount ?? "default";
  return isSameName(account, event.account)
    ? undefined
    : differs(`it names no accountId and so is for the default account "${account}"; "*" means all accounts`);
}

/** A peer that cannot be read matches nobody: read as absent, it would match everybody. */
function judgePeer(peer: PeerView, event: RoutedEvent): PeerTier | Miss {
  const id = peer.id?.trim();
  if (peer.kind === undefined || !id) {
    return { kind: "unusable", why: "its peer is incomplete; write kind (direct, group or channel) and id" };
  }
  if (!isSameKind(peer.kind, event.chat.kind)) return differs(`it is for the ${peer.kind} "${id}"`);
  if (exactIds(event).includes(id)) return "binding.peer";
  if (parentIds(event).includes(id)) return "binding.peer.parent";
  return differs(id === "*" ? `a peer is one chat: "*" names none` : `it is for the ${peer.kind} "${id}"`);
}

/** Channels differ in what they call a group and what a channel, so that either word stands for both. */
function isSameKind(written: NonNullable<PeerView["kind"]>, kind: Chat["kind"]): boolean {
  return (written === "dm" || written === "direct") === (kind === "direct");
}

/** A thread of a chat is named `<chat>:topic:<thread>` or `<chat>:thread:<thread>`. */
function exactIds(event: RoutedEvent): string[] {
  const thread = event.chat.threadId;
  if (!thread) return chatIds(event);
  return chatIds(event).flatMap((id) => [`${id}:topic:${thread}`, `${id}:thread:${thread}`]);
}

function parentIds(event: RoutedEvent): string[] {
  const { threadId, parentId } = event.chat;
  return [...(threadId ? chatIds(event) : []), ...(parentId ? [parentId] : [])];
}

function chatIds({ chat, sender }: RoutedEvent): string[] {
  return chat.kind === "direct" ? idsOfPeer(chat, sender) : [chat.id];
}

function missedId(what: string, written: string | undefined, actual: string | undefined): Miss | undefined {
  const id = written?.trim();
  return !id || id === actual ? undefined : differs(`it is for the ${what} "${id}"`);
}

function missedRoles(written: readonly string[] | undefined, { sender }: RoutedEvent): Miss | undefined {
  const roles = (written ?? []).map((role) => role.trim());
  if (roles.length === 0 || roles.some((role) => sender.roles?.includes(role))) return undefined;
  return differs(`the sender has none of its roles (${roles.join(", ")})`);
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function differs(why: string): Miss {
  return { kind: "differs", why };
}
