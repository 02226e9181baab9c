// Methods about channels: how they do, how they are linked, what they can do.
import { GatewayError, type DirectoryEntry } from "@chela/sdk";
import { listAbilities } from "./abilities.ts";
import { checkSetup, listSetups } from "./channel-setup.ts";
import { chooseAccount, type AccountName, type ChannelServices } from "./choose-account.ts";
import { describeChannels } from "./describe-channels.ts";
import { inTableOrder, labelOf } from "./glance.ts";
import { answerLink } from "./link-answer.ts";
import { AccountLinks } from "./account-links.ts";
import { resolveEntry } from "./resolve-entries.ts";
import { DEFAULT_ACCOUNT } from "./room.ts";
import { type CHANNEL_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type ChannelMethods = Pick<Handlers, keyof typeof CHANNEL_METHODS>;

const START_PATIENCE_MS = 30_000;
const WAIT_PATIENCE_MS = 120_000;

export function channelMethods(
  gateway: Pick<House, "channels" | "clock" | "config" | "ledger" | "probes">,
): ChannelMethods {
  const { clock, ledger } = gateway;
  const links = new AccountLinks(clock);
  const parts = {
    clock,
    ledger,
    config: () => gateway.config.current(),
    channels: () => gateway.channels(),
    probes: gateway.probes,
  };
  return {
    "channels.status": (params) => describeChannels(parts, params),

    async "channels.logout"(params) {
      const side = await gateway.channels();
      const name = chooseAccount(side, params);
      return { ...name, ...(await logOut(side, name)) };
    },

    "channels.capabilities": async (params) => ({ channels: await listAbilities(await gateway.channels(), params) }),

    async "channels.resolve"({ entries, kind = "auto", ...written }) {
      const side = await gateway.channels();
      const name = chooseAccount(side, written);
      const code = await side.channels.channel(name.channel);
      const connection = side.channels.connection({ channel: name.channel, account: name.accountId });
      const kinds: ReadonlyArray<DirectoryEntry["kind"]> = kind === "auto" ? ["user", "group"] : [kind];
      const results = [];
      for (const entry of entries) results.push({ ...(await resolveEntry(entry, { code, connection, kinds })) });
      return { ...name, results };
    },

    "channels.setup": async () => ({ channels: await listSetups() }),

    "channels.check": async ({ accountId = DEFAULT_ACCOUNT, ...written }) =>
      checkSetup(await gateway.channels(), gateway.config.current(), { accountId, ...written }),

    async "web.login.start"({ force = false, timeoutMs = START_PATIENCE_MS, ...written }) {
      const side = await gateway.channels();
      const name = await chooseLinked(side, written);
      const state = await links.start(side, name, force, timeoutMs);
      return { ...(await answerLink(state, await labelOf(name.channel, side.channels))) };
    },

    async "web.login.wait"({ timeoutMs = WAIT_PATIENCE_MS, seen, ...written }) {
      const side = await gateway.channels();
      const name = await chooseLinked(side, written);
      const state = await links.wait(name, seen, timeoutMs);
      const answer = await answerLink(state, await labelOf(name.channel, side.channels));
      return { connected: state.kind === "linked", ...answer };
    },
  };
}

/** Clients that name no channel mean the first one that is linked in this way. */
async function chooseLinked(
  side: ChannelServices,
  written: { channel?: string | undefined; accountId?: string | undefined },
): Promise<AccountName> {
  if (written.channel !== undefined) return chooseAccount(side, written);
  for (const channel of inTableOrder(side.channels.ids)) {
    const code = await side.channels.channel(channel).catch(() => undefined);
    if (code?.login) return chooseAccount(side, { ...written, channel });
  }
  throw invalid("web login provider is not available: no channel is configured that is linked by a code or a picture");
}

async function logOut(side: ChannelServices, { channel, accountId }: AccountName) {
  const connection = side.channels.connection({ channel, account: accountId });
  const label = await labelOf(channel, side.channels);
  const nothing = { cleared: false, loggedOut: false };
  if (!connection) {
    const code = await side.channels.channel(channel);
    if (code.login)
      throw new GatewayError("CHANNEL_OFFLINE", `${label} (${accountId}) can only be logged out while it is connected`);
    return { ...nothing, message: `${label} keeps no link: its credentials are in the configuration.` };
  }
  if (!connection.logout) {
    const message = `${label} keeps no link: take its credentials out of the configuration to end its work.`;
    return { ...nothing, message };
  }
  await connection.logout();
  return { cleared: true, loggedOut: true, message: `${label} (${accountId}) is logged out.` };
}
