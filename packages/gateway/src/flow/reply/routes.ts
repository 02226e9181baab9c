// Finds the chat a text goes to that is no answer to a message from there: the one its session was last led in, or one that is named.
import { agentOfSessionKey, conversationKind, type Ledger, type SessionEntry } from "@chela/sdk";
import type { Channels } from "../../rooms/channels/room.ts";
import { LAST_SENDER } from "../turn/session-after.ts";

/** A chat on an account of a channel. */
export interface DeliveryRoute {
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string;
}

/** As somebody wrote it; what is missing is taken from where the session was last led. */
interface WrittenRoute {
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly account?: string | undefined;
  readonly threadId?: string | undefined;
}

type FoundRoute =
  | { readonly kind: "found"; readonly route: DeliveryRoute }
  /** One sentence: what is missing. */
  | { readonly kind: "none"; readonly why: string };

export interface RouteNeeds {
  readonly ledger: Ledger;
  readonly channels: Channels;
  /** Whether somebody with this id is an owner now, on this account. */
  isOwner(channel: string, account: string, id: string): Promise<boolean>;
}

export interface Routes {
  /**
   * Of a chat's own session that chat. Of the owner's conversations the last chat of an owner: somebody else's is never
   * picked. Undefined when there is none, or its channel is not configured any more.
   */
  last(sessionKey: string): Promise<DeliveryRoute | undefined>;
  find(written: WrittenRoute, sessionKey: string): Promise<FoundRoute>;
}

/** So many of an agent's newest conversations are looked at for one with an owner. */
const MOST_LOOKED_AT = 100;

export function openDeliveryRoutes({ ledger, channels, isOwner }: RouteNeeds): Routes {
  async function last(sessionKey: string): Promise<DeliveryRoute | undefined> {
    const entry = await ledger.session(sessionKey);
    const kind = conversationKind(sessionKey);
    if (kind === "direct" || kind === "group") return entry && routeIn(entry);
    const own = entry && (await ownersRoute(entry));
    return own ?? lastOfOwner(agentOfSessionKey(sessionKey));
  }

  /** Where owners have conversations of their own, too. */
  async function lastOfOwner(agentId: string | undefined): Promise<DeliveryRoute | undefined> {
    const of = agentId === undefined ? {} : { agentId };
    const rows = await ledger.sessions({ ...of, limit: MOST_LOOKED_AT });
    for (const { key, entry } of rows.toSorted((a, b) => b.entry.updatedAt - a.entry.updatedAt)) {
      const route = conversationKind(key) === "direct" ? await ownersRoute(entry) : undefined;
      if (route) return route;
    }
    return undefined;
  }

  /** Undefined when the chat is not an owner's, or not any more. */
  async function ownersRoute(entry: SessionEntry): Promise<DeliveryRoute | undefined> {
    const route = routeIn(entry);
    if (!route) return undefined;
    const id = await personAt(entry, route);
    return id !== undefined && (await isOwner(route.channel, route.account, id)) ? route : undefined;
  }

  /** Sessions of earlier versions do not say who wrote; the address of a direct chat mostly does. */
  async function personAt(entry: SessionEntry, { channel, to }: DeliveryRoute): Promise<string | undefined> {
    const known: unknown = entry[LAST_SENDER];
    if (typeof known === "string") return known;
    const read = (await channels.channel(channel)).readTarget(to);
    return read.kind === "target" && read.chat.kind === "direct" ? read.chat.id : undefined;
  }

  function routeIn(entry: SessionEntry): DeliveryRoute | undefined {
    const { deliveryContext, lastChannel, lastTo, lastAccountId, lastThreadId } = entry;
    const latest = { channel: lastChannel, to: lastTo, accountId: lastAccountId, threadId: lastThreadId };
    const { channel, to, accountId, threadId } = deliveryContext?.to === undefined ? latest : deliveryContext;
    if (!channel || !to || !channels.ids.includes(channel)) return undefined;
    const account = accountId ?? channels.defaultAccount(channel);
    return { channel, account, to, ...(threadId === undefined ? {} : { threadId: String(threadId) }) };
  }

  async function find(written: WrittenRoute, sessionKey: string): Promise<FoundRoute> {
    const known = await last(sessionKey);
    const channel = written.channel ?? known?.channel;
    if (!channel) return none("this session was never led in a channel; name a channel and whom to write to");
    const isLast = known?.channel === channel;
    const account = written.account ?? (isLast ? known.account : channels.defaultAccount(channel));
    if (!channels.accountIds(channel).includes(account)) return none(`${channel} has no account "${account}"`);
    if (!written.to) {
      if (!isLast || known.account !== account) return none(`say to whom on ${channel} it shall go (to)`);
      return found({ ...known, ...(written.threadId ? { threadId: written.threadId } : {}) });
    }
    const read = (await channels.channel(channel)).readTarget(written.to);
    if (read.kind !== "target") {
      const why = read.kind === "unusable" ? read.why : "names are not looked up here; give the id";
      return none(`"${written.to}" is no address on ${channel}: ${why}`);
    }
    const threadId = written.threadId ?? read.target.threadId;
    return found({ channel, account, to: read.target.to, ...(threadId ? { threadId } : {}) });
  }

  return { last, find };
}

function found(route: DeliveryRoute): FoundRoute {
  return { kind: "found", route };
}

function none(why: string): FoundRoute {
  return { kind: "none", why };
}
