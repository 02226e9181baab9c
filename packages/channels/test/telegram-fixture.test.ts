// What no peer of Telegram has, tried against recorded-style answers of a local fixture: refusals, drafts, rich messages, files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChannelConnection, ChannelEvent, OutboundMessage } from "@chela/sdk";
import { createFakeClock, createFakeHost, type FakeHost, type FakeHostOptions } from "@chela/sdk/testing";
import { telegramChannel } from "../src/telegram/channel.ts";
import {
  done,
  GETS_CUT,
  NO_ANSWER,
  refuse,
  sentTo,
  startTelegramFixture,
  TOKEN,
  type TelegramFixture,
} from "./telegram-fixture.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-telegram-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let telegram: TelegramFixture;
let host: FakeHost;
const open: ChannelConnection[] = [];
const never = new AbortController().signal;

beforeEach(async () => {
  telegram = await startTelegramFixture();
  telegram.on("sendMessage", ({ payload }) => sentTo(payload["chat_id"]));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
  await telegram[Symbol.asyncDispose]();
});

async function connect(settings: object = {}, options: Partial<FakeHostOptions> = {}): Promise<ChannelConnection> {
  host = createFakeHost({ directory, ...options });
  const all = { botToken: TOKEN, apiRoot: telegram.apiRoot, ...settings };
  const configured = telegramChannel.configure(all, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  const connection = await telegramChannel.start(configured.account, host);
  open.push(connection);
  return connection;
}

const message = (content: OutboundMessage["content"], to = "555000111"): OutboundMessage => ({
  key: "k",
  target: { to },
  content,
  mayHaveArrived: false,
});
const text = (markdown: string, to?: string) => message({ kind: "text", markdown }, to);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => void setImmediate(resolve));
}

function mediaFile(name: string, mimeType: string, bytes = 4) {
  const path = join(directory, name);
  writeFileSync(path, "data");
  return { path, name, mimeType, bytes };
}

describe("a message Telegram does not take", () => {
  it.each([
    [refuse(429, "Too Many Requests: retry after 7", { retry_after: 7 }), "rate-limited"],
    [refuse(403, "Forbidden: bot was blocked by the user"), "unreachable"],
    [refuse(400, "Bad Request: chat not found"), "unreachable"],
    [refuse(400, "Bad Request: message thread not found"), "unreachable"],
    [refuse(400, "Bad Request: message is too long"), "rejected"],
    [refuse(401, "Unauthorized"), "unauthorised"],
    [refuse(500, "Internal Server Error"), "unavailable"],
    [{ status: 502, body: "<html>Bad Gateway</html>" }, "unavailable"],
    [GETS_CUT, "uncertain"],
  ] as const)("%j is %s", async (answer, reason) => {
    const connection = await connect();
    telegram.on("sendMessage", () => answer);
    const outcome = await connection.send(text("hi"), never);
    expect(outcome).toMatchObject({ kind: "failed", reason });
    expect(JSON.stringify(outcome)).not.toContain("SECRET");
    if (reason === "rate-limited") expect(outcome).toMatchObject({ retryAfterMs: 7000, holdsFor: "chat" });
  });

  it("is uncertain when no answer comes in time, or whoever sends it stops waiting", async () => {
    const clock = createFakeClock();
    const connection = await connect({}, { clock });
    telegram.on("sendMessage", () => NO_ANSWER);
    const late = connection.send(text("hi"), never);
    await telegram.called("sendMessage");
    await clock.advance(31_000);
    expect(await late).toMatchObject({ reason: "uncertain" });
    const stop = new AbortController();
    const stopped = connection.send(text("hi"), stop.signal);
    await telegram.called("sendMessage", 2);
    stop.abort();
    expect(await stopped).toMatchObject({ reason: "uncertain" });
  });

  it("is not sent at all when there is no connection", async () => {
    const connection = await connect();
    await telegram[Symbol.asyncDispose]();
    expect(await connection.send(text("hi"), never)).toMatchObject({ reason: "unavailable" });
  });

  it("is rejected when its address cannot be one", async () => {
    const connection = await connect();
    expect(await connection.send(text("hi", "Rose News"), never)).toMatchObject({ reason: "rejected" });
  });
});

describe("a message", () => {
  it("arrives as plain text when its mark-up is not read", async () => {
    const connection = await connect();
    telegram.on("sendMessage", ({ payload }) =>
      payload["parse_mode"] ? refuse(400, "Bad Request: can't parse entities: x") : sentTo(payload["chat_id"]),
    );
    expect(await connection.send(text("**b** & c"), never)).toMatchObject({ kind: "sent", messageId: "901" });
    expect(telegram.calls.at(-1)?.payload).toMatchObject({ text: "b & c" });
  });

  it("answers another one, silently, and without a preview of links, when that is asked for", async () => {
    const connection = await connect({ linkPreview: false });
    await connection.send({ ...text("hi"), replyTo: "41", isSilent: true }, never);
    expect((await telegram.called("sendMessage"))[0]?.payload).toMatchObject({
      chat_id: 555000111,
      reply_parameters: { message_id: 41, allow_sending_without_reply: true },
      disable_notification: true,
      link_preview_options: { is_disabled: true },
    });
  });

  it("follows a group that became a supergroup", async () => {
    const connection = await connect();
    telegram.on("sendMessage", ({ payload }) =>
      payload["chat_id"] === -4001234
        ? refuse(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: -1005550001 })
        : sentTo(payload["chat_id"]),
    );
    expect(await connection.send(text("hi", "-4001234"), never)).toMatchObject({ kind: "sent", chatId: "-1005550001" });
  });

  it("is a rich message where that is wanted and known, and an ordinary one elsewhere", async () => {
    const connection = await connect({ richMessages: true });
    telegram.on("sendRichMessage", ({ payload }) => sentTo(payload["chat_id"]));
    await connection.send(text("# rich"), never);
    expect((await telegram.called("sendRichMessage"))[0]?.payload["rich_message"]).toEqual({ markdown: "# rich" });
    telegram.on("sendRichMessage", () => refuse(400, "Bad Request: rich message is invalid"));
    expect(await connection.send(text("odd"), never)).toMatchObject({ kind: "sent" });
    telegram.on("sendRichMessage", () => refuse(404, "Not Found: method not found"));
    await connection.send(text("older server"), never);
    await connection.send(text("not asked again"), never);
    expect(await telegram.called("sendRichMessage")).toHaveLength(3);
    expect(await telegram.called("sendMessage", 3)).toHaveLength(3);
  });

  it("can be a poll", async () => {
    const connection = await connect();
    telegram.on("sendPoll", ({ payload }) => sentTo(payload["chat_id"]));
    const poll = { question: "Which?", options: ["red", "white"], maxSelections: 2, durationSeconds: 60 };
    expect(await connection.send(message({ kind: "poll", poll }), never)).toMatchObject({ kind: "sent" });
    expect((await telegram.called("sendPoll"))[0]?.payload).toMatchObject({
      question: "Which?",
      options: [{ text: "red" }, { text: "white" }],
      allows_multiple_answers: true,
      open_period: 60,
    });
  });

  it("can be changed: the same text again is no failure, a message that is gone is", async () => {
    const connection = await connect();
    telegram.on("editMessageText", () => refuse(400, "Bad Request: message is not modified: same content"));
    expect(await connection.edit?.({ to: "5" }, "7", "same")).toMatchObject({ kind: "sent", messageId: "7" });
    telegram.on("editMessageText", () => refuse(400, "Bad Request: message to edit not found"));
    expect(await connection.edit?.({ to: "5" }, "7", "x")).toMatchObject({ kind: "failed", reason: "rejected" });
  });
});

describe("a file", () => {
  it.each([
    ["image", "image/png", 5, undefined, "sendPhoto"],
    ["image", "image/png", 11 * 1024 * 1024, undefined, "sendDocument"],
    ["image", "image/gif", 5, undefined, "sendAnimation"],
    ["image", "image/tiff", 5, undefined, "sendDocument"],
    ["video", "video/mp4", 5, undefined, "sendVideo"],
    ["video", "video/x-matroska", 5, undefined, "sendDocument"],
    ["audio", "audio/mpeg", 5, undefined, "sendAudio"],
    ["audio", "audio/ogg", 5, true, "sendVoice"],
    ["voice", "audio/ogg; codecs=opus", 5, undefined, "sendVoice"],
    ["voice", "audio/wav", 5, undefined, "sendDocument"],
    ["sticker", "image/webp", 5, undefined, "sendSticker"],
    ["file", "application/pdf", 5, undefined, "sendDocument"],
  ] as const)(
    "of kind %s, %s and %d bytes (as voice: %s) goes by %s",
    async (kind, mimeType, bytes, asVoice, method) => {
      const connection = await connect();
      telegram.on(method, () => sentTo(555000111));
      const media = { kind, ...mediaFile("thing", mimeType, bytes) };
      const content = { kind: "media" as const, media, ...(asVoice ? { asVoice } : {}) };
      expect(await connection.send(message(content), never)).toMatchObject({ kind: "sent" });
      expect((await telegram.called(method))[0]?.raw).toContain("filename=thing");
    },
  );

  it("is followed by its caption when that is too long", async () => {
    const connection = await connect();
    telegram.on("sendPhoto", () => sentTo(555000111, 1));
    const media = { kind: "image" as const, ...mediaFile('a;b".png', "image/png") };
    const outcome = await connection.send(message({ kind: "media", media, caption: "long ".repeat(300) }), never);
    expect(outcome).toMatchObject({ kind: "sent", messageId: "901" });
    const [photo] = await telegram.called("sendPhoto");
    expect(photo?.raw).not.toContain("long");
    expect(photo?.raw).toContain("filename=a_b_.png");
    telegram.on("sendMessage", () => refuse(500, "Internal Server Error"));
    const half = await connection.send(message({ kind: "media", media, caption: "long ".repeat(300) }), never);
    expect(half).toMatchObject({ reason: "uncertain" });
  });

  it("goes as a plain file when Telegram does not like its form", async () => {
    const connection = await connect();
    telegram.on("sendPhoto", () => refuse(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"));
    telegram.on("sendDocument", () => sentTo(555000111));
    const media = { kind: "image" as const, ...mediaFile("wide.png", "image/png") };
    const outcome = await connection.send(message({ kind: "media", media, caption: "**wide**" }), never);
    expect(outcome).toMatchObject({ kind: "sent" });
    expect((await telegram.called("sendDocument"))[0]?.raw).toContain("<b>wide</b>");
  });

  it("that is not there is rejected", async () => {
    const connection = await connect();
    const media = { kind: "file" as const, path: join(directory, "no"), name: "no", mimeType: "text/plain", bytes: 1 };
    expect(await connection.send(message({ kind: "media", media }), never)).toMatchObject({ reason: "rejected" });
  });

  it("that somebody sent is fetched as it comes", async () => {
    const connection = await connect();
    telegram.on("getFile", () => done({ file_id: "f", file_unique_id: "u", file_path: "photos/file 1.jpg" }));
    telegram.on("file", ({ method }) => ({ body: `bytes of ${method}` }));
    const parts: Uint8Array[] = [];
    for await (const part of (await connection.download?.("f", never)) ?? []) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(`bytes of /file/bot${TOKEN}/photos/file%201.jpg`);
  });

  it.each([
    [refuse(400, "Bad Request: file is too big"), "MEDIA_REFUSED", /20 MB/],
    [done({ file_path: "/var/lib/telegram/secret" }), "MEDIA_REFUSED", /over the network/],
    [done({ file_path: "gone.jpg" }), "CHANNEL_REFUSED", /status 404/],
  ])("that cannot be fetched is explained without the token: %j", async (answer, code, words) => {
    const connection = await connect();
    telegram.on("getFile", () => answer);
    const thrown: unknown = await connection.download?.("f", never).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(words) as unknown });
    expect(String((thrown as Error).stack)).not.toContain("SECRET");
  });
});

describe("what else an account can do", () => {
  it("shows drafts in direct chats, and is silent where the server has none", async () => {
    const connection = await connect();
    telegram.on("sendMessageDraft", () => done(true));
    await connection.draft?.({ to: "5" }, "a", "**so far**");
    await connection.draft?.({ to: "5" }, "a", "further");
    const [first, second] = await telegram.called("sendMessageDraft", 2);
    expect(first?.payload).toMatchObject({ chat_id: 5, text: "<b>so far</b>", parse_mode: "HTML" });
    expect(first?.payload["draft_id"]).toBe(second?.payload["draft_id"]);
    telegram.on("sendMessageDraft", () => refuse(404, "Not Found: method not found"));
    for (const words of ["once", "not again"]) await connection.draft?.({ to: "5" }, "b", words);
    expect(await telegram.called("sendMessageDraft")).toHaveLength(3);
    await expect(connection.draft?.({ to: "-5" }, "a", "x")).rejects.toMatchObject({ code: "CHANNEL_UNSUPPORTED" });
  });

  it("finds public chats by name, and never people", async () => {
    const connection = await connect();
    telegram.on("getChat", ({ payload }) =>
      payload["chat_id"] === "@rose_news"
        ? done({ id: -1009876543210, type: "channel", title: "Rose News" })
        : refuse(400, "Bad Request: chat not found"),
    );
    expect(await connection.resolveName?.("@rose_news", "group")).toBe("-1009876543210");
    expect(await connection.resolveName?.("nobody", "group")).toBeUndefined();
    expect(await connection.resolveName?.("@ada", "user")).toBeUndefined();
  });

  it("offers commands in a form Telegram takes, a hundred at most", async () => {
    const connection = await connect();
    telegram.on("setMyCommands", () => done(true));
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `c${index}`, description: "d" }));
    await connection.offerCommands?.([
      { name: "Dock-Telegram", description: " " },
      { name: "né", description: "x" },
      ...many,
    ]);
    const commands = (await telegram.called("setMyCommands"))[0]?.payload["commands"] as object[];
    expect(commands).toHaveLength(100);
    expect(commands.slice(0, 2)).toEqual([
      { command: "dock_telegram", description: "Dock-Telegram" },
      { command: "c0", description: "d" },
    ]);
  });

  it("tells who it is and how it is", async () => {
    const connection = await connect();
    telegram.on("getWebhookInfo", () => done({ url: "", has_custom_certificate: false, pending_update_count: 3 }));
    expect(await connection.directory?.self()).toEqual({
      kind: "user",
      id: "700700700",
      username: "chela_bot",
      name: "Chela",
    });
    expect(await connection.probe?.()).toMatchObject({ username: "chela_bot", mode: "polling", waiting: 3 });
    expect(host.reported).toMatchObject({ linked: true, connected: true, self: { username: "chela_bot" } });
  });
});

const update = (update_id: number, chat: number, words: string) => ({
  update_id,
  message: {
    message_id: update_id,
    date: 1789000000,
    text: words,
    from: { id: chat, is_bot: false, first_name: "Somebody" },
    chat: { id: chat, type: "private" },
  },
});
const wordsOf = ({ content }: ChannelEvent): string => (content.kind === "message" ? content.text : content.kind);

describe("fetching messages", () => {
  it("moves on only past what is on the disk: one chat that fails keeps its order, and nobody else waits", async () => {
    let isDiskFull = true;
    telegram.updates.push(update(11, 1, "a1"), update(12, 2, "b1"), update(13, 1, "a2"), update(14, 2, "b2"));
    const clock = createFakeClock();
    const connection = await connect({}, { clock });
    host.answer(async (event) => {
      if (isDiskFull && event.chat.id === "1") throw new Error("the disk is full");
      return { kind: "accepted" };
    });
    await host.next((event) => wordsOf(event) === "b2");
    expect(host.events.map(wordsOf)).not.toContain("a2");
    isDiskFull = false;
    await until(() => clock.waiting > 0);
    await clock.advance(2_500);
    await host.next((event) => wordsOf(event) === "a2");
    const offsets = (await telegram.called("getUpdates", 3)).map(({ payload }) => payload["offset"]);
    expect(offsets.slice(0, 3)).toEqual([undefined, 11, 15]);
    expect(host.events.map(wordsOf).filter((words) => words.startsWith("b"))).toEqual(["b1", "b2"]);
    expect(host.signs.count).toBeGreaterThan(1);
    await connection.close();
  });

  it.each([
    [refuse(409, "Conflict: terminated by other getUpdates request"), { isConflict: true }],
    [refuse(401, "Unauthorized"), { isFinal: true }],
    [refuse(502, "Bad Gateway"), {}],
    [GETS_CUT, {}],
  ] as const)("ends with %j", async (answer, end) => {
    telegram.on("getUpdates", () => answer);
    const connection = await connect();
    const disconnect = await connection.ended;
    expect(disconnect).toEqual({ why: expect.any(String) as unknown, ...end });
    expect(disconnect.why).not.toContain("SECRET");
  });

  it("waits as long as Telegram asks for", async () => {
    let refusals = 1;
    const clock = createFakeClock();
    telegram.on("getUpdates", () =>
      refusals-- > 0 ? refuse(429, "Too Many Requests", { retry_after: 9 }) : done([update(1, 1, "later")]),
    );
    await connect({}, { clock });
    // Connecting is the first sign, the refusal the second.
    await until(() => host.signs.count >= 2);
    await clock.advance(9_000);
    expect(wordsOf(await host.next())).toBe("later");
  });
});

describe("a webhook", () => {
  const settings = { webhookUrl: "https://chela.example/telegram-webhook", webhookSecret: "s3cret" };
  const header = "x-telegram-bot-api-secret-token";
  const call = (secret: string | undefined, body: string, path = "/telegram-webhook", method = "POST") =>
    host.call({ method, path, headers: secret === undefined ? {} : { [header]: secret }, body: Buffer.from(body) });

  it("is told to Telegram with its secret, and takes nothing without it", async () => {
    await connect(settings);
    expect((await telegram.called("setWebhook"))[0]?.payload).toMatchObject({
      url: settings.webhookUrl,
      secret_token: "s3cret",
      allowed_updates: expect.arrayContaining(["message", "callback_query", "message_reaction"]) as unknown,
    });
    const body = JSON.stringify(update(21, 1, "hello"));
    for (const secret of [undefined, "", "s3cre", "s3cret "]) expect((await call(secret, body)).status).toBe(401);
    expect(host.events).toEqual([]);
    expect((await call("s3cret", "{")).status).toBe(400);
    expect((await call("s3cret", body, "/telegram-webhook", "GET")).status).toBe(405);
    expect((await call("s3cret", body)).status).toBe(200);
    expect(wordsOf(await host.next())).toBe("hello");
  });

  it("answers so that Telegram sends again what could not be written down", async () => {
    await connect(settings);
    host.answer(async () => {
      throw new Error("the disk is full");
    });
    expect((await call("s3cret", JSON.stringify(update(22, 1, "hello")))).status).toBe(503);
  });

  it("has a path of its own for each account, which is gone after the end", async () => {
    const connection = await connect(settings, { account: "second" });
    expect((await call("s3cret", "{}", "/telegram-webhook/second")).status).toBe(200);
    await connection.close();
    expect((await call("s3cret", "{}", "/telegram-webhook/second")).status).toBe(404);
  });

  it("is looked after: it shows signs of life, and ends when another program took the bot over", async () => {
    const clock = createFakeClock();
    let url = settings.webhookUrl;
    telegram.on("getWebhookInfo", () => done({ url, has_custom_certificate: false, pending_update_count: 0 }));
    const connection = await connect(settings, { clock });
    const before = host.signs.count;
    await clock.advance(25_000);
    await until(() => clock.waiting > 0 && host.signs.count > before);
    url = "https://elsewhere.example/";
    await clock.advance(25_000);
    expect(await connection.ended).toMatchObject({ isConflict: true });
  });
});
