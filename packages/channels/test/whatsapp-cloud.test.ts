// WhatsApp Cloud against crabline's Graph API, and against a small stand-in for what crabline does not have.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWhatsAppServer } from "@openclaw/crabline";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Channel, ChannelConnection, ChannelHost, OutboundMessage } from "@chela/sdk";
import { createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { whatsappCloudChannel } from "../src/whatsapp-cloud/channel.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-whatsapp-cloud-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const PATH = "/whatsapp/webhook";
const SECRETS = { appSecret: "app-secret", verifyToken: "verify-me" };

const sign = (body: Uint8Array, secret = SECRETS.appSecret): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function post(host: FakeHost, notification: unknown, secret?: string) {
  const body = Buffer.from(JSON.stringify(notification));
  return host.call({ method: "POST", path: PATH, headers: { "x-hub-signature-256": sign(body, secret) }, body });
}

testChannel("WhatsApp Cloud (crabline)", async () => {
  const heard: string[] = [];
  const waiting: Array<() => void> = [];
  const crabline = await startWhatsAppServer({
    host: "127.0.0.1",
    port: 0,
    recorderPath: join(directory, "contract.jsonl"),
    onEvent: (event) => {
      const { body, accepted } = event as unknown as { body: { text?: { body?: string } }; accepted?: boolean };
      if (accepted && body.text?.body !== undefined) heard.push(body.text.body);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const { accessToken, adminToken, baseUrl, endpoints, phoneNumberId } = crabline.manifest;
  let host: FakeHost;
  let name = "Ada";
  /** Crabline makes the notifications and we carry them, again and again until they are taken, as Meta does. */
  let undelivered: unknown[] = [];
  const deliver = async (): Promise<void> => {
    const sending = undelivered;
    undelivered = [];
    for (const notification of sending) {
      if ((await post(host, notification)).status !== 200) undelivered.push(notification);
    }
  };
  const channel: Channel = {
    ...(whatsappCloudChannel as Channel),
    async start(account, given: ChannelHost) {
      const connection = await (whatsappCloudChannel as Channel).start(account, given);
      host = given as FakeHost;
      await deliver();
      return connection;
    },
  };
  return {
    channel,
    settings: { ...SECRETS, accessToken, phoneNumberId, apiRoot: baseUrl },
    peer: {
      async say(text) {
        const jid = "15551234567@s.whatsapp.net";
        const answer = await fetch(endpoints.adminInboundUrl, {
          method: "POST",
          headers: { "content-type": "application/json", "x-crabline-admin-token": adminToken },
          body: JSON.stringify({ chatJid: jid, senderJid: jid, text, pushName: name }),
        });
        const { webhook } = (await answer.json()) as { webhook: unknown };
        undelivered.push(webhook);
        await deliver();
      },
      async heard(count) {
        while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
        return heard;
      },
      rename: async (next) => void (name = next),
      nowhere: "nobody",
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => crabline.close(),
  };
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: Buffer;
}

/** Answers as the test says, and remembers what it was asked. A fixture of ours, not Meta. */
async function startGraph() {
  const asked: Asked[] = [];
  let answer = (_asked: Asked, response: ServerResponse): void => json(response, {});
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, token: headers.authorization, body: Buffer.concat(parts) };
    asked.push(one);
    if (method === "GET" && url.startsWith("/v25.0/42?"))
      return json(response, { display_phone_number: "+1 555 000 0000" });
    answer(one, response);
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { ...SECRETS, accessToken: "EAAtoken", phoneNumberId: "42", apiRoot: root };
  const host = createFakeHost({ directory });
  const connection = await start(settings, host);
  return {
    root,
    host,
    connection,
    asked,
    answers: (how: typeof answer) => void (answer = how),
    sent: () =>
      asked.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body.toString()) as unknown),
    async [Symbol.asyncDispose]() {
      await connection.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function start(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = whatsappCloudChannel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return whatsappCloudChannel.start(configured.account, host);
}

const never = new AbortController().signal;
const message = (content: OutboundMessage["content"], more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key: "k",
  target: { to: "+15551234567" },
  content,
  mayHaveArrived: false,
  ...more,
});
const accepted = (_asked: Asked, response: ServerResponse): void => json(response, { messages: [{ id: "wamid.1" }] });

const notification = (value: object, phoneNumberId = "42") => ({
  object: "whatsapp_business_account",
  entry: [
    { id: "1", changes: [{ field: "messages", value: { metadata: { phone_number_id: phoneNumberId }, ...value } }] },
  ],
});
const said = (id: string, body: string, from = "15551234567") => ({
  from,
  id,
  timestamp: "1760000000",
  type: "text",
  text: { body },
});

describe("settings of WhatsApp Cloud", () => {
  const whole = { ...SECRETS, accessToken: "t", phoneNumberId: "42" };
  it.each([
    ["accessToken", { ...whole, accessToken: "" }],
    ["phoneNumberId", { ...whole, phoneNumberId: "my number" }],
    ["text of digits", { ...whole, phoneNumberId: 2 ** 60 }],
    ["appSecret", { ...whole, appSecret: undefined }],
    ["verifyToken", { ...whole, verifyToken: " " }],
    ["apiVersion", { ...whole, apiVersion: "25" }],
    ["apiRoot", { ...whole, apiRoot: "file:///etc" }],
    ["webhookPath", { ...whole, webhookPath: "hook" }],
  ])("without a good %s are incomplete, and say so", (name, settings) => {
    const configured = whatsappCloudChannel.configure(settings, () => undefined);
    expect(configured).toMatchObject({ kind: "incomplete", why: expect.stringContaining(name) });
  });

  it("may be kept in the environment, and show no secret", () => {
    const env: Record<string, string> = {
      WHATSAPP_CLOUD_ACCESS_TOKEN: "EAAsecret",
      WHATSAPP_CLOUD_PHONE_NUMBER_ID: "42",
      WHATSAPP_CLOUD_APP_SECRET: "s",
      WHATSAPP_CLOUD_VERIFY_TOKEN: "v",
    };
    const configured = whatsappCloudChannel.configure({}, (name) => env[name]);
    expect(configured.kind).toBe("configured");
    expect(JSON.stringify(configured)).not.toContain("EAAsecret");
  });

  it("with a token Meta does not take fail for good", async () => {
    const crabline = await startWhatsAppServer({ recorderPath: join(directory, "token.jsonl") });
    const { baseUrl, phoneNumberId } = crabline.manifest;
    const settings = { ...SECRETS, accessToken: "EAAwrong", phoneNumberId, apiRoot: baseUrl };
    const failure = await start(settings, createFakeHost({ directory })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "CHANNEL_AUTH", detail: expect.not.stringContaining("EAAwrong") });
    await crabline.close();
  });

  it("that lead nowhere can be tried again", async () => {
    const settings = { ...SECRETS, accessToken: "t", phoneNumberId: "42", apiRoot: "http://127.0.0.1:9" };
    await expect(start(settings, createFakeHost({ directory }))).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
  });
});

describe("requests that claim to come from Meta", () => {
  it("answer the challenge only for the right verify token", async () => {
    await using graph = await startGraph();
    const ask = (token: string) =>
      graph.host.call({
        method: "GET",
        path: PATH,
        headers: {},
        body: new Uint8Array(),
        query: new URLSearchParams({
          "hub.mode": "subscribe",
          "hub.verify_token": token,
          "hub.challenge": "1158201444",
        }),
      });
    expect(await ask("verify-me")).toEqual({ status: 200, body: "1158201444", type: "text/plain" });
    expect((await ask("verify-you")).status).toBe(403);
    expect((await ask("")).status).toBe(403);
  });

  it("are refused unread without a right signature over every byte", async () => {
    await using graph = await startGraph();
    const body = Buffer.from(JSON.stringify(notification({ messages: [said("wamid.a", "hi")] })));
    const changed = Buffer.from(body.toString().replace("hi", "ho"));
    const send = (signature: string | undefined, bytes: Buffer) =>
      graph.host.call({ method: "POST", path: PATH, headers: { "x-hub-signature-256": signature }, body: bytes });
    const answers = [
      await send(undefined, body),
      await send("", body),
      await send(sign(body).slice("sha256=".length), body),
      await send(sign(body, "another app"), body),
      await send(sign(body), changed),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(graph.host.events).toEqual([]);
    expect((await send(sign(body), body)).status).toBe(200);
    expect(graph.host.events).toHaveLength(1);
  });

  it("about another number of the same app are not ours", async () => {
    await using graph = await startGraph();
    const other = notification({ messages: [said("wamid.a", "hi")] }, "43");
    expect((await post(graph.host, other)).status).toBe(200);
    expect(graph.host.events).toEqual([]);
  });

  it("are not acknowledged while they cannot be written down", async () => {
    await using graph = await startGraph();
    graph.host.answer(async () => {
      throw new Error("the disk is full");
    });
    const one = notification({ messages: [said("wamid.a", "hi")] });
    expect((await post(graph.host, one)).status).toBe(503);
    graph.host.answer(async () => ({ kind: "accepted" }));
    expect((await post(graph.host, one)).status).toBe(200);
  });

  it("may hold several messages, some unreadable, and statuses", async () => {
    await using graph = await startGraph();
    const messages = [
      said("wamid.a", "one"),
      { id: 3 },
      said("wamid.b", "two"),
      said("wamid.c", "other", "15557654321"),
    ];
    const statuses = [{ id: "wamid.x", status: "failed", errors: [{ code: 131026 }] }, "odd"];
    expect((await post(graph.host, notification({ messages, statuses }))).status).toBe(200);
    expect(graph.host.events.map(({ id }) => id).sort()).toEqual(["wamid.a", "wamid.b", "wamid.c"]);
  });
});

describe("messages sent over WhatsApp Cloud", () => {
  const opened: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  });
  const open = async () => {
    const graph = await startGraph();
    opened.push(graph);
    graph.answers(accepted);
    return graph;
  };

  it("are texts in WhatsApp's dialect, and answers to a message", async () => {
    const { connection, sent } = await open();
    const outcome = await connection.send(
      message({ kind: "text", markdown: "**hi**" }, { replyTo: "wamid.theirs" }),
      never,
    );
    expect(outcome).toEqual({ kind: "sent", messageId: "wamid.1" });
    expect(sent()).toEqual([
      {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "15551234567",
        context: { message_id: "wamid.theirs" },
        type: "text",
        text: { body: "*hi*", preview_url: false },
      },
    ]);
  });

  it("have up to three buttons, and words instead of more", async () => {
    const { connection, sent } = await open();
    const buttons = ["Yes", "No", "A very long title for a button"].map((text, index) => ({
      text,
      data: `/pick ${index}`,
    }));
    await connection.send(message({ kind: "text", markdown: "Well?", buttons: [buttons] }), never);
    const four = [...buttons, { text: "More", data: "/more" }];
    await connection.send(message({ kind: "text", markdown: "Well?", buttons: [four] }), never);
    const [three, words] = sent() as [{ interactive: unknown }, { text: { body: string } }];
    expect(three.interactive).toEqual({
      type: "button",
      body: { text: "Well?" },
      action: {
        buttons: [
          { type: "reply", reply: { id: "/pick 0", title: "Yes" } },
          { type: "reply", reply: { id: "/pick 1", title: "No" } },
          { type: "reply", reply: { id: "/pick 2", title: "A very long title f…" } },
        ],
      },
    });
    expect(words.text.body).toContain("- More: /more");
  });

  it("carry files that were uploaded first, shown in place or as documents", async () => {
    const { connection, asked, answers } = await open();
    answers((one, response) => (one.path.endsWith("/media") ? json(response, { id: "m1" }) : accepted(one, response)));
    const path = join(directory, "cat.png");
    writeFileSync(path, "not really a cat");
    const media = { kind: "image" as const, path, mimeType: "image/png", name: 'a"cat.png', bytes: 16 };
    await connection.send(message({ kind: "media", media, caption: "*our* cat" }), never);
    await connection.send(message({ kind: "media", media: { ...media, mimeType: "image/bmp" } }), never);
    const posts = asked.filter(({ method }) => method === "POST");
    expect(posts.map((one) => one.path)).toEqual([
      "/v25.0/42/media",
      "/v25.0/42/messages",
      "/v25.0/42/media",
      "/v25.0/42/messages",
    ]);
    expect(posts[0]?.body.toString()).toMatch(/filename="a%22cat.png"[^]*not really a cat/);
    expect(JSON.parse(posts[1]?.body.toString() ?? "")).toMatchObject({
      type: "image",
      image: { id: "m1", caption: "_our_ cat" },
    });
    expect(JSON.parse(posts[3]?.body.toString() ?? "")).toMatchObject({ type: "document", document: { id: "m1" } });
  });

  it("with words to a sound are two, the words first", async () => {
    const { connection, asked, answers } = await open();
    answers((one, response) => (one.path.endsWith("/media") ? json(response, { id: "m1" }) : accepted(one, response)));
    const path = join(directory, "voice.ogg");
    writeFileSync(path, "OggS");
    const media = { kind: "voice" as const, path, mimeType: "audio/ogg; codecs=opus", name: "voice.ogg", bytes: 4 };
    await connection.send(message({ kind: "media", media, caption: "listen", asVoice: true }), never);
    const sent = asked.filter(({ path }) => path.endsWith("/messages")).map(({ body }) => JSON.parse(body.toString()));
    expect(sent).toMatchObject([{ text: { body: "listen" } }, { type: "audio", audio: { id: "m1", voice: true } }]);
  });

  it("with words to a sound say the words once, however often the sound has to be tried", async () => {
    const { connection, asked, answers } = await open();
    const path = join(directory, "again.ogg");
    writeFileSync(path, "OggS");
    const media = { kind: "voice" as const, path, mimeType: "audio/ogg", name: "again.ogg", bytes: 4 };
    const both = message({ kind: "media", media, caption: "listen", asVoice: true });
    const isSound = ({ body }: Asked): boolean => body.includes('"type":"audio"');
    let trouble: "upload" | "sound" | "none" = "upload";
    answers((one, response) => {
      const isUpload = one.path.endsWith("/media");
      if ((isUpload && trouble === "upload") || (isSound(one) && trouble === "sound")) return json(response, {}, 500);
      return isUpload ? json(response, { id: "m1" }) : accepted(one, response);
    });
    for (trouble of ["upload", "sound", "sound"] as const) {
      expect(await connection.send(both, never)).toMatchObject({ kind: "failed", reason: "unavailable" });
    }
    trouble = "none";
    expect(await connection.send(both, never)).toMatchObject({ kind: "sent" });
    expect(asked.filter(({ body }) => body.includes("listen"))).toHaveLength(1);
  });

  it("with a file that are stopped before they begin can be sent later", async () => {
    const { connection } = await open();
    const path = join(directory, "later.ogg");
    writeFileSync(path, "OggS");
    const media = { kind: "voice" as const, path, mimeType: "audio/ogg", name: "later.ogg", bytes: 4 };
    const outcome = await connection.send(message({ kind: "media", media }), AbortSignal.abort());
    expect(outcome).toMatchObject({ kind: "failed", reason: "unavailable" });
  });

  it("that fail say what to do about it", async () => {
    const { connection, answers } = await open();
    const cases: ReadonlyArray<readonly [number, number, object]> = [
      [400, 131047, { reason: "rejected", why: expect.stringContaining("24 hours") }],
      [400, 130429, { reason: "rate-limited", holdsFor: "account", retryAfterMs: 60_000 }],
      [400, 131056, { reason: "rate-limited", holdsFor: "chat" }],
      [400, 80007, { reason: "rate-limited" }],
      [401, 190, { reason: "unauthorised" }],
      [400, 131026, { reason: "unreachable" }],
      [400, 100, { reason: "rejected" }],
      [500, 131000, { reason: "unavailable" }],
    ];
    for (const [status, code, expected] of cases) {
      answers((_one, response) => json(response, { error: { code, message: "secret words of Meta" } }, status));
      const outcome = await connection.send(message({ kind: "text", markdown: "hi" }), never);
      expect(outcome).toMatchObject({ kind: "failed", ...expected });
      expect(JSON.stringify(outcome)).not.toMatch(/secret words|EAAtoken/);
    }
  });

  it("whose answer never came may have arrived", async () => {
    const { connection, answers } = await open();
    answers((_one, response) => void response.socket?.destroy());
    const outcome = await connection.send(message({ kind: "text", markdown: "hi" }), never);
    expect(outcome).toMatchObject({ kind: "failed", reason: "uncertain" });
  });

  it("can be reactions, and signs of reading and writing", async () => {
    const { connection, host, sent } = await open();
    host.answer(async () => ({ kind: "settled", why: "not for us" }));
    await post(host, notification({ messages: [said("wamid.a", "hi")] }));
    await connection.react?.({ to: "+15551234567" }, "wamid.a", "👍", false);
    await connection.react?.({ to: "+15551234567" }, "wamid.a", "👍", true);
    await connection.typing?.({ to: "+15551234567" });
    await connection.markRead?.({ to: "+15551234567" }, "wamid.a");
    expect(sent()).toMatchObject([
      { type: "reaction", reaction: { message_id: "wamid.a", emoji: "👍" } },
      { type: "reaction", reaction: { message_id: "wamid.a", emoji: "" } },
      { status: "read", message_id: "wamid.a", typing_indicator: { type: "text" } },
      { status: "read", message_id: "wamid.a" },
    ]);
  });
});

describe("files people sent over WhatsApp Cloud", () => {
  const read = async (connection: ChannelConnection, ref: string): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const part of (await connection.download?.(ref, never)) ?? []) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it("are fetched in two steps, with the token", async () => {
    await using graph = await startGraph();
    graph.answers((one, response) => {
      if (one.path === "/v25.0/431") return json(response, { url: `${graph.root}/files/431`, mime_type: "audio/ogg" });
      response.end("a voice");
    });
    expect(await read(graph.connection, "431")).toBe("a voice");
    expect(graph.asked.at(-1)).toMatchObject({ path: "/files/431", token: "Bearer EAAtoken" });
  });

  it("are not fetched from elsewhere, where the token does not belong", async () => {
    await using graph = await startGraph();
    await using elsewhere = await startGraph();
    graph.answers((_one, response) => json(response, { url: `${elsewhere.root}/files/431` }));
    const before = elsewhere.asked.length;
    await expect(read(graph.connection, "431")).rejects.toMatchObject({ code: "MEDIA_FETCH" });
    expect(elsewhere.asked.length).toBe(before);
  });
});
