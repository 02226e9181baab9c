// S-07: guessing is counted before it is looked at, and strangers get little room, little time and few bytes.
import { once } from "node:events";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { openDoorStage } from "../support/security/door-stage.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { findFreePort, openSocket, rawRequest, readToEnd, UPGRADE_HEADERS } from "../support/in-process-http.ts";
import { countCases } from "../support/security/security-cases.ts";
import { createTestDevice, type WireClient } from "../support/wire-client.ts";

const GUESSES = 1000;
const LIMIT = 10;

test("S-07: of a thousand guesses at once, ten are looked at", async () => {
  const rateLimit = { exemptLoopback: false };
  await using gateway = await startTestGateway({ config: { gateway: { auth: { rateLimit } } } });
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const guess = (token: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const options = { host: "127.0.0.1", port: gateway.gateway.port, path: "/v1/models", agent, headers };
      const asked = request(options, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      });
      asked.once("error", reject).end();
    });
  const answers = await Promise.all(Array.from({ length: GUESSES }, (_, at) => guess(`guess-${at}`)));
  expect(answers.filter((status) => status === 401)).toHaveLength(LIMIT);
  expect(answers.filter((status) => status === 429)).toHaveLength(GUESSES - LIMIT);
  expect(await guess(gateway.token)).toBe(429);
  const limited = await gateway.fetch("/v1/models");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  agent.destroy();
  countCases("S-07", GUESSES);
});

test("S-07: of a thousand guesses from a thousand addresses, no more are looked at than everybody may make", async () => {
  const auth = { rateLimit: { maxAttempts: 1 } };
  await using stage = await openDoorStage({ door: { auth, trustedProxies: ["127.0.0.1"] } });
  const guesses = Array.from({ length: GUESSES }, (_, at) => `198.51.${at >> 8}.${at & 255}`);
  const answers = await Promise.all(
    guesses.map((ip) =>
      stage.ask({ path: "/v1/models", headers: { authorization: "Bearer wrong", "x-forwarded-for": ip } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(GUESSES - 100);
  countCases("S-07", GUESSES);
});

test("S-07: guesses at a webhook are counted like others", async () => {
  await using stage = await openDoorStage();
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, at) =>
      stage.ask({ method: "POST", path: "/hooks/wake", headers: { "x-openclaw-token": `guess-${at}` }, body: "{}" }),
    ),
  );
  const evaluated = answers.filter(({ status }) => status === 401).length;
  expect(evaluated).toBeLessThanOrEqual(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(GUESSES - evaluated);
  countCases("S-07", GUESSES);
});

test("S-07: guesses over sockets are counted together, however they are put", async () => {
  const rateLimit = { exemptLoopback: false };
  await using gateway = await startTestGateway({ config: { gateway: { auth: { rateLimit } } } });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => gateway.dial({ token: `guess-${at}`, device: null }).tryConnect()),
  );
  const codes = answers.map(({ error }) => error?.details?.["code"]);
  expect(codes.filter((code) => code === "AUTH_TOKEN_MISMATCH")).toHaveLength(LIMIT);
  expect(codes.filter((code) => code === "AUTH_RATE_LIMITED")).toHaveLength(200 - LIMIT);
  // Another way in does not begin a new count.
  expect((await gateway.fetch("/v1/models", { token: "another" })).status).toBe(429);
  countCases("S-07", 200);
});

/** Guesses as the command line makes them: from this machine, without a page. */
async function guessHere(
  gateway: TestGateway,
  secret: "token" | "password",
  from: number,
  count: number,
): Promise<string[]> {
  const all = Array.from({ length: count }, (_, at) => {
    const credentials = { token: undefined, [secret]: `guess-${from + at}` };
    return gateway.dial({ ...credentials, device: null }).tryConnect();
  });
  return (await Promise.all(all)).map(({ error }) => String(error?.details?.["code"]));
}

/** Many refusals of one address are one row, which says how many. */
async function expectNoted(admin: WireClient): Promise<void> {
  await eventually("the audit trail knows", async () => {
    const { records } = await admin.call("audit.list", { actions: ["login"], limit: 50 });
    return records.some(({ outcome }: { outcome: string }) => outcome === "denied") || undefined;
  });
}

test("S-07: a weak password is guessed at slowly also from this machine, and its owner is not kept out", async () => {
  const clock = createFakeClock(Date.now());
  const auth = { mode: "password", password: "sunshine7" };
  await using gateway = await startTestGateway({ clock, config: { gateway: { auth } } });
  const good = { token: undefined, password: "sunshine7" };
  const device = createTestDevice();
  expect((await gateway.dial({ ...good, device }).tryConnect()).ok).toBe(true);
  const codes = await guessHere(gateway, "password", 0, 100);
  expect(codes.filter((code) => code === "AUTH_PASSWORD_MISMATCH")).toHaveLength(LIMIT);
  expect(codes.filter((code) => code === "AUTH_RATE_LIMITED")).toHaveLength(100 - LIMIT);
  // A device that proves its key has a count of its own.
  expect((await gateway.dial({ ...good, device }).tryConnect()).ok).toBe(true);
  // Everybody else waits for a second at most, over HTTP as well.
  expect((await gateway.fetch("/v1/models", { token: "sunshine7" })).status).toBe(429);
  await clock.advance(1_000);
  expect((await gateway.fetch("/v1/models", { token: "sunshine7" })).status).toBe(200);
  let looked = 0;
  for (let second = 0; second < 20; second++) {
    const tried = await guessHere(gateway, "password", 100 + second * 10, 10);
    looked += tried.filter((code) => code === "AUTH_PASSWORD_MISMATCH").length;
    await clock.advance(1_000);
  }
  expect(looked).toBeLessThanOrEqual(20);
  await expectNoted(await gateway.connect({ ...good, device }));
  countCases("S-07", 300);
});

test("S-07: a strong token is nobody's to guess, so that guesses on this machine keep nobody waiting", async () => {
  await using gateway = await startTestGateway();
  const codes = await guessHere(gateway, "token", 0, 200);
  expect(new Set(codes)).toEqual(new Set(["AUTH_TOKEN_MISMATCH"]));
  expect((await gateway.dial({ device: null }).tryConnect()).ok).toBe(true);
  expect((await gateway.fetch("/v1/models")).status).toBe(200);
  await expectNoted(await gateway.connect());
  countCases("S-07", 200);
});

const UPGRADE = Object.entries(UPGRADE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
const FOREIGN_UPGRADE = `GET / HTTP/1.1\r\nHost: evil.example\r\n${UPGRADE.join("")}\r\n`;

test("S-07: who is refused and hangs up at that moment takes nobody along", async () => {
  await using gateway = await startTestGateway();
  for (let at = 0; at < 100; at++) {
    const socket = await openSocket(gateway.gateway.port);
    socket.write(FOREIGN_UPGRADE);
    // An error that nobody heard would end the process; here it would fail the run.
    if (at % 2) await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
  }
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
  countCases("S-07", 100);
});

test("S-07: who is refused and does not hang up is hung up on", async () => {
  await using gateway = await startTestGateway();
  const socket = connect({ port: gateway.gateway.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  const ended = once(socket, "end");
  socket.write(FOREIGN_UPGRADE);
  await ended;
  // Nobody is there any more who would take it, which one learns from the answer to the first of these.
  while (!socket.closed) {
    socket.write("is anybody there?");
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test("S-07: who reads an answer too slowly is let go of, unless they are trusted", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  writeFileSync(join(gateway.pageRoot, "assets", "large.bin"), Buffer.alloc(32 * 1024 * 1024));
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "worth the wait"));
  const trusted = gateway.fetch("/api/sessions/home", { method: "POST", body: JSON.stringify({ text: "hello" }) });
  await gate.reached;
  const socket = await openSocket(gateway.gateway.port);
  let bytes = 0;
  socket.on("data", (part: Buffer) => (bytes += part.length));
  socket.write("GET /assets/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.pause();
  await clock.advance(120_001);
  const closed = once(socket, "close");
  socket.resume();
  await closed;
  expect(bytes).toBeLessThan(32 * 1024 * 1024);
  gate.open();
  expect(await (await trusted).json()).toMatchObject({ bot_text: "worth the wait" });
});

/** How many descriptors of this process lead to the file. */
function openFiles(path: string): number {
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target === path).length;
}

test.skipIf(process.platform !== "linux")(
  "S-07: who hangs up in the middle of a file, or asks for many at once, leaves none open",
  async () => {
    await using gateway = await startTestGateway();
    const ask = (name: string) => `GET ${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (const name of ["/assets/large.bin", "/large.bin"]) {
      const file = join(gateway.pageRoot, name);
      writeFileSync(file, Buffer.alloc(8 * 1024 * 1024));
      for (let at = 0; at < 20; at++) {
        const socket = await openSocket(gateway.gateway.port);
        socket.write(ask(name));
        await once(socket, "data");
        socket.resetAndDestroy();
      }
      await eventually("every file is closed", () => openFiles(file) === 0);

      const ahead = await openSocket(gateway.gateway.port);
      ahead.pause();
      ahead.write(ask(name).repeat(10));
      await eventually("the first is answered", () => openFiles(file) > 0);
      // Everything that was asked for has been looked at when somebody who came later has their answer.
      expect((await gateway.fetch("/healthz")).status).toBe(200);
      expect(openFiles(file)).toBe(1);
      ahead.destroy();
      await eventually("the file is closed", () => openFiles(file) === 0);
    }
  },
);

test("S-07: who asks ahead gets their answers in order, and who asks for very many at once is hung up on", async () => {
  await using gateway = await startTestGateway();
  const ask = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  const patient = await openSocket(gateway.gateway.port);
  const answers = readToEnd(patient);
  patient.write(ask("/healthz") + ask("/assets/app.js") + ask("/gone") + ask("/readyz", "Connection: close\r\n"));
  const texts = (await answers).split("HTTP/1.1 ").slice(1);
  expect(texts.map((text) => [text.slice(0, 3), text.split("\r\n\r\n")[1]])).toEqual([
    ["200", '{"ok":true,"status":"live"}'],
    ["200", "export {};\n"],
    ["404", expect.stringContaining("Not Found")],
    ["200", '{"ready":true}'],
  ]);
  const greedy = await openSocket(gateway.gateway.port);
  const everything = readToEnd(greedy);
  greedy.write(ask("/").repeat(500));
  expect((await everything).split("HTTP/1.1 200").length).toBeLessThan(50);
});

test("S-07: heads that are too long or make no sense are refused before anything else", async () => {
  await using gateway = await startTestGateway();
  const heads = [
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nx-long: ${"x".repeat(70_000)}\r\n\r\n`,
    `GET /${"p".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${"x-many: 1\r\n".repeat(8_000)}\r\n`,
    "GET /healthz HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "POST /v1/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
  ];
  for (const head of heads) {
    const socket = await openSocket(gateway.gateway.port);
    const everything = readToEnd(socket);
    socket.write(head);
    expect(await everything).not.toMatch(/^HTTP\/1\.1 (2|3)/);
  }
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
  countCases("S-07", heads.length);
});

test("S-07: guesses of pages in a browser are counted even on this machine", async () => {
  await using gateway = await startTestGateway();
  const page = {
    device: null,
    headers: { origin: "http://localhost:5173" },
    client: { id: "webchat-ui", mode: "webchat" },
  };
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => gateway.dial({ ...page, token: `guess-${at}` }).tryConnect()),
  );
  const codes = answers.map(({ error }) => error?.details?.["code"]);
  expect(codes.filter((code) => code === "AUTH_TOKEN_MISMATCH")).toHaveLength(LIMIT);
  expect(codes.filter((code) => code === "AUTH_RATE_LIMITED")).toHaveLength(30);
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
});

test("S-07: what others guess on this machine does not keep the owner's page out", async () => {
  await using gateway = await startTestGateway();
  const { http } = gateway;
  const client = { id: "openclaw-control-ui", mode: "webchat" };
  const own = { client, headers: { origin: http } };
  // Pages of others, and programs that say they were ours.
  for (const origin of ["http://localhost:5173", http]) {
    const guess = (at: number) => gateway.dial({ client, headers: { origin }, device: null, token: `guess-${at}` });
    await Promise.all(Array.from({ length: 20 }, (_, at) => guess(at).tryConnect()));
  }
  expect((await gateway.connect(own)).hello.type).toBe("hello-ok");
  const page = { origin: http, authorization: `Bearer ${gateway.token}` };
  expect((await rawRequest(gateway.gateway.port, { path: "/v1/models", headers: page })).status).toBe(200);
});

test("S-07: a paired device is not locked out by others at its address, and has a budget of its own", async () => {
  const rateLimit = { exemptLoopback: false, maxAttempts: 3 };
  await using gateway = await startTestGateway({ config: { gateway: { auth: { rateLimit } } } });
  const { device, hello } = await gateway.connect();
  const guess = (token: string, more: object = {}) => gateway.dial({ token, ...more }).tryConnect();
  for (let at = 0; at < 5; at++) await guess(`guess-${at}`);
  expect((await guess(gateway.token)).error?.details).toMatchObject({ code: "AUTH_RATE_LIMITED" });
  const { deviceToken } = hello.auth;
  expect((await gateway.connect({ device, token: undefined, deviceToken })).hello.type).toBe("hello-ok");
  expect((await gateway.connect({ device })).hello.type).toBe("hello-ok");
  const codes: unknown[] = [];
  for (let at = 0; at < 5; at++) codes.push((await guess(`guess-${at}`, { device })).error?.details?.["code"]);
  const wrong = "AUTH_TOKEN_MISMATCH";
  expect(codes).toEqual([wrong, wrong, wrong, "AUTH_RATE_LIMITED", "AUTH_RATE_LIMITED"]);
});

test("S-07: guesses at a weak secret of the listener for scripts are few and written down, and its owner waits for a second", async () => {
  const clock = createFakeClock();
  const [port, secret] = [await findFreePort(), "sunshine7"];
  const env = { OPENCLAW_CLI_SECRET: secret, OPENCLAW_CLI_PORT: String(port) };
  await using gateway = await startTestGateway({ clock, env });
  const guess = async (given: string) =>
    (await rawRequest(port, { path: "/api/sessions/home", headers: { authorization: `Bearer ${given}` } })).status;
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(`guess-${at}`)));
  expect(answers.filter((status) => status === 401)).toHaveLength(LIMIT);
  expect(answers.filter((status) => status === 429)).toHaveLength(100 - LIMIT);
  await clock.advance(1_000);
  expect(await guess(secret)).toBe(200);
  const admin = await gateway.connect();
  const { records } = await admin.call("audit.list", { actions: ["login"], outcomes: ["denied"] });
  expect(records).toContainEqual(
    expect.objectContaining({
      detail: expect.objectContaining({ why: "wrong secret for the listener for scripts", path: "/api/sessions/home" }),
    }),
  );
  countCases("S-07", 100);
});

test("S-07: who says nothing to the listener for scripts has a place for a while, and keeps nobody out", async () => {
  const clock = createFakeClock();
  const [port, secret] = [await findFreePort(), "secret-of-the-listener-0123456789"];
  await using _gateway = await startTestGateway({
    clock,
    env: { OPENCLAW_CLI_SECRET: secret, OPENCLAW_CLI_PORT: String(port) },
  });
  const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(port)));
  let closed = 0;
  for (const socket of sockets) socket.once("close", () => (closed += 1)).resume();
  const ask = async () =>
    (await rawRequest(port, { path: "/api/sessions/home", headers: { authorization: `Bearer ${secret}` } })).status;
  expect(await ask()).toBe(200);
  await eventually("the oldest are gone", () => (closed >= 300 - 256 ? true : undefined));
  await clock.advance(10_000);
  await eventually("all are gone", () => (closed === 300 ? true : undefined));
  expect(await ask()).toBe(200);
});

test("S-07: who may only ask sends no more than a question takes, and nothing that is nested without end", async () => {
  await using gateway = await startTestGateway();
  const large = "x".repeat(400_000);
  for (const more of [{ device: null }, { scopes: [] }, { scopes: ["operator.read"] }]) {
    const reader = await gateway.connect(more);
    for (let at = 0; at < 20; at++)
      expect((await reader.request("health", { note: "y".repeat(50_000) })).ok).toBe(false);
    reader.sendText(`{"type":"req","id":"large","method":"health","params":{"note":"${large}"}}`);
    const reason = "message too large: at most 262144 bytes";
    expect([more, await reader.closed]).toEqual([more, { code: 1009, reason }]);
  }
  const writer = await gateway.connect();
  expect((await writer.request("agent", { message: large, idempotencyKey: "large", sessionKey: "main" })).ok).toBe(
    true,
  );
  const { error } = await writer.request("sessions.list", { search: large });
  expect(error?.message).toMatch(/^sessions\.list is too large: \d+ bytes, at most 262144 are taken$/);
  writer.sendText(`{"type":"req","id":"deep","method":"health","params":${"[".repeat(1000)}${"]".repeat(1000)}}`);
  expect(await writer.closed).toEqual({ code: 1008, reason: "invalid request frame: nested too deeply" });
  const deep = { method: "POST", body: `{"text":${"[".repeat(1000)}` };
  const answer = await gateway.fetch("/api/sessions/home", deep);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("nested too deeply")]);
});

test("S-07: guesses of a device's token are counted like others", async () => {
  const rateLimit = { exemptLoopback: false, maxAttempts: 3 };
  await using gateway = await startTestGateway({ config: { gateway: { auth: { rateLimit } } } });
  const { device } = await gateway.connect();
  const codes: unknown[] = [];
  for (let at = 0; at < 5; at++) {
    const { error } = await gateway.dial({ device, token: undefined, deviceToken: `guess-${at}` }).tryConnect();
    codes.push(error?.details?.["code"]);
  }
  const wrong = "AUTH_DEVICE_TOKEN_MISMATCH";
  expect(codes).toEqual([wrong, wrong, wrong, "AUTH_RATE_LIMITED", "AUTH_RATE_LIMITED"]);
});

test("S-07: two thousand silent sockets do not keep a good client out", async () => {
  await using gateway = await startTestGateway({ env: { OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "60000" } });
  const silent: Socket[] = [];
  for (let batch = 0; batch < 20; batch++) {
    silent.push(...(await Promise.all(Array.from({ length: 100 }, () => openSocket(gateway.gateway.port)))));
  }
  const client = await gateway.connect();
  expect(await client.agent("hello")).toContain("echo: ");
  expect((await gateway.fetch("/healthz")).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

test("S-07: more than 64 KiB before the handshake closes with 1009", async () => {
  await using gateway = await startTestGateway();
  const client = gateway.dial();
  const params = await client.connectParams();
  client.send({ type: "req", id: "c", method: "connect", params: { ...params, userAgent: "x".repeat(70_000) } });
  expect(await client.closed).toEqual({ code: 1009, reason: "preauth payload too large" });
  expect(client.frames).toHaveLength(1);
  const dribble = gateway.dial();
  await dribble.challenge();
  // Never a whole frame: the bytes count while they arrive.
  const piece = JSON.stringify({ type: "req", id: "c", method: "connect", params: "y".repeat(200_000) });
  dribble.sendText(piece);
  expect((await dribble.closed).code).toBe(1009);
  const admitted = await gateway.connect();
  const large = { message: "z".repeat(200_000), idempotencyKey: "large", sessionKey: "main" };
  expect((await admitted.request("agent", large)).ok).toBe(true);
});

test("S-07: who does not finish the handshake in time is closed", async () => {
  await using gateway = await startTestGateway({ env: { OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "50" } });
  const slow = gateway.dial();
  const reason = "handshake timeout: connect did not come in time";
  expect(await slow.closed).toEqual({ code: 1000, reason });
  const silent = await openSocket(gateway.gateway.port);
  expect(await readToEnd(silent)).toBe("");
  const halfARequest = await openSocket(gateway.gateway.port);
  halfARequest.write("GET / HTTP/1.1\r\nHost: local");
  expect(await readToEnd(halfARequest)).not.toContain("200 OK");
});

test("S-07: a request that was let in may take its time", async () => {
  await using gateway = await startTestGateway({ env: { OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "50" } });
  const gate = gateway.gate();
  gateway.model.script(gate.step("", "worth the wait"));
  const answer = gateway.fetch("/api/sessions/home", { method: "POST", body: JSON.stringify({ text: "hello" }) });
  await gate.reached;
  const client = await gateway.connect();
  await gateway.dial().closed;
  gate.open();
  expect(await (await answer).json()).toMatchObject({ bot_text: "worth the wait" });
  expect((await client.request("health")).ok).toBe(true);
});

test("S-07: a request before the upgrade buys no more time", async () => {
  await using gateway = await startTestGateway({ env: { OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "50" } });
  const socket = await openSocket(gateway.gateway.port);
  const everything = readToEnd(socket);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve));
  const upgrade = Object.entries(UPGRADE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${upgrade.join("")}\r\n`);
  expect(await everything).toContain("connect.challenge");
});
