// Facts about the IRC server and ourselves on it: capabilities, limits, our nick and address. Learned line by line.
import { isRoomName, foldName, readCaseMapping, type CaseMapping } from "./names.ts";
import type { Line } from "./line.ts";

export interface ServerFacts {
  nick: string;
  /** The services account we are logged in to. */
  account: string | undefined;
  readonly capabilities: Map<string, string>;
  has(capability: string): boolean;
  /** What the server announced in its 005 lines. */
  supports(token: string): string | undefined;
  isMe(nick: string): boolean;
  fold(name: string): string;
  isRoom(name: string): boolean;
  /** The room behind a target such as `@#room`, which means its operators. */
  roomOf(target: string): string | undefined;
  /** The newest time the server wrote on a line. */
  serverTime(): number | undefined;
  /** Bytes of text that fit into one line to this target, after what the server puts before it. */
  roomInLine(target: string): number;
  learn(line: Line): void;
}

const LINE_BYTES = 512;
/** Until our own address was seen: as long as they get. */
const LONGEST_USER_AND_HOST = 10 + 63;

export function createServerFacts(wantedNick: string): ServerFacts {
  const capabilities = new Map<string, string>();
  const tokens = new Map<string, string>();
  let mapping: CaseMapping = readCaseMapping(undefined);
  let addressBytes: number | undefined;
  let newest: number | undefined;

  const facts: ServerFacts = {
    nick: wantedNick,
    account: undefined,
    capabilities,
    has: (capability) => capabilities.has(capability),
    supports: (token) => tokens.get(token),
    isMe: (nick) => foldName(nick, mapping) === foldName(facts.nick, mapping),
    fold: (name) => foldName(name, mapping),
    isRoom: (name) => isRoomName(name, tokens.get("CHANTYPES") ?? "#&"),
    roomOf(target) {
      if (facts.isRoom(target)) return target;
      const isForSome = (tokens.get("STATUSMSG") ?? "").includes(target.charAt(0)) && target !== "";
      return isForSome && facts.isRoom(target.slice(1)) ? target.slice(1) : undefined;
    },
    serverTime: () => newest,
    roomInLine(target) {
      const before = `:${facts.nick}!@ PRIVMSG ${target} :`;
      return LINE_BYTES - 2 - Buffer.byteLength(before) - (addressBytes ?? LONGEST_USER_AND_HOST);
    },
    learn(line) {
      const time = timeOf(line);
      if (time !== undefined) newest = Math.max(newest ?? 0, time);
      if (line.command === "001" && line.params[0]) facts.nick = line.params[0];
      if (line.command === "005") learnTokens(line.params.slice(1, -1));
      if (line.command === "900") facts.account = line.params[2];
      if (line.command === "901") facts.account = undefined;
      if (line.source && facts.isMe(line.source.nick)) learnMyself(line);
    },
  };

  function learnTokens(written: readonly string[]): void {
    for (const token of written) {
      const [name = "", value = ""] = token.split("=", 2);
      if (name.startsWith("-")) tokens.delete(name.slice(1));
      else tokens.set(name, value);
    }
    mapping = readCaseMapping(tokens.get("CASEMAPPING"));
  }

  function learnMyself({ command, source, params }: Line): void {
    if (source?.user !== undefined && source.host !== undefined) {
      addressBytes = Buffer.byteLength(source.user) + Buffer.byteLength(source.host);
    }
    if (command === "NICK" && params[0]) facts.nick = params[0];
    if (command === "CHGHOST") addressBytes = Buffer.byteLength(params[0] ?? "") + Buffer.byteLength(params[1] ?? "");
    if (command === "ACCOUNT") facts.account = params[0] === "*" ? undefined : params[0];
  }
  return facts;
}

/** When the server says a line was written, in milliseconds. */
export function timeOf(line: Line): number | undefined {
  const time = Date.parse(line.tags.get("time") ?? "");
  return Number.isFinite(time) ? time : undefined;
}
