// Reads the settings of one XMPP account: who we are, where the server is, and which rooms to be in.
import { Secret, commonPolicy, type ChannelPolicy, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { parseAddress } from "./address.ts";
import { readSettings, type WrittenOf } from "@chela/sdk/config";
import { xmppSection } from "./section.ts";

export interface XmppAccount {
  /** `node@domain`. */
  readonly jid: string;
  readonly username: string;
  readonly domain: string;
  readonly password: Secret | undefined;
  readonly passwordFile: string | undefined;
  /** Absent: as the domain's DNS says. */
  readonly service: string | undefined;
  readonly resource: string;
  readonly tlsCa: string | undefined;
  readonly nick: string;
  readonly rooms: readonly WantedRoom[];
  readonly tables: TableMode;
  readonly maxMediaBytes: number;
}

export interface WantedRoom {
  readonly jid: string;
  readonly nick: string;
  readonly password?: Secret;
}

type Written = WrittenOf<typeof xmppSection>;

export function configureXmpp(unread: unknown, env: (name: string) => string | undefined): Configured<XmppAccount> {
  const read = readSettings(xmppSection, unread);
  if (read.kind === "unusable") {
    return incomplete(`channels.xmpp: ${read.where || "the block"} cannot be read`);
  }
  const { settings, written } = read;
  const jid = written.jid?.trim() || env("XMPP_JID");
  if (!jid) return incomplete("XMPP needs an address: set channels.xmpp.jid, such as agent@example.org");
  const address = parseAddress(jid);
  if (address?.node === undefined) {
    return incomplete(`channels.xmpp.jid: "${jid}" is no address; write it as agent@example.org`);
  }
  const password = written.password || env("XMPP_PASSWORD");
  if (!password && !written.passwordFile?.trim()) {
    return incomplete("XMPP needs a password: set channels.xmpp.password, passwordFile or XMPP_PASSWORD");
  }
  const service = written.service?.trim() || undefined;
  if (service && !isSafeService(service)) {
    return incomplete("channels.xmpp.service begins with xmpp:// (STARTTLS), xmpps:// (TLS) or wss://");
  }
  const nick = written.nick?.trim() || address.node;
  const rooms = readRooms(written.rooms ?? [], nick);
  if (typeof rooms === "string") return incomplete(rooms);
  return {
    kind: "configured",
    account: {
      jid: address.bare,
      username: address.node,
      domain: address.domain,
      password: password ? new Secret(password) : undefined,
      passwordFile: written.passwordFile?.trim() || undefined,
      service,
      resource: written.resource?.trim() || address.resource || settings.resource,
      tlsCa: written.tlsCa?.trim() || undefined,
      nick,
      rooms,
      tables: settings.markdown.tables,
      maxMediaBytes: settings.mediaMaxMb * 1024 * 1024,
    },
  };
}

const incomplete = (why: string): Configured<XmppAccount> => ({ kind: "incomplete", why });

/** There is no way to connect without encryption. */
function isSafeService(written: string): boolean {
  const url = URL.parse(written);
  return url !== null && ["xmpp:", "xmpps:", "wss:"].includes(url.protocol) && url.hostname !== "";
}

function readRooms(written: NonNullable<Written["rooms"]>, nick: string): WantedRoom[] | string {
  const rooms: WantedRoom[] = [];
  for (const entry of written) {
    const room = typeof entry === "string" ? { jid: entry } : entry;
    const address = parseAddress(room.jid.trim());
    if (address?.node === undefined)
      return `channels.xmpp.rooms: "${room.jid}" is no room; write name@rooms.example.org`;
    const password = "password" in room && room.password ? { password: new Secret(room.password) } : {};
    rooms.push({
      jid: address.bare,
      nick: ("nick" in room && room.nick?.trim()) || address.resource || nick,
      ...password,
    });
  }
  return rooms;
}

/** Rooms are known by their addresses in lower case. */
export function readXmppPolicy(settings: unknown): ChannelPolicy {
  const policy = commonPolicy(settings);
  const groups = Object.entries(policy.groups).map(
    ([written, group]) => [parseAddress(written.replace(/^room:/i, ""))?.bare ?? written, group] as const,
  );
  return { ...policy, groups: Object.fromEntries(groups) };
}
