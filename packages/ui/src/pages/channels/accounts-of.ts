// The accounts of channels as the page speaks of them: with a name, and with what can be done.
import type { MethodAnswer } from "@chela/sdk/protocol";

export type Status = MethodAnswer<"channels.status">;
export type AccountRow = Status["channelAccounts"][string][number];
type Ability = MethodAnswer<"channels.capabilities">["channels"][number];

/** Which account of which channel. */
export interface AccountName {
  readonly channel: string;
  readonly accountId: string;
}

export interface ChannelAccount extends AccountName {
  /** The platform. */
  readonly label: string;
  /** The platform, with the account where there are several. */
  readonly name: string;
  readonly row: AccountRow;
  /** All accounts of this channel. */
  readonly siblings: readonly string[];
  /** Undefined while it is not known. */
  readonly isLinkedByPerson: boolean | undefined;
  readonly abilities: ReadonlySet<string>;
}

export function accountsOf(status: Status | undefined, abilities: readonly Ability[] = []): ChannelAccount[] {
  return (status?.channelOrder ?? []).flatMap((channel) => {
    const rows = status?.channelAccounts[channel] ?? [];
    const label = status?.channelLabels[channel] ?? channel;
    const ability = abilities.find(({ id }) => id === channel);
    return rows.map((row) => ({
      channel,
      accountId: row.accountId,
      label,
      name: nameOf(label, row, rows.length),
      row,
      siblings: rows.map(({ accountId }) => accountId),
      isLinkedByPerson: ability?.isLinkedByPerson,
      abilities: new Set(ability?.accounts?.find(({ accountId }) => accountId === row.accountId)?.abilities),
    }));
  });
}

function nameOf(label: string, { name, accountId }: AccountRow, count: number): string {
  if (name && name !== label) return `${label} (${name})`;
  return count > 1 ? `${label} (${accountId})` : label;
}

/** Who it is at its platform, as far as the account said so itself. Ids are told when there is nothing better. */
export function selfOf({ self = {} }: AccountRow): string {
  const { name, username, ...others } = self;
  const handle = username && (username.startsWith("@") ? username : `@${username}`);
  const names = Object.entries(others).filter(([key]) => !/id$/i.test(key));
  const told = new Set([name, handle, ...names.map(([, value]) => value)].filter(Boolean));
  return [...told].slice(0, 2).join(" · ") || (Object.values(self)[0] ?? "");
}

export function isSame(one: AccountName, other: AccountName): boolean {
  return one.channel === other.channel && one.accountId === other.accountId;
}

/** Which of a few colours a channel's tile has: the same one every time. */
export function hueOf(channel: string): number {
  const sum = [...channel].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (sum % 5) + 1;
}
