// Addresses of people and groups: `+4915112345678`, `lid:123`, `120363…@g.us`, and WhatsApp's own form of them.
import type { WrittenId, WrittenTarget } from "@chela/sdk";

/** An address in WhatsApp's own form, taken apart. The device it was sent from does not matter. */
interface Jid {
  readonly user: string;
  readonly server: string;
}

const PERSON_SERVERS = new Set(["s.whatsapp.net", "c.us", "hosted"]);
const HIDDEN_PERSON_SERVERS = new Set(["lid", "hosted.lid"]);
const PHONE_NUMBER = /^\d{7,15}$/;
const GROUP = /^\d{5,25}(-\d{5,25})?$/;

function takeApart(jid: string): Jid | undefined {
  const [, user, server] = /^([^@:_]+)(?:_\d+)?(?::\d+)?@([a-z.]+)$/i.exec(jid) ?? [];
  return user && server ? { user, server: server.toLowerCase() } : undefined;
}

/** Without the device: two forms of one address are equal afterwards. */
export function plainJid(jid: string | null | undefined): string {
  const parts = takeApart(jid ?? "");
  if (!parts) return "";
  const { user, server } = parts;
  if (PERSON_SERVERS.has(server)) return `${user}@s.whatsapp.net`;
  return HIDDEN_PERSON_SERVERS.has(server) ? `${user}@lid` : `${user}@${server}`;
}

/** The id of a person, or "" when the address is not one of a person. */
export function personId(jid: string | null | undefined): string {
  const parts = takeApart(jid ?? "");
  if (!parts) return "";
  if (HIDDEN_PERSON_SERVERS.has(parts.server)) return /^\d+$/.test(parts.user) ? `lid:${parts.user}` : "";
  return PERSON_SERVERS.has(parts.server) && PHONE_NUMBER.test(parts.user) ? `+${parts.user}` : "";
}

export function serverOf(jid: string | null | undefined): string {
  return takeApart(jid ?? "")?.server ?? "";
}

export const isHidden = (jid: string | null | undefined): boolean => HIDDEN_PERSON_SERVERS.has(serverOf(jid));

export const isGroupId = (id: string): boolean => id.endsWith("@g.us") && GROUP.test(id.slice(0, -"@g.us".length));

/** From an id or a target as `readId` and `readTarget` give them out. */
export function jidOf(id: string): string | undefined {
  if (isGroupId(id)) return id;
  if (/^lid:\d+$/.test(id)) return `${id.slice("lid:".length)}@lid`;
  return id.startsWith("+") && PHONE_NUMBER.test(id.slice(1)) ? `${id.slice(1)}@s.whatsapp.net` : undefined;
}

const HOW_TO_WRITE = "Write a number with its country code such as +4915112345678, or a group such as 1203630@g.us.";

export function readId(written: string): WrittenId {
  const bare = written
    .trim()
    .replace(/^whatsapp:/i, "")
    .trim();
  if (bare === "") return { kind: "unusable", why: `An empty entry names nobody. ${HOW_TO_WRITE}` };
  const id = idWrittenAs(bare);
  return id ? { kind: "id", id } : { kind: "unusable", why: `"${written}" is not an id on WhatsApp. ${HOW_TO_WRITE}` };
}

function idWrittenAs(bare: string): string | undefined {
  if (bare === "*" || isGroupId(bare) || /^lid:\d+$/.test(bare)) return bare;
  if (bare.includes("@")) return personId(bare) || undefined;
  // People write numbers with blanks, dashes and brackets; anything else is no number.
  const digits = bare.replace(/^\+/, "").replace(/[\s().\-/]/g, "");
  return PHONE_NUMBER.test(digits) ? `+${digits}` : undefined;
}

export function readTarget(written: string): WrittenTarget {
  const read = readId(written);
  if (read.kind !== "id") return read;
  const { id } = read;
  if (id === "*") return { kind: "unusable", why: `"*" is no single address. ${HOW_TO_WRITE}` };
  return { kind: "target", target: { to: id }, chat: { kind: isGroupId(id) ? "group" : "direct", id } };
}
