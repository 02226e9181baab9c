// Webhooks against a program that signs for itself, and against GitHub's signed deliveries as emulate makes them.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "emulate";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Channel, ChannelConnection, ChannelHost, OutboundMessage } from "@chela/sdk";
import { createFakeClock, createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { webhookChannel } from "../src/webhook/channel.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-webhook-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const SECRET = "a secret both sides have";
const never = new AbortController().signal;
const hmac = (text: string | Buffer, secret = SECRET) => createHmac("sha256", secret).update(text).digest("hex");

async function serveOn(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}

/** The other program: it takes our answers, believes only good signatures, and knows keys it has seen. */
async function startReceiver() {
  const seen = new Map<string, Record<string, unknown>>();
  const waiting: Array<() => void> = [];
  const heard: Array<Record<string, unknown>> = [];
  const asked = Promise.withResolvers<void>();
  const behaviour = { status: 0, headers: {} as Record<string, string>, isMute: false };
  const server = await serveOn((request, response) => {
    void bytesOf(request).then((raw) => {
      const { "x-chela-timestamp": stamp, "x-chela-signature": signature, "idempotency-key": key } = request.headers;
      if (behaviour.isMute) return asked.resolve();
      if (behaviour.status) return void response.writeHead(behaviour.status, behaviour.headers).end();
      const signed = Buffer.concat([Buffer.from(`v1:${String(stamp)}:`), raw]);
      if (signature !== `v1=${hmac(signed)}`) return void response.writeHead(401).end();
      const body = JSON.parse(raw.toString()) as Record<string, unknown>;
      if (body["to"] === "user:nobody") return void response.writeHead(410).end();
      if (!seen.has(String(key))) heard.push(body);
      seen.set(String(key), body);
      response.end(JSON.stringify({ id: `receipt-of-${String(key)}` }));
      for (const wake of waiting.splice(0)) wake();
    });
  });
  return {
    ...server,
    behaviour,
    heard,
    /** Resolves when it was asked while it is mute. */
    asked: asked.promise,
    async waitFor(count: number): Promise<readonly Record<string, unknown>[]> {
      while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return heard;
    },
  };
}

function signed(body: string, at = Date.now(), secret = SECRET) {
  const stamp = String(Math.floor(at / 1000));
  const headers = { "x-chela-timestamp": stamp, "x-chela-signature": `v1=${hmac(`v1:${stamp}:${body}`, secret)}` };
  return { method: "POST", path: "/hooks/channel", headers, body: Buffer.from(body) };
}

/** Lets the test speak to whichever host the channel was started with last, and know when it was started. */
function withHost(
  channel: typeof webhookChannel,
  started: () => Promise<void>,
): { channel: Channel; host(): FakeHost } {
  let current: FakeHost | undefined;
  const start = async (account: never, host: ChannelHost): Promise<ChannelConnection> => {
    current = host as FakeHost;
    const connection = await channel.start(account, host);
    await started();
    return connection;
  };
  return {
    channel: { ...channel, start } as unknown as Channel,
    host() {
      if (!current) throw new Error("the channel was not started");
      return current;
    },
  };
}

testChannel("Webhook", async () => {
  const receiver = await startReceiver();
  // As any sender would: what was not accepted is sent again.
  const unaccepted: string[] = [];
  const sendAgain = async (): Promise<void> => {
    for (const body of unaccepted.splice(0)) await post(body);
  };
  const { channel, host } = withHost(webhookChannel, sendAgain);
  const post = async (body: string): Promise<void> => {
    const { status } = await host().call(signed(body));
    if (status === 503) unaccepted.push(body);
    else if (status !== 202) throw new Error(`answered with ${status}`);
  };
  let count = 0;
  let name = "Ada";
  const say = (fields: object) => post(JSON.stringify({ id: `m${(count += 1)}`, from: { id: "u1", name }, ...fields }));
  return {
    channel,
    settings: { secret: SECRET, outboundUrl: receiver.url },
    peer: {
      say: (text) => say({ text }),
      sayInGroup: (text) => say({ text, chat: { id: "g1", kind: "group" } }),
      heard: async (wanted) => (await receiver.waitFor(wanted)).map(({ text }) => String(text)),
      rename: async (next) => void (name = next),
      nowhere: "user:nobody",
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
});

async function connect(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = webhookChannel.configure({ secret: SECRET, ...settings }, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return webhookChannel.start(configured.account, host);
}

describe("a request", () => {
  const BODY = JSON.stringify({ id: "m1", from: { id: "u1" }, text: "hello" });
  let host: FakeHost;
  let connection: ChannelConnection;
  beforeEach(async () => {
    host = createFakeHost({ directory });
    connection = await connect({}, host);
  });
  afterEach(() => connection.close());

  it("is accepted when it is written down, and not before", async () => {
    expect(await host.call(signed(BODY))).toMatchObject({ status: 202, body: '{"accepted":true}' });
    host.answer(async () => ({ kind: "settled", why: "answered before" }));
    expect((await host.call(signed(BODY))).status).toBe(200);
    expect(host.events.map(({ id }) => id)).toEqual(["m1", "m1"]);
    host.answer(async () => {
      throw new Error("the disk is full");
    });
    expect((await host.call(signed(BODY))).status).toBe(503);
  });

  it("need not say that it is JSON, and GitHub's may come in a form", async () => {
    const form = "application/x-www-form-urlencoded";
    const call = signed(BODY);
    const plain = { ...call, headers: { ...call.headers, "content-type": form } };
    expect((await host.call(plain)).status).toBe(202);
    const github = await connect({ format: "github", path: "/github", sender: "ci" }, host);
    const body = Buffer.from(`payload=${encodeURIComponent('{"action":"done"}')}`);
    const headers = { "content-type": form, "x-hub-signature-256": `sha256=${hmac(body)}` };
    expect((await host.call({ method: "POST", path: "/github", headers, body })).status).toBe(202);
    await github.close();
  });

  const good = signed(BODY);
  it.each<[string, Parameters<FakeHost["call"]>[0], number]>([
    ["without a signature", { ...good, headers: {} }, 401],
    ["with another secret's signature", signed(BODY, Date.now(), "somebody else's secret"), 401],
    ["with a body that was changed", { ...good, body: Buffer.from(BODY.replace("hello", "hallo")) }, 401],
    ["with a time that was changed", { ...good, headers: { ...good.headers, "x-chela-timestamp": "1" } }, 401],
    ["from long ago", signed(BODY, Date.now() - 6 * 60_000), 401],
    ["from the future", signed(BODY, Date.now() + 6 * 60_000), 401],
    ["with GitHub's signature only", { ...good, headers: { "x-hub-signature-256": `sha256=${hmac(BODY)}` } }, 401],
    ["that is no JSON", signed("{oops"), 400],
    ["that lacks something", signed('{"id":"m1"}'), 400],
    ["that is a GET", { ...good, method: "GET" }, 405],
    ["that is too large", signed(JSON.stringify({ text: "x".repeat(2 ** 20) })), 413],
  ])("%s is refused, and nothing happens", async (_name, call, status) => {
    const answer = await host.call(call);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body ?? "")).toEqual({ error: expect.stringMatching(/\w+ \w+/) as unknown });
    expect(host.events).toEqual([]);
  });

  it("finds nobody once the account is closed, or at another account's path", async () => {
    const other = createFakeHost({ directory, account: "shop" });
    const second = await connect({ secret: "the secret of the shop" }, other);
    expect((await other.call(signed(BODY))).status).toBe(404);
    expect((await other.call({ ...signed(BODY), path: "/hooks/channel/shop" })).status).toBe(401);
    await second.close();
    await connection.close();
    expect((await host.call(signed(BODY))).status).toBe(404);
  });

  it("is refused a path that another account has", async () => {
    const taken = {
      ...host,
      serve: () => {
        throw new TypeError("taken");
      },
    };
    await expect(connect({}, taken)).rejects.toMatchObject({ code: "CHANNEL_SETTINGS" });
  });
});

describe("an answer", () => {
  const message = (content: OutboundMessage["content"], to = "user:u1"): OutboundMessage => ({
    key: "key-1",
    target: { to },
    content,
    mayHaveArrived: false,
  });
  const text = (markdown: string) => ({ kind: "text" as const, markdown });
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let host: FakeHost;
  let connection: ChannelConnection;
  beforeEach(async () => {
    receiver = await startReceiver();
    host = createFakeHost({ directory });
    connection = await connect({ outboundUrl: `${receiver.url}/answers` }, host);
  });
  afterEach(async () => {
    await connection.close();
    await receiver.close();
  });

  it("names where it goes, what it answers and who sent it a receipt", async () => {
    const sent = await connection.send(
      { ...message(text("**hi** \ud83d"), "group:g1"), target: { to: "group:g1", threadId: "t1" }, replyTo: "m1" },
      never,
    );
    expect(sent).toEqual({ kind: "sent", messageId: "receipt-of-key-1" });
    const expected = {
      id: "key-1",
      to: "group:g1",
      threadId: "t1",
      replyTo: "m1",
      text: "**hi** \ufffd",
      format: "markdown",
    };
    expect(receiver.heard).toEqual([expected]);
    const body = JSON.stringify({ id: "m2", from: { id: "u1" }, text: "thanks", replyTo: "receipt-of-key-1" });
    await host.call(signed(body));
    expect((await host.next()).content).toMatchObject({ replyTo: { isOurs: true } });
  });

  it("carries small files, and says so when one is too large or gone", async () => {
    const path = join(directory, "file");
    writeFileSync(path, "bytes");
    const media = { kind: "file" as const, path, mimeType: "text/plain", name: "a.txt", bytes: 5 };
    await connection.send(message({ kind: "media", media, caption: "look" }), never);
    const base64 = Buffer.from("bytes").toString("base64");
    expect(receiver.heard[0]).toMatchObject({
      text: "look",
      media: [{ name: "a.txt", mimeType: "text/plain", base64 }],
    });
    for (const odd of [
      { ...media, bytes: 6 * 1024 * 1024 },
      { ...media, path: `${path}-gone` },
    ]) {
      expect(await connection.send(message({ kind: "media", media: odd }), never)).toMatchObject({
        reason: "rejected",
      });
    }
  });

  it("writes commands of buttons and polls as text", async () => {
    const buttons = [
      [
        { text: "Yes", data: "/approve 1" },
        { text: "Odd", data: "opaque" },
      ],
    ];
    await connection.send(message({ ...text("Sure?"), buttons }), never);
    const poll = { question: "Lunch?", options: ["yes", "no"] };
    await connection.send({ ...message({ kind: "poll", poll }), key: "key-2" }, never);
    expect(receiver.heard.map((body) => body["text"])).toEqual([
      "Sure?\n\n- Yes: `/approve 1`",
      "Lunch?\n\n1. yes\n2. no",
    ]);
  });

  it.each<[number, Record<string, string>, object]>([
    [409, {}, { kind: "sent", messageId: "key-1" }],
    [204, {}, { kind: "sent", messageId: "key-1" }],
    [429, { "retry-after": "7" }, { reason: "rate-limited", retryAfterMs: 7000, holdsFor: "account" }],
    [429, {}, { reason: "rate-limited" }],
    [400, {}, { reason: "rejected" }],
    [401, {}, { reason: "unauthorised" }],
    [404, {}, { reason: "unreachable" }],
    [410, {}, { reason: "unreachable" }],
    [302, { location: "http://127.0.0.1:1/" }, { reason: "rejected" }],
    [500, {}, { reason: "unavailable" }],
  ])("is judged by the status: %s", async (status, headers, expected) => {
    Object.assign(receiver.behaviour, { status, headers });
    expect(await connection.send(message(text("hi")), never)).toMatchObject(expected);
  });

  it("is uncertain when no word comes back in time", async () => {
    receiver.behaviour.isMute = true;
    const clock = createFakeClock();
    const slow = await connect({ path: "/slow", outboundUrl: receiver.url }, createFakeHost({ directory, clock }));
    const sending = slow.send(message(text("hi")), never);
    await receiver.asked;
    clock.advance(30_000);
    expect(await sending).toMatchObject({ reason: "uncertain" });
    await slow.close();
  });

  it("is uncertain when the line breaks after it was handed over", async () => {
    const breaking = await serveOn((request) => void bytesOf(request).then(() => request.socket.destroy()));
    const broken = await connect({ path: "/broken", outboundUrl: breaking.url }, createFakeHost({ directory }));
    expect(await broken.send(message(text("hi")), never)).toMatchObject({ reason: "uncertain" });
    await broken.close();
    await breaking.close();
  });

  it("is not sent when nobody is there, or when there is nowhere to send it", async () => {
    await receiver.close();
    const offline = await connection.send(message(text("hi")), never);
    expect(offline).toMatchObject({ reason: "unavailable" });
    expect(JSON.stringify(offline)).not.toContain(SECRET);
    const silent = await connect({ path: "/silent" }, createFakeHost({ directory }));
    expect(await silent.send(message(text("hi")), never)).toMatchObject({ reason: "unreachable" });
    await silent.close();
  });
});

describe("GitHub's deliveries, by emulate", () => {
  it("arrive as messages of whoever acted; a forged copy does not", async () => {
    const host = createFakeHost({ directory });
    const template = "{{@event}} {{action}}: {{issue.title}} in {{repository.full_name}}";
    const connection = await connect({ format: "github", template }, host);
    const calls: Array<Parameters<FakeHost["call"]>[0]> = [];
    const door = await serveOn((request, response) => {
      void bytesOf(request).then(async (body) => {
        const headers = request.headers as Record<string, string | undefined>;
        const call = { method: request.method ?? "", path: request.url ?? "", headers, body };
        calls.push(call);
        const answer = await host.call(call);
        response.writeHead(answer.status).end(answer.body);
      });
    });
    const github = await createEmulator({
      service: "github",
      port: 0,
      seed: {
        tokens: { tok: { login: "ada", scopes: ["repo", "admin:repo_hook"] } },
        github: { users: [{ login: "ada", name: "Ada" }], repos: [{ owner: "ada", name: "roses" }] },
      },
    });
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { authorization: "Bearer tok", "content-type": "application/json" };
      const answer = await fetch(`${github.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
    };
    const config = { url: `${door.url}/hooks/channel`, content_type: "json", secret: SECRET };
    await post("/repos/ada/roses/hooks", { name: "web", active: true, events: ["issues"], config });
    await post("/repos/ada/roses/issues", { title: "Thorns" });
    const event = await host.next();
    expect(event).toMatchObject({
      chat: { kind: "direct", id: event.sender.id },
      sender: { id: expect.stringMatching(/^\d+$/) as unknown, username: "ada" },
      content: { text: "issues opened: Thorns in ada/roses" },
    });
    const [first] = calls;
    if (!first) throw new Error("nothing came");
    const forged = { ...first, body: Buffer.from(Buffer.from(first.body).toString().replace("Thorns", "Roses!")) };
    expect((await host.call(forged)).status).toBe(401);
    await host.call({ ...first, headers: { ...first.headers, "x-github-delivery": "another" } });
    expect((await host.next()).id).toBe(event.id);
    await github.close();
    await door.close();
    await connection.close();
  });
});
