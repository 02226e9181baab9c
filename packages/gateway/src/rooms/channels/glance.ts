// Short summary of channels for health and status: from what is known already, without asking anybody.
import { GatewayError } from "@chela/sdk";
import type { AccountProbes, LastProbe } from "./account-probes.ts";
import { allChannels, type AccountStatus, type Channels } from "./room.ts";

export interface ChannelGlance {
  readonly channelOrder: readonly string[];
  readonly channelLabels: Readonly<Record<string, string>>;
  readonly channels: Readonly<Record<string, ChannelSummary>>;
}

/** The default account's state stands for the channel. */
interface ChannelSummary extends AccountState {
  readonly accountId: string;
  readonly accounts: Readonly<Record<string, AccountState>>;
}

export interface AccountState extends Omit<AccountStatus, "lastDisconnect">, Partial<LastProbe> {
  readonly lastDisconnect?: { readonly at: number; readonly error: string };
}

type GlancedChannels = Pick<Channels, "ids" | "status" | "defaultAccount" | "channel">;

export async function glanceAtChannels(
  channels: GlancedChannels,
  probes?: Pick<AccountProbes, "last">,
): Promise<ChannelGlance> {
  const channelOrder = inTableOrder(channels.ids);
  const labels = await Promise.all(channelOrder.map(async (id) => [id, await labelOf(id, channels)] as const));
  return {
    channelOrder,
    channelLabels: Object.fromEntries(labels),
    channels: Object.fromEntries(channelOrder.map((id) => [id, summaryOf(id, channels, probes)])),
  };
}

/** As the table of channels has them; those it does not know come last. */
export function inTableOrder(ids: readonly string[]): string[] {
  const table = allChannels().map((entry) => entry.id);
  const place = (id: string): number => (table.includes(id) ? table.indexOf(id) : table.length);
  return ids.toSorted((one, other) => place(one) - place(other));
}

export async function labelOf(id: string, channels: Pick<Channels, "channel">): Promise<string> {
  try {
    return (await channels.channel(id)).label;
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return allChannels().find((entry) => entry.id === id)?.label ?? id;
  }
}

/** In the words of the protocol. */
export function stateOf({ lastDisconnect, ...status }: AccountStatus): AccountState {
  return {
    ...status,
    ...(lastDisconnect ? { lastDisconnect: { at: lastDisconnect.at, error: lastDisconnect.why } } : {}),
  };
}

function summaryOf(
  id: string,
  channels: GlancedChannels,
  probes: Pick<AccountProbes, "last"> | undefined,
): ChannelSummary {
  const states = channels.status(id).map((status) => ({ ...stateOf(status), ...probes?.last(id, status.accountId) }));
  const main = channels.defaultAccount(id);
  const unknown: AccountState = { ...UNKNOWN, accountId: main };
  const state = states.find(({ accountId }) => accountId === main) ?? states[0] ?? unknown;
  return { ...state, accounts: Object.fromEntries(states.map((one) => [one.accountId, one])) };
}

/** Of an account that was not started yet. */
export const UNKNOWN = {
  enabled: true,
  configured: false,
  linked: false,
  running: false,
  connected: false,
  reconnectAttempts: 0,
} as const satisfies Omit<AccountStatus, "accountId">;

/** One line for each account, for people. */
export function channelLines({ channelOrder, channelLabels, channels }: ChannelGlance): string[] {
  return channelOrder.flatMap((id) => {
    const states = Object.values(channels[id]?.accounts ?? {});
    const isAlone = states.length === 1;
    return states.map((state) => {
      const name = isAlone ? "" : ` (${state.accountId})`;
      return `${channelLabels[id] ?? id}${name}: ${describeState(state)}`;
    });
  });
}

/** The flag that matters most decides what is said. */
function describeState(state: AccountState): string {
  const why = state.lastError ? `: ${state.lastError}` : "";
  if (!state.enabled) return "switched off";
  if (!state.configured) return state.lastError ? `not set up${why}` : "not started yet";
  if (state.connected) return "connected";
  if (!state.linked) return `not linked${why}`;
  return state.running ? `connecting${why}` : `stopped${why}`;
}
