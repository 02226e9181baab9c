// Kind of session that a key names, and the channel it belongs to, as lists show it.
import { sessionKind, type SessionEntry } from "@chela/sdk";

export const LISTED_KINDS = ["main", "group", "cron", "hook", "node", "other"] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

export function listedKind(key: string, isMain: boolean): ListedKind {
  if (isMain || key === "global") return "main";
  const name = withoutAgent(key);
  if (name.startsWith("cron:")) return "cron";
  if (name.startsWith("hook:")) return "hook";
  if (name.startsWith("node-") || name.startsWith("node:")) return "node";
  return sessionKind(key) === "group" ? "group" : "other";
}

export function listedChannel(key: string, kind: ListedKind, entry: SessionEntry | undefined): string {
  if (kind === "cron" || kind === "hook" || kind === "node") return "internal";
  return (
    entry?.channel ??
    entry?.lastChannel ??
    entry?.deliveryContext?.channel ??
    channelInKey(withoutAgent(key)) ??
    "unknown"
  );
}

/** `telegram:group:-100` → telegram. */
function channelInKey(name: string): string | undefined {
  return /^([^:]+):(?:[^:]+:)?(?:direct|group|channel):/.exec(name)?.[1];
}

function withoutAgent(key: string): string {
  return key.replace(/^agent:[^:]+:/, "");
}
