// Reads session keys: what kind of conversation one names, with whom, and to which one it belongs.
import { agentOfSessionKey } from "@chela/sdk";
import { readId } from "./key-part.ts";

const OWN_KINDS = ["subagent", "cron", "acp", "openai"] as const;

export type KeyKind =
  | "main"
  | "global"
  | "unknown"
  | "direct"
  | "group"
  | "channel"
  | "hook"
  | "node"
  | (typeof OWN_KINDS)[number]
  /** A name somebody chose. */
  | "other";

export interface KeyDescription {
  readonly kind: KeyKind;
  readonly agentId?: string;
  readonly channel?: string;
  readonly account?: string;
  /** Id of the chat or person, or the name of a linked person. Ids without small letters come back without capitals. */
  readonly peer?: string;
  readonly thread?: string;
}

/** As far as the key tells; `mainKey` is the configured last part of main sessions. */
export function describeKey(key: string, mainKey = "main"): KeyDescription {
  if (key === "global" || key === "unknown") return { kind: key };
  if (key.startsWith("hook:")) return { kind: "hook" };
  if (key.startsWith("node-")) return { kind: "node" };
  const agentId = agentOfSessionKey(key);
  if (agentId === undefined) return { kind: "other" };
  const { name, thread } = splitThread(key.split(":").slice(2));
  return {
    agentId,
    ...describeName(name, mainKey.trim().toLowerCase()),
    ...(thread === undefined ? {} : { thread: readId(thread) }),
  };
}

/** The session a thread's session belongs to; undefined when it is no thread's. */
export function parentKeyOf(key: string): string | undefined {
  const agentId = agentOfSessionKey(key);
  if (agentId === undefined) return undefined;
  const { name, thread } = splitThread(key.split(":").slice(2));
  return thread === undefined ? undefined : `agent:${agentId}:${name.join(":")}`;
}

function splitThread(parts: readonly string[]): { name: readonly string[]; thread?: string } {
  const at = parts.findIndex((part, index) => index > 0 && (part === "thread" || part === "topic"));
  const thread = at === -1 ? "" : parts.slice(at + 1).join(":");
  return thread === "" ? { name: parts } : { name: parts.slice(0, at), thread };
}

function describeName(parts: readonly string[], mainKey: string): Omit<KeyDescription, "agentId" | "thread"> {
  const name = parts.join(":");
  if (name === "main" || name === mainKey) return { kind: "main" };
  const own = OWN_KINDS.find((kind) => kind === parts[0]);
  if (own !== undefined) return { kind: own };
  const at = parts.slice(0, 3).findIndex((part) => chatKind(part) !== undefined);
  const kind = chatKind(parts[at] ?? "");
  const peer = parts.slice(at + 1).join(":");
  if (kind === undefined || peer === "") return { kind: "other" };
  const [channel, account] = parts.slice(0, at);
  return {
    kind,
    ...(channel === undefined ? {} : { channel: readId(channel) }),
    ...(account === undefined ? {} : { account: readId(account) }),
    peer: readId(peer),
  };
}

function chatKind(word: string): "direct" | "group" | "channel" | undefined {
  if (word === "dm") return "direct";
  return word === "direct" || word === "group" || word === "channel" ? word : undefined;
}
