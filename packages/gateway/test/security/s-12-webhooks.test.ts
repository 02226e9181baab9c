// S-12: what comes to a webhook is believed with its secret alone: unchanged, fresh, once, and for the account it is for.
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WebhookCall } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { answerInteractions } from "../../../channels/src/discord/receive/webhook.ts";
import { mutatedBodies, mutatedHeaders } from "../support/security/hook-signers.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countRows } from "../support/durability/ledger-rows.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Door {
  readonly channel: string;
  /** Settings of an account: shared ones, the secret it has, and what tells accounts apart. */
  settings(platform: string, account: string): Json;
  /** The keys that hold the secret. */
  readonly secretKeys: readonly string[];
  path(account: string): string;
  /** A message with these words, as the platform sends it to this account. */
  message(words: string, account: string): string;
  sign(body: string, account: string, at: number): Signed["headers"];
  /** Of the body, where it is no JSON. */
  readonly contentType?: string;
  /** Telegram proves who sends, and signs nothing. */
  readonly signsBody: boolean;
  /** Without a time in what is signed, old requests are known by their ids. */
  readonly signsTime: boolean;
}

const secretOf = (account: string): string => `secret-of-${account}-0123456789abcdef`;
const hmac = (account: string, text: string): string =>
  createHmac("sha256", secretOf(account)).update(text).digest("hex");
const sidOf = (account: string): string => `AC${String(account.length).padStart(32, "0")}`;
const publicUrlOf = (account: string): string => `https://bot.example${below("/sms/webhook")(account)}`;
const below = (path: string) => (account: string) => (account === "default" ? path : `${path}/${account}`);
const seconds = (at: number): string => String(Math.floor(at / 1000));
let count = 1000;
const next = (): number => (count += 1);

const DOORS: readonly Door[] = [
  {
    channel: "telegram",
    settings: (platform, account) => ({
      botToken: `1${account.length}:token`,
      apiRoot: platform,
      webhookUrl: "https://bot.example/hook",
      webhookSecret: secretOf(account),
    }),
    secretKeys: ["webhookSecret"],
    path: below("/telegram-webhook"),
    message: (text) =>
      JSON.stringify({
        update_id: next(),
        message: {
          message_id: next(),
          date: 1_700_000_000,
          chat: { id: 7, type: "private", first_name: "Ann" },
          from: { id: 7, is_bot: false, first_name: "Ann" },
          text,
        },
      }),
    sign: (_body, account) => ({ "x-telegram-bot-api-secret-token": secretOf(account) }),
    signsBody: false,
    signsTime: false,
  },
  {
    channel: "slack",
    settings: (platform, account) => ({
      mode: "http",
      botToken: `xoxb-${account}`,
      signingSecret: secretOf(account),
      apiRoot: `${platform}/slack/`,
    }),
    secretKeys: ["signingSecret"],
    path: below("/slack/events"),
    message: (text) =>
      JSON.stringify({
        type: "event_callback",
        event_id: `Ev${next()}`,
        event: {
          type: "message",
          channel: "D0ALICEDM1",
          channel_type: "im",
          user: "U0ALICE001",
          text,
          ts: `1700000000.00${next()}`,
        },
      }),
    sign: (body, account, at) => ({
      "x-slack-request-timestamp": seconds(at),
      "x-slack-signature": `v0=${hmac(account, `v0:${seconds(at)}:${body}`)}`,
    }),
    signsBody: true,
    signsTime: true,
  },
  {
    channel: "whatsapp-cloud",
    settings: (platform, account) => ({
      accessToken: "EAAtoken",
      phoneNumberId: String(40 + account.length),
      appSecret: secretOf(account),
      verifyToken: `verify-${account}-0123456789`,
      apiRoot: platform,
    }),
    secretKeys: ["appSecret"],
    path: below("/whatsapp/webhook"),
    message: (words, account) => {
      const metadata = { display_phone_number: "15550000000", phone_number_id: String(40 + account.length) };
      const message = { from: "15551230000", id: `wamid.${next()}`, timestamp: "1700000000", type: "text" };
      const value = {
        messaging_product: "whatsapp",
        metadata,
        contacts: [{ profile: { name: "Ann" }, wa_id: "15551230000" }],
        messages: [{ ...message, text: { body: words } }],
      };
      return JSON.stringify({
        object: "whatsapp_business_account",
        entry: [{ id: "1", changes: [{ field: "messages", value }] }],
      });
    },
    sign: (body, account) => ({ "x-hub-signature-256": `sha256=${hmac(account, body)}` }),
    signsBody: true,
    signsTime: false,
  },
  {
    channel: "webhook",
    settings: (_platform, account) => ({ secret: secretOf(account) }),
    secretKeys: ["secret"],
    path: below("/hooks/channel"),
    message: (text) => JSON.stringify({ id: `w${next()}`, from: { id: "ann" }, text }),
    sign: (body, account, at) => ({
      "x-chela-timestamp": seconds(at),
      "x-chela-signature": `v1=${hmac(account, `v1:${seconds(at)}:${body}`)}`,
    }),
    signsBody: true,
    signsTime: true,
  },
  {
    channel: "sms",
    settings: (platform, account) => ({
      accountSid: sidOf(account),
      authToken: secretOf(account),
      from: "+15550001111",
      publicUrl: publicUrlOf(account),
      apiRoot: platform,
    }),
    secretKeys: ["authToken"],
    path: below("/sms/webhook"),
    contentType: "application/x-www-form-urlencoded",
    message: (words, account) =>
      new URLSearchParams({
        MessageSid: `SM${String(next()).padStart(32, "0")}`,
        AccountSid: sidOf(account),
        From: "+15551230000",
        To: "+15550001111",
        Body: words,
        NumMedia: "0",
      }).toString(),
    sign(body, account) {
      const fields = [...new URLSearchParams(body)].toSorted(([left], [right]) => (left < right ? -1 : 1));
      const text = publicUrlOf(account) + fields.map(([name, value]) => name + value).join("");
      return { "x-twilio-signature": createHmac("sha1", secretOf(account)).update(text).digest("base64") };
    },
    signsBody: true,
    signsTime: false,
  },
];

test("S-12: every channel that takes requests is looked at", () => {
  const sources = join(import.meta.dirname, "../../../..");
  const serving = globSync(["packages/channels/src/**/*.ts", "packages/channel-*/src/*.ts"], {
    cwd: sources,
  })
    .filter(
      (path) => !path.endsWith(".test.ts") && /\bhost\s*\.serve\(/.test(readFileSync(join(sources, path), "utf8")),
    )
    .map((path) => /(?:channels\/src\/|channel-)([^/]+)/.exec(path)?.[1]);
  expect([...new Set(serving)].toSorted()).toEqual(["discord", ...DOORS.map(({ channel }) => channel)].toSorted());
});

const trimmed = (headers: Signed["headers"]): string =>
  JSON.stringify(Object.values(headers).map((text) => text.trim()));
const isSameHeaders = (one: Signed["headers"], other: Signed["headers"]): boolean => trimmed(one) === trimmed(other);

/** Fields of a form with one thing changed, added, left out or named otherwise. */
const mutatedForms = (body: string): string[] => [
  body.replace("original", "changed"),
  body.replace("From=", "from="),
  body.replace("15551230000", "15551230001"),
  body.replace("AC0", "AC1"),
  `${body}0`,
  `${body}&Extra=1`,
  `${body}&Body=more`,
  body.slice(0, -1),
  body.replace(/&Body=[^&]*/, ""),
  "",
  "{}",
];

/** Says yes to whatever is asked of it. */
async function startPlatform(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume();
    const { url = "" } = request;
    const result = url.endsWith("/getMe") ? { id: 1, is_bot: true, first_name: "Bot", username: "bot" } : true;
    const answer = { ok: true, result, user_id: "U0BOT00001", team_id: "T0TEAM0001", display_phone_number: "+1 555" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe.each(DOORS)("S-12: $channel", (door) => {
  let gateway: TestGateway;
  let platform: Server;
  let state: ReturnType<typeof createStateDirectory>;
  const untilOpen = async (): Promise<void> => {
    for (const account of ["default", "second"])
      await eventually("the door is open", async () => (await knock(account, "{}", {})) === 401 || undefined);
  };
  beforeAll(async () => {
    const { url, server } = await startPlatform();
    platform = server;
    const settings = (account: string) => door.settings(url, account);
    const bare = Object.fromEntries(Object.entries(settings("bare")).filter(([key]) => !door.secretKeys.includes(key)));
    const empty = { ...settings("empty"), ...Object.fromEntries(door.secretKeys.map((key) => [key, ""])) };
    state = createStateDirectory({
      channels: {
        [door.channel]: {
          dmPolicy: "open",
          allowFrom: ["*"],
          accounts: { default: settings("default"), second: settings("second"), bare, empty },
        },
      },
      messages: { queue: { mode: "followup" } },
    });
    gateway = await startTestGateway({ stateDir: state.path });
    await untilOpen();
  });
  afterAll(async () => {
    countCases("S-12", cases);
    await gateway[Symbol.asyncDispose]();
    state[Symbol.dispose]();
    platform.closeAllConnections();
    await new Promise((resolve) => platform.close(resolve));
  });

  let cases = 0;
  const knock = async (account: string, body: string, headers: Signed["headers"], more: RequestInit = {}) => {
    cases += 1;
    const asJson = { "content-type": door.contentType ?? "application/json", ...headers };
    const answer = await gateway.fetch(door.path(account), {
      method: "POST",
      body,
      headers: asJson,
      token: null,
      ...more,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** Sends the head of a request with a long body, and nothing of the body. */
  const announce = async (account: string, headers: Signed["headers"]): Promise<number | undefined> => {
    cases += 1;
    const all = { "content-type": door.contentType ?? "application/json", "content-length": "100000", ...headers };
    const { port } = gateway.gateway;
    const asked = request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: door.path(account),
      headers: all,
      agent: false,
    });
    asked.flushHeaders();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    asked.on("error", () => undefined).destroy();
    return answer.statusCode;
  };
  const told = (words: string): number => {
    const asked = gateway.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    return asked.filter((text) => text.includes(words)).length;
  };
  const heard = (words: string) => eventually(`${words} is heard`, () => told(words) > 0 || undefined);
  const toldBefore: unknown[] = [];
  /** Rows about what people said; a channel also notes how far it has read. */
  const rowsOf = (): unknown => {
    const { inbox, asides, outbox, sessions, entries, errands } = countRows(state.path);
    return { inbox, asides, outbox, sessions, entries, errands };
  };
  /** Nothing is under way any more. */
  const answered = () =>
    eventually("all is answered", async () => {
      const { sessions } = await (await gateway.connect()).call("sessions.list", {});
      return sessions.every(({ status }: { status?: string }) => status !== "running") || undefined;
    });
  const signed = (words: string, account = "default", at = Date.now()): Signed => {
    const body = door.message(words, account);
    return { body, headers: door.sign(body, account, at) };
  };

  test("a signed message is heard, by each account at its own path", async () => {
    for (const account of ["default", "second"]) {
      const { body, headers } = signed(`good-${account}`, account);
      expect(await knock(account, body, headers)).toBeLessThan(300);
      await heard(`good-${account}`);
    }
  });

  test.for(["bare", "empty"])("an account whose secret is %s has no door", async (account) => {
    const body = door.message("forged-bare", account);
    const empty = Object.fromEntries(Object.keys(door.sign(body, account, 0)).map((name) => [name, ""]));
    for (const headers of [{}, empty, door.sign(body, account, Date.now())])
      expect([404, 405]).toContain(await knock(account, body, headers));
  });

  test("without its signature, or with half of it, nothing is believed, and nothing of it is kept", async () => {
    const before = rowsOf();
    const { body, headers } = signed("forged-unsigned");
    for (const mutated of mutatedHeaders(headers)) {
      // Blanks around a header are not part of it, and a number can be written in more than one way.
      if (isSameHeaders(mutated, headers)) continue;
      expect([mutated, await knock("default", body, mutated)]).toEqual([mutated, 401]);
    }
    for (const [name, value] of Object.entries(headers)) {
      const twice = { ...headers, [name]: `${value}, ${value}` };
      expect([twice, await knock("default", body, twice)]).toEqual([twice, 401]);
    }
    expect(rowsOf()).toEqual(before);
  });

  test("nothing of a body is waited for without a proof in the head", async () => {
    const { headers } = signed("forged-waiting");
    const without = Object.entries(headers).flatMap(([name, value]) =>
      ["", value.slice(0, -1)].map((other) => ({ ...headers, [name]: other })),
    );
    for (const broken of [{}, ...without]) expect([broken, await announce("default", broken)]).toEqual([broken, 401]);
  });

  test.runIf(door.signsBody)("a changed body is not believed, and nothing of it is kept", async () => {
    const before = rowsOf();
    const { body, headers } = signed("forged-original");
    const changed = door.contentType ? mutatedForms(body) : mutatedBodies(body);
    for (const mutated of changed) {
      expect([mutated, await knock("default", mutated, headers)]).toEqual([mutated, 401]);
    }
    expect(rowsOf()).toEqual(before);
  });

  test("what is signed for one account is not believed by another", async () => {
    const { body, headers } = signed("forged-crossed", "second");
    expect(await knock("default", body, headers)).toBe(401);
    const foreign = door.message("forged-crossed", "default");
    expect(await knock("second", foreign, door.sign(foreign, "default", Date.now()))).toBe(401);
  });

  test("what comes again is heard once", async () => {
    const { body, headers } = signed("repeated");
    for (let times = 0; times < 3; times += 1) expect(await knock("default", body, headers)).toBeLessThan(300);
    const { body: last, headers: proof } = signed("the-one-after");
    await knock("default", last, proof);
    await heard("the-one-after");
    expect(told("repeated")).toBe(1);
  });

  test.runIf(door.signsTime)("what was signed too long ago, or in the future, is not believed", async () => {
    for (const minutes of [-6, 6, -60 * 24]) {
      const { body, headers } = signed("forged-old", "default", Date.now() + minutes * 60_000);
      expect(await knock("default", body, headers)).toBe(401);
    }
  });

  test("the gateway's own token opens nothing here, and the door is for POST", async () => {
    const body = door.message("forged-token", "default");
    expect(await knock("default", body, { authorization: `Bearer ${gateway.token}` })).toBe(401);
    const { headers } = signed("forged-put");
    expect(await knock("default", body, headers, { method: "PUT" })).toBeGreaterThanOrEqual(400);
  });

  test("what comes again after a restart is heard no more", async () => {
    const { body, headers } = signed("before-the-restart");
    expect(await knock("default", body, headers)).toBeLessThan(300);
    await heard("before-the-restart");
    await answered();
    toldBefore.push(...gateway.model.requests);
    await gateway[Symbol.asyncDispose]();
    gateway = await startTestGateway({ stateDir: state.path });
    await untilOpen();
    expect(await knock("default", body, headers)).toBeLessThan(300);
    const { body: last, headers: proof } = signed("after-the-restart");
    await knock("default", last, proof);
    await heard("after-the-restart");
    expect(told("before-the-restart")).toBe(0);
  });

  test("nothing that was not believed reached a model", async () => {
    const { body, headers } = signed("the-last-one");
    await knock("default", body, headers);
    await heard("the-last-one");
    expect(JSON.stringify([toldBefore, gateway.model.requests])).not.toContain("forged");
    expect(gateway.readLog()).not.toContain(secretOf("default"));
  });
});

describe("S-12: discord", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
  const now = 1_700_000_000_000;
  let received = 0;
  const desk = answerInteractions({
    publicKey: key,
    clock: createFakeClock(now),
    interactions: {
      async receive() {
        received += 1;
        return { body: { type: 5 }, sent: async () => {} };
      },
    } as unknown as Parameters<typeof answerInteractions>[0]["interactions"],
  });
  const answer = async ({ body, ...head }: WebhookCall) => desk.answerHead(head) ?? desk.answer({ ...head, body });
  const body = JSON.stringify({ id: "1", application_id: "2", type: 1, token: "t", version: 1 });
  const call = (text: string, at: number, by = privateKey, more: Partial<WebhookCall> = {}): WebhookCall => ({
    method: "POST",
    path: "/discord/default/interactions",
    query: new URLSearchParams(),
    headers: {
      "x-signature-timestamp": seconds(at),
      "x-signature-ed25519": sign(null, Buffer.from(seconds(at) + text), by).toString("hex"),
    },
    body: Buffer.from(text),
    ...more,
  });

  test("a signed request is believed", async () => {
    expect((await answer(call(body, now))).status).toBe(200);
  });

  test("changed, foreign, unsigned and old ones are not", async () => {
    const good = call(body, now);
    const another = generateKeyPairSync("ed25519").privateKey;
    const bad: WebhookCall[] = [
      { ...good, body: Buffer.from(`${body} `) },
      { ...good, headers: {} },
      { ...good, headers: { ...good.headers, "x-signature-timestamp": seconds(now + 1000) } },
      { ...good, headers: { ...good.headers, "x-signature-ed25519": "00".repeat(64) } },
      { ...good, headers: { ...good.headers, "x-signature-ed25519": "" } },
      call(body, now, another),
      call(body, now - 6 * 60_000),
      call(body, now + 6 * 60_000),
    ];
    for (const one of bad) expect((await answer(one)).status).toBe(401);
    expect(received).toBe(0);
  });
});
