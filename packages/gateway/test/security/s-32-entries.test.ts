// S-32: names that every object already has, in every object of every JSON that comes in: no effect beyond their place.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { METHODS, type MethodName } from "@chela/sdk/protocol";
import { callTools, say } from "@chela/sdk/testing";
import { contentsWith, openRawStage } from "../support/stages/channel-stage.ts";
import { createStateDirectory, startTestGateway, TEST_TOKEN } from "../support/in-process.ts";
import { fillWith, findTexts, shapeOf } from "../support/security/parameter-tree.ts";
import { expectNoPollution, poisonAll, poisonEverywhere, RESERVED } from "../support/durability/poison.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectNode } from "../support/test-node.ts";
import type { Json } from "../support/wire-client.ts";

afterEach(expectNoPollution);

const LIVELY: readonly string[] = ["security.fix", "security.audit", "sandbox.selftest", "agent.wait", "setup.scan"];

test("in the parts of parameters of every method", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { client: node } = await connectNode(gateway);
  const sample = (name: string): unknown => (name === "idempotencyKey" ? randomUUID() : "x");
  const methods = (Object.keys(METHODS) as MethodName[]).filter((method) => !LIVELY.includes(method));
  let count = 0;
  for (const method of methods) {
    const asking = "role" in METHODS[method] && METHODS[method].role === "node" ? node : client;
    const shape = shapeOf(METHODS[method].params());
    const deep = findTexts(shape).filter((spot) => spot.length > 1);
    // With what is at least needed, and with each part that lies deeper; nobody waits for a person.
    const soon = shape.properties?.["timeoutMs"] ? { timeoutMs: 1 } : {};
    const calls = [[], ...deep].map((spot) => {
      const filled = fillWith(shape, spot.length > 0 ? spot : undefined, "x", sample) as Json;
      return { ...filled, ...soon };
    });
    const texts = [...new Set(calls.flatMap(poisonAll))];
    count += texts.length;
    for (const [index, params] of texts.entries()) {
      asking.sendText(`{"type":"req","id":"${method} ${index}","method":"${method}","params":${params}}`);
    }
    for (const index of texts.keys())
      await asking.until(`an answer of ${method}`, () => asking.responsesTo(`${method} ${index}`).at(-1));
    asking.frames.length = 0;
  }
  countCases("S-32", count);
  expect(gateway.gateway.config.current().channels).toBeUndefined();
  expect((await client.request("health")).ok).toBe(true);
});

/** Files that are read at a start, each as another program or another version may have written it. */
const FILES: Readonly<Record<string, unknown>> = {
  "exec-approvals.json": { version: 1, defaults: {}, agents: { main: { allowlist: [{ pattern: "/bin/ls" }] } } },
  "devices/paired.json": { d1: { deviceId: "d1", publicKey: "x", role: "operator", scopes: [], tokens: {} } },
  "devices/pending.json": { r1: { requestId: "r1", deviceId: "d2", publicKey: "x", ts: 1 } },
  "cron/jobs.json": {
    version: 1,
    jobs: [
      {
        id: "j",
        name: "j",
        enabled: true,
        schedule: { kind: "every", everyMs: 3_600_000 },
        payload: { kind: "systemEvent", text: "x" },
        state: {},
      },
    ],
  },
  "agents/main/sessions/sessions.json": { "agent:main:main": { sessionId: "s1", updatedAt: 1, skillsSnapshot: {} } },
  "agents/main/agent/auth-profiles.json": {
    version: 1,
    profiles: { "openai:x": { type: "api_key", provider: "openai", key: "k" } },
  },
  "credentials/fake-allowFrom.json": { version: 1, allowFrom: [] },
  "credentials/fake-pairing.json": { version: 1, requests: [{ id: "p", code: "ABCDEFGH", createdAt: "2026-01-01" }] },
  "hooks/pins.json": {
    version: 1,
    hooks: { h: { directory: "/x", digest: "x", enabledAt: 1, guard: false, events: [] } },
  },
};
const TRANSCRIPT: readonly unknown[] = [
  { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" },
  {
    type: "message",
    id: "a",
    parentId: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: [{ type: "text", text: "hi" }] },
  },
];

test.each(RESERVED)("%s in every file of the state directory", async (name) => {
  using state = createStateDirectory();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(state.path, path)), { recursive: true });
    writeFileSync(join(state.path, path), text);
  };
  for (const [path, content] of Object.entries(FILES)) put(path, poisonEverywhere(content, name));
  put("agents/main/sessions/s1.jsonl", `${TRANSCRIPT.map((line) => poisonEverywhere(line, name)).join("\n")}\n`);
  countCases("S-32", Object.keys(FILES).length + 1);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect({ isToldAnything: true });
  for (const method of [
    "cron.list",
    "sessions.list",
    "device.pair.list",
    "exec.approvals.get",
    "pairing.list",
    "hooks.list",
    "models.list",
  ])
    await client.request(method, {});
  await client.request("chat.history", { sessionKey: "agent:main:main" });
  expect(await client.agent("hello", { sessionKey: "agent:main:other" })).toContain("echo: ");
  const stranger = await gateway.dial({ token: "wrong", headers: { "x-forwarded-for": "203.0.113.9" } }).tryConnect();
  expect(stranger.ok).toBe(false);
});

test("in a configuration file, and in a patch of one, each is refused and the last good one stays", async () => {
  const rich = {
    gateway: { auth: { mode: "token", token: TEST_TOKEN } },
    agents: {
      defaults: { model: "scripted/test", models: { "scripted/test": { alias: "t" } } },
      list: [{ id: "main", tools: {} }],
    },
    models: {
      providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }], headers: {} } },
    },
    channels: { fake: { accounts: { one: {} } } },
    hooks: { internal: { entries: { a: { env: {} } } } },
  };
  await using gateway = await startTestGateway();
  const texts = poisonAll(rich);
  countCases("S-32", texts.length * 2);
  const patient = await gateway.connect();
  const { hash: baseHash } = await patient.call("config.get");
  for (const raw of texts) {
    const { error } = await patient.request("config.set", { raw, baseHash });
    expect(error?.message ?? "it was taken").toMatch(/^invalid config/);
    const check = await patient.request("config.check", { raw });
    expect(JSON.stringify(check)).toMatch(/cannot be a key|reserved|__proto__|constructor|prototype/);
  }
  for (const raw of poisonAll({ ui: { assistant: {} }, agents: { list: [{}] } })) {
    await using client = await gateway.connect();
    const { error } = await client.request("config.patch", { raw, baseHash });
    expect(error?.message ?? "it was taken").toMatch(/^invalid config/);
  }
  expect((await patient.call("config.get")).hash).toBe(baseHash);
});

test("in what a model calls tools with, and in what a provider answers", async () => {
  let turn = 0;
  const args = poisonAll({ path: "a.txt", content: "x", env: { a: "b" }, delivery: {}, schedule: {}, media: "x" });
  const provider = createServer((request, response) => {
    request.resume().once("end", () => {
      const calls = args.map((text, index) => ({
        index,
        id: `c${index}`,
        type: "function",
        function: { name: ["write", "exec", "cron", "message", "web_fetch"][index % 5], arguments: text },
      }));
      const delta = turn++ === 0 ? { tool_calls: calls } : { content: "done" };
      const chunk = { id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }] };
      const end = {
        id: "x",
        choices: [{ index: 0, delta: {}, finish_reason: turn === 1 ? "tool_calls" : "stop" }],
        usage: { prompt_tokens: 1 },
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const part of [chunk, end]) response.write(`data: ${poisonEverywhere(part, RESERVED[turn % 3] ?? "")}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const real = { baseUrl, api: "openai-completions", apiKey: "k", models: [{ id: "m", name: "M" }] };
  {
    await using gateway = await startTestGateway({
      config: {
        models: {
          providers: { real, scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } },
        },
        agents: { defaults: { model: "real/m", sandbox: { mode: "off" } } },
        tools: { loopDetection: { enabled: false }, exec: { security: "deny" } },
      },
    });
    const client = await gateway.connect();
    expect(await client.agent("go")).toBe("done");
    await client.call("sessions.patch", { key: "agent:main:s", model: "scripted/test" });
    const names = (await client.call("tools.catalog", {})).groups.flatMap(({ tools }: { tools: Json[] }) =>
      tools.map(({ id }) => id),
    );
    const calls = names.flatMap((name: string) =>
      args.slice(0, 7).map((text, index) => ({ id: `${name}${index}`, name, arguments: JSON.parse(text) as Json })),
    );
    gateway.model.script(callTools(calls), say("done"));
    expect((await client.chat("go", { sessionKey: "agent:main:s" })).payload.state).toBe("final");
    countCases("S-32", args.length + calls.length);
    expect(existsSync(join(gateway.stateDir, "polluted"))).toBe(false);
  }
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

test("in webhooks, their templates, and what comes from channels", async () => {
  const token = "token-of-the-hooks-0123456789abcdef";
  const reach = RESERVED.map(
    (name) => `{{${name}}} {{${name}.polluted}} {{payload.${name}.constructor.name}} {{a.${name}}}`,
  );
  await using stage = await openRawStage({
    config: {
      hooks: {
        enabled: true,
        token,
        mappings: [
          {
            match: { path: "mapped" },
            action: "wake",
            textTemplate: `said {{a.b}} ${reach.join(" ")}`,
            wakeMode: "next-heartbeat",
          },
        ],
      },
    },
  });
  const bodies = poisonAll({ message: "x", text: "x", deliver: false, wakeMode: "next-heartbeat", a: { b: "c" } });
  for (const path of ["agent", "wake", "mapped"]) {
    for (const body of bodies) {
      const init = { method: "POST", body, headers: { "content-type": "application/json" }, token };
      expect((await stage.gateway.fetch(`/hooks/${path}`, init)).status).toBeLessThan(500);
    }
  }
  const event = {
    id: "1",
    chat: { kind: "direct", id: "mallory" },
    sender: { id: "mallory", name: "M" },
    at: 1,
    content: contentsWith("hello").message,
  };
  for (const [index, text] of poisonAll(event).entries()) {
    const received = await stage
      .receive({ ...(JSON.parse(text) as Json), id: `e${index}` })
      .catch(() => ({ kind: "refused" }));
    expect(received.kind).not.toBe("accepted");
  }
  countCases("S-32", bodies.length * 3 + poisonAll(event).length);
  await stage.client.chat("what happened?");
  const told = JSON.stringify(stage.model.requests);
  expect(told).toContain("said c");
  expect(told).not.toMatch(/native code|function Object|\[object Object\]/);
});
