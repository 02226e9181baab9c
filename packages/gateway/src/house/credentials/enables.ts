// Lists what a credential enables, read from the places that refer to it.
import { parsePath } from "../../rooms/config/room.ts";

/** For whoever puts it into words. */
export interface Enabled {
  readonly kind:
    | "models"
    | "channel"
    | "tool"
    | "media"
    | "door"
    | "remote"
    | "webhooks"
    | "memory"
    | "sandbox"
    /** A place that stands for nothing else. */
    | "other";
  /** The provider, the channel, the tool, or the place. */
  readonly name?: string;
  /** Of models the agent, of a channel the account, where it is only for one. */
  readonly detail?: string;
}

/** Of a secret: the place, or "agent main, profile openai:work" for what lies in a file of its own. */
export function enabledBy(where: string): Enabled {
  const [, detail, provider] = /^agent ([^,]+), profile ([^:\s]+)/.exec(where) ?? [];
  if (detail && provider) return { kind: "models", name: provider, detail };
  const other: Enabled = { kind: "other", name: where };
  if (/\s/.test(where)) return other;
  const [section = "", name = "", ...rest] = parsePath(where).map(String);
  if (section === "models" && name === "providers" && rest[0]) return { kind: "models", name: rest[0] };
  if (section === "channels" && name) return channelOf(name, rest);
  if (section === "tools") return toolOf(name, rest) ?? other;
  const kind = OTHERS.find(([pattern]) => pattern.test(where))?.[1];
  return kind ? { kind } : other;
}

/** Each of them once. */
export function enabledByAll(places: readonly string[]): Enabled[] {
  const all = places.map(enabledBy);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function channelOf(name: string, rest: readonly string[]): Enabled {
  const [word, account] = rest;
  return { kind: "channel", name, ...(word === "accounts" && account !== undefined ? { detail: account } : {}) };
}

function toolOf(name: string, rest: readonly string[]): Enabled | undefined {
  if (name === "web") return { kind: "tool", name: `web_${rest[0] ?? "search"}` };
  return name === "media" ? { kind: "media" } : undefined;
}

const OTHERS: ReadonlyArray<readonly [RegExp, Enabled["kind"]]> = [
  [/^gateway\.(?:auth|tls)\b/, "door"],
  [/^gateway\.remote\b/, "remote"],
  [/^hooks\b/, "webhooks"],
  [/memorySearch\b|^memory\b/, "memory"],
  [/\.sandbox\b/, "sandbox"],
];
