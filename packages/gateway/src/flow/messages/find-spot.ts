// Finds out which chat somebody means: the channel, the account, and an address or a name in it.
import { externalLine } from "../../base/text/external-content.ts";
import {
  GatewayError,
  type Channel,
  type ChannelConnection,
  type DirectoryEntry,
  type WrittenTarget,
} from "@chela/sdk";
import type { CurrentChat, Spot } from "./reach.ts";

export interface SpotQuestion {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly target?: string | undefined;
  readonly threadId?: string | undefined;
}

/** What is known of channels. */
export interface SpotParts {
  /** Ids of the channels that are configured. */
  configured(): readonly string[];
  channel(id: string): Promise<Channel>;
  accounts(channel: string): readonly string[];
  defaultAccount(channel: string): string;
  /** Throws CHANNEL_OFFLINE. */
  connection(channel: string, account: string): ChannelConnection;
}

const OWN_DOOR = "webchat";
const MOST_CANDIDATES = 8;

/** For questions about an account as a whole. */
export function findAccount(
  question: SpotQuestion,
  from: CurrentChat | undefined,
  parts: SpotParts,
): { readonly channel: string; readonly account: string } {
  const channel = chooseChannel(question.channel, from, parts.configured());
  return { channel, account: chooseAccount(channel, question.accountId, from, parts) };
}

/** Throws MESSAGE_REQUEST, CHANNEL_UNKNOWN, CHANNEL_SETTINGS, CHANNEL_TARGET, CHANNEL_OFFLINE. */
export async function findSpot(question: SpotQuestion, from: CurrentChat | undefined, parts: SpotParts): Promise<Spot> {
  const { channel, account } = findAccount(question, from, parts);
  const thread = question.threadId === undefined ? {} : { threadId: question.threadId };
  const written = question.target?.trim();
  if (from?.channel === channel && from.account === account) {
    const isHere = !written || written === from.target.to || written === from.chat.id;
    if (isHere) return { channel, account, chat: from.chat, target: { ...from.target, ...thread } };
  }
  if (!written) throw new GatewayError("CHANNEL_TARGET", "no target was given");
  const code = await parts.channel(channel);
  const read = await readAddress(code, written, () => parts.connection(channel, account));
  return { channel, account, chat: read.chat, target: { ...read.target, ...thread } };
}

function chooseChannel(
  written: string | undefined,
  from: CurrentChat | undefined,
  configured: readonly string[],
): string {
  const named = written?.trim().toLowerCase();
  if (named === OWN_DOOR) {
    throw new GatewayError("MESSAGE_REQUEST", `unsupported channel: ${OWN_DOOR}. Use chat.send, or an answer, there.`);
  }
  const list = configured.join(", ");
  if (configured.length === 0) throw new GatewayError("CHANNEL_UNKNOWN", "no channel is configured");
  if (named) {
    if (configured.includes(named)) return named;
    throw new GatewayError("CHANNEL_UNKNOWN", `"${named}" is not configured here (configured: ${list})`);
  }
  const [only, another] = configured;
  if (from) return from.channel;
  if (only !== undefined && another === undefined) return only;
  throw new GatewayError("MESSAGE_REQUEST", `Channel is required when several are configured: ${list}.`);
}

function chooseAccount(
  channel: string,
  written: string | undefined,
  from: CurrentChat | undefined,
  parts: SpotParts,
): string {
  const named = written?.trim();
  if (!named) return from?.channel === channel ? from.account : parts.defaultAccount(channel);
  const known = parts.accounts(channel);
  if (known.includes(named)) return named;
  throw new GatewayError("CHANNEL_UNKNOWN", `${channel} has no account "${named}" (it has: ${known.join(", ")})`);
}

type Address = Extract<WrittenTarget, { kind: "target" }>;

async function readAddress(code: Channel, written: string, connect: () => ChannelConnection): Promise<Address> {
  const read = code.readTarget(written);
  if (read.kind === "target") return read;
  if (read.kind === "unusable") throw new GatewayError("CHANNEL_TARGET", read.why);
  const entry = await findByName(read.name, connect());
  const address = addressOf(code, entry);
  if (!address) throw new GatewayError("CHANNEL_TARGET", `"${written}" was found, but cannot be written to by name`);
  return address;
}

/** Exactly one, or an error that says who might be meant. */
async function findByName(written: string, connection: ChannelConnection): Promise<DirectoryEntry> {
  const [, mark = "", name = written] = /^([@#]|user:|channel:|group:)?(.*)$/is.exec(written.trim()) ?? [];
  const kinds = kindsFor(mark.toLowerCase());
  const sure = (await Promise.all(kinds.map((kind) => resolveName(connection, name, kind)))).flat();
  if (sure[0] && sure.length === 1) return sure[0];
  const alike = sure.length > 1 ? sure : await lookUp(connection, name, kinds);
  const exact = alike.filter((entry) => isCalled(entry, name));
  if (exact[0] && exact.length === 1 && sure.length === 0) return exact[0];
  throw new GatewayError("CHANNEL_TARGET", nameProblem(written, alike));
}

function kindsFor(mark: string): ReadonlyArray<DirectoryEntry["kind"]> {
  if (mark === "@" || mark === "user:") return ["user"];
  return mark === "" ? ["user", "group"] : ["group"];
}

async function resolveName(
  connection: ChannelConnection,
  name: string,
  kind: DirectoryEntry["kind"],
): Promise<DirectoryEntry[]> {
  const id = await connection.resolveName?.(name, kind);
  return id === undefined ? [] : [{ kind, id, name }];
}

async function lookUp(
  { directory }: ChannelConnection,
  name: string,
  kinds: ReadonlyArray<DirectoryEntry["kind"]>,
): Promise<readonly DirectoryEntry[]> {
  const users = kinds.includes("user") ? directory?.users?.(name, MOST_CANDIDATES) : undefined;
  const groups = kinds.includes("group") ? directory?.groups?.(name, MOST_CANDIDATES) : undefined;
  return [...((await users) ?? []), ...((await groups) ?? [])];
}

function isCalled(entry: DirectoryEntry, name: string): boolean {
  const wanted = name.toLowerCase();
  return [entry.name, entry.username].some((one) => one?.toLowerCase().replace(/^[@#]/, "") === wanted);
}

function nameProblem(written: string, candidates: readonly DirectoryEntry[]): string {
  if (candidates.length === 0) return `nobody and no group called "${written}" was found`;
  const list = candidates.slice(0, MOST_CANDIDATES).map(({ kind, id, name, username }) => {
    const called = [name, username && `@${username}`].filter(Boolean).join(" ");
    // Names are whatever somebody calls themselves.
    return `${externalLine(called) || kind} (${kind} ${id})`;
  });
  return `"${written}" may be several; use one of these ids: ${list.join(", ")}`;
}

/** The way a channel writes an id it gave out: with a word before it, or alone. */
function addressOf(code: Channel, { kind, id }: DirectoryEntry): Address | undefined {
  const spellings = kind === "user" ? [`user:${id}`, id] : [`channel:${id}`, `group:${id}`, id];
  return spellings
    .map((spelling) => code.readTarget(spelling))
    .find((read): read is Address => read.kind === "target" && read.chat.id === id);
}
