// S-25: a credential goes to the place it was given for. Whoever is sent elsewhere brings neither it nor what was said.
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { MODEL_APIS } from "@chela/sdk";
import { callTool, createFakeChannel, createFakeClock, say } from "@chela/sdk/testing";
import { createGuardedFetch } from "../../src/base/http/guarded-fetch.ts";
import { createHttpFetch } from "@chela/sdk/http";
import { bodyOf, openSmallInternet } from "../../src/base/http/safe-fetch.test-support.ts";
import { createSafeFetch } from "../../src/base/http/safe-fetch.ts";
import { CHANNELS } from "../../src/rooms/channels/index.ts";
import { eventually, startTestGateway } from "../support/in-process.ts";
import { openRedirectingServer } from "../support/security/redirecting-server.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const REDIRECTS = [301, 302, 303, 307, 308];
const CANARY = "canary25";
const BODY = "body-of-canary25";
let cases = 0;
afterAll(() => countCases("S-25", cases));

/** Another origin, in every way one can be another. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "another host": "http://other.example/x",
  "a name below": "http://www.home.example/x",
  "a name above": "http://example/x",
  "a name that begins alike": "http://home.example.evil.example/x",
  "another port": "http://home.example:8080/x",
  "an address": "http://93.184.216.35/x",
};
const SECRETS: Readonly<Record<string, string>> = {
  authorization: `Bearer ${CANARY}`,
  cookie: `session=${CANARY}`,
  "proxy-authorization": `Basic ${CANARY}`,
  "x-api-key": CANARY,
  "x-goog-api-key": CANARY,
  "x-subscription-token": CANARY,
  "x-amz-security-token": CANARY,
  "idempotency-key": CANARY,
  "x-chela-signature": CANARY,
  referer: `http://home.example/?key=${CANARY}`,
};

describe.each(["the fetch of tools", "the fetch of channels"])("%s", (kind) => {
  test.each(REDIRECTS)("hands nothing on to another origin with status %d, nor back again after it", async (status) => {
    for (const [what, location] of Object.entries(ELSEWHERE)) {
      for (const method of ["GET", "POST"] as const) {
        const seen: Array<{ path: string; headers: IncomingHttpHeaders; body: string }> = [];
        await using internet = await openSmallInternet(async (request, response) => {
          seen.push({
            path: `${request.headers.host}${request.url}`,
            headers: request.headers,
            body: await bodyOf(request),
          });
          const next = { "/start": location, "/x": "http://home.example/end" }[request.url ?? ""];
          if (next) response.writeHead(status, { location: next }).end();
          else response.end("arrived");
        });
        const ways = { clock: createFakeClock(), ...internet.ways };
        const request = { method, headers: SECRETS, ...(method === "POST" ? { body: BODY } : {}) };
        if (kind === "the fetch of tools") await createSafeFetch(ways)("http://home.example/start", request);
        else
          await (await createGuardedFetch({ ...ways, trusted: () => [] })("http://home.example/start", request)).text();
        cases += 1;
        expect(seen.map(({ path }) => path)).toEqual([
          "home.example/start",
          new URL(location).host + "/x",
          "home.example/end",
        ]);
        expect(JSON.stringify(seen[0])).toContain(CANARY);
        expect([what, method, JSON.stringify(seen.slice(1)).includes(CANARY)]).toEqual([what, method, false]);
      }
    }
  });
});

test.each(REDIRECTS)("the client for configured addresses follows nothing with status %d", async (status) => {
  await using server = await openRedirectingServer(status);
  const fetch = createHttpFetch();
  for (const method of ["GET", "POST", "PUT", "DELETE"]) {
    const response = await fetch(`${server.origin}/x`, {
      method,
      headers: SECRETS,
      body: method === "GET" ? null : BODY,
    });
    expect([response.status, server.strayed]).toEqual([status, []]);
    cases += 1;
  }
  fetch.close();
});

/** Settings of every channel that speaks HTTP, with secrets of the form it wants. */
const channelSettings = (origin: string): Json => ({
  telegram: { botToken: `123456:${CANARY}`, apiRoot: `${origin}/telegram` },
  discord: { token: `${CANARY}.a.b`, apiRoot: `${origin}/discord` },
  slack: { botToken: `xoxb-${CANARY}`, appToken: `xapp-${CANARY}`, apiRoot: `${origin}/slack` },
  "whatsapp-cloud": {
    accessToken: CANARY,
    phoneNumberId: "1",
    appSecret: "a-secret-of-the-app-0123456789",
    verifyToken: "a-token-to-verify-0123456789",
    apiRoot: `${origin}/whatsapp-cloud`,
  },
  mattermost: { botToken: CANARY, baseUrl: `${origin}/mattermost` },
  sms: {
    accountSid: `AC${"0".repeat(32)}`,
    authToken: CANARY,
    from: "+15551234567",
    publicUrl: "https://claw.example/sms",
    apiRoot: `${origin}/sms`,
  },
  signal: { account: "+15551234567", httpUrl: `${origin}/signal` },
  matrix: { homeserver: `${origin}/matrix`, accessToken: CANARY, userId: "@claw:matrix.example" },
  webhook: { secret: `${CANARY}-0123456789abcdef`, outboundUrl: `${origin}/webhook`, allowFrom: ["*"] },
});
/** These speak no HTTP to an address one can set: IRC, XMPP and mail have protocols of their own, WhatsApp its own servers. */
const WITHOUT_HTTP = ["irc", "xmpp", "email", "whatsapp"];
/** A signature or nothing at all is what these send. */
const SHOW_NO_SECRET = ["signal", "webhook"];

test("every channel is looked at", () => {
  const known = [...Object.keys(channelSettings("")), ...WITHOUT_HTTP];
  expect(CHANNELS.map(({ id }) => id).toSorted()).toEqual(known.toSorted());
});

/** "demo" calls nobody. Copilot's token comes from GitHub's own address, which cannot be set. */
const APIS = MODEL_APIS.filter((api) => api !== "demo" && api !== "github-copilot");

test.each([302, 307])("no part of the gateway follows a redirect with its credentials (status %d)", async (status) => {
  await using server = await openRedirectingServer(status);
  const { origin } = server;
  const modelOf = (api: string): Json => ({
    [`p-${api}`]: {
      baseUrl: `${origin}/model-${api}`,
      api,
      apiKey: CANARY,
      models: [{ id: "m", name: "M" }],
    },
  });
  const fake = createFakeChannel();
  await using gateway = await startTestGateway({
    channels: { fake: fake.channel },
    env: {
      GROQ_API_KEY: CANARY,
      AWS_ACCESS_KEY_ID: CANARY,
      AWS_SECRET_ACCESS_KEY: `secret-${CANARY}`,
      AWS_REGION: "us-east-1",
    },
    config: {
      channels: { fake: { token: "t", dmPolicy: "open", allowFrom: ["*"] }, ...channelSettings(origin) },
      models: {
        providers: Object.assign(
          { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } },
          ...APIS.map(modelOf),
        ),
      },
      agents: {
        defaults: { model: "scripted/test", sandbox: { mode: "off" }, timeoutSeconds: 20 },
        list: [
          { id: "main", default: true },
          ...APIS.map((api) => ({ id: `a-${api}`, model: { primary: `p-${api}/m`, fallbacks: [] } })),
        ],
      },
      cron: { webhookToken: CANARY },
      tools: {
        web: { search: { provider: "perplexity", perplexity: { apiKey: CANARY, baseUrl: `${origin}/search` } } },
        media: {
          audio: { enabled: true, models: [{ provider: "groq", model: "m", baseUrl: `${origin}/transcribe` }] },
        },
      },
    },
  });
  await fake.untilConnected();
  const client = await gateway.connect();
  const failed = APIS.map(async (api) => {
    const message = { agentId: `a-${api}`, message: `say ${BODY}`, idempotencyKey: `k-${api}` };
    return client.request("agent", message);
  });
  gateway.model.script(callTool("web_search", { query: BODY }), say("done"), say("heard"), say(BODY));
  await client.chat("search");
  fake.files.set("voice", Buffer.from(`OggS${"\0".repeat(24)}\x01OpusHead${BODY}`, "latin1"));
  await fake.say("", { from: "alice", more: { media: [{ kind: "voice", ref: "voice", mimeType: "audio/ogg" }] } });
  await fake.until(1);
  await client.call("cron.add", {
    schedule: { kind: "at", at: new Date(Date.now() + 50).toISOString() },
    message: "go",
    delivery: { mode: "webhook", to: `${origin}/cron` },
  });
  await client.request("setup.test", { provider: "x", baseUrl: `${origin}/setup/v1`, apiKey: CANARY, model: "m" });
  client.send({
    type: "req",
    id: "out",
    method: "send",
    params: { channel: "webhook", to: "somebody", message: BODY, idempotencyKey: "w" },
  });
  await Promise.all(failed);
  const expected = [
    ...APIS.map((api) => `model-${api}`),
    ...Object.keys(channelSettings(origin)),
    "search",
    "transcribe",
    "cron",
    "setup",
  ];
  const missing = (): string[] => {
    const seen = new Set(server.arrived.map(({ client: name }) => name));
    return expected.filter((name) => !seen.has(name));
  };
  await eventually("every client has called", () => missing().length === 0 || undefined).catch(() => undefined);
  expect(missing()).toEqual([]);
  cases += expected.length;
  const silent = expected.filter(
    (name) =>
      !SHOW_NO_SECRET.includes(name) &&
      !server.arrived.some(({ client: by, request }) => by === name && revealed(request).includes(CANARY)),
  );
  // What never had a secret to lose would prove nothing.
  expect(silent).toEqual([]);
  expect(server.strayed).toEqual([]);
});

/** With what stands in basic authentication. */
function revealed(request: string): string {
  const basic = [...request.matchAll(/Basic ([A-Za-z0-9+/=]+)/g)].map(([, text = ""]) => text);
  return `${request}\n${basic.map((text) => Buffer.from(text, "base64").toString("latin1")).join("\n")}`;
}
