// The rest of the HTTP door: health, the control page, the home session, and what is refused.
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { findFreePort, openSocket, parseEvents, rawRequest, readToEnd } from "../support/in-process-http.ts";
import type { Json } from "../support/wire-client.ts";

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

  test("tells scripts how it is and which sessions there are", async () => {
    const client = await gateway.connect();
    await client.agent("a word about plums", { sessionKey: "agent:main:plums" });
    const status = (await (await gateway.fetch("/api/status")).json()) as Json;
    const sessions = status["sessions"];
    expect(status).toMatchObject({ ok: true, agents: [{ id: "main", sessions }], channels: [], undeliverable: 0 });
    const listed = (await (await gateway.fetch("/api/sessions?search=plums&limit=1")).json()) as Json;
    expect(listed).toMatchObject({ total: 1, sessions: [{ key: "agent:main:plums", title: "a word about plums" }] });
    const page = (await (await gateway.fetch("/api/sessions?limit=1&offset=1")).json()) as Json;
    expect(page).toMatchObject({ total: status["sessions"], offset: 1 });
    for (const query of ["limit=0", "limit=x", "limt=1"])
      expect([query, (await gateway.fetch(`/api/sessions?${query}`)).status]).toEqual([query, 400]);
  });

  test("sends to no channel that is not there, and says so", async () => {
    const sent = await gateway.fetch("/api/send", json({ channel: "telegram", to: "1", text: "hello" }));
    expect([sent.status >= 400, await sent.text()]).toEqual([
      true,
      expect.stringContaining("no channel is configured"),
    ]);
    expect((await gateway.fetch("/api/send", json({ to: "1", text: "hello" }))).status).toBe(400);
  });

  test("shows and stops one conversation", async () => {
    gateway.model.script(say("good day"));
    const client = await gateway.connect();
    await client.agent("hello there", { sessionKey: "agent:main:shown" });
    const at = "/sessions/agent%3Amain%3Ashown";
    const history = (await (await gateway.fetch(`${at}/history?limit=1`)).json()) as { messages: Json[] };
    expect(history).toMatchObject({ messages: [{ role: "assistant" }], hasMore: true, nextCursor: "1" });
    const before = await (await gateway.fetch(`${at}/history?limit=1&cursor=1`)).json();
    expect(before).toMatchObject({ sessionKey: "agent:main:shown", messages: [{ role: "user" }], hasMore: false });
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", ""));
    const asked = client.agent("and on", { sessionKey: "agent:main:shown" });
    await gate.reached;
    expect(await (await gateway.fetch(`${at}/kill`, json({}))).json()).toEqual({ ok: true, killed: true });
    await asked;
    expect(await (await gateway.fetch(`${at}/kill`, json({}))).json()).toEqual({ ok: true, killed: false });
    expect((await gateway.fetch("/sessions/none/history")).status).toBe(404);
    expect((await gateway.fetch(`${at}/history`, { token: null })).status).toBe(401);
  });

  test("tells a follower of a conversation each message that is committed", async () => {
    const client = await gateway.connect();
    await client.agent("first", { sessionKey: "agent:main:followed" });
    const leave = new AbortController();
    const path = "/sessions/agent%3Amain%3Afollowed/history?follow=1";
    const response = await gateway.fetch(path, { signal: leave.signal });
    const heard = { text: "" };
    const reading = (async () => {
      for await (const part of response.body ?? []) heard.text += new TextDecoder().decode(part);
    })().catch(() => undefined);
    gateway.model.script(say("the second answer"));
    await client.agent("second", { sessionKey: "agent:main:followed" });
    await expect.poll(() => heard.text).toContain("the second answer");
    leave.abort();
    await reading;
    const kinds = parseEvents(heard.text).map(({ event, data }) => [event, data.message?.role]);
    expect(kinds).toEqual([
      ["history", undefined],
      ["message", "user"],
      ["message", "assistant"],
    ]);
  });

  test("runs a tool for a program, under its policy and in the audit trail", async () => {
    const invoke = async (body: object) => {
      const response = await gateway.fetch("/tools/invoke", json(body));
      return [response.status, await response.json()] as const;
    };
    expect(await invoke({ tool: "sessions_list", args: { limit: 1 } })).toMatchObject([
      200,
      { ok: true, result: { content: [{ type: "text" }] } },
    ]);
    expect(await invoke({ tool: "sessions_list", args: { limit: "many" } })).toMatchObject([
      400,
      { ok: false, error: { type: "tool_error" } },
    ]);
    expect(await invoke({ tool: "sessions_history", args: { sessionKey: "agent:main:never-was" } })).toMatchObject([
      400,
      { ok: false, error: { type: "tool_error" } },
    ]);
    for (const tool of ["exec", "read", "cron", "no_such_tool"]) {
      const error = { type: "not_found", message: `Tool not available: ${tool}` };
      expect(await invoke({ tool, args: {} })).toEqual([404, { ok: false, error }]);
    }
    expect(await invoke({ args: {} })).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
    const client = await gateway.connect();
    const { records } = await client.call("audit.list", { actions: ["tool"] });
    expect(records).toContainEqual(expect.objectContaining({ target: "sessions_list", actor: "client:http:http-api" }));
  });

  test.for([
    ["a wrong method", HOME, { method: "DELETE" }, 405],
    ["no secret", HOME, { token: null }, 401],
    ["a wrong secret", HOME, { token: "wrong" }, 401],
    ["no JSON", HOME, json("{"), 400],
    ["a body of the wrong shape", HOME, json({ words: "hello" }), 400],
    ["an unknown API", "/v1/embeddings", {}, 404],
    ["an unknown path below /api", "/api/nothing", {}, 404],
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
    port = await findFreePort();
    gateway = await startTestGateway({ env: { OPENCLAW_CLI_SECRET: SECRET, OPENCLAW_CLI_PORT: String(port) } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ask = (options: Parameters<typeof rawRequest>[1] = {}) =>
    rawRequest(port, { path: HOME, ...options, headers: { authorization: `Bearer ${SECRET}`, ...options.headers } });

  test.for([
    ["abc", 'OPENCLAW_CLI_PORT is "abc", which is not a port'],
    ["0", 'OPENCLAW_CLI_PORT is "0", which is not a port'],
    ["70000", 'OPENCLAW_CLI_PORT is "70000", which is not a port'],
    ["busy", "it is already in use"],
  ] as const)("is not opened on the port %s, and nothing else is then", async ([written, why]) => {
    const busy = written === "busy" ? String(port) : written;
    const start = startTestGateway({ env: { OPENCLAW_CLI_SECRET: SECRET, OPENCLAW_CLI_PORT: busy } });
    await expect(start).rejects.toMatchObject({ code: "START_CLI_PORT", detail: expect.stringContaining(why) });
  });

  test("is on its usual port when the variable says nothing", async () => {
    const holder = createServer().listen(8080, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve).once("error", resolve));
    const start = startTestGateway({ env: { OPENCLAW_CLI_SECRET: SECRET, OPENCLAW_CLI_PORT: "" } });
    await expect(start).rejects.toMatchObject({ detail: expect.stringContaining("127.0.0.1:8080") });
    holder.close();
  });

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
