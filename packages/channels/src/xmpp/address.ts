// Addresses of XMPP: who somebody is, which is never their resource or their nick in a room, and where one can write to.
import type { WrittenId, WrittenTarget } from "@chela/sdk";

export interface Address {
  /** `node@domain` in lower case, or only the domain. */
  readonly bare: string;
  readonly node: string | undefined;
  readonly domain: string;
  /** A device, or the nick of somebody in a room. */
  readonly resource: string | undefined;
}

const MOST_BYTES = 1023;
const NODE = /^[^\s"&'/:<>@\p{Cc}]+$/u;
const DOMAIN = /^(?:[\p{L}\p{N}_.-]+|\[[\da-f:.]+\])$/iu;

export function parseAddress(written: string): Address | undefined {
  const slash = written.indexOf("/");
  const whole = slash < 0 ? written : written.slice(0, slash);
  const resource = slash < 0 ? undefined : written.slice(slash + 1);
  const at = whole.indexOf("@");
  const node = at < 0 ? undefined : fold(whole.slice(0, at));
  const domain = fold(at < 0 ? whole : whole.slice(at + 1)).replace(/\.$/, "");
  if (node !== undefined && (!NODE.test(node) || Buffer.byteLength(node) > MOST_BYTES)) return undefined;
  if (!DOMAIN.test(domain) || Buffer.byteLength(domain) > MOST_BYTES || resource === "") return undefined;
  return { bare: node === undefined ? domain : `${node}@${domain}`, node, domain, resource };
}

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

const OCCUPANT = "occupant:";

/** Somebody in a room that does not tell real addresses; the id is the room's own and outlives nicks. */
export function occupantId(room: string, id: string): string {
  return `${OCCUPANT}${room}/${id}`;
}

/** `alice@example.org`, or `occupant:room@rooms.example.org/id` for somebody in a room that hides addresses. */
export function readXmppId(written: string): WrittenId {
  const text = written.trim().replace(/^(?:xmpp|user):/i, "");
  if (text.startsWith(OCCUPANT)) {
    const room = parseAddress(text.slice(OCCUPANT.length));
    if (room?.node !== undefined && room.resource) return { kind: "id", id: occupantId(room.bare, room.resource) };
    return { kind: "unusable", why: `write occupant:room@domain/id instead of ${text}` };
  }
  const address = parseAddress(text);
  if (address?.node === undefined) {
    return { kind: "unusable", why: `write the whole address, such as alice@example.org, instead of "${written}"` };
  }
  if (address.resource !== undefined) {
    return { kind: "unusable", why: `leave out "/${address.resource}": whoever is in a room can choose that part` };
  }
  return { kind: "id", id: address.bare };
}

/** `alice@example.org`, or `room:room@rooms.example.org`. */
export function readXmppTarget(written: string): WrittenTarget {
  const [, kind = "", rest = ""] = /^(?:xmpp:)?(?:(room|group|channel|muc|user):)?(.*)$/is.exec(written.trim()) ?? [];
  const address = parseAddress(rest);
  if (address?.node === undefined || address.resource !== undefined) {
    return {
      kind: "unusable",
      why: `"${written}" is no address such as alice@example.org or room:name@rooms.example.org`,
    };
  }
  const { bare } = address;
  return kind === "" || kind.toLowerCase() === "user"
    ? { kind: "target", target: { to: bare }, chat: { kind: "direct", id: bare } }
    : { kind: "target", target: { to: roomTarget(bare) }, chat: { kind: "group", id: bare } };
}

export function roomTarget(room: string): string {
  return `room:${room}`;
}
