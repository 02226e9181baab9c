// The one decision about which sessions a tool call may see. Everything that reads or writes a session asks here.
import { agentOfSessionKey, type SessionEntry } from "@chela/sdk";
import type { Caller } from "./parts.ts";

export interface ScopeSettings {
  /** `tools.sessions.visibility`: `tree` unless told otherwise. */
  readonly visibility?: "self" | "tree" | "agent" | "all" | undefined;
  /** `tools.agentToAgent`: off unless told otherwise; without an allow list nobody is reached. */
  readonly agentToAgent?:
    | { readonly enabled?: boolean | undefined; readonly allow?: readonly string[] | undefined }
    | undefined;
  /** The caller is no owner, or is in a sandbox: it sees no more than what it spawned. */
  readonly isConfined: boolean;
  /** Whom sessions without an agent in their key belong to. */
  readonly defaultAgentId: string;
}

type Sight =
  | "seen"
  | "hidden"
  /** Seen if its chain of parents leads to the caller. */
  | "seen-if-spawned";

export interface SessionScope {
  readonly reach: "self" | "tree" | "agent" | "all";
  judge(key: string, entry: SessionEntry | undefined): Sight;
  /** Whether sessions of this agent can be seen at all, spawned ones aside. */
  reachesAgent(agentId: string): boolean;
}

export function sessionScope(caller: Caller, settings: ScopeSettings): SessionScope {
  const reach = reachOf(settings);
  const reachesAgent = (agentId: string): boolean => {
    if (agentId === caller.agentId) return reach === "agent" || reach === "all";
    return reach === "all" && mayTalk(caller.agentId, agentId, settings);
  };
  return {
    reach,
    reachesAgent,
    judge(key, entry) {
      if (key === caller.sessionKey) return "seen";
      if (reach === "self") return "hidden";
      const owner = ownerOf(key, settings.defaultAgentId);
      if (owner !== undefined && reachesAgent(owner)) return "seen";
      return entry?.spawnedBy === undefined ? "hidden" : "seen-if-spawned";
    },
  };
}

/** A value that is none of the four sees as little as possible. */
function reachOf({ visibility = "tree", isConfined }: ScopeSettings): SessionScope["reach"] {
  if (visibility === "agent" || visibility === "all") return isConfined ? "tree" : visibility;
  return visibility === "tree" ? "tree" : "self";
}

/** Both sides must be on the list: it names the agents that may talk with each other. */
function mayTalk(from: string, to: string, { agentToAgent }: ScopeSettings): boolean {
  if (agentToAgent?.enabled !== true) return false;
  const allow = agentToAgent.allow ?? [];
  return [from, to].every((agentId) => allow.some((pattern) => matches(pattern, agentId)));
}

/** `*` stands for any letters; otherwise names are compared without regard to case. */
export function matches(pattern: string, agentId: string): boolean {
  const [first = "", ...others] = pattern.trim().toLowerCase().split("*");
  const last = others.pop();
  const id = agentId.toLowerCase();
  if (last === undefined) return id === first;
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  let rest = id.slice(first.length, id.length - last.length);
  for (const part of others) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}

/** Undefined for a key we cannot read: it belongs to nobody, so nobody sees it. */
function ownerOf(key: string, defaultAgentId: string): string | undefined {
  if (key === "global" || key === "unknown" || /^(hook:|node-)./.test(key)) return defaultAgentId;
  return agentOfSessionKey(key);
}
