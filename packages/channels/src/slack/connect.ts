// Connects one account: who are we, which way do events come, and what can be done.
import * as z from "zod";
import { GatewayError, type ChannelConnection, type ChannelHost, type Disconnect, type Target } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import { openApi, type SlackApi } from "./api.ts";
import { createCatchUp } from "./receive/catch-up.ts";
import type { HttpWay, SlackAccount } from "./config.ts";
import { createDownload } from "./download.ts";
import { errorOf } from "./failures.ts";
import { createInbound, type Inbound } from "./receive/inbound.ts";
import { createOperations } from "./operations.ts";
import { createPeople } from "./people.ts";
import { createPlaces, createSender, type Places } from "./send.ts";
import type { Socket } from "./receive/socket.ts";
import type { Self } from "./receive/message-context.ts";
import { createMediaSender } from "./upload.ts";
import { createWebhook } from "./receive/webhook.ts";

const SIGN_MS = 20_000;
const SIGNS_A_CHECK = 15;

export async function connect(account: SlackAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = openApi(account);
  try {
    return await connectWith(api, account, host);
  } catch (error) {
    api.close();
    throw error;
  }
}

async function connectWith(api: SlackApi, account: SlackAccount, host: ChannelHost): Promise<ChannelConnection> {
  const self = await whoAreWe(api);
  const revoked = Promise.withResolvers<Disconnect>();
  const people = createPeople(api, host.clock);
  const catchUp = await createCatchUp(api, host, self);
  const inbound = createInbound({
    account,
    host,
    self,
    people,
    revoked: () => revoked.resolve({ why: "the Slack app was removed from the workspace", isFinal: true }),
    settled: catchUp.settled,
    missed: catchUp.missed,
  });
  const line = await openLine(account, host, inbound, api);
  host.report({ linked: true, connected: true, self: { id: self.userId, name: self.name, team: self.teamId } });
  host.alive();
  void catchUp.run(inbound);

  const places = createPlaces(api);
  const media = createMediaSender(api, host, account.apiRoot);
  return {
    ended: Promise.race([line.ended, revoked.promise]),
    async close() {
      catchUp.stop();
      await line.close();
      await inbound.idle();
      await catchUp.save();
      api.close();
    },
    ...createSender({ account, api, self, places, media, now: () => host.clock.now() }),
    ...createOperations({ api, self, places, people }),
    typing: createTyping(api, places),
    download: createDownload(account, api, host),
  };
}

const Identity = () =>
  z.object({
    user_id: z.string(),
    team_id: z.string(),
    user: z.string().optional(),
    bot_id: z.string().optional(),
  });

async function whoAreWe(api: SlackApi): Promise<Self> {
  const asked = await api.ask("auth.test", {}, Identity());
  if (asked.kind === "failed") {
    const { reason, why } = asked.failure;
    throw reason === "unauthorised" ? errorOf(asked.failure) : new GatewayError("CHANNEL_OFFLINE", `Slack, ${why}`);
  }
  const { user_id: userId, team_id: teamId, user, bot_id: botId } = asked.answer;
  return { userId, teamId, name: user ?? userId, ...(botId ? { botId } : {}) };
}

async function openLine(account: SlackAccount, host: ChannelHost, inbound: Inbound, api: SlackApi): Promise<Socket> {
  const { way, apiRoot } = account;
  if (way.kind === "http") return listen(way, host, inbound, api);
  // Slack's library brings a WebSocket client of its own, which nobody pays for who listens over HTTP.
  const { openSocket } = await import("./receive/socket.ts");
  return openSocket({ appToken: way.appToken, apiRoot, host, inbound });
}

/** There is no connection that could break: signs of life are the clock, and now and then a question to Slack. */
function listen(way: HttpWay, host: ChannelHost, inbound: Inbound, api: SlackApi): Socket {
  const own = host.account === "default" ? "" : `/${encodeURIComponent(host.account)}`;
  const route = host.serve(way.path ?? `/slack/events${own}`, createWebhook(way.signingSecret, host.clock, inbound));
  const ended = Promise.withResolvers<Disconnect>();
  let signs = 0;
  const stop = every(host.clock, SIGN_MS, async () => {
    host.alive();
    signs += 1;
    if (signs % SIGNS_A_CHECK !== 0) return;
    const asked = await api.ask("auth.test", {}, Identity());
    host.report({ connected: asked.kind === "answered" });
    if (asked.kind === "failed" && asked.failure.reason === "unauthorised") {
      ended.resolve({ why: asked.failure.why, isFinal: true });
    }
  });
  return {
    ended: ended.promise,
    async close() {
      stop();
      route[Symbol.dispose]();
    },
  };
}

/** Slack shows that an answer is being written only in threads, and not for every app: where it refuses it is left. */
function createTyping(api: SlackApi, places: Places): (target: Target) => Promise<void> {
  let isRefused = false;
  return async (target) => {
    if (isRefused || !target.threadId) return;
    const place = await places.find(target.to);
    if (place.kind === "failed") return;
    const args = { channel_id: place.answer, thread_ts: target.threadId, status: "is typing…" };
    const asked = await api.ask("assistant.threads.setStatus", args, z.object({}));
    isRefused = asked.kind === "failed" && asked.failure.reason === "rejected";
  };
}
