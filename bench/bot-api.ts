// As much of Telegram's Bot API as measuring needs: hands out an update the instant it is there, and takes every message.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface BotApi {
  /** The channel's settings for this server. */
  readonly settings: object;
  /** Somebody writes; resolves with the time at which it was handed out, once the gateway asked for it. */
  say(chatId: number, text: string): Promise<number>;
  /** Resolves when this chat got a message. */
  untilAnswered(chatId: number): Promise<void>;
  close(): Promise<void>;
}

const BOT = { id: 700700700, is_bot: true, first_name: "Bench", username: "bench_bot" };

export async function startBotApi(): Promise<BotApi> {
  const answered = new Map<number, () => void>();
  let poll: ServerResponse | undefined;
  let polled = Promise.withResolvers<void>();
  let lastId = 0;
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const method = request.url?.split("/").at(-1);
      if (method === "getUpdates") return void ((poll = response), polled.resolve());
      const chat = { id: Number(body["chat_id"]), type: "private" };
      answer(response, method === "getMe" ? BOT : method === "sendMessage" ? sentTo(chat, ++lastId) : true);
      if (method === "sendMessage") answered.get(chat.id)?.();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    settings: { botToken: "700700700:bench", apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async say(chatId, text) {
      await polled.promise;
      polled = Promise.withResolvers();
      const message = { ...sentTo({ id: chatId, type: "private" }, ++lastId), text };
      const from = { id: chatId, is_bot: false, first_name: "Somebody" };
      const at = performance.timeOrigin + performance.now();
      if (poll) answer(poll, [{ update_id: lastId, message: { ...message, from } }]);
      return at;
    },
    untilAnswered: (chatId) => new Promise((resolve) => answered.set(chatId, resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function sentTo(chat: object, id: number): object {
  return { message_id: id, date: Math.floor(Date.now() / 1000), chat };
}

function answer(response: ServerResponse, result: unknown): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true, result }));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
}
