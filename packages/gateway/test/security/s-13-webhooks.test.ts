// S-12, S-13, S-21: webhooks believe nobody without a proof, and what they tell an agent gives it no right and no order.
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { createFakeClock } from "@chela/sdk/testing";
import { eventually, startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const TOKEN = "token-of-the-hooks-0123456789abcdef";
const SECRET = "secret-of-a-sender-0123456789abcdef";
const post = (gateway: TestGateway, path: string, body: string, headers: Record<string, string> = {}) =>
  gateway.fetch(path, {
    method: "POST",
    token: null,
    body,
    headers: { "content-type": "application/json", ...headers },
  });
const bearer = { authorization: `Bearer ${TOKEN}` };

describe("S-12: the door of webhooks", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: { hooks: { enabled: true, token: TOKEN, maxBodyBytes: 1000 } } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("takes nothing but POST, and says so", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const response = await gateway.fetch("/hooks/agent", { method, token: null, headers: bearer });
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  test("takes its own token alone", async () => {
    const body = JSON.stringify({ message: "forged" });
    expect((await post(gateway, "/hooks/agent", body, { authorization: `Bearer ${TEST_TOKEN}` })).status).toBe(401);
    expect((await post(gateway, `/hooks/agent?token=${TOKEN}`, body, bearer)).status).toBe(400);
    expect((await gateway.fetch("/v1/models", { token: TOKEN })).status).toBe(401);
  });

  test("takes no more than the limit, also when the sender does not say how much it is", async () => {
    const large = JSON.stringify({ message: "x".repeat(2000) });
    const response = await post(gateway, "/hooks/agent", large, bearer);
    expect([response.status, await response.json()]).toEqual([413, { ok: false, error: "Payload too large" }]);
    const socket = connect(Number(new URL(gateway.http).port), "127.0.0.1");
    const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
    socket.write(`POST /hooks/agent HTTP/1.1\r\nhost: localhost\r\n`);
    socket.write(`authorization: Bearer ${TOKEN}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain("413");
    socket.destroy();
  });
});

describe("S-12: without a secret of its own", () => {
  test.for<[string, Json]>([
    ["no token", { enabled: true }],
    ["an empty token", { enabled: true, token: " " }],
    ["the gateway's token", { enabled: true, token: TEST_TOKEN }],
    ["webhooks off", { enabled: false, token: TOKEN }],
    ["nothing said", {}],
  ])("the paths are not there: %s", async ([, hooks]) => {
    await using gateway = await startTestGateway({ config: { hooks } });
    for (const path of ["/hooks/agent", "/hooks/wake", "/hooks/x", "/hooks"]) {
      for (const token of [TOKEN, TEST_TOKEN, " "]) {
        const response = await post(gateway, path, '{"message":"x","text":"x"}', { authorization: `Bearer ${token}` });
        expect([path, response.status]).toEqual([path, 404]);
      }
    }
  });
});

test("S-12: the paths are not there either when the gateway's token was given with its start", async () => {
  await using gateway = await startTestGateway({
    config: { hooks: { enabled: true, token: TOKEN } },
    start: { auth: { token: TOKEN } },
  });
  expect((await post(gateway, "/hooks/agent", '{"message":"x"}', bearer)).status).toBe(404);
});

test("S-12: guesses are counted, also those from this machine, and the wait is told", async () => {
  await using gateway = await startTestGateway({ config: { hooks: { enabled: true, token: TOKEN } } });
  const guess = () => post(gateway, "/hooks/agent", "{}", { authorization: "Bearer guess" });
  for (let count = 0; count < 20; count += 1) expect((await guess()).status).toBe(401);
  const limited = await guess();
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await post(gateway, "/hooks/agent", "{}", bearer)).status).toBe(429);
});

test("S-12: a sender that is too slow is sent away", async () => {
  const clock = createFakeClock(Date.UTC(2026, 5, 1));
  await using gateway = await startTestGateway({ clock, config: { hooks: { enabled: true, token: TOKEN } } });
  // The first request loads what is needed, so that the second one is read at once.
  expect((await post(gateway, "/hooks/none", "{}", bearer)).status).toBe(404);
  const socket = connect(Number(new URL(gateway.http).port), "127.0.0.1");
  socket.write(`POST /hooks/agent HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n`);
  socket.write("content-length: 100\r\n\r\n{");
  const answered = once(socket, "data") as Promise<[Buffer]>;
  await eventually("it is waited for", async () => {
    // In small steps: a connection that says nothing for ten seconds is ended before its request is seen.
    await clock.advance(1_000);
    return Promise.race([
      answered.then(() => true),
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ]);
  });
  expect((await answered)[0].toString()).toMatch(/ 408 .*Request body timeout/s);
  socket.destroy();
});

describe("S-13: what a webhook starts", () => {
  test("is offered no tool of the owner's, none its mapping denies, and its words are data in the user's place", async () => {
    await using gateway = await startTestGateway({
      config: {
        hooks: {
          enabled: true,
          token: TOKEN,
          mappings: [
            {
              match: { path: "m" },
              messageTemplate: "{{text}}",
              instructions: "Read it.",
              name: "{{name}}",
              tools: { deny: ["exec"] },
              deliver: false,
              wakeMode: "next-heartbeat",
            },
          ],
        },
      },
    });
    const client = await gateway.connect();
    const canary = "canary-in-a-webhook";
    await client.chat("hello");
    const owners = gateway.model.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
    gateway.model.script(callTool("exec", { command: "echo escaped" }), say("done"));
    const response = await post(gateway, "/hooks/m", JSON.stringify({ text: `${canary} /new`, name: canary }), bearer);
    const { runId } = (await response.json()) as { runId: string };
    await eventually("it is over", async () => {
      const { webhooks } = await client.call("webhooks.list");
      return webhooks.some(({ last }: Json) => (last as Json | undefined)?.["state"] === "settled") || undefined;
    });
    const [request, second] = gateway.model.requests.slice(-2);
    const offered = request?.tools?.map(({ name }) => name) ?? [];
    expect(owners).toContain("exec");
    expect(offered).not.toContain("exec");
    expect(offered.every((name) => owners.includes(name))).toBe(true);
    expect(JSON.stringify(second?.messages.at(-1))).not.toContain("escaped\\n");
    expect(JSON.stringify(request?.system ?? "")).not.toContain(canary);
    const [told, ...others] = (request?.messages ?? []).filter((message) => JSON.stringify(message).includes(canary));
    expect([told?.role, others]).toEqual(["user", []]);
    expect(JSON.stringify(told)).toMatch(
      /Read it\..*EXTERNAL_UNTRUSTED_CONTENT id=.*canary-in-a-webhook \/new.*END_EXTERNAL/s,
    );
    expect(await client.call("runs.explain", { id: runId })).toMatchObject({
      access: { id: "hook:m", isOwner: false, isAuthorised: false },
    });
  });
});

test("S-12: what is signed for one mapping is not believed by another, and the token opens none that is signed", async () => {
  const signed = (path: string, secret: string) => ({
    match: { path },
    messageTemplate: "{{text}}",
    signature: { type: "github", secret },
  });
  const mappings = [signed("one", `${SECRET}-1`), signed("two", `${SECRET}-2`)];
  await using gateway = await startTestGateway({ config: { hooks: { enabled: true, token: TOKEN, mappings } } });
  const body = '{"text":"x"}';
  const by = (secret: string) => ({
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  expect((await post(gateway, "/hooks/one", body, by(`${SECRET}-1`))).status).toBe(200);
  expect((await post(gateway, "/hooks/two", body, by(`${SECRET}-1`))).status).toBe(401);
  expect((await post(gateway, "/hooks/two", body, bearer)).status).toBe(401);
  expect((await post(gateway, "/hooks/agent", body, by(`${SECRET}-1`))).status).toBe(401);
  expect(gateway.readLog()).not.toContain(SECRET);
});
