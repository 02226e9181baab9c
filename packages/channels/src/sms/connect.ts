// Ties the parts of one account together: the requests that come in, the calls that go out, and what was missed.
import * as z from "zod";
import { GatewayError, once, type ChannelConnection, type ChannelHost, type Disconnect } from "@chela/sdk";
import { createApi, type TwilioApi } from "./api.ts";
import { catchUp } from "./catch-up.ts";
import type { SmsAccount } from "./config.ts";
import { downloadMedia } from "./download.ts";
import { asError } from "./failures.ts";
import { Inbound } from "./inbound.ts";
import { sendMessage } from "./send.ts";
import { startWatch } from "./watch.ts";
import { createWebhook } from "./webhook.ts";

export async function connect(account: SmsAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = createApi(account, host);
  const { name } = await describeAccount(api);
  const id = account.from ?? account.messagingServiceSid ?? "";
  const ended = Promise.withResolvers<Disconnect>();
  const inbound = await Inbound.open(host);
  const path = account.webhookPath ?? defaultPath(host.account);
  const route = host.serve(
    path,
    createWebhook(account, host, inbound, () => watch.soon()),
  );
  const watch = startWatch(host, (signal) => catchUp({ account, api, host, inbound }, signal), ended.resolve);
  host.report({ linked: true, connected: true, self: { id, name } });
  return {
    ended: ended.promise,
    async close() {
      route[Symbol.dispose]();
      await watch.stop();
    },
    send: (message, signal) => sendMessage(api, account, message, signal),
    download: (ref, signal) => downloadMedia(ref, account, host, signal),
    directory: { self: async () => ({ kind: "user", id, name }) },
    probe: async () => ({ ...(await describeAccount(api)), ...(await describeNumber(api, account)) }),
  };
}

function defaultPath(account: string): string {
  return account === "default" ? "/sms/webhook" : `/sms/webhook/${encodeURIComponent(account)}`;
}

const Account = once(() => z.object({ friendly_name: z.string().nullish(), status: z.string().nullish() }));

/** Also tells whether the token is good. */
async function describeAccount(api: TwilioApi): Promise<{ readonly name: string; readonly status: string }> {
  const called = await api.get(".json");
  if (called.kind === "failed") throw asError(called);
  const { friendly_name: name, status } = Account().safeParse(called.result).data ?? {};
  if (status && status !== "active") throw new GatewayError("CHANNEL_AUTH", `the Twilio account is ${status}`);
  return { name: name ?? "", status: status ?? "" };
}

const Numbers = once(() =>
  z.object({ incoming_phone_numbers: z.array(z.object({ phone_number: z.string(), sms_url: z.string().nullish() })) }),
);

/** Where Twilio takes messages to our number. A messaging service may have another place, which is not looked up. */
async function describeNumber(api: TwilioApi, { from, publicUrl }: SmsAccount): Promise<Record<string, string>> {
  if (!from) return {};
  const called = await api.get(`/IncomingPhoneNumbers.json?${new URLSearchParams({ PhoneNumber: from })}`);
  const numbers = called.kind === "done" ? Numbers().safeParse(called.result).data?.incoming_phone_numbers : undefined;
  const ours = numbers?.find(({ phone_number }) => phone_number === from);
  if (!ours) return { number: from, webhook: "Twilio does not list this number" };
  return {
    number: from,
    webhook: ours.sms_url === publicUrl ? "as in publicUrl" : `Twilio calls ${ours.sms_url || "nobody"}`,
  };
}
