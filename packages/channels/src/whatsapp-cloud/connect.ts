// Ties the parts of one account together: the requests that come in, the calls that go out.
import * as z from "zod";
import { GatewayError, once, type ChannelConnection, type ChannelHost, type Disconnect, type Target } from "@chela/sdk";
import { personId, recipientOf } from "./address.ts";
import { createApi, jsonBody, type Called, type CloudApi } from "./api.ts";
import type { WhatsAppCloudAccount } from "./config.ts";
import { downloadMedia } from "./download.ts";
import { createInbound } from "./inbound.ts";
import { RecentInChats } from "./recent-in-chats.ts";
import { sendMessage } from "./send.ts";
import { createWebhook } from "./webhook.ts";

const PhoneNumber = once(() =>
  z.object({
    display_phone_number: z.string().optional(),
    verified_name: z.string().optional(),
    quality_rating: z.string().optional(),
  }),
);
const NUMBER_FIELDS = "?fields=display_phone_number,verified_name,quality_rating";
/** Nothing comes by itself for hours, and all may be well; so the token is tried from time to time. */
const CHECK_EVERY_MS = 10 * 60 * 1000;

export async function connect(account: WhatsAppCloudAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = createApi(account, host);
  const self = await describeNumber(api);
  const recent = new RecentInChats();
  const halfSent = new Set<string>();
  const ended = Promise.withResolvers<Disconnect>();
  const read = (messageId: string, isTyping: boolean): Promise<Called> =>
    api.callNumber("/messages", readBody(messageId, isTyping));
  const take = createInbound(account, host, recent, (messageId) => read(messageId, false));
  const route = host.serve(account.webhookPath ?? defaultPath(host.account), createWebhook(account, take));
  const stopChecking = keepChecking(host, api, ended.resolve);
  host.report({ linked: true, connected: true, self });
  return {
    ended: ended.promise,
    async close() {
      stopChecking();
      route[Symbol.dispose]();
    },
    send: (message, signal) => sendMessage({ api, account, halfSent }, message, signal),
    async react(target, messageId, emoji, isRemoved) {
      const reaction = { message_id: messageId, emoji: isRemoved ? "" : emoji };
      const body = { messaging_product: "whatsapp", ...recipientFor(target), type: "reaction", reaction };
      expectDone(await api.callNumber("/messages", jsonBody(body)));
    },
    /** The sign is given on a message, which is shown as read by that. */
    async typing(target) {
      const messageId = recent.lastIn(target.to);
      if (messageId && account.sendsReadReceipts) expectDone(await read(messageId, true));
    },
    async markRead(_target, messageId) {
      expectDone(await read(messageId, false));
    },
    download: (ref, signal) => downloadMedia(ref, api, account, host, signal),
    directory: {
      async self() {
        return { kind: "user", id: self.id, ...(self.name ? { name: self.name } : {}) };
      },
    },
    probe: () => describeNumber(api),
  };
}

function defaultPath(account: string): string {
  return account === "default" ? "/whatsapp/webhook" : `/whatsapp/webhook/${encodeURIComponent(account)}`;
}

function readBody(messageId: string, isTyping: boolean): ReturnType<typeof jsonBody> {
  const typing = isTyping ? { typing_indicator: { type: "text" } } : {};
  return jsonBody({ messaging_product: "whatsapp", status: "read", message_id: messageId, ...typing });
}

function recipientFor({ to }: Target): NonNullable<ReturnType<typeof recipientOf>> {
  const recipient = recipientOf(to);
  if (recipient) return recipient;
  throw new GatewayError("CHANNEL_TARGET", `"${to}" is no number such as +4915112345678`);
}

function expectDone(called: Called): unknown {
  if (called.kind === "done") return called.result;
  if (called.reason === "unauthorised") throw new GatewayError("CHANNEL_AUTH", called.why);
  const isOffline = called.reason === "unavailable" || called.reason === "uncertain";
  throw new GatewayError(isOffline ? "CHANNEL_OFFLINE" : "CHANNEL_REFUSED", called.why);
}

interface Self extends Readonly<Record<string, string>> {
  readonly id: string;
}

/** Also tells whether the token is good. */
async function describeNumber(api: CloudApi): Promise<Self> {
  const found = PhoneNumber().safeParse(expectDone(await api.callNumber(NUMBER_FIELDS)));
  const { display_phone_number: shown, verified_name: name, quality_rating: quality } = found.data ?? {};
  return {
    id: personId(shown?.replace(/\D/g, "")),
    ...(name ? { name } : {}),
    ...(quality ? { quality } : {}),
  };
}

function keepChecking(host: ChannelHost, api: CloudApi, end: (disconnect: Disconnect) => void): () => void {
  const stopped = new AbortController();
  let cancel = (): void => undefined;
  const check = async (): Promise<void> => {
    const called = await api.callNumber(NUMBER_FIELDS, undefined, stopped.signal);
    if (stopped.signal.aborted) return;
    if (called.kind === "failed" && called.reason === "unauthorised") return end({ why: called.why, isFinal: true });
    if (called.kind === "done") host.alive();
    plan();
  };
  const plan = (): void => void (cancel = host.clock.after(CHECK_EVERY_MS, () => void check()));
  plan();
  return () => {
    stopped.abort();
    cancel();
  };
}
