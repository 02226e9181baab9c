// One account that is served: its path on the gateway's port, and the way back.
import {
  GatewayError,
  type ChannelConnection,
  type ChannelHost,
  type Disconnect,
  type WebhookReceiver,
} from "@chela/sdk";
import { RecentIds } from "@chela/sdk/channel-kit";
import { createHttpFetch } from "@chela/sdk/http";
import type { WebhookAccount } from "./config.ts";
import { createReceiver } from "./receive.ts";
import { sendMessage, type SendParts } from "./send.ts";

const PATH = "/hooks/channel";
const MOST_REMEMBERED = 500;
const MAX_ANSWER_BYTES = 64 * 1024;

export async function connect(account: WebhookAccount, host: ChannelHost): Promise<ChannelConnection> {
  const path = account.path ?? defaultPath(host.account);
  const ours = new RecentIds(MOST_REMEMBERED);
  const route = serve(
    host,
    path,
    createReceiver(account, host, (id) => ours.has(id)),
  );
  const parts: SendParts = { account, host, fetch: createHttpFetch({ maxResponseBytes: MAX_ANSWER_BYTES }) };
  const over = Promise.withResolvers<Disconnect>();
  host.report({ linked: true, connected: true });
  host.log.info("requests are taken", { path });
  host.alive();
  return {
    ended: over.promise,
    async close() {
      route[Symbol.dispose]();
      parts.fetch.close();
      host.report({ connected: false });
      over.resolve({ why: "closed" });
    },
    async send(message, signal) {
      try {
        const outcome = await sendMessage(parts, message, signal);
        if (outcome.kind === "sent") ours.add(outcome.messageId);
        return outcome;
      } catch (error) {
        host.log.error("sending failed in a way nobody foresaw", { error });
        return { kind: "failed", reason: "uncertain", why: "sending failed in a way nobody foresaw" };
      }
    },
    probe: async () => ({ path, answersTo: account.outboundUrl ? "outboundUrl" : "nobody" }),
  };
}

/** Each account has a path of its own. */
function defaultPath(account: string): string {
  return account === "default" ? PATH : `${PATH}/${encodeURIComponent(account)}`;
}

function serve(host: ChannelHost, path: string, receiver: WebhookReceiver): Disposable {
  try {
    return host.serve(path, receiver);
  } catch (error) {
    const detail = `the path ${path} is taken by another account; set channels.webhook.path`;
    throw new GatewayError("CHANNEL_SETTINGS", detail, { cause: error });
  }
}
