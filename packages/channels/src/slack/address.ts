// Addresses of people and places of Slack: `user:U…`, `channel:C…`, bare ids, #names and @names.
import type { ChatKind, WrittenId, WrittenTarget } from "@chela/sdk";

/** Slack's names are in lower case, so nothing in capitals is taken for a name. */
const ID = /^[UWBCDG][A-Z0-9]{2,}$/;
const USER_ID = /^[UW][A-Z0-9]{2,}$/;
const MARKUP = /^<[@#]([A-Z0-9]+)(?:\|[^<>]*)?>$/;

export function readId(written: string): WrittenId {
  const entry = bare(written);
  if (entry === "") return { kind: "unusable", why: "an empty entry names nobody" };
  if (entry === "*") return { kind: "id", id: "*" };
  const id = idIn(entry.replace(/^(user|channel|group):/i, ""));
  return id ? { kind: "id", id } : { kind: "name", name: entry };
}

export function readTarget(written: string): WrittenTarget {
  const address = bare(written);
  const prefix = /^(user|channel|group):/i.exec(address)?.[1]?.toLowerCase();
  const rest = prefix ? address.slice(prefix.length + 1).trim() : address;
  if (rest === "" || rest === "#" || rest === "@") {
    return { kind: "unusable", why: "write user:U…, channel:C…, #channel or @name" };
  }
  const id = idIn(rest);
  if (!id)
    return { kind: "name", name: prefix && !/^[#@]/.test(rest) ? `${prefix === "user" ? "@" : "#"}${rest}` : rest };
  if (id.startsWith("B")) return { kind: "unusable", why: `${id} is the id of a bot's profile; write to its user id` };
  if (USER_ID.test(id)) return { kind: "target", target: { to: `user:${id}` }, chat: { kind: "direct", id } };
  return { kind: "target", target: { to: `channel:${id}` }, chat: { kind: kindByPrefix(id), id } };
}

/** The id inside an address this channel gave out, or somebody wrote. */
export function addressee(to: string): { readonly kind: "user" | "channel"; readonly id: string } | undefined {
  const read = readTarget(to);
  if (read.kind !== "target") return undefined;
  const [kind, id = ""] = read.target.to.split(":", 2);
  return { kind: kind === "user" ? "user" : "channel", id };
}

/** What an id alone tells. G was used for private channels and group direct messages alike. */
export function kindByPrefix(channelId: string): ChatKind {
  if (channelId.startsWith("D")) return "direct";
  return channelId.startsWith("C") ? "channel" : "group";
}

function bare(written: string): string {
  return written.trim().replace(/^slack:/i, "");
}

function idIn(written: string): string | undefined {
  const candidate = MARKUP.exec(written)?.[1] ?? written;
  return ID.test(candidate) ? candidate : undefined;
}
