// What a credential makes possible, read from the places that refer to it.
import { parsePath } from "../config/room.ts";

/** Of a secret: the place, or "agent main, profile openai:work" for what lies in a file of its own. */
export function enabledBy(where: string): string {
  const profile = /^agent ([^,]+), profile ([^:\s]+)/.exec(where);
  if (profile) return `models of ${profile[2]} for ${profile[1]}`;
  if (/\s/.test(where)) return where;
  const [section = "", name = "", ...rest] = parsePath(where).map(String);
  if (section === "models" && name === "providers") return `models of ${rest[0] ?? "a provider"}`;
  if (section === "channels") return channelOf(name, rest);
  if (section === "tools") return toolOf(name, rest);
  return OTHERS.find(([pattern]) => pattern.test(where))?.[1] ?? where;
}

function channelOf(name: string, rest: readonly string[]): string {
  return rest[0] === "accounts" && rest[1] !== undefined ? `channel ${name} (${rest[1]})` : `channel ${name}`;
}

function toolOf(name: string, rest: readonly string[]): string {
  if (name === "web") return `tool web_${rest[0] ?? "search"}`;
  return name === "media" ? "understanding of pictures and speech" : `tools.${[name, ...rest].join(".")}`;
}

const OTHERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^gateway\.(?:auth|tls)\b/, "the gateway's own door"],
  [/^gateway\.remote\b/, "another gateway"],
  [/^hooks\b/, "webhooks"],
  [/memorySearch\b|^memory\b/, "memory"],
  [/\.sandbox\b/, "commands in sandboxes"],
];
