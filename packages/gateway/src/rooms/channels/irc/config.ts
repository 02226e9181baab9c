// Reads the settings of one IRC account: where to connect, as whom, and which channels to be in.
import { commonPolicy, once, type ChannelPolicy, type Configured, type Parsed } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import * as z from "zod";
import { isRoomName, isSendable, lowerAscii } from "./names.ts";

/** A secret that is written in the settings, or in a file that is read at each start. */
export interface SecretPlace {
  readonly text: string | undefined;
  readonly file: string | undefined;
}

export interface IrcAccount {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly tlsCa: string | undefined;
  readonly tlsFingerprint: string | undefined;
  /** Paths of a client certificate and its key, for a login without password. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
  readonly nick: string;
  readonly username: string;
  readonly realname: string;
  readonly password: SecretPlace;
  readonly nickserv: NickServ | undefined;
  readonly channels: readonly Room[];
  readonly tables: TableMode | undefined;
  /** Channels as the operator writes them, here or in `groups`: their ids are these spellings in lower case. */
  readonly knownRooms: readonly string[];
}

export interface NickServ {
  readonly service: string;
  /** The name to log in with; absent: the nick. */
  readonly account: string | undefined;
  readonly password: SecretPlace;
  readonly register: boolean;
  readonly registerEmail: string | undefined;
}

export interface Room {
  readonly name: string;
  readonly key?: string;
}

const Text = () => z.string().trim().optional();

const Settings = once(() =>
  z.object({
    host: Text(),
    port: z.int().min(1).max(65_535).optional(),
    tls: z.boolean().optional(),
    tlsCa: Text(),
    tlsFingerprint: Text(),
    tlsCert: Text(),
    tlsKey: Text(),
    nick: Text(),
    username: Text(),
    realname: Text(),
    password: z.string().optional(),
    passwordFile: Text(),
    nickserv: z
      .object({
        enabled: z.boolean().optional(),
        service: Text(),
        account: Text(),
        password: z.string().optional(),
        passwordFile: Text(),
        register: z.boolean().optional(),
        registerEmail: Text(),
      })
      .optional(),
    channels: z.array(z.string()).optional(),
    markdown: z.object({ tables: z.enum(["off", "bullets", "code"]).optional() }).optional(),
    groups: z.record(z.string(), z.unknown()).optional(),
  }),
);
type Written = Parsed<typeof Settings>;
type Env = (name: string) => string | undefined;

export function configureIrc(settings: unknown, env: Env): Configured<IrcAccount> {
  const read = Settings().safeParse(settings);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join(".") || "the block";
    return incomplete(`channels.irc: ${where} cannot be read`);
  }
  const written = read.data;
  const host = written.host || env("IRC_HOST");
  const nick = written.nick || env("IRC_NICK");
  if (!host || !nick) {
    return incomplete(
      `IRC needs ${host ? "a nick" : "the host of a server"}: set channels.irc.${host ? "nick" : "host"}`,
    );
  }
  if (!isSendable(nick) || isRoomName(nick)) return incomplete(`"${nick}" cannot be a nick: channels.irc.nick`);
  const channels = (written.channels ?? env("IRC_CHANNELS")?.split(",") ?? []).map(readRoom);
  const odd = channels.find(({ name }) => !isRoomName(name) || !isSendable(name));
  if (odd) return incomplete(`channels.irc.channels: "${odd.name}" is no channel; write "#name" or "#name key"`);
  const tls = readTls(written);
  if (typeof tls === "string") return incomplete(tls);
  const usesTls = written.tls ?? readFlag(env("IRC_TLS")) ?? true;
  return {
    kind: "configured",
    account: {
      host,
      port: written.port ?? readPort(env("IRC_PORT")) ?? (usesTls ? 6697 : 6667),
      tls: usesTls,
      ...tls,
      nick,
      username: written.username || env("IRC_USERNAME") || lowerAscii(nick),
      realname: written.realname || env("IRC_REALNAME") || nick,
      password: { text: written.password || env("IRC_PASSWORD"), file: written.passwordFile || undefined },
      nickserv: readNickServ(written.nickserv, env),
      channels,
      tables: written.markdown?.tables,
      knownRooms: [...channels.map(({ name }) => name), ...Object.keys(written.groups ?? {})],
    },
  };
}

const incomplete = (why: string): Configured<IrcAccount> => ({ kind: "incomplete", why });

/** `#room` or `#room key`. */
function readRoom(written: string): Room {
  const [name = "", key] = written.trim().split(/\s+/, 2);
  return { name, ...(key === undefined ? {} : { key }) };
}

function readTls(written: Written): Pick<IrcAccount, "tlsCa" | "tlsFingerprint" | "clientCertificate"> | string {
  const { tlsCa, tlsCert, tlsKey } = written;
  const tlsFingerprint = written.tlsFingerprint?.replaceAll(/[:\s]/g, "").toLowerCase() || undefined;
  if (tlsFingerprint !== undefined && !/^[0-9a-f]{64}$/.test(tlsFingerprint)) {
    return "channels.irc.tlsFingerprint is the SHA-256 of a certificate: 64 hexadecimal digits";
  }
  if (!tlsCert !== !tlsKey) return "a client certificate needs both channels.irc.tlsCert and channels.irc.tlsKey";
  const clientCertificate = tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined;
  return { tlsCa: tlsCa || undefined, tlsFingerprint, clientCertificate };
}

function readNickServ(written: Written["nickserv"], env: Env): NickServ | undefined {
  const text = written?.password || env("IRC_NICKSERV_PASSWORD");
  const file = written?.passwordFile || undefined;
  if (written?.enabled === false || (!text && !file)) return undefined;
  const registerEmail = written?.registerEmail || env("IRC_NICKSERV_REGISTER_EMAIL");
  return {
    service: written?.service || "NickServ",
    account: written?.account || undefined,
    password: { text, file },
    register: written?.register ?? false,
    registerEmail,
  };
}

function readFlag(text: string | undefined): boolean | undefined {
  return text === undefined || text === "" ? undefined : !/^(?:0|false|no|off)$/i.test(text.trim());
}

function readPort(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}

export function readIrcPolicy(settings: unknown): ChannelPolicy {
  const policy = commonPolicy(settings);
  const groups = Object.entries(policy.groups).map(([name, group]) => [lowerAscii(name), group] as const);
  return { ...policy, groups: Object.fromEntries(groups) };
}
