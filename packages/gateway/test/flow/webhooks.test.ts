// Webhooks through the whole gateway: what other programs post is written down, carried out once, and answered where it should be.
import { createHmac, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeChannel, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const TOKEN = "token-of-the-hooks-0123456789abcdef";
const SECRET = "secret-of-github-0123456789abcdef";
const HOOKS = {
  enabled: true,
  token: TOKEN,
  presets: ["gmail", "stripe"],
  allowedAgentIds: ["main", "second"],
  mappings: [
    { preset: "github", signature: { secret: SECRET }, channel: "fake", to: "ops", instructions: "Triage it." },
    {
      match: { path: "ticket", source: "desk" },
      messageTemplate: "Ticket {{id}}: {{title}}",
      deliver: false,
      agentId: "second",
      wakeMode: "next-heartbeat",
    },
    {
      id: "other",
      match: { path: "ticket" },
      action: "wake",
      textTemplate: "Other {{payload.title}}",
      wakeMode: "next-heartbeat",
    },
    {
      match: { path: "shaped" },
      messageTemplate: "unshaped",
      transform: { module: "shape.mjs" },
      deliver: false,
      wakeMode: "next-heartbeat",
    },
  ],
};
/** Nobody is woken by it. */
const QUIET = { message: "once", deliver: false, wakeMode: "next-heartbeat" };

const post = async (
  gateway: TestGateway,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  token: string | null = TOKEN,
) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method: "POST", body: text, headers: { "content-type": "application/json", ...headers }, token };
  const response = await gateway.fetch(`/hooks/${path}`, init);
  const answer = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, body: (type.includes("json") ? JSON.parse(answer) : answer) as Json };
};
const runOf = (body: Json): string => String(body["runId"]);
const github = (body: string) => ({
  "x-github-event": "issues",
  "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
});
const settled = (client: WireClient, runId: string): Promise<Json> =>
  eventually(`${runId} is settled`, async () => {
    const { webhooks } = await client.call("webhooks.list");
    return webhooks
      .map(({ last }: Json) => last)
      .find((last: Json) => last?.runId === runId && last.state === "settled");
  });
const asked = (gateway: TestGateway): string[] =>
  gateway.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));

describe("a webhook", () => {
  let gateway: TestGateway;
  let client: WireClient;
  const fake = createFakeChannel();
  beforeAll(async () => {
    gateway = await startTestGateway({
      channels: { fake: fake.channel },
      config: {
        channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } },
        agents: { list: [{ id: "main", default: true }, { id: "second" }, { id: "third" }] },
        hooks: HOOKS,
      },
    });
    const folder = join(gateway.stateDir, "hooks", "transforms");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "shape.mjs"),
      `export default ({ payload, path, headers }) => {
        if (payload.skip) return null;
        if (payload.fail) throw new Error("an inner secret");
        return { message: [path, payload.word, "authorization" in headers].join(" "), name: "Shaped" };
      };`,
    );
    await fake.untilConnected();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("lets an agent work in a conversation of its own, and its answer goes where the request says", async () => {
    gateway.model.script(say("It is done."));
    const { status, body } = await post(gateway, "agent", {
      message: "Look at it",
      name: "CI",
      channel: "fake",
      to: "ann",
    });
    expect([status, body]).toEqual([200, { ok: true, runId: expect.stringMatching(/^hook:agent:/) }]);
    expect(await settled(client, runOf(body))).toMatchObject({ status: "ok", delivered: "delivered" });
    expect(fake.sent.at(-1)).toMatchObject({ target: { to: "ann" }, text: "It is done." });
    expect(asked(gateway).at(-1)).toMatch(/EXTERNAL_UNTRUSTED_CONTENT.*Look at it.*END_EXTERNAL_UNTRUSTED_CONTENT/s);
    const run = await client.call("runs.explain", { id: body["runId"] });
    expect(run).toMatchObject({ channel: "hook", access: { kind: "sender", id: "hook:agent", isOwner: false } });
    expect(run.sessionKey).toMatch(/^agent:main:hook:[0-9a-f-]{36}$/);
  });

  test("that is signed needs no token, and what was sent again is carried out once", async () => {
    gateway.model.script(say("Triaged."));
    const issue = JSON.stringify({
      action: "opened",
      issue: { number: 7, title: "It broke" },
      sender: { login: "ann" },
    });
    const first = await post(gateway, "github", issue, github(issue), null);
    expect(first.status).toBe(200);
    await settled(client, runOf(first.body));
    const again = await post(gateway, "github", issue, { ...github(issue), "x-github-delivery": randomUUID() }, null);
    expect(again).toEqual({ status: 200, body: { ok: true, runId: first.body["runId"], duplicate: true } });
    const told = asked(gateway).filter((text) => text.includes("It broke"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/Triage it\..*EXTERNAL_UNTRUSTED_CONTENT.*Issue #7: It broke/s);
    expect(fake.sent.filter(({ text }) => text === "Triaged.")).toMatchObject([{ target: { to: "ops" } }]);
  });

  test("with a key is carried out once for each key, and each path has keys of its own", async () => {
    const key = { "idempotency-key": "k-1" };
    const ask = (path: string, body: Json, headers: Record<string, string>) => post(gateway, path, body, headers);
    const one = await ask("agent", QUIET, key);
    const two = await ask("agent", QUIET, { "x-openclaw-idempotency-key": "k-1" });
    const three = await ask("agent", { ...QUIET, idempotencyKey: "k-1" }, {});
    const four = await ask("wake", { text: "once", mode: "next-heartbeat" }, key);
    expect([two.body["runId"], three.body["runId"]]).toEqual([one.body["runId"], one.body["runId"]]);
    expect([one, two, three, four].map(({ body }) => body["duplicate"] === true)).toEqual([false, true, true, false]);
  });

  test("wakes the agent: it is told in its main conversation, as data", async () => {
    const { status, body } = await post(gateway, "wake", { text: "The disk is full", mode: "next-heartbeat" });
    expect([status, body]).toEqual([200, { ok: true, mode: "next-heartbeat", runId: expect.any(String) }]);
    await settled(client, runOf(body));
    await client.chat("What is new?", { sessionKey: "agent:main:main" });
    expect(asked(gateway).at(-1)).toMatch(/System: \[.*EXTERNAL_UNTRUSTED_CONTENT.*The disk is full.*END_EXTERNAL/s);
  });

  test("is taken by the first mapping that fits its path and source", async () => {
    const desk = await post(gateway, "ticket", { source: "desk", id: 5, title: "Printer" });
    expect(desk).toMatchObject({ status: 200, body: { runId: expect.stringMatching(/^hook:ticket:/) } });
    await settled(client, runOf(desk.body));
    expect(asked(gateway).some((text) => text.includes("Ticket 5: Printer"))).toBe(true);
    expect((await client.call("runs.explain", { id: desk.body["runId"] })).agentId).toBe("second");
    const other = await post(gateway, "ticket", { title: "Lamp" });
    expect(other).toMatchObject({
      status: 200,
      body: { mode: "next-heartbeat", runId: expect.stringMatching(/^hook:other:/) },
    });
  });

  test("whose answer is delivered nowhere leaves a note in the main conversation", async () => {
    gateway.model.script(say("Nothing to do."));
    const body = { message: "check", name: "Watch", deliver: false, wakeMode: "next-heartbeat" };
    const { body: answer } = await post(gateway, "agent", body);
    expect(await settled(client, runOf(answer))).toMatchObject({ status: "ok", delivered: "not-requested" });
    await client.chat("And?", { sessionKey: "agent:main:main" });
    expect(asked(gateway).join("\n")).toMatch(/Hook Watch: .*EXTERNAL_UNTRUSTED_CONTENT.*Nothing to do\./s);
  });

  test("goes through its transform, which sees no secret and may drop it", async () => {
    const { status, body } = await post(gateway, "shaped", { word: "rain" });
    expect(status).toBe(200);
    await settled(client, runOf(body));
    expect(asked(gateway).some((text) => text.includes("shaped rain false"))).toBe(true);
    expect(await post(gateway, "shaped", { skip: true })).toEqual({ status: 204, body: "" });
    const failed = await post(gateway, "shaped", { fail: true });
    expect(failed).toEqual({ status: 500, body: { ok: false, error: "hook mapping failed" } });
    expect(gateway.readLog()).toContain("an inner secret");
  });

  test("of a preset says what the event is about", async () => {
    const mail = { messages: [{ id: "m1", from: "Ann", subject: "Lunch?", snippet: "Friday" }] };
    const { status, body } = await post(gateway, "gmail", mail);
    expect(status).toBe(200);
    await settled(client, runOf(body));
    expect((await client.call("runs.explain", { id: body["runId"] })).sessionKey).toBe("agent:main:hook:gmail:m1");
    expect(
      asked(gateway).some((text) => text.includes("New e-mail from Ann") && text.includes("Subject: Lunch?")),
    ).toBe(true);
  });

  test.for<[string, unknown, string]>([
    ["wake", {}, "text required"],
    ["wake", { text: "  " }, "text required"],
    ["wake", { text: "x", mode: "soon" }, "mode must be now or next-heartbeat"],
    ["agent", {}, "message required"],
    ["agent", [], "the body must be a JSON object"],
    ["agent", { message: 5 }, "message must be a text"],
    ["agent", { message: "" }, "message required"],
    ["agent", { message: "x", model: "" }, "model required"],
    ["agent", { message: "x", channel: "pigeon" }, expect.stringMatching(/^channel must be last\|telegram\|.*fake/)],
    ["agent", { message: "x", agentId: "third" }, "agentId is not allowed by hooks.allowedAgentIds"],
    ["agent", { message: "x", agentId: " " }, "agentId must not be blank; leave it out for the default agent"],
    ["agent", { message: "x", sessionKey: "main" }, expect.stringContaining("hooks.allowRequestSessionKey")],
    ["agent", { message: "x", thinking: "hard" }, expect.stringContaining("thinking must be off|")],
    ["agent", { message: "x", timeoutSeconds: -1 }, expect.stringContaining("timeoutSeconds must be")],
    ["agent", "{", "The body is not valid JSON."],
    ["shaped", "{", "The body is not valid JSON."],
    ["ticket", { source: "desk2" }, undefined as never],
  ])("at %s is told what is wrong with %j", async ([path, body, error]) => {
    const answer = await post(gateway, path, body);
    if (error === undefined) expect(answer.status).toBe(200);
    else expect(answer).toEqual({ status: 400, body: { ok: false, error } });
  });

  test("is tried without any effect, and sent with the signature its sender would make", async () => {
    const before = gateway.model.requests.length;
    const dry = await client.call("webhooks.test", { hook: "github" });
    expect(dry).toMatchObject({
      mapping: "github",
      outcome: "agent",
      agentId: "main",
      proof: { kind: "signature", type: "github", verdict: "needed" },
      delivery: { mode: "chat", channel: "fake", to: "ops" },
      text: expect.stringContaining("Login fails after the update"),
    });
    expect(gateway.model.requests).toHaveLength(before);
    const sent = await client.call("webhooks.test", { hook: "github", send: true });
    expect(sent).toMatchObject({ proof: { verdict: "computed" }, answer: { status: 200 } });
    await settled(client, JSON.parse(sent.answer.body).runId);
    expect(JSON.stringify(await client.call("webhooks.list"))).not.toContain(SECRET);
  });

  test("that is not there says why", async () => {
    const { webhooks } = await client.call("webhooks.list");
    const stripe = webhooks.find(({ id }: Json) => id === "stripe");
    expect(stripe).toMatchObject({ absent: expect.stringContaining("signature.secret") });
    const { error } = await client.request("webhooks.test", { hook: "stripe" });
    expect(error?.message).toContain("The mapping stripe is not there");
    expect((await post(gateway, "stripe", {})).status).toBe(404);
  });
});

test("after a restart, an event is still known", async () => {
  using directory = createStateDirectory({
    hooks: { enabled: true, mappings: [{ preset: "github", signature: { secret: SECRET } }] },
  });
  const body = JSON.stringify({ action: "opened", issue: { number: 1, title: "Kept" } });
  let runId = "";
  {
    await using first = await startTestGateway({ stateDir: directory.path });
    const answer = await post(first, "github", body, github(body), null);
    runId = runOf(answer.body);
    await settled(await first.connect(), runId);
  }
  await using second = await startTestGateway({ stateDir: directory.path });
  expect((await post(second, "github", body, github(body), null)).body).toEqual({ ok: true, runId, duplicate: true });
  expect(second.model.requests).toHaveLength(0);
});
