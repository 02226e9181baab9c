// Reads the settings of one IRC account: where to connect, as whom, and which channels to be in.
import { defined } from "@chela/sdk/base";
import { commonPolicy, type ChannelPolicy, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { isRoomName, isSendable, lowerAscii } from "./server/names.ts";
import { readSettings, type SettingsOf, type WrittenOf } from "@chela/sdk/config";
import { ircSection } from "./section.ts";

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

type Settings = SettingsOf<typeof ircSection>;
type Written = WrittenOf<typeof ircSection>;
type Env = (name: string) => string | undefined;

export function configureIrc(settings: unknown, env: Env): Configured<IrcAccount> {
  const read = readSettings(ircSection, settings);
  if (read.kind === "unusable") {
    const where = read.where || "the block";
    return incomplete(`channels.irc: ${where} cannot be read`);
  }
  const { settings: account, written } = read;
  const host = textIn(written.host) || env("IRC_HOST");
  const nick = textIn(written.nick) || env("IRC_NICK");
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
  const usesTls = written.tls ?? readFlag(env("IRC_TLS")) ?? account.tls;
  return {
    kind: "configured",
    account: {
      host,
      port: written.port ?? readPort(env("IRC_PORT")) ?? (usesTls ? 6697 : 6667),
      tls: usesTls,
      ...tls,
      nick,
      username: textIn(written.username) || env("IRC_USERNAME") || lowerAscii(nick),
      realname: textIn(written.realname) || env("IRC_REALNAME") || nick,
      password: { text: written.password || env("IRC_PASSWORD"), file: textIn(written.passwordFile) },
      nickserv: readNickServ(account.nickserv, env),
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
  return { name, ...defined({ key }) };
}

/** Undefined when there is nothing in it. */
function textIn(written: string | undefined): string | undefined {
  return written?.trim() || undefined;
}

function readTls(written: Written): Pick<IrcAccount, "tlsCa" | "tlsFingerprint" | "clientCertificate"> | string {
  const [tlsCa, tlsCert, tlsKey] = [written.tlsCa, written.tlsCert, written.tlsKey].map(textIn);
  const tlsFingerprint = written.tlsFingerprint?.replaceAll(/[:\s]/g, "").toLowerCase() || undefined;
  if (tlsFingerprint !== undefined && !/^[0-9a-f]{64}$/.test(tlsFingerprint)) {
    return "channels.irc.tlsFingerprint is the SHA-256 of a certificate: 64 hexadecimal digits";
  }
  if (!tlsCert !== !tlsKey) return "a client certificate needs both channels.irc.tlsCert and channels.irc.tlsKey";
  const clientCertificate = tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined;
  return { tlsCa, tlsFingerprint, clientCertificate };
}

function readNickServ(nickserv: Settings["nickserv"], env: Env): NickServ | undefined {
  const text = nickserv.password || env("IRC_NICKSERV_PASSWORD");
  const file = textIn(nickserv.passwordFile);
  if (nickserv.enabled === false || (!text && !file)) return undefined;
  const registerEmail = textIn(nickserv.registerEmail) || env("IRC_NICKSERV_REGISTER_EMAIL");
  return {
    service: textIn(nickserv.service) || "NickServ",
    account: textIn(nickserv.account),
    password: { text, file },
    register: nickserv.register,
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
