// S-31: whatever is too large, too deep or too clever is refused while it arrives, and the gateway goes on.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openSocket, rawRequest, UPGRADE_HEADERS } from "../support/in-process-http.ts";
import { listRoutes } from "../support/in-process-routes.ts";

const LIMITS: Readonly<Record<string, number>> = {
  "/v1/chat/completions": 1024 * 1024,
  "/v1/responses": 20 * 1024 * 1024,
  "/api/sessions/home": 1024 * 1024,
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
    const client = await gateway.connect();
    const content = `iVBORw0KGgo${"A".repeat(7_000_000)}`;
    const params = { message: "x", idempotencyKey: "big", attachments: [{ fileName: "big.png", content }] };
    const { error } = await client.request("agent", params);
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "big.png: larger than 5000000 bytes" });
  });

  test("a request of endless headers is refused", async () => {
    const socket = await openSocket(gateway.gateway.port);
    const answer = new Promise((resolve) => socket.once("data", (data) => resolve(String(data).slice(0, 12))));
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n`);
    expect(await answer).toBe("HTTP/1.1 431");
    socket.destroy();
  });
});
