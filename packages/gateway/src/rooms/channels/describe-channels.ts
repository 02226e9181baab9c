// Tells operators how every account of every channel does, also those that cannot run.
import { GatewayError, type ChannelPolicy, type Clock, type Ledger } from "@chela/sdk";
import { accountsOf, configuredChannels, type AccountStatus, type ChannelsView } from "./room.ts";
import { PROBE_PATIENCE_MS, type AccountProbes, type LastProbe } from "./account-probes.ts";
import { glanceAtChannels, stateOf, UNKNOWN, type AccountState } from "./glance.ts";
import { within } from "./within.ts";
import type { ChannelServices } from "./choose-account.ts";

export interface DescribeParts {
  readonly clock: Clock;
  readonly ledger: Ledger;
  config(): ChannelsView;
  channels(): Promise<ChannelServices>;
  readonly probes: AccountProbes;
}

interface DeliveryCounts {
  pending: number;
  undeliverable: number;
}

export interface AccountRow extends AccountState, Partial<LastProbe> {
  readonly name?: string;
  readonly dmPolicy?: string;
  readonly groupPolicy?: string;
  readonly allowFrom?: string[];
  /** Entries of allow-lists that mean nobody. */
  readonly unresolved: string[];
  readonly deliveries: DeliveryCounts;
}

/** More are not counted. */
const MOST_DELIVERIES = 1000;

export async function describeChannels(
  parts: DescribeParts,
  { probe = false, timeoutMs = PROBE_PATIENCE_MS }: { probe?: boolean | undefined; timeoutMs?: number | undefined },
) {
  const ts = parts.clock.now();
  const ids = configuredChannels(parts.config());
  if (ids.length === 0) return nothing(ts);
  const side = await parts.channels();
  const counts = await countDeliveries(parts.ledger);
  const known = knownChannels(side, parts.config(), ids);
  const glance = await glanceAtChannels(known, parts.probes);
  const accounts = await Promise.all(
    glance.channelOrder.map(async (channel) => {
      const rows = known
        .status(channel)
        .map((status) => describeAccount({ side, channel, status, counts, probe, timeoutMs, ...parts }));
      return [channel, await Promise.all(rows)] as const;
    }),
  );
  return {
    ts,
    channelOrder: [...glance.channelOrder],
    channelLabels: { ...glance.channelLabels },
    channelDetailLabels: { ...glance.channelLabels },
    channelSystemImages: {},
    channelMeta: glance.channelOrder.map((id) => {
      const label = glance.channelLabels[id] ?? id;
      return { id, label, detailLabel: label };
    }),
    channels: Object.fromEntries(Object.entries(glance.channels).map(([id, summary]) => [id, { ...summary }])),
    channelAccounts: Object.fromEntries(accounts.map(([id, rows]) => [id, rows.map((row) => ({ ...row }))])),
    channelDefaultAccountId: Object.fromEntries(ids.map((id) => [id, side.channels.defaultAccount(id)])),
  };
}

/** Nothing of channels is loaded for this answer. */
function nothing(ts: number) {
  return {
    ts,
    channelOrder: [],
    channelLabels: {},
    channelDetailLabels: {},
    channelSystemImages: {},
    channelMeta: [],
    channels: {},
    channelAccounts: {},
    channelDefaultAccountId: {},
  };
}

/** What runs, and what is configured but was not started yet. */
function knownChannels({ channels }: ChannelServices, config: ChannelsView, ids: readonly string[]) {
  const status = (channel: string): AccountStatus[] => {
    const running = channels.status(channel);
    if (running.length > 0) return running;
    return accountsOf(config, channel).map(({ account, isEnabled }) => ({
      ...UNKNOWN,
      accountId: account,
      enabled: isEnabled,
    }));
  };
  return {
    ids: [...ids],
    status,
    defaultAccount: (id: string) => channels.defaultAccount(id),
    channel: (id: string) => channels.channel(id),
  };
}

interface AccountQuestion {
  readonly side: ChannelServices;
  readonly channel: string;
  readonly status: AccountStatus;
  readonly counts: ReadonlyMap<string, DeliveryCounts>;
  readonly probe: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly probes: AccountProbes;
}

async function describeAccount(question: AccountQuestion): Promise<AccountRow> {
  const { side, channel, status, counts, probes, timeoutMs } = question;
  const { accountId } = status;
  const settings = side.channels.settings({ channel, account: status.accountId }) ?? {};
  const { name } = settings;
  const policy = await policyOf(side, channel, settings);
  const probed = question.probe
    ? await probes.ask(side.channels, { channel, accountId }, timeoutMs)
    : probes.last(channel, accountId);
  return {
    ...stateOf(status),
    ...(typeof name === "string" ? { name } : {}),
    ...(policy ? { dmPolicy: policy.dm, groupPolicy: policy.group, allowFrom: [...policy.allowFrom] } : {}),
    ...probed,
    unresolved: policy ? await unresolvedOf(question) : [],
    deliveries: counts.get(`${channel}\n${status.accountId}`) ?? { pending: 0, undeliverable: 0 },
  };
}

async function policyOf(side: ChannelServices, channel: string, settings: object): Promise<ChannelPolicy | undefined> {
  try {
    return (await side.channels.channel(channel)).policy(settings);
  } catch (error) {
    // The account's own error says that its code is missing.
    if (GatewayError.is(error)) return undefined;
    throw error;
  }
}

/** Names may have to be asked of the platform. */
async function unresolvedOf({ side, channel, status, timeoutMs, clock }: AccountQuestion): Promise<string[]> {
  if (!status.configured) return [];
  return [...((await within(clock, timeoutMs, side.gate.unresolved(channel, status.accountId))) ?? [])];
}

async function countDeliveries(ledger: Ledger): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const counts = new Map<string, DeliveryCounts>();
  for (const state of ["pending", "undeliverable"] as const) {
    for (const { channel, account } of await ledger.deliveries({ state, limit: MOST_DELIVERIES })) {
      const name = `${channel}\n${account}`;
      const count = counts.get(name) ?? { pending: 0, undeliverable: 0 };
      count[state] += 1;
      counts.set(name, count);
    }
  }
  return counts;
}
