// S-31: whatever is too large, too deep or too clever is refused while it arrives, and the gateway goes on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { pngHeader } from "../../src/rooms/media/sample-files.test-support.ts";
import { signBody } from "@chela/sdk/signing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openSocket, rawRequest, UPGRADE_HEADERS } from "../support/in-process-http.ts";
import { listRoutes } from "../support/in-process-routes.ts";

const LIMITS: Readonly<Record<string, number>> = {
  "/v1/chat/completions": 20 * 1024 * 1024,
  "/v1/responses": 20 * 1024 * 1024,
  "/api/sessions/home": 1024 * 1024,
  "/api/send": 1024 * 1024,
  "/tools/invoke": 2 * 1024 * 1024,
};

describe("S-31", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for(listRoutes().filter(({ method }) => method === "POST"))(
    "$path takes no more than its limit",
    async ({ path }) => {
      const limit = LIMITS[path];
      expect([path, limit]).toEqual([path, expect.any(Number)]);
      const response = await gateway.fetch(path, { method: "POST", body: " ".repeat((limit ?? 0) + 1) });
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({ error: { message: "Payload too large", type: "invalid_request_error" } });
      const allowed = await gateway.fetch(path, { method: "POST", body: " ".repeat(limit ?? 0) });
      expect(allowed.status).toBe(400);
    },
  );

  test("a body that grows when it is unpacked is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, " "));
    const headers = { "content-encoding": "gzip" };
    const response = await gateway.fetch("/api/sessions/home", { method: "POST", headers, body: bomb });
    expect(response.status).toBe(400);
  });

  test("sockets do not compress", async () => {
    const headers = { ...UPGRADE_HEADERS, "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" };
    const answer = await rawRequest(gateway.gateway.port, { headers });
    expect([answer.status, answer.headers["sec-websocket-extensions"]]).toEqual([101, undefined]);
  });

  test("a frame of more than 25 MiB closes its connection and no other", async () => {
    const [greedy, modest] = await Promise.all([gateway.connect(), gateway.connect()]);
    greedy.sendText(Buffer.alloc(26_214_401, " "));
    expect((await greedy.closed).code).toBe(1009);
    expect((await modest.request("health")).ok).toBe(true);
  });

  test.for([
    ["deep", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["deep objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ] as const)("parameters that are %s are not even read", async ([, params]) => {
    const [client, modest] = await Promise.all([gateway.connect(), gateway.connect()]);
    client.sendText(`{"type":"req","id":"odd","method":"agent","params":${params}}`);
    expect((await client.closed).code).toBe(1008);
    expect((await modest.request("health")).ok).toBe(true);
  });

  test.for([
    ["long numbers", "9".repeat(200_000)],
    ["lone surrogates", '"\\ud800\\udfff\\ud800"'],
  ] as const)("parameters that are %s are refused", async ([, params]) => {
    const client = await gateway.connect();
    client.sendText(`{"type":"req","id":"odd","method":"agent","params":${params}}`);
    const answer = await client.until("an answer", () => client.responsesTo("odd")[0]);
    expect(answer.error?.code).toBe("INVALID_REQUEST");
    client.sendText(
      `{"type":"req","id":"in","method":"agent","params":{"message":"x","idempotencyKey":"odd","attachments":[{"content":${params}}]}}`,
    );
    expect((await client.until("an answer", () => client.responsesTo("in")[0])).ok).toBe(false);
  });

  test.for([
    ["punctuation", `${"!".repeat(400_000)}a`],
    ["spaces", `a${" ".repeat(400_000)}b`],
    ["brackets", "[Thu 2026".repeat(50_000)],
    ["stops", "stop ".repeat(80_000)],
    ["slashes", `/${"new".repeat(100_000)}`],
  ] as const)("a long message of %s is answered like any other", async ([, message]) => {
    const client = await gateway.connect();
    const { payload } = await client.chat(message, { sessionKey: "agent:main:long" });
    expect(payload.state).toBe("final");
    expect((await client.call("sessions.preview", { keys: ["agent:main:long"] })).previews[0].status).toBe("ok");
  });

  test("an attachment that is too large is refused by its length", async () => {
    await using small = await startTestGateway({ config: { agents: { defaults: { mediaMaxMb: 5 } } } });
    const client = await small.connect();
    const content = `iVBORw0KGgo${"A".repeat(8_000_000)}`;
    const params = { message: "x", idempotencyKey: "big", attachments: [{ fileName: "big.png", content }] };
    const { error } = await client.request("agent", params);
    const message = "big.png: 5.7 MB are more than the 5 MB a file may have (agents.defaults.mediaMaxMb)";
    expect(error).toEqual({ code: "INVALID_REQUEST", message });
    expect(existsSync(join(small.stateDir, "media"))).toBe(false);
  });

  test("a request of endless headers is refused", async () => {
    const socket = await openSocket(gateway.gateway.port);
    const answer = new Promise((resolve) => socket.once("data", (data) => resolve(String(data).slice(0, 12))));
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n`);
    expect(await answer).toBe("HTTP/1.1 431");
    socket.destroy();
  });
});

describe("S-31: in channels", () => {
  const webhook = { secret: "0123456789abcdef0123456789abcdef", dmPolicy: "open", allowFrom: ["*"] };
  const WEBHOOK = { channels: { webhook } };
  const PATH = "/hooks/channel";

  // A head that shows no proof is refused before the length of its body matters.
  test.for([
    ["larger than any webhook takes", 5 * 1024 * 1024 + 1, { signed: 413, unsigned: 401 }],
    ["larger than this one takes", 1024 * 1024 + 1, { signed: 413, unsigned: 401 }],
    ["as large as it takes", 1024 * 1024, { signed: 401, unsigned: 401 }],
  ] as const)("a body that is %s is refused", async ([, size, expected]) => {
    await using gateway = await startTestGateway({ config: WEBHOOK });
    await eventually("the door is open", async () => (await post(gateway, "{}")).status === 401 || undefined);
    const body = "x".repeat(size);
    const proof = signBody("of somebody else", body, Date.now());
    const signed = (await post(gateway, body, { ...proof })).status;
    expect({ signed, unsigned: (await post(gateway, body)).status }).toEqual(expected);
    expect((await gateway.fetch("/healthz")).status).toBe(200);
  });
  const post = (gateway: TestGateway, body: string | Buffer, headers: Record<string, string> = {}) =>
    gateway.fetch(PATH, { method: "POST", body, headers, token: null });

  test("a packed body is not unpacked, and one that never ends holds up nobody", async () => {
    await using gateway = await startTestGateway({ config: WEBHOOK });
    await eventually("the door is open", async () => (await post(gateway, "{}")).status === 401 || undefined);
    const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
    expect((await post(gateway, bomb, { "content-encoding": "gzip" })).status).toBe(401);
    const slow = await openSocket(gateway.gateway.port);
    slow.write(`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`);
    expect((await post(gateway, "{}")).status).toBe(401);
    slow.destroy();
  });

  test("a picture that would be huge when it is unpacked is told in words", async () => {
    const models = [{ id: "test", name: "Test", input: ["text", "image"] }];
    await using stage = await openChannelStage({
      config: { models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } } },
    });
    stage.fake.files.set("bomb", pngHeader(50_000, 50_000));
    const media = [{ kind: "image" as const, ref: "bomb", name: "small.png" }];
    expect(await stage.ask("look", { more: { media } })).toMatch(/look$/);
    expect(stage.lastTold()).toMatch(/is not shown/);
    expect(JSON.stringify(stage.model.requests[0]?.messages)).not.toContain('"type":"image"');
  });

  test("a stream of a file that never ends is cut off at the limit", async () => {
    let given = 0;
    await using stage = await openChannelStage({
      settings: { mediaMaxMb: 1 },
      wrap: ({ channel }) => ({
        ...channel,
        start: async (account, host) => ({
          ...(await channel.start(account, host)),
          download: async () =>
            (async function* () {
              for (;;) {
                given += 1;
                yield Buffer.alloc(64 * 1024);
              }
            })(),
        }),
      }),
    });
    const media = [{ kind: "file" as const, ref: "endless", bytes: 10 }];
    expect(await stage.ask("look", { more: { media } })).toMatch(/look$/);
    expect(stage.lastTold()).toMatch(/could not be fetched/);
    expect(given).toBeLessThan(32);
  });

  test("a pattern that could take for ever is not used, and said so", async () => {
    const evil = ["(a+)+$", "(a|a)*b", "(x*)*y", String.raw`(\w+\s?)+!`];
    await using stage = await openChannelStage({
      settings: { groupAllowFrom: ["alice"], groups: { g1: {} } },
      config: { messages: { groupChat: { mentionPatterns: [...evil, "hey claw"] } } },
    });
    const chat = { kind: "group" as const, id: "g1" };
    for (const text of [`${"a".repeat(50_000)}!`, "x".repeat(50_000), `${"word ".repeat(10_000)}?`])
      expect((await stage.fake.say(text, { chat })).kind).toBe("settled");
    stage.model.script(say("yes?"));
    expect(await stage.ask("hey claw", { chat })).toBe("yes?");
    for (const pattern of evil) expect(stage.gateway.readLog()).toContain(JSON.stringify(pattern).slice(1, -1));
  });
});
