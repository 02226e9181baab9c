// SMS against emulate's Twilio, with its real signatures, and against a small stand-in for what emulate does not have.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "emulate";
import { afterAll, describe, expect, it } from "vitest";
import type { Channel, ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeClock, createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { smsChannel } from "../src/sms/channel.ts";
import {
  BASE,
  bytesOf,
  json,
  listed,
  OURS,
  PATH,
  PERSON,
  post,
  refuse,
  said,
  serveOn,
  settingsFor,
  SID,
  sign,
  start,
  startTwilio,
  TOKEN,
} from "./sms-twilio.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-sms-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const never = new AbortController().signal;
const BASIC = `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString("base64")}`;

/** Emulate's Twilio, with a number whose messages it takes to the door. */
async function startEmulate() {
  let host: FakeHost | undefined;
  const door = await serveOn((request, response) => {
    void bytesOf(request).then(async (body) => {
      const { method = "", headers } = request;
      const flat = {
        "content-type": headers["content-type"],
        "x-twilio-signature": String(headers["x-twilio-signature"]),
      };
      const answer = await host?.call({ method, path: PATH, headers: flat, body });
      response.writeHead(answer?.status ?? 404, { "content-type": answer?.type ?? "text/plain" }).end(answer?.body);
    });
  });
  const publicUrl = `${door.url}${PATH}?from=twilio`;
  const twilio = await createEmulator({
    service: "twilio",
    port: 0,
    seed: {
      twilio: {
        account: { sid: SID, auth_token: TOKEN, friendly_name: "Test" },
        phone_numbers: [{ phone_number: OURS, sms_url: publicUrl }],
      },
    },
  });
  const call = async (path: string, fields?: Record<string, string>): Promise<unknown> => {
    const form = fields ? { method: "POST", body: new URLSearchParams(fields) } : {};
    const answer = await fetch(`${twilio.url}${path}`, { headers: { authorization: BASIC }, ...form });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  return {
    settings: settingsFor(twilio.url, { publicUrl }),
    apiRoot: twilio.url,
    answeredBy: (given: FakeHost) => void (host = given),
    say: (text: string, from = PERSON) =>
      call("/_twilio/simulate/inbound-message", { To: OURS, From: from, Body: text }),
    async heard(): Promise<string[]> {
      const { messages } = (await call(`${BASE}/Messages.json?${new URLSearchParams({ To: PERSON })}`)) as {
        messages: Array<{ body: string }>;
      };
      return messages.map(({ body }) => body).toReversed();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await twilio.close();
      await door[Symbol.asyncDispose]();
    },
  };
}

testChannel("SMS (emulate)", async () => {
  const emulate = await startEmulate();
  const channel: Channel = {
    ...(smsChannel as Channel),
    async start(account, given) {
      emulate.answeredBy(given as FakeHost);
      return (smsChannel as Channel).start(account, given);
    },
  };
  return {
    channel,
    settings: emulate.settings,
    peer: {
      say: async (text) => void (await emulate.say(text)),
      heard: () => emulate.heard(),
      nowhere: "nobody",
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => emulate[Symbol.asyncDispose](),
  };
});

describe("an account with emulate", () => {
  it("is described, and compared with where Twilio takes messages", async () => {
    await using emulate = await startEmulate();
    const host = createFakeHost({ directory });
    const connection = await start(emulate.settings, host);
    expect(host.reported).toMatchObject({ connected: true, self: { id: OURS, name: "Test" } });
    expect(await connection.probe?.()).toMatchObject({ status: "active", number: OURS, webhook: "as in publicUrl" });
    expect(await connection.directory?.self()).toEqual({ kind: "user", id: OURS, name: "Test" });
    await connection.close();
  });

  it("and a wrong token fails for good, without showing it", async () => {
    await using emulate = await startEmulate();
    const settings = settingsFor(emulate.apiRoot, { authToken: "wrong-token" });
    const failure = await start(settings, createFakeHost({ directory })).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "CHANNEL_AUTH",
      detail: expect.not.stringContaining("wrong-token") as unknown,
    });
  });

  it("tells people apart whatever they write", async () => {
    await using emulate = await startEmulate();
    const host = createFakeHost({ directory });
    emulate.answeredBy(host);
    const connection = await start(emulate.settings, host);
    await emulate.say("it is me");
    await emulate.say(`it is me, ${PERSON}`, "+15559999999");
    expect(host.events.map(({ sender }) => sender.id)).toEqual([PERSON, "+15559999999"]);
    await connection.close();
  });
});

describe("an account", () => {
  it("that leads nowhere can be tried again", async () => {
    const starting = start(settingsFor("http://127.0.0.1:9"), createFakeHost({ directory }));
    await expect(starting).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
  });

  it("that Twilio has suspended is not good", async () => {
    await using twilio = await startTwilio();
    twilio.answers.set("GET .json", (_asked, response) => json(response, { friendly_name: "x", status: "suspended" }));
    const starting = start(settingsFor(twilio.url), createFakeHost({ directory }));
    await expect(starting).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
  });

  it("of another name has a path of its own", async () => {
    await using twilio = await startTwilio();
    const host = createFakeHost({ directory, account: "work" });
    const connection = await start(settingsFor(twilio.url), host);
    const call = (path: string) => host.call({ method: "GET", path, headers: {}, body: new Uint8Array() });
    expect([(await call(PATH)).status, (await call(`${PATH}/work`)).status]).toEqual([404, 405]);
    await connection.close();
    expect((await call(`${PATH}/work`)).status).toBe(404);
  });

  it("whose token is taken away later ends for good", async () => {
    await using twilio = await startTwilio();
    const { clock, host, connection } = await open(twilio.url);
    twilio.answers.set("GET /Messages.json", refuse(401, 20003));
    clock.advance(10 * 60_000);
    expect(await connection.ended).toMatchObject({ isFinal: true });
    expect(host.signs.count).toBe(1);
    await connection.close();
  });
});

/** Connected, with the first look for missed messages behind it. */
async function open(apiRoot: string, memory = new Map<string, string>()) {
  const clock = createFakeClock(Date.UTC(2026, 0, 2));
  const host = createFakeHost({ directory, clock, memory });
  const looked = Promise.withResolvers<void>();
  host.alive = () => ((host.signs as { count: number }).count++, looked.resolve());
  const connection = await start(settingsFor(apiRoot), host);
  await looked.promise;
  return { clock, host, connection };
}

describe("requests that claim to come from Twilio", () => {
  it("are refused without effect unless every field and the address are signed with the token", async () => {
    await using twilio = await startTwilio();
    const { host, connection } = await open(twilio.url);
    const fields = said("hi");
    const answers = [
      await post(host, fields, ""),
      await post(host, fields, sign(fields, undefined, "another token")),
      await post(host, fields, sign(fields, "https://bot.example.org/sms/webhook/other")),
      await post(host, { ...fields, Body: "ho" }, sign(fields)),
      await post(host, { ...fields, From: "+15559999999" }, sign(fields)),
      await post(host, { ...fields, Extra: "1" }, sign(fields)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(host.events).toEqual([]);
    expect(await post(host, fields)).toEqual({ status: 200, type: "text/xml", body: "<Response/>" });
    expect(host.events).toHaveLength(1);
    await connection.close();
  });

  it("are one message when they come again", async () => {
    await using twilio = await startTwilio();
    const { host, connection } = await open(twilio.url);
    await post(host, said("hi"));
    expect((await post(host, said("hi"))).status).toBe(200);
    expect(host.events).toHaveLength(1);
    await connection.close();
  });

  it("must be forms of a decent size", async () => {
    await using twilio = await startTwilio();
    const { host, connection } = await open(twilio.url);
    const call = (method: string, type: string, body: Uint8Array) =>
      host.call({
        method,
        path: PATH,
        headers: { "content-type": type, "x-twilio-signature": `${"A".repeat(27)}=` },
        body,
      });
    const form = "application/x-www-form-urlencoded";
    expect((await call("GET", form, new Uint8Array())).status).toBe(405);
    expect((await call("POST", "application/json", Buffer.from("{}"))).status).toBe(415);
    expect((await call("POST", form, Buffer.alloc(300_000, "a"))).status).toBe(413);
    expect((await call("POST", form, Buffer.from("a=1&".repeat(1000)))).status).toBe(401);
    await connection.close();
  });

  it("about what became of our messages, or with Twilio's own words, are taken and passed over", async () => {
    await using twilio = await startTwilio();
    const { host, connection } = await open(twilio.url);
    for (const fields of [
      said("", { MessageStatus: "failed", SmsStatus: "failed", ErrorCode: "30003" }),
      said("STOP"),
    ]) {
      expect((await post(host, fields)).status).toBe(200);
    }
    expect(host.events).toEqual([]);
    await connection.close();
  });
});

describe("messages that did not reach us", () => {
  const now = Date.UTC(2026, 0, 2);
  const HOUR = 60 * 60_000;

  it("are not looked for at the very first start", async () => {
    await using twilio = await startTwilio();
    twilio.answers.set("GET /Messages.json", (_asked, response) =>
      json(response, { messages: [listed("a", "old", now - HOUR)] }),
    );
    const { host, connection } = await open(twilio.url);
    expect(host.events).toEqual([]);
    expect(host.memory.get("taken-up-to")).toBe(String(now));
    await connection.close();
  });

  it("are taken up after a start, over several pages, oldest first, with their files", async () => {
    await using twilio = await startTwilio();
    const pages = [
      { messages: [listed("c", "three", now - 1000), listed("f", "ours", now - 1500, { direction: "outbound-api" })] },
      { messages: [listed("b", "two", now - 2000, { num_media: "1" }), listed("a", "one", now - HOUR)] },
      { messages: [listed("d", "before", now - 3 * HOUR)] },
    ];
    twilio.answers.set("GET /Messages.json", ({ query }, response) => {
      const page = Number(query.get("Page") ?? 0);
      const next = page < 2 ? `${BASE}/Messages.json?Page=${page + 1}` : null;
      json(response, { ...pages[page], next_page_uri: next });
    });
    const b = `/Messages/SM${"b".repeat(32)}/Media`;
    twilio.answers.set(`GET ${b}.json`, (_asked, response) =>
      json(response, { media_list: [{ uri: `${BASE}${b}/ME1.json`, content_type: "image/png" }] }),
    );
    twilio.answers.set(`GET ${b}/ME1`, (_asked, response) => void response.end("a picture"));
    const { host, connection } = await open(twilio.url, new Map([["taken-up-to", String(now - 2 * HOUR)]]));
    expect(host.events.map(({ content }) => (content as { text: string }).text)).toEqual(["one", "two", "three"]);
    expect(host.events[1]).toMatchObject({ at: now - 2000, id: `SM${"b".repeat(32)}` });
    expect(host.events[1]?.content).toMatchObject({ media: [{ ref: `${twilio.url}${BASE}${b}/ME1`, kind: "image" }] });
    expect(await read(connection, `${twilio.url}${BASE}${b}/ME1`)).toBe("a picture");
    expect(twilio.asked.find(({ query }) => query.has("To"))?.query.get("DateSent>")).toBe("2026-01-01T21:45:00Z");
    expect(host.memory.get("taken-up-to")).toBe(String(now));
    await connection.close();
  });

  it("because they could not be written down are asked for again soon", async () => {
    await using twilio = await startTwilio();
    const { clock, host, connection } = await open(twilio.url);
    host.answer(async () => {
      throw new Error("the disk is full");
    });
    const fields = said("do not lose me", { MessageSid: `SM${"e".repeat(32)}` });
    expect((await post(host, fields)).status).toBe(503);
    twilio.answers.set("GET /Messages.json", (_asked, response) =>
      json(response, { messages: [listed("e", "do not lose me", now)] }),
    );
    host.answer(async () => ({ kind: "accepted" }));
    clock.advance(30_000);
    expect(await host.next()).toMatchObject({ id: `SM${"e".repeat(32)}` });
    await connection.close();
  });

  it("are not those that came by a request, or were passed over", async () => {
    await using twilio = await startTwilio();
    const { clock, host, connection } = await open(twilio.url);
    await post(host, said("hi", { MessageSid: `SM${"a".repeat(32)}` }));
    await post(host, said("all of you", { MessageSid: `SM${"b".repeat(32)}`, OtherRecipients0: "+15553334444" }));
    twilio.answers.set("GET /Messages.json", (_asked, response) =>
      json(response, { messages: [listed("c", "new", now), listed("b", "all of you", now), listed("a", "hi", now)] }),
    );
    clock.advance(10 * 60_000);
    await host.next(({ content }) => content.kind === "message" && content.text === "new");
    expect(host.events).toHaveLength(2);
    await connection.close();
    const restarted = await open(twilio.url, host.memory);
    expect(restarted.host.events).toEqual([]);
    await restarted.connection.close();
  });

  it("wait when Twilio cannot be asked, and are taken up later", async () => {
    await using twilio = await startTwilio();
    const { clock, host, connection } = await open(twilio.url);
    const failed = Promise.withResolvers<void>();
    Object.assign(host, { log: { ...host.log, debug: () => failed.resolve() } });
    twilio.answers.set("GET /Messages.json", refuse(500, 20500));
    clock.advance(10 * 60_000);
    await failed.promise;
    expect(host.memory.get("taken-up-to")).toBe(String(now));
    twilio.answers.set("GET /Messages.json", (_asked, response) =>
      json(response, { messages: [listed("a", "hello?", now + 60_000)] }),
    );
    clock.advance(30_000);
    expect(await host.next()).toMatchObject({ at: now + 60_000 });
    await connection.close();
  });
});

const message = (content: OutboundMessage["content"], to = PERSON): OutboundMessage => ({
  key: "k",
  target: { to },
  content,
  mayHaveArrived: false,
});

describe("messages sent as SMS", () => {
  it("are plain text from our number", async () => {
    await using twilio = await startTwilio();
    twilio.answers.set("POST /Messages.json", (_asked, response) =>
      json(response, { sid: "SM1", status: "queued" }, 201),
    );
    const { connection } = await open(twilio.url);
    const outcome = await connection.send(message({ kind: "text", markdown: "**hi** & bye + 1 👋" }), never);
    expect(outcome).toEqual({ kind: "sent", messageId: "SM1" });
    expect(twilio.posts()).toMatchObject([
      {
        credentials: BASIC,
        path: `${BASE}/Messages.json`,
        fields: { To: PERSON, From: OURS, Body: "hi & bye + 1 👋" },
      },
    ]);
    await connection.close();
  });

  it("go through the messaging service, if there is one", async () => {
    await using twilio = await startTwilio();
    twilio.answers.set("POST /Messages.json", (_asked, response) => json(response, { sid: "SM1" }, 201));
    const service = `MG${"0".repeat(32)}`;
    const settings = settingsFor(twilio.url, { from: undefined, messagingServiceSid: service });
    const connection = await start(settings, createFakeHost({ directory }));
    await connection.send(message({ kind: "text", markdown: "hi" }), never);
    expect(twilio.posts()[0]?.fields).toEqual({ To: PERSON, Body: "hi", MessagingServiceSid: service });
    await connection.close();
  });

  it("have words in place of buttons, polls and files", async () => {
    await using twilio = await startTwilio();
    twilio.answers.set("POST /Messages.json", (_asked, response) => json(response, { sid: "SM1" }, 201));
    const { connection } = await open(twilio.url);
    const media = { kind: "image" as const, path: "/x", mimeType: "image/png", name: "cat.png", bytes: 1 };
    await connection.send(
      message({ kind: "text", markdown: "Well?", buttons: [[{ text: "Yes", data: "/yes 1" }]] }),
      never,
    );
    await connection.send(message({ kind: "poll", poll: { question: "Tea?", options: ["Yes", "No"] } }), never);
    await connection.send(message({ kind: "media", media, caption: "our *cat*" }), never);
    expect(twilio.posts().map(({ fields }) => fields["Body"])).toEqual([
      "Well?\n\n- Yes: /yes 1",
      "Tea?\n\n1. Yes\n2. No",
      "our cat\n[cat.png: a file, which SMS cannot carry]",
    ]);
    const bare = await connection.send(message({ kind: "media", media }), never);
    expect(bare).toMatchObject({ reason: "rejected", why: expect.stringContaining("cannot carry a file") as unknown });
    await connection.close();
  });

  it("that cannot be sent are not tried", async () => {
    await using twilio = await startTwilio();
    const { connection } = await open(twilio.url);
    const send = (markdown: string, to?: string) => connection.send(message({ kind: "text", markdown }, to), never);
    expect(await send("hi", "Chela Bank")).toMatchObject({ reason: "unreachable" });
    expect(await send("")).toMatchObject({ reason: "rejected" });
    expect(await send("x".repeat(1601))).toMatchObject({ reason: "rejected" });
    expect(twilio.posts()).toEqual([]);
    await connection.close();
  });

  it.each([
    [429, 20429, {}, { reason: "rate-limited", holdsFor: "account", retryAfterMs: 10_000 }],
    [429, 20429, { "retry-after": "3" }, { reason: "rate-limited", retryAfterMs: 3000 }],
    [400, 21611, {}, { reason: "rate-limited" }],
    [401, 20003, {}, { reason: "unauthorised" }],
    [400, 21606, {}, { reason: "unauthorised" }],
    [400, 21211, {}, { reason: "unreachable" }],
    [400, 21614, {}, { reason: "unreachable" }],
    [400, 21408, {}, { reason: "unreachable" }],
    [400, 21610, {}, { reason: "unreachable", why: expect.stringContaining("START") as unknown }],
    [400, 21617, {}, { reason: "rejected" }],
    [400, 99999, {}, { reason: "rejected", why: expect.stringContaining("99999") as unknown }],
    [503, 20503, {}, { reason: "unavailable" }],
  ])("refused with %i and %i say what to do about it", async (status, code, headers, expected) => {
    await using twilio = await startTwilio();
    twilio.answers.set("POST /Messages.json", refuse(status, code, headers as Record<string, string>));
    const { connection } = await open(twilio.url);
    const outcome = await connection.send(message({ kind: "text", markdown: "hi" }), never);
    expect(outcome).toMatchObject({ kind: "failed", ...expected });
    expect(JSON.stringify(outcome)).not.toMatch(/secret words|0123456789token/);
    await connection.close();
  });

  it("may have arrived when no answer comes, or none that can be read", async () => {
    await using twilio = await startTwilio();
    const { connection } = await open(twilio.url);
    twilio.answers.set("POST /Messages.json", (_asked, response) => void response.socket?.destroy());
    const send = () => connection.send(message({ kind: "text", markdown: "hi" }), never);
    expect(await send()).toMatchObject({ reason: "uncertain" });
    twilio.answers.set("POST /Messages.json", (_asked, response) => void response.writeHead(201).end("<html>"));
    expect(await send()).toMatchObject({ reason: "uncertain" });
    twilio.answers.set("POST /Messages.json", (_asked, response) => json(response, {}, 201));
    expect(await send()).toMatchObject({ reason: "uncertain" });
    await connection.close();
  });
});

async function read(connection: ChannelConnection, ref: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await connection.download?.(ref, never)) ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("files of an MMS", () => {
  const media = `/Messages/MM1/Media/ME1`;

  it("are fetched with the credentials, which do not follow to where the bytes are", async () => {
    await using twilio = await startTwilio();
    const seen: unknown[] = [];
    await using store = await serveOn((request, response) => {
      seen.push(request.headers.authorization);
      response.end("a picture");
    });
    twilio.answers.set(`GET ${media}`, (_asked, response) => {
      response.writeHead(307, { location: `${store.url}/bytes` }).end();
    });
    const { connection } = await open(twilio.url);
    expect(await read(connection, `${twilio.url}${BASE}${media}`)).toBe("a picture");
    expect(twilio.asked.at(-1)?.credentials).toBe(BASIC);
    expect(seen).toEqual([undefined]);
    await connection.close();
  });

  it("are not fetched from elsewhere, from another account, or when they are too large", async () => {
    await using twilio = await startTwilio();
    await using elsewhere = await startTwilio();
    const { connection } = await open(twilio.url);
    const other = BASE.replace(SID, `AC${"9".repeat(32)}`);
    for (const ref of [
      `${elsewhere.url}${BASE}${media}`,
      `${twilio.url}${other}${media}`,
      `${twilio.url}${BASE}/../../../secrets`,
      `${twilio.url.replace("http://", "http://user:pass@")}${BASE}${media}`,
      "not an address",
    ]) {
      await expect(read(connection, ref)).rejects.toMatchObject({ code: "MEDIA_FETCH" });
    }
    expect(elsewhere.asked).toEqual([]);
    expect(twilio.asked.some(({ path }) => path.includes("Media") || path.includes("secrets"))).toBe(false);
    twilio.answers.set(`GET ${media}`, (_asked, response) => void response.end(Buffer.alloc(17 * 1024 * 1024)));
    await expect(read(connection, `${twilio.url}${BASE}${media}`)).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
    twilio.answers.delete(`GET ${media}`);
    await expect(read(connection, `${twilio.url}${BASE}${media}`)).rejects.toMatchObject({ code: "MEDIA_FETCH" });
    await connection.close();
  });
});
