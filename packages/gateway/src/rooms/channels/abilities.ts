// Lists what a channel can do: each ability is a method that is there.
import { GatewayError, type ChannelConnection } from "@chela/sdk";
import { allChannels } from "./room.ts";
import { inTableOrder } from "./glance.ts";
import type { ChannelServices, NamedAccount } from "./choose-account.ts";

const ABILITIES = [
  "edit",
  "draft",
  "unsend",
  "react",
  "reactions",
  "typing",
  "markRead",
  "history",
  "pin",
  "pins",
  "createThread",
  "threads",
  "directory",
  "resolveName",
  "download",
  "offerCommands",
  "probe",
  "logout",
] as const satisfies ReadonlyArray<keyof ChannelConnection>;

/** Without a name: those that are configured in full, and the names of those that could be. */
export async function listAbilities(side: ChannelServices, { channel, accountId }: NamedAccount) {
  const configured = side.channels.ids;
  if (channel !== undefined) return [await abilitiesOf(side, channel, accountId)];
  const others = allChannels().filter(({ id }) => !configured.includes(id));
  return [
    ...(await Promise.all(inTableOrder(configured).map((id) => abilitiesOf(side, id, accountId)))),
    ...others.map(({ id, label, package: from }) => ({
      id,
      label,
      configured: false,
      ...(from ? { package: from } : {}),
    })),
  ];
}

async function abilitiesOf(side: ChannelServices, id: string, accountId: string | undefined) {
  const { channels } = side;
  const entry = allChannels().find((one) => one.id === id);
  const from = entry?.package ? { package: entry.package } : {};
  const configured = channels.ids.includes(id);
  const wanted = channels.accountIds(id).filter((one) => accountId === undefined || one === accountId);
  try {
    const { label, traits, login } = await channels.channel(id);
    const { chats, textLimit, dedupe } = traits;
    return {
      id,
      label,
      configured,
      ...from,
      chats: [...chats],
      textLimit,
      dedupe,
      isLinkedByPerson: login !== undefined,
      accounts: wanted.map((one) => accountAbilities(one, channels.connection({ channel: id, account: one }))),
    };
  } catch (error) {
    // Code that is missing is told, and is no reason to hide the other channels, nor what is known without it.
    if (!GatewayError.is(error) || (entry === undefined && !configured)) throw error;
    const accounts = wanted.map((one) => accountAbilities(one, undefined));
    return { id, label: entry?.label ?? id, configured, ...from, problem: error.explain(), accounts };
  }
}

/** Only a connection knows, since platforms differ by server and by right. */
function accountAbilities(accountId: string, connection: ChannelConnection | undefined) {
  const abilities = connection ? ABILITIES.filter((name) => connection[name] !== undefined) : [];
  return { accountId, connected: connection !== undefined, abilities: connection ? ["send", ...abilities] : [] };
}
