// Reads the settings of one XMPP account: who we are, where the server is, and which rooms to be in.
import { Secret, commonPolicy, once, type ChannelPolicy, type Configured, type Parsed } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import * as z from "zod";
import { parseAddress } from "./address.ts";

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

const DEFAULT_MEDIA_MEGABYTES = 20;
const Text = () => z.string().trim().optional();

const Settings = once(() =>
  z.object({
    jid: Text(),
    password: z.string().optional(),
    passwordFile: Text(),
    service: Text(),
    resource: Text(),
    tlsCa: Text(),
    nick: Text(),
    rooms: z
      .array(z.union([z.string(), z.object({ jid: z.string(), nick: Text(), password: z.string().optional() })]))
      .optional(),
    markdown: z.object({ tables: z.enum(["off", "bullets", "code"]).optional() }).optional(),
    mediaMaxMb: z.number().positive().optional(),
  }),
);
type Written = Parsed<typeof Settings>;

export function configureXmpp(settings: unknown, env: (name: string) => string | undefined): Configured<XmppAccount> {
  const read = Settings().safeParse(settings);
  if (!read.success) {
    return incomplete(`channels.xmpp: ${read.error.issues[0]?.path.join(".") || "the block"} cannot be read`);
  }
  const written = read.data;
  const jid = written.jid || env("XMPP_JID");
  if (!jid) return incomplete("XMPP needs an address: set channels.xmpp.jid, such as agent@example.org");
  const address = parseAddress(jid);
  if (address?.node === undefined) {
    return incomplete(`channels.xmpp.jid: "${jid}" is no address; write it as agent@example.org`);
  }
  const password = written.password || env("XMPP_PASSWORD");
  if (!password && !written.passwordFile) {
    return incomplete("XMPP needs a password: set channels.xmpp.password, passwordFile or XMPP_PASSWORD");
  }
  if (written.service && !isSafeService(written.service)) {
    return incomplete("channels.xmpp.service begins with xmpp:// (STARTTLS), xmpps:// (TLS) or wss://");
  }
  const nick = written.nick || address.node;
  const rooms = readRooms(written.rooms ?? [], nick);
  if (typeof rooms === "string") return incomplete(rooms);
  return {
    kind: "configured",
    account: {
      jid: address.bare,
      username: address.node,
      domain: address.domain,
      password: password ? new Secret(password) : undefined,
      passwordFile: written.passwordFile || undefined,
      service: written.service || undefined,
      resource: written.resource || address.resource || "chela",
      tlsCa: written.tlsCa || undefined,
      nick,
      rooms,
      tables: written.markdown?.tables ?? "code",
      maxMediaBytes: (written.mediaMaxMb ?? DEFAULT_MEDIA_MEGABYTES) * 1024 * 1024,
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
    rooms.push({ jid: address.bare, nick: ("nick" in room && room.nick) || address.resource || nick, ...password });
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
