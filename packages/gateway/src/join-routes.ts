// Finds the chat a text goes to that is no answer to a message from there: the one its session was last led in, or one that is named.
import type { Ledger } from "@chela/sdk";
import type { Channels } from "./channels/room.ts";

/** A chat on an account of a channel. */
export interface DeliveryRoute {
  readonly channel: string;
  readonly account: string;
  readonly to: string;
  readonly threadId?: string;
}

/** As somebody wrote it; what is missing is taken from where the session was last led. */
export interface WrittenRoute {
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly account?: string | undefined;
  readonly threadId?: string | undefined;
}

export type FoundRoute =
  | { readonly kind: "found"; readonly route: DeliveryRoute }
  /** One sentence: what is missing. */
  | { readonly kind: "none"; readonly why: string };

export interface Routes {
  /** Undefined when the session was led at our own door only, or in a channel that is not configured any more. */
  last(sessionKey: string): Promise<DeliveryRoute | undefined>;
  find(written: WrittenRoute, sessionKey: string): Promise<FoundRoute>;
}

export function joinRoutes({ ledger, channels }: { readonly ledger: Ledger; readonly channels: Channels }): Routes {
  async function last(sessionKey: string): Promise<DeliveryRoute | undefined> {
    const entry = await ledger.session(sessionKey);
    const { deliveryContext, lastChannel, lastTo, lastAccountId, lastThreadId } = entry ?? {};
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
