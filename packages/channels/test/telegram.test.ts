// Telegram against two peers we did not write: crabline (protocol, polling, webhook) and a mock that injects raw updates.
import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTelegramServer } from "@openclaw/crabline";
import { TelegramApiMockServer } from "telegram-api-mock-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { telegramChannel } from "../src/telegram/channel.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-telegram-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function connect(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = telegramChannel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return telegramChannel.start(configured.account, host);
}
const message = (to: string, content: OutboundMessage["content"], threadId?: string): OutboundMessage => ({
  key: "k",
  target: { to, ...(threadId ? { threadId } : {}) },
  content,
  mayHaveArrived: false,
});
const text = (markdown: string) => ({ kind: "text" as const, markdown });
const never = new AbortController().signal;

const PERSON = 100001;
interface CrablineCall {
  readonly type: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

async function startCrabline(name: string) {
  const recorderPath = join(directory, `${name}.jsonl`);
  const waiting: Array<() => void> = [];
  const heard: CrablineCall[] = [];
  const server = await startTelegramServer({
    host: "127.0.0.1",
    port: 0,
    recorderPath,
    onEvent: (event) => {
      heard.push(event as unknown as CrablineCall);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const { endpoints, adminToken, botToken } = server.manifest;
  const calls = async (method: string, count: number): Promise<CrablineCall[]> => {
    for (;;) {
      const found = heard.filter(({ type, path }) => type === "api" && path.endsWith(`/${method}`));
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    server,
    settings: { botToken, apiRoot: endpoints.apiRoot },
    calls,
    async say(body: Record<string, unknown>): Promise<void> {
      const answer = await fetch(endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crabline-admin-token": adminToken },
        body: JSON.stringify({ chatId: String(PERSON), fromId: PERSON, ...body }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
  };
}

testChannel("Telegram (crabline)", async () => {
  const crabline = await startCrabline("contract");
  let fromName = "Ada";
  return {
    channel: telegramChannel,
    settings: crabline.settings,
    peer: {
      say: (words) => crabline.say({ text: words, fromName }),
      heard: async (count) => (await crabline.calls("sendMessage", count)).map(({ body }) => String(body["text"])),
      sayInGroup: (words) => crabline.say({ chatId: "-1001234567890", chatType: "supergroup", text: words, fromName }),
      rename: async (name) => void (fromName = name),
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => crabline.server.close(),
  };
});

describe("Telegram, by crabline", () => {
  it("writes into the topic it is told, and keeps the general one unnamed", async () => {
    const crabline = await startCrabline("topics");
    const host = createFakeHost({ directory });
    const connection = await connect(crabline.settings, host);
    const group = { chatId: "-1001234567890", chatType: "supergroup", isForum: true };
    await crabline.say({ ...group, messageThreadId: 42, text: "in a topic" });
    await host.next();
    const replyTarget = { to: "-1001234567890", threadId: "42" };
    await connection.send({ ...message("", text("hi")), target: replyTarget }, never);
    await connection.typing?.(replyTarget);
    await connection.send(message("-1001234567890", text("general"), "1"), never);
    const sent = await crabline.calls("sendMessage", 2);
    expect(sent.map(({ body }) => body["message_thread_id"])).toEqual([42, undefined]);
    expect((await crabline.calls("sendChatAction", 1))[0]?.body).toMatchObject({ message_thread_id: 42 });
    const created = await connection.createThread?.(replyTarget, "Roses");
    expect(created).toEqual({ to: "-1001234567890", threadId: expect.stringMatching(/^\d+$/) as unknown });
    await connection.close();
    await crabline.server.close();
  });

  it("ends with a conflict when another program fetches for the same bot", async () => {
    const crabline = await startCrabline("conflict");
    const first = await connect(crabline.settings, createFakeHost({ directory }));
    await crabline.calls("deleteWebhook", 1);
    const second = await connect(crabline.settings, createFakeHost({ directory }));
    expect(await Promise.race([first.ended, second.ended])).toMatchObject({ isConflict: true });
    await Promise.all([first.close(), second.close()]);
    await crabline.server.close();
  });

  it("notices when the server is gone, and refuses to start with a token that is not known", async () => {
    const crabline = await startCrabline("gone");
    const wrong = connect({ ...crabline.settings, botToken: "1:wrong" }, createFakeHost({ directory }));
    await expect(wrong).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    const host = createFakeHost({ directory });
    const connection = await connect(crabline.settings, host);
    await crabline.server.close();
    expect((await connection.ended).why).toMatch(/did not hand out/);
    expect(host.reported).toMatchObject({ connected: false });
    await connection.close();
    const offline = connect(crabline.settings, createFakeHost({ directory }));
    await expect(offline).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
      detail: expect.stringMatching(/^Telegram cannot be reached: /),
    });
  });

  it("uploads pictures and files while they are read, with their caption", async () => {
    const crabline = await startCrabline("media");
    const connection = await connect(crabline.settings, createFakeHost({ directory }));
    const path = join(directory, "dot.png");
    writeFileSync(path, Buffer.from("89504e470d0a1a0a", "hex"));
    const media = { path, mimeType: "image/png", name: "dot.png", bytes: 8 };
    for (const kind of ["image", "file"] as const) {
      const mimeType = kind === "file" ? "application/pdf" : media.mimeType;
      const content = { kind: "media" as const, media: { ...media, kind, mimeType }, caption: "**dot**" };
      expect(await connection.send(message(String(PERSON), content), never)).toMatchObject({ kind: "sent" });
    }
    expect((await crabline.calls("sendPhoto", 1))[0]?.body).toMatchObject({ caption: "<b>dot</b>" });
    expect((await crabline.calls("sendDocument", 1))[0]?.body).toMatchObject({ caption: "<b>dot</b>" });
    await connection.close();
    await crabline.server.close();
  });

  it("takes what is sent to its webhook with the secret, and what was not written down comes again", async () => {
    const crabline = await startCrabline("webhook");
    const host = createFakeHost({ directory });
    let failures = 1;
    host.answer(async () => {
      if (failures-- > 0) throw new Error("the disk is full");
      return { kind: "accepted" };
    });
    const door = createServer((request, response) => {
      void (async () => {
        const parts: Uint8Array[] = [];
        for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
        const body = Buffer.concat(parts);
        const { method = "", url = "" } = request;
        const headers = request.headers as Record<string, string | undefined>;
        const { status, body: words } = await host.call({ method, path: url, headers, body });
        response.writeHead(status).end(words);
      })();
    });
    door.listen(0, "127.0.0.1");
    await once(door, "listening");
    const webhookUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}/telegram-webhook`;
    const connection = await connect({ ...crabline.settings, webhookUrl, webhookSecret: "s3cret" }, host);
    await crabline.say({ text: "through the webhook" });
    expect((await host.next()).content).toMatchObject({ text: "through the webhook" });
    expect(host.events.length).toBe(2);
    await connection.close();
    await crabline.server.close();
    door.closeAllConnections();
    door.close();
  });
});

describe("Telegram, by raw updates of a mock server", () => {
  const token = "424242:raw";
  const server = new TelegramApiMockServer({ host: "127.0.0.1", port: 0 });
  const updates = JSON.parse(
    readFileSync(new URL("../src/telegram/fixtures/updates.json", import.meta.url), "utf8"),
  ) as Record<string, { update_id: number }>;
  let lastUpdate = 871000100;
  let host: FakeHost;
  let connection: ChannelConnection;
  const inject = (update: object) => server.injectUpdate({ token, update: { ...update } });
  const outbound = (method: string) => server.listOutbound(token).filter((call) => call.method === method);

  beforeAll(async () => {
    await server.start();
    const { port } = server.getAddress() ?? { port: 0 };
    host = createFakeHost({ directory });
    connection = await connect({ botToken: token, apiRoot: `http://127.0.0.1:${port}` }, host);
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  it.each([
    ["photo of an album", "message"],
    ["edit", "edit"],
    ["reaction changed", "reaction"],
    ["voice", "message"],
    ["forum topic", "message"],
  ])("hands over: %s", async (name, kind) => {
    const update_id = ++lastUpdate;
    inject({ ...updates[name], update_id });
    const event = await host.next(({ id }) => id.startsWith(`${update_id}/`));
    expect(event.content.kind).toBe(kind);
  });

  it("gives a pressed button its data back, however long that was, and tells Telegram", async () => {
    const data = `/approve ${"x".repeat(100)}`;
    const buttons = [
      [
        { text: "Yes", data },
        { text: "No", data: "no" },
      ],
    ];
    await connection.send(message("555000111", { ...text("May I?"), buttons }), never);
    const markup = outbound("sendMessage").at(-1)?.payload["reply_markup"] as {
      inline_keyboard: Array<Array<{ callback_data: string }>>;
    };
    const [yes, no] = markup.inline_keyboard[0] ?? [];
    expect(Buffer.byteLength(yes?.callback_data ?? "")).toBeLessThanOrEqual(64);
    expect(no?.callback_data).toBe("no");
    const pressed = (updates["button"] as { callback_query?: object }).callback_query;
    const press = (callback_data: string | undefined, id: string, update_id: number) =>
      inject({ update_id, callback_query: { ...pressed, id, data: callback_data } });
    press(yes?.callback_data, "first", 871100001);
    expect((await host.next(({ content }) => content.kind === "button")).content).toMatchObject({ data });
    press("kept:unknown", "second", 871100002);
    press("no", "third", 871100003);
    expect((await host.next(({ content }) => content.kind === "button")).content).toMatchObject({ data: "no" });
    expect(outbound("answerCallbackQuery").map(({ payload }) => payload["callback_query_id"])).toContain("first");
  });

  it("knows a reaction on a message of ours, also after a restart", async () => {
    const sent = await connection.send(message("555000111", text("like me")), never);
    if (sent.kind !== "sent") throw new Error(sent.why);
    const react = (update_id: number) =>
      inject({
        update_id,
        message_reaction: {
          chat: { id: Number(sent.chatId), type: "private" },
          message_id: Number(sent.messageId),
          user: { id: 555000111, is_bot: false, first_name: "Ada" },
          date: 1789000100,
          old_reaction: [],
          new_reaction: [{ type: "emoji", emoji: "👍" }],
        },
      });
    react(871200001);
    const isReaction = (event: { content: { kind: string } }) => event.content.kind === "reaction";
    await host.next((event) => isReaction(event) && event.content.kind === "reaction" && event.content.onOurs);
    await connection.close();
    host = createFakeHost({ directory, memory: host.memory });
    const { port } = server.getAddress() ?? { port: 0 };
    connection = await connect({ botToken: token, apiRoot: `http://127.0.0.1:${port}` }, host);
    react(871200002);
    expect((await host.next(({ id }) => id.startsWith("871200002"))).content).toMatchObject({ onOurs: true });
  });

  it("edits, reacts, pins and deletes", async () => {
    const target = { to: "555000111" };
    expect(await connection.edit?.(target, "77", "*new*")).toMatchObject({ kind: "sent", messageId: "77" });
    await connection.react?.(target, "77", "✅", false);
    await connection.react?.(target, "77", "❤️", true);
    await connection.pin?.(target, "77", false);
    await connection.pin?.(target, "77", true);
    await connection.unsend?.(target, "77");
    expect(outbound("editMessageText").at(-1)?.payload).toMatchObject({ text: "<i>new</i>", message_id: 77 });
    const reactions = outbound("setMessageReaction").map(({ payload }) => payload["reaction"]);
    expect(reactions).toEqual([[{ type: "emoji", emoji: "👍" }], []]);
    for (const method of ["pinChatMessage", "unpinChatMessage", "deleteMessage"])
      expect(outbound(method)).toHaveLength(1);
    await expect(connection.react?.(target, "77", "🥦", false)).rejects.toThrow(/has no reaction/);
  });
});
