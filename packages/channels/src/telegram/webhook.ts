// Takes updates that Telegram sends to the gateway's own port. Nobody else may: every request must carry the secret.
import { parseJson } from "@chela/sdk/base";
import { createHash, timingSafeEqual } from "node:crypto";
import {
  type ChannelHost,
  type Disconnect,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookHead,
  OneAtATime,
} from "@chela/sdk";
import { expectDone, failureOf, type TelegramApi } from "./api.ts";
import type { TelegramAccount } from "./config.ts";
import type { Polling } from "./poll.ts";
import type { UpdateReader } from "./inbound-updates.ts";
import { WANTED_UPDATES } from "./update-schema.ts";

const CHECK_EVERY_MS = 25_000;
/** An update is a few kilobytes; the longest one quotes another. */
const MOST_BYTES = 1024 * 1024;
const SECRET_HEADER = "x-telegram-bot-api-secret-token";

export async function startWebhook(
  host: ChannelHost,
  api: TelegramApi,
  webhook: NonNullable<TelegramAccount["webhook"]>,
  read: UpdateReader,
): Promise<Polling> {
  const ended = Promise.withResolvers<Disconnect>();
  const inOrder = new OneAtATime();
  const isSecret = createSecretCheck(webhook.secret.reveal());

  const answerHead = ({ method, headers }: WebhookHead): WebhookAnswer | undefined => {
    if (!isSecret(headers[SECRET_HEADER])) return { status: 401, body: "The secret is missing or wrong." };
    return method === "POST" ? undefined : { status: 405, body: "Only POST is taken here." };
  };
  const answer = async (call: WebhookCall): Promise<WebhookAnswer> => {
    const raw = parseBody(call.body);
    if (raw === undefined) return { status: 400, body: "The body is not JSON." };
    host.alive();
    const update = read(raw);
    try {
      await inOrder.run(update.chatId, update.take);
      return { status: 200 };
    } catch (error) {
      host.log.warn("an update could not be written down; Telegram will send it again", { error });
      return { status: 503, body: "It could not be written down. Please send it again." };
    }
  };

  const route = host.serve(webhook.path ?? defaultPath(host.account), { mostBytes: MOST_BYTES, answerHead, answer });
  try {
    const setting = { url: webhook.url, secret_token: webhook.secret.reveal(), allowed_updates: WANTED_UPDATES };
    expectDone(await api.call("setWebhook", setting), "Telegram does not take the webhook");
  } catch (error) {
    route[Symbol.dispose]();
    throw error;
  }
  const stopChecking = keepChecking(host, api, webhook.url, ended.resolve);
  return {
    ended: ended.promise,
    // The webhook stays set: what comes meanwhile waits at Telegram.
    async stop() {
      stopChecking();
      route[Symbol.dispose]();
    },
  };
}

function defaultPath(account: string): string {
  return account === "default" ? "/telegram-webhook" : `/telegram-webhook/${encodeURIComponent(account)}`;
}

/** Digests have one length, whatever was sent, and are compared in constant time. */
function createSecretCheck(secret: string): (given: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const expected = digest(secret);
  return (given) => given !== undefined && timingSafeEqual(digest(given), expected);
}

function parseBody(body: Uint8Array): unknown {
  return parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
}

/** Nobody writes for hours, and all is well; so Telegram is asked from time to time whether it still sends to us. */
function keepChecking(
  host: ChannelHost,
  api: TelegramApi,
  url: string,
  end: (disconnect: Disconnect) => void,
): () => void {
  const stopped = new AbortController();
  let cancel = (): void => undefined;
  const check = async (): Promise<void> => {
    const info = await api.call("getWebhookInfo", undefined, { signal: stopped.signal });
    if (stopped.signal.aborted) return;
    if (info.kind !== "done") {
      if (failureOf(info) === "unauthorised") {
        return end({ why: `Telegram no longer takes the token: ${info.why}`, isFinal: true });
      }
    } else if (info.result.url !== url) {
      return end({ why: "another program set its own webhook, or none, for this bot", isConflict: true });
    } else host.alive();
    plan();
  };
  const plan = (): void => void (cancel = host.clock.after(CHECK_EVERY_MS, () => void check()));
  plan();
  return () => {
    stopped.abort();
    cancel();
  };
}
