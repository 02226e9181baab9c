// Starts one account: asks who we are, opens the gateway connection, and joins the parts.
import { GatewayError, type ChannelConnection, type ChannelHost } from "@chela/sdk";
import { openApi, type DiscordApi } from "./api.ts";
import { createCapabilities } from "./capabilities.ts";
import { catchUp } from "./receive/catch-up.ts";
import { nameToken, type DiscordAccount } from "./config.ts";
import { download } from "./download.ts";
import { toChannelError } from "./failure.ts";
import { createLink, intentsOf, type GatewayLibrary } from "./receive/gateway-link.ts";
import { nameOf, type Self } from "./receive/inbound-text.ts";
import { Inbound } from "./receive/inbound.ts";
import { Interactions } from "./receive/interactions.ts";
import { User } from "./receive/payload.ts";
import { Places } from "./places.ts";
import { Progress } from "./receive/progress.ts";
import { Recent } from "@chela/sdk/channel-kit";
import { Sender } from "./send.ts";
import { answerInteractions } from "./receive/webhook.ts";

/** More than this waiting to be taken in means that nothing can be written: better to stop listening for a while. */
const MOST_OPEN_EVENTS = 5_000;

export async function start(account: DiscordAccount, host: ChannelHost): Promise<ChannelConnection> {
  const [{ REST }, library] = await Promise.all([import("@discordjs/rest"), import("@discordjs/ws")]);
  const api = openApi({ REST, token: account.token, ...(account.apiRoot ? { apiRoot: account.apiRoot } : {}) });
  try {
    return await connect(account, host, api, library);
  } catch (error) {
    api.close();
    throw toChannelError(error);
  }
}

async function connect(
  account: DiscordAccount,
  host: ChannelHost,
  api: DiscordApi,
  library: GatewayLibrary,
): Promise<ChannelConnection> {
  const self = await askWhoWeAre(api);
  host.report({ self: { id: self.id, name: self.name } });
  const progress = await Progress.load(host, `${nameToken(account.token)}:${intentsOf(account)}`);
  const over = new AbortController();
  const ours = new Recent<true>(1_000);
  const places = new Places(api, self.id);
  const interactions = new Interactions({ host, api, places, isEphemeral: account.isEphemeral });
  const inbound = new Inbound({ host, self, places, progress, interactions, ours, over: over.signal });
  const sender = new Sender(api, host, self.id);

  const link = createLink({
    library,
    rest: api.rest,
    account,
    host,
    progress,
    onDispatch(dispatch) {
      void inbound.take(dispatch);
      if (progress.openCount > MOST_OPEN_EVENTS) link.end({ why: "messages cannot be written down at the moment" });
    },
    onFresh: () => catchUp({ api, inbound, places, progress, log: host.log }),
  });
  const letGo = async (): Promise<void> => {
    over.abort();
    route?.[Symbol.dispose]();
    await progress.close();
    api.close();
  };
  void link.ended.then(letGo);
  const route = account.publicKey
    ? host.serve(
        `/discord/${encodeURIComponent(host.account)}/interactions`,
        answerInteractions({ publicKey: account.publicKey, clock: host.clock, interactions }),
      )
    : undefined;
  await link.connect();

  return {
    ...createCapabilities({ api, sender, places, self }),
    ended: link.ended,
    async close() {
      over.abort();
      await link.close();
      await letGo();
    },
    async send(message, signal) {
      const outcome = await sender.send(message, signal);
      if (outcome.kind === "sent") {
        ours.set(outcome.messageId, true);
        if (outcome.chatId) void interactions.settle(outcome.chatId);
      } else if (outcome.reason === "unauthorised") {
        link.end({ why: outcome.why, isFinal: true });
      }
      return outcome;
    },
    edit: (target, messageId, markdown) => sender.edit(target, messageId, markdown),
    findSent: (message) => sender.findSent(message),
    download: (ref, signal) => download({ api, fetch: host.fetch, maxBytes: account.mediaMaxBytes }, ref, signal),
  };
}

async function askWhoWeAre(api: DiscordApi): Promise<Self> {
  const user = User().safeParse(await api.call("GET", "/users/@me")).data;
  if (!user) throw new GatewayError("CHANNEL_OFFLINE", "this address does not answer like Discord");
  return { id: user.id, name: nameOf(user) };
}
