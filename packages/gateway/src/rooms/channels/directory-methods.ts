// Methods that tell whom an account knows, and where a message would go.
import { defined } from "@chela/sdk/base";
import { GatewayError, type ChannelConnection, type DirectoryEntry } from "@chela/sdk";
import type { RoutedEvent } from "../routing/room.ts";
import { requireAccount } from "./choose-account.ts";
import type { DIRECTORY_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type DirectoryMethods = Pick<Handlers, keyof typeof DIRECTORY_METHODS>;
type Directory = NonNullable<ChannelConnection["directory"]>;

const DEFAULT_LIMIT = 100;

export function directoryMethods(gateway: Pick<House, "channels" | "explainRoute">): DirectoryMethods {
  async function look(
    written: { channel?: string | undefined; accountId?: string | undefined },
    what: string,
    ask: (directory: Directory) => Promise<DirectoryEntry[]> | undefined,
  ) {
    const { connection, channel, accountId } = requireAccount(await gateway.channels(), written);
    const asked = connection.directory && ask(connection.directory);
    if (!asked) throw new GatewayError("CHANNEL_UNSUPPORTED", `${channel} cannot list ${what}`);
    return { channel, accountId, entries: (await asked).map((entry) => ({ ...entry })) };
  }

  return {
    async "directory.self"(params) {
      const found = await look(params, "who it is", async ({ self }) => [await self()]);
      const [self] = found.entries;
      if (!self) throw new GatewayError("CHANNEL_UNSUPPORTED", `${found.channel} does not say who it is`);
      return { channel: found.channel, accountId: found.accountId, self };
    },

    "directory.users": ({ query = "", limit = DEFAULT_LIMIT, ...written }) =>
      look(written, "people", (directory) => directory.users?.(query, limit)),

    "directory.groups": ({ query = "", limit = DEFAULT_LIMIT, ...written }) =>
      look(written, "groups", (directory) => directory.groups?.(query, limit)),

    "directory.members": ({ groupId, limit = DEFAULT_LIMIT, ...written }) =>
      look(written, "the members of a group", (directory) => directory.members?.(groupId, limit)),

    async "routing.explain"(params) {
      const event = await eventOf(gateway, params);
      const { route, text } = await gateway.explainRoute(event);
      return { route: { ...route, considered: route.considered.map((note) => ({ ...note })) }, text };
    },
  };
}

/** An event as the channel would hand it in; of channels that are not configured, too. */
async function eventOf(
  gateway: Pick<House, "channels">,
  { channel, accountId, peer, senderId, roles, ...places }: Parameters<DirectoryMethods["routing.explain"]>[0],
): Promise<RoutedEvent> {
  const { channels, gate } = await gateway.channels();
  const { threadWord, chatIdsArePerAccount } = (await channels.channel(channel)).traits;
  const defaultAccount = channels.defaultAccount(channel);
  const { threadId, parentId, guildId, teamId } = places;
  const account = accountId ?? defaultAccount;
  const chat = {
    ...peer,
    ...defined({ threadId, parentId, guildId, teamId }),
  };
  const sender = { id: senderId ?? (peer.kind === "direct" ? peer.id : ""), ...(roles ? { roles } : {}) };
  return {
    channel,
    account,
    defaultAccount,
    chat,
    sender,
    standing: await gate.standingOf(channel, account, { chat, sender }),
    ...(threadWord ? { threadWord } : {}),
    ...(chatIdsArePerAccount ? { chatIdsArePerAccount } : {}),
  };
}
