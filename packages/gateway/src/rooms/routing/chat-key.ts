// The session key of a chat: which conversations are one, and which are kept apart.
import {
  mayShareMain,
  type ChannelSender,
  type Chat,
  type Standing,
  mainSessionKey,
  type KeyDefaults,
} from "@chela/sdk";
import { linkedName, namesInKeys, type IdentityLinks, type LinkedPeople } from "./identity-links.ts";
import { writeId, writeName } from "./key-part.ts";

/** Where a message was written, and by whom. */
export interface RoutedEvent {
  readonly channel: string;
  readonly account: string;
  readonly chat: Chat;
  readonly sender: ChannelSender;
  /** What the sender is to this gateway: whose conversation a direct message belongs to depends on it. */
  readonly standing: Standing;
  /** What the channel's groups call their parts in keys; "thread" unless told. */
  readonly threadWord?: "topic" | "thread";
  /** Chats of two accounts can have the same id, such as `#general` on two networks: the account is part of the key. */
  readonly chatIdsArePerAccount?: boolean;
  /** The account a binding without `accountId` means; "default" unless told. */
  readonly defaultAccount?: string;
}

export interface SessionView {
  /** Where nothing is written, owners share the main conversation, and everybody else has one of their own. */
  readonly dmScope?: "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer" | undefined;
  readonly identityLinks?: IdentityLinks | undefined;
  /** Those who are written down as one person with several ids; what the configuration links goes before. */
  readonly people?: LinkedPeople | undefined;
}

export interface ChatKeys {
  readonly sessionKey: string;
  /** Of a thread: the session of the chat it belongs to, whose settings it inherits. */
  readonly parentSessionKey?: string;
}

export function chatKeys(agentId: string, event: RoutedEvent, session: SessionView, defaults: KeyDefaults): ChatKeys {
  const keyOf = (chat: Chat): string =>
    chat.kind === "direct"
      ? directKey(agentId, { ...event, chat }, session, defaults)
      : groupKey(agentId, { ...event, chat });
  const { threadId, parentId, ...whole } = event.chat;
  const chatKey = keyOf(whole);
  if (threadId) return inThread(chatKey, event, threadId);
  return parentId
    ? { sessionKey: chatKey, parentSessionKey: keyOf({ ...whole, id: parentId }) }
    : { sessionKey: chatKey };
}

/** The one global conversation has no threads. */
function inThread(chatKey: string, event: RoutedEvent, threadId: string): ChatKeys {
  if (chatKey === "global") return { sessionKey: chatKey };
  const word = event.chat.kind === "direct" ? "thread" : (event.threadWord ?? "thread");
  return {
    sessionKey: `${chatKey}:${word}:${writeId(threadId, { keepsColons: false })}`,
    parentSessionKey: chatKey,
  };
}

function directKey(agentId: string, event: RoutedEvent, session: SessionView, defaults: KeyDefaults): string {
  const scope = scopeFor(event.standing, session, defaults);
  if (scope === "main") return mainSessionKey(agentId, defaults);
  const peer = `direct:${peerInKey(event, session.identityLinks ?? {}, session.people)}`;
  const channel = writeName(event.channel);
  if (scope === "per-peer") return `agent:${agentId}:${peer}`;
  if (scope === "per-channel-peer") return `agent:${agentId}:${channel}:${peer}`;
  return `agent:${agentId}:${channel}:${writeName(event.account)}:${peer}`;
}

/** Guests and strangers share with nobody, whatever is written. */
function scopeFor(standing: Standing, { dmScope }: SessionView, { scope }: KeyDefaults) {
  // One global conversation for everybody has to be written, too.
  const written = dmScope ?? (scope === "global" ? "main" : undefined);
  if (written !== undefined && (written !== "main" || mayShareMain(standing))) return written;
  return standing === "owner" ? "main" : "per-channel-peer";
}

function peerInKey(event: RoutedEvent, links: IdentityLinks, people: LinkedPeople | undefined): string {
  const name = linkedName(event, links, people);
  if (name !== undefined) return writeName(name);
  return writeId(event.chat.id || event.sender.id, { keepsColons: true, taken: namesInKeys(links, people) });
}

function groupKey(agentId: string, event: RoutedEvent): string {
  const { chat, chatIdsArePerAccount } = event;
  const channel = writeName(event.channel);
  const account = writeName(event.account);
  const place = chatIdsArePerAccount && account !== "default" ? `${channel}:${account}` : channel;
  return `agent:${agentId}:${place}:${chat.kind}:${writeId(chat.id, { keepsColons: true })}`;
}
