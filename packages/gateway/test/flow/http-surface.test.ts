// The rest of the HTTP door: health, the control page, the home session, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openSocket, rawRequest, readToEnd } from "../support/in-process-http.ts";

const HOME = "/api/sessions/home";
const json = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

describe("over HTTP, the gateway", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for([
    ["/health", { ok: true, status: "live" }],
    ["/healthz", { ok: true, status: "live" }],
    ["/ready", { ready: true }],
    ["/readyz", { ready: true }],
  ] as const)("says at %s how it is, to anybody", async ([path, body]) => {
    const response = await gateway.fetch(path, { token: null });
    expect([response.status, await response.json()]).toEqual([200, body]);
    const head = await gateway.fetch(path, { token: null, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await gateway.fetch(path, { method: "POST" })).status).toBe(405);
  });

  test("serves the control page with headers that keep foreign code out", async () => {
    for (const path of ["/", "/index.html"]) {
      const response = await gateway.fetch(path, { token: null });
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("x-frame-options")).toBe("DENY");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      const policy = response.headers.get("content-security-policy") ?? "";
      for (const part of ["default-src 'none'", "object-src 'none'", "frame-ancestors 'none'", "script-src 'self'"]) {
        expect(policy.split("; ")).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
      expect(await response.text()).toContain("control page");
    }
    const head = await gateway.fetch("/", { token: null, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const script = await gateway.fetch("/assets/app.js", { token: null });
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await gateway.fetch("/assets/gone.js", { token: null })).status).toBe(404);
    const post = await gateway.fetch("/", { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("serves nothing from outside the page's directory", async () => {
    const outside = [
      "/../openclaw.json",
      "/assets/../../openclaw.json",
      "/%2e%2e/openclaw.json",
      "/..%2fopenclaw.json",
    ];
    for (const path of [...outside, "/%00", "/%", "/assets/..%5c..%5copenclaw.json"]) {
      const { text } = await rawRequest(gateway.gateway.port, { path });
      expect(text).not.toContain(gateway.token);
    }
  });

  test("a name that no file can have is no failure", async () => {
    for (const path of [`/${"a".repeat(300)}`, `/assets/${"a".repeat(300)}.js`, `/avatar/${"a".repeat(300)}`]) {
      expect((await gateway.fetch(path, { token: null })).status, path).toBeLessThan(500);
    }
  });

  test("tells the page who the assistant is", async () => {
    const response = await gateway.fetch("/__openclaw/control-ui-config.json", { token: null });
    expect(await response.json()).toEqual({
      basePath: "",
      assistantName: "Assistant",
      assistantAvatar: "A",
      assistantAgentId: "main",
      serverVersion: expect.any(String),
    });
  });

  test("moves the page to another path, or takes it away", async () => {
    await using moved = await startTestGateway({ config: { gateway: { controlUi: { basePath: "/claw" } } } });
    expect((await moved.fetch("/claw/", { token: null })).status).toBe(200);
    const bare = await moved.fetch("/claw", { token: null, redirect: "manual" });
    expect([bare.status, bare.headers.get("location")]).toEqual([302, "/claw/"]);
    expect((await moved.fetch("/", { token: null })).status).toBe(404);
    await using none = await startTestGateway({ config: { gateway: { controlUi: { enabled: false } } } });
    expect((await none.fetch("/", { token: null })).status).toBe(404);
  });

  test("shows the home session as pairs, and takes messages for it", async () => {
    gateway.model.script(say("good day"));
    const said = await gateway.fetch(HOME, json({ text: "hello", id: "greeting" }));
    expect(said.status).toBe(200);
    const pair = { user_text: "hello", bot_text: "good day", channel: "cli" };
    expect(await said.json()).toMatchObject({ id: "greeting", ...pair });
    const again = await gateway.fetch(HOME, json({ text: "hello", id: "greeting" }));
    expect(await again.json()).toMatchObject({ id: "greeting", ...pair });
    const client = await gateway.connect();
    await client.agent("from the command line");
    const home = (await (await gateway.fetch(HOME)).json()) as { id: string; messages: object[] };
    expect(home.id).toBe("home");
    expect(home.messages).toMatchObject([pair, { user_text: "from the command line" }]);
  });

  test("tells at home that a turn failed, or was stopped", async () => {
    const failure = { reason: "bad-request", message: "no route", retry: "never" } as const;
    gateway.model.script([{ kind: "failure", failure }]);
    const failed = await gateway.fetch(HOME, json({ text: "hello" }));
    expect([failed.status, await failed.json()]).toMatchObject([502, { error: expect.stringContaining("no route") }]);
    const stopped = await gateway.fetch(HOME, json({ text: "stop" }));
    expect([stopped.status, await stopped.json()]).toMatchObject([200, { stopped: [] }]);
  });

  test.for([
    ["a wrong method", HOME, { method: "DELETE" }, 405],
    ["no secret", HOME, { token: null }, 401],
    ["a wrong secret", HOME, { token: "wrong" }, 401],
    ["no JSON", HOME, json("{"), 400],
    ["a body of the wrong shape", HOME, json({ words: "hello" }), 400],
    ["an unknown API", "/v1/embeddings", {}, 404],
    ["an unknown path below /api", "/api/sessions", {}, 404],
    ["a GET where only POST is", "/v1/chat/completions", {}, 405],
  ] as const)("refuses %s", async ([, path, init, status]) => {
    const response = await gateway.fetch(path, init);
    expect(response.status).toBe(status);
    if (status === 401) {
      expect(await response.json()).toEqual({ error: { message: "Unauthorized", type: "unauthorized" } });
    }
  });

  test("refuses a path that is no address, and goes on", async () => {
    for (const path of ["//", "http://[", "///x"]) {
      const { status } = await rawRequest(gateway.gateway.port, { path });
      expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
    }
    expect((await gateway.fetch("/healthz")).status).toBe(200);
  });

  test("answers a body that is too large before it has all of it", async () => {
    const socket = await openSocket(gateway.gateway.port);
    const everything = readToEnd(socket);
    const head = `POST ${HOME} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${gateway.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 50000000\r\nConnection: close\r\n\r\n`);
    socket.write("x".repeat(1_200_000));
    const answer = await everything;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('{"error":{"message":"Payload too large","type":"invalid_request_error"}}');
  });

  test("adds transport security where the operator wants it", async () => {
    const securityHeaders = { strictTransportSecurity: "max-age=1000" };
    await using strict = await startTestGateway({ config: { gateway: { http: { securityHeaders } } } });
    const response = await strict.fetch("/healthz");
    expect(response.headers.get("strict-transport-security")).toBe("max-age=1000");
  });
});

describe("the second listener", () => {
  const SECRET = "secret-of-the-scripts";
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    gateway = await startTestGateway({ env: { OPENCLAW_CLI_SECRET: SECRET, OPENCLAW_CLI_PORT: String(port) } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ask = (options: Parameters<typeof rawRequest>[1] = {}) =>
    rawRequest(port, { path: HOME, ...options, headers: { authorization: `Bearer ${SECRET}`, ...options.headers } });

  test("serves the home session to who holds its secret", async () => {
    gateway.model.script(say("good day"));
    const said = await ask({ method: "POST", body: JSON.stringify({ text: "hello" }) });
    expect([said.status, JSON.parse(said.text)]).toMatchObject([200, { user_text: "hello", bot_text: "good day" }]);
    const home = await ask();
    expect(JSON.parse(home.text)).toMatchObject({ messages: [{ user_text: "hello", bot_text: "good day" }] });
  });

  test.for([
    ["the gateway's own token", { headers: { authorization: "Bearer token-of-the-test-gateway-0123456789" } }, 401],
    ["no secret", { headers: { authorization: "" } }, 401],
    ["a page in a browser", { headers: { origin: "http://localhost:8080" } }, 403],
    ["somebody behind a proxy", { headers: { "x-forwarded-for": "127.0.0.1" } }, 403],
    ["another name for this machine", { headers: { host: "evil.example" } }, 403],
    ["another path", { path: "/healthz" }, 404],
    ["another method", { method: "PUT" }, 405],
    ["a path that is no address", { path: "//" }, 400],
  ] as const)("refuses %s, and goes on", async ([, options, status]) => {
    expect((await ask(options)).status).toBe(status);
    expect((await ask()).status).toBe(200);
  });
});

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
