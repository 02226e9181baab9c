// Finds out which account somebody means who may have named only a part of it.
import { GatewayError, type ChannelConnection } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { inTableOrder } from "./glance.ts";

/** All that connects us with messaging platforms. */
export type ChannelServices = Awaited<ReturnType<House["channels"]>>;

export interface AccountName {
  readonly channel: string;
  readonly accountId: string;
}

/** What somebody wrote of an account. */
export interface NamedAccount {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
}

/** Of a channel that is configured; it may be left out when there is only one. Throws CHANNEL_UNKNOWN. */
export function chooseAccount({ channels }: ChannelServices, written: NamedAccount): AccountName {
  const channel = chooseChannel(channels.ids, written.channel?.trim().toLowerCase());
  const accountId = written.accountId?.trim() ?? channels.defaultAccount(channel);
  const known = channels.accountIds(channel);
  if (known.includes(accountId)) return { channel, accountId };
  throw new GatewayError("CHANNEL_UNKNOWN", `${channel} has no account "${accountId}" (it has: ${known.join(", ")})`);
}

function chooseChannel(ids: readonly string[], named: string | undefined): string {
  const list = inTableOrder(ids).join(", ");
  if (named !== undefined && ids.includes(named)) return named;
  if (ids.length === 0) throw new GatewayError("CHANNEL_UNKNOWN", "no channel is configured");
  if (named !== undefined)
    throw new GatewayError("CHANNEL_UNKNOWN", `"${named}" is not configured (configured: ${list})`);
  const [only, another] = ids;
  if (only !== undefined && another === undefined) return only;
  throw new GatewayError("CHANNEL_UNKNOWN", `several are configured, so say which: ${list}`);
}

/** Throws CHANNEL_OFFLINE, too. */
export function requireAccount(
  side: ChannelServices,
  written: NamedAccount,
): AccountName & { readonly connection: ChannelConnection } {
  const name = chooseAccount(side, written);
  return { ...name, connection: side.channels.requireConnection({ channel: name.channel, account: name.accountId }) };
}
