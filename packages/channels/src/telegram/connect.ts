// One connected account: how it starts, sends and ends.
import type { ChannelConnection, ChannelHost } from "@chela/sdk";
import { expectDone, openApi } from "./api.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { TelegramAccount } from "./config.ts";
import type { SendParts } from "./deliver.ts";
import type { Us } from "./parse-origin.ts";
import { startPolling, type Polling } from "./poll.ts";
import { editMessage, sendMessage } from "./send.ts";
import { openSentMessages } from "./sent-messages.ts";
import { createUpdateReader, type UpdateReader } from "./inbound-updates.ts";
import { startWebhook } from "./webhook.ts";

export async function connect(account: TelegramAccount, host: ChannelHost): Promise<ChannelConnection> {
  const api = await openApi(account, host.clock);
  try {
    const me = expectDone(await api.call("getMe", undefined), "Telegram does not know this bot");
    const sent = await openSentMessages(host);
    const us: Us = { id: me.id, username: me.username, wrote: (chatId, messageId) => sent.has(chatId, messageId) };
    const parts: SendParts = { api, account, host, sent, missing: new Set() };
    const updates = await startUpdates(parts, createUpdateReader(host, api, us));
    const self = { id: String(me.id), username: me.username, name: me.first_name };
    host.report({ linked: true, connected: true, self });
    host.alive();
    return { ...connectionOf(parts, updates), ...capabilitiesOf(parts, self) };
  } catch (error) {
    api.close();
    throw error;
  }
}

async function startUpdates({ account, host, api }: SendParts, read: UpdateReader): Promise<Polling> {
  if (account.webhook) return startWebhook(host, api, account.webhook, read);
  // While a webhook is set, nothing can be fetched.
  expectDone(await api.call("deleteWebhook", {}), "Telegram does not let go of an old webhook");
  return startPolling(host, api, read);
}

function connectionOf(
  parts: SendParts,
  updates: Polling,
): Pick<ChannelConnection, "ended" | "close" | "send" | "edit"> {
  const { host, api, sent } = parts;
  return {
    ended: updates.ended.then((disconnect) => {
      host.report({ connected: false, lastError: disconnect.why });
      return disconnect;
    }),
    async close() {
      await updates.stop();
      await sent.close();
      api.close();
      host.report({ connected: false });
    },
    send: (message, signal) =>
      sendMessage(parts, message, signal).catch((error: unknown) => {
        host.log.error("sending failed in a way nobody foresaw", { error });
        return { kind: "failed", reason: "uncertain", why: "sending failed in a way nobody foresaw" };
      }),
    edit: (target, messageId, markdown) => editMessage(parts, target, messageId, markdown),
  };
}
