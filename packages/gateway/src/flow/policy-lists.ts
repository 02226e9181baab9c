// The lists of accounts as they were read last: what the operator wrote about who may speak, and what it means.
import {
  GatewayError,
  idList,
  type Channel,
  type ChannelConnection,
  type ChannelPolicy,
  type Clock,
  type WrittenId,
} from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import type { House } from "../house/house.ts";
import { resolveLists, type LookUp, type NameBook, type ReadLists } from "../rooms/access/room.ts";
import type { Channels } from "../rooms/channels/room.ts";

/** What the operator wrote about an account, and what it means. */
type ReadPolicy = ReadLists & { readonly policy: ChannelPolicy };

export interface PolicyLists {
  of(channel: string, account: string): Promise<ReadPolicy>;
  /** They are read anew: names can be looked up now. */
  forget(channel: string, account: string): void;
}

const LOOK_UP_PATIENCE_MS = 10_000;

export function openPolicyLists(
  { clock, config, log }: Pick<House, "clock" | "config" | "log">,
  channels: Channels,
  names: NameBook,
): PolicyLists {
  /** Lists as they were read last; a new configuration, new settings of the account or a new connection read them anew. */
  const read = new Map<string, { readonly of: readonly unknown[]; readonly lists: Promise<ReadPolicy> }>();

  function listsOf(channel: string, account: string): Promise<ReadPolicy> {
    const key = keyOf(channel, account);
    // An account gets its settings a moment after the configuration changed: both have to be the same.
    const of = [config.current(), channels.settings({ channel, account })];
    const known = read.get(key);
    if (known?.of.every((one, at) => one === of[at])) return known.lists;
    const lists = readLists(channel, account);
    read.set(key, { of, lists });
    // What failed once may work the next time.
    lists.catch(() => read.delete(key));
    return lists;
  }

  async function readLists(channel: string, account: string): Promise<ReadPolicy> {
    const code = await channels.channel(channel);
    const connection = channels.connection({ channel, account });
    const owners = config.current().commands?.ownerAllowFrom;
    const policy = code.policy(channels.settings({ channel, account }) ?? {});
    const result = await resolveLists(
      { policy, ...(owners ? { owners: idList(owners) } : {}) },
      {
        channel,
        readId: (written) => code.readId(written),
        readGroup: (written) => readGroup(code, written),
        idOfName: (name, kind) => names.idOf({ channel, account }, name, kind, lookUpBy(connection, clock)),
      },
    );
    if (result.unresolved.length > 0 && connection)
      log.warn("entries of allow-lists mean nobody", { channel, account, entries: result.unresolved });
    return { ...result, policy };
  }

  return {
    of: listsOf,
    forget: (channel, account) => void read.delete(keyOf(channel, account)),
  };
}

const keyOf = (channel: string, account: string): string => `${channel}\n${account}`;

/** Everybody who writes there waits for this, so it must not take for ever. */
function lookUpBy(connection: ChannelConnection | undefined, clock: Clock): LookUp | undefined {
  if (!connection?.resolveName) return undefined;
  return async (name, kind) => {
    const found = await waitAtMost(LOOK_UP_PATIENCE_MS, Promise.resolve(connection.resolveName?.(name, kind)), clock);
    if (found === "late") throw new GatewayError("CHANNEL_OFFLINE", "the platform does not say who that is");
    return found;
  };
}

/** A key of `groups`: a chat, or `<guild>/<chat>`; what is no id has to be looked up. */
function readGroup(code: Channel, written: string): WrittenId {
  const slash = written.indexOf("/");
  const isInGuild = slash > 0 && slash < written.length - 1;
  const chat = isInGuild ? written.slice(slash + 1) : written;
  const id = code.readId(chat);
  if (id.kind === "id") return { kind: "id", id: isInGuild ? written : id.id };
  const target = code.readTarget(chat);
  if (target.kind === "target") return { kind: "id", id: isInGuild ? written : target.chat.id };
  return target.kind === "name" ? { kind: "name", name: isInGuild ? written : target.name } : target;
}
