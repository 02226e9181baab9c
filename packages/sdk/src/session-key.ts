// Session keys: one canonical spelling for each conversation, whatever a client wrote.
import { AGENT_ID } from "./session.ts";

export interface KeyDefaults {
  readonly defaultAgentId: string;
  /** Last part of the main session's key; "main" unless configured. */
  readonly mainKey: string;
  readonly scope: "per-sender" | "global";
}

export function mainSessionKey(agentId: string, defaults: KeyDefaults): string {
  return defaults.scope === "global" ? "global" : `agent:${agentId}:${mainName(defaults)}`;
}

/** Keys are lowercase, however the configuration writes it. */
function mainName(defaults: KeyDefaults): string {
  return defaults.mainKey.trim().toLowerCase();
}

/** Longer than any that is made of ids. */
const MOST_CHARS = 1024;
/** Parts of paths, blanks, what controls a terminal or cannot be seen, and halves of characters. */
const UNFIT = /[\s/\\\p{Cc}\p{Cf}\p{Cs}]/u;

/** `main` → `agent:main:main`, `Agent:X:DM:1` → `agent:x:direct:1`; undefined for something that can be no key. */
export function canonicalSessionKey(written: string, defaults: KeyDefaults): string | undefined {
  const key = written.trim().toLowerCase();
  if (key === "" || key.length > MOST_CHARS || key.includes("..") || UNFIT.test(key)) return undefined;
  if (key === "global" || key === "unknown") return key;
  if (key === "main" || key === mainName(defaults)) return mainSessionKey(defaults.defaultAgentId, defaults);
  if (key.startsWith("agent:")) return canonicalAgentKey(key, defaults);
  if (/^(hook:|node-)./.test(key)) return key;
  return `agent:${defaults.defaultAgentId}:${withDirect(key)}`;
}

function canonicalAgentKey(key: string, defaults: KeyDefaults): string | undefined {
  const [, agentId = "", ...rest] = key.split(":");
  if (!AGENT_ID.test(agentId) || rest.length === 0 || rest.some((part) => part === "")) return undefined;
  const tail = rest.join(":");
  if (tail === "main") return mainSessionKey(agentId, defaults);
  return `agent:${agentId}:${withDirect(tail)}`;
}

/** Older stores wrote `dm` for direct chats. */
function withDirect(tail: string): string {
  return tail.replace(/(^|:)dm:/, "$1direct:");
}
