// People on Telegram: most of them at a Bot API of ours that has troubles, some at crabline.
import { join } from "node:path";
import { startTelegramServer } from "@openclaw/crabline";
import {
  done,
  GETS_CUT,
  refuse,
  sentTo,
  startTelegramFixture,
  TOKEN,
} from "../../../../channels/test/telegram-fixture.test-support.ts";
import { createFates, MOST_WAITING, type Crowd, type CrowdParts } from "./chaos-crowd.ts";
import { startNetwork } from "./chaos-relay.ts";
import type { Tally } from "./chaos-tally.ts";

const FIRST_CHAT = 100_001;

/** Keeps updates until they are confirmed; refuses some messages, and takes some without a word. */
export async function startBotApiCrowd({ random, tally, people, messages, excuse }: CrowdParts): Promise<Crowd> {
  const server = await startTelegramFixture();
  const network = await startNetwork(Number(new URL(server.apiRoot).port));
  const fateOf = createFates(random);
  let messageId = 0;
  server.on("sendChatAction", () => done(true));
  server.on("sendMessage", ({ payload }) => {
    const text = String(payload["text"]);
    const fate = fateOf(text);
    if (fate === "too many") return refuse(429, "Too Many Requests: retry after 1", { retry_after: 1 });
    if (fate === "broken") return refuse(502, "Bad Gateway");
    const mark = tally.hear(text);
    if (fate === "taken") return sentTo(payload["chat_id"], ++messageId);
    excuse(mark ?? "");
    return GETS_CUT;
  });
  let updateId = 0;
  const say = async (from: number, text: string): Promise<void> => {
    const person = { id: from, first_name: `Person ${from}` };
    const chat = { ...person, type: "private" };
    const sender = { ...person, is_bot: false };
    const message = { message_id: ++messageId, date: Math.floor(Date.now() / 1000), chat, from: sender, text };
    server.updates.push({ update_id: ++updateId, message });
  };
  return {
    channel: "telegram",
    settings: { botToken: TOKEN, apiRoot: `http://127.0.0.1:${network.port}` },
    speak: () => speakInTurn(tally, { prefix: "t", people, messages }, say),
    cut: network.cut,
    restore: network.restore,
    async [Symbol.asyncDispose]() {
      await network[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export async function startCrablineCrowd({ tally, people, messages }: CrowdParts, directory: string): Promise<Crowd> {
  const probes = new Map<string, () => void>();
  const server = await startTelegramServer({
    host: "127.0.0.1",
    port: 0,
    recorderPath: join(directory, "crabline.jsonl"),
    onEvent(event) {
      const { type, path, body } = event as unknown as { type: string; path: string; body?: { text?: unknown } };
      if (type !== "api" || !path.endsWith("/sendMessage")) return;
      const text = String(body?.text);
      tally.hear(text);
      probes.get(text)?.();
    },
  });
  const { endpoints, adminToken, botToken } = server.manifest;
  const network = await startNetwork(Number(new URL(endpoints.apiRoot).port));
  const say = async (from: number, text: string): Promise<void> => {
    const answer = await fetch(endpoints.adminInboundUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "x-crabline-admin-token": adminToken },
      body: JSON.stringify({ chatId: String(from), fromId: from, text, fromName: `Person ${from}` }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  return {
    channel: "telegram",
    settings: { botToken, apiRoot: `http://127.0.0.1:${network.port}` },
    speak: () => speakInTurn(tally, { prefix: "c", people, messages }, say),
    cut: network.cut,
    restore: network.restore,
    // It tells of messages in the order in which it took them, but on a busy machine a good while later.
    async hearAll() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const text = `probe ${probes.size}`;
      probes.set(text, resolve);
      const answer = await fetch(`${endpoints.apiRoot}/bot${botToken}/sendMessage`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ chat_id: FIRST_CHAT, text }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await promise;
    },
    async [Symbol.asyncDispose]() {
      await network[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

async function speakInTurn(
  tally: Tally,
  { prefix, people, messages }: { readonly prefix: string; readonly people: number; readonly messages: number },
  say: (from: number, text: string) => Promise<void>,
): Promise<void> {
  const speak = async (index: number): Promise<void> => {
    const person = { channel: "telegram", prefix: `${prefix}${index}` };
    for (let count = 0; count < messages; count++) {
      await tally.untilFewWait(person, MOST_WAITING);
      await say(FIRST_CHAT + index, tally.say(person).text);
    }
  };
  await Promise.all(Array.from({ length: people }, (_, index) => speak(index)));
}
