// S-29: secrets are planted, everything is used, and then looked for in everything that came out.
import { randomUUID } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { METHODS } from "@chela/sdk/protocol";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const API_KEY = "canary-api-key-in-the-configuration";
const ENV_KEY = "canary-api-key-in-the-environment";
const HOOKS_TOKEN = "canary-token-of-the-hooks";
const CLI_SECRET = "canary-secret-of-the-scripts";

function startWithCanaries(): Promise<TestGateway> {
  const models = [{ id: "gpt", name: "GPT" }];
  const cloud = { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: API_KEY, models };
  return startTestGateway({
    config: { models: { providers: { cloud } }, hooks: { token: HOOKS_TOKEN } },
    env: { ANTHROPIC_API_KEY: ENV_KEY, OPENCLAW_CLI_SECRET: CLI_SECRET, OPENCLAW_CLI_PORT: "0" },
  });
}

/** Calls everything, with the secret in places where it does not belong. */
async function useEverything(gateway: TestGateway, client: WireClient, canaries: readonly string[]): Promise<void> {
  for (const method of Object.keys(METHODS)) await client.request(method, {});
  for (const secret of canaries) {
    for (const params of [
      { message: "hello", sessionKey: `${secret}/x`, idempotencyKey: randomUUID() },
      { message: "hello", sessionKey: "main", idempotencyKey: secret },
      { message: "hello", agentId: secret, idempotencyKey: randomUUID() },
    ]) {
      const { error } = await client.request("agent", params);
      if (error) expect(error.code).toBe("INVALID_REQUEST");
    }
    await gateway.fetch(`/nowhere?token=${secret}`, { token: secret });
    await gateway.fetch("/v1/models", { token: secret });
  }
  await client.call("sessions.patch", { key: "agent:main:cloud", model: "cloud/gpt" });
  await client.chat("call the cloud", { sessionKey: "agent:main:cloud" });
  await gateway.dial({ token: "wrong" }).tryConnect();
  const { hash: baseHash } = await client.call("config.get");
  await client.call("config.patch", { raw: '{ui: {seamColor: "#123456"}}', baseHash });
  await client.request("config.patch", { raw: `{gateway: {port: "${API_KEY}"}}`, baseHash });
}

test("S-29: no planted secret comes out of the log or an answer", async () => {
  await using gateway = await startWithCanaries();
  const client = await gateway.connect();
  const deviceToken = String(client.hello.auth.deviceToken);
  const configured = [gateway.token, API_KEY, ENV_KEY, HOOKS_TOKEN, CLI_SECRET];
  await useEverything(gateway, client, configured);
  const log = gateway.readLog();
  expect(log).toContain("[redacted]");
  for (const secret of [...configured, deviceToken]) expect([secret, log.includes(secret)]).toEqual([secret, false]);

  const reader = await gateway.connect({ scopes: ["operator.admin"] });
  for (const [method, params] of [
    ["config.get", {}],
    ["logs.tail", { limit: 5000 }],
    ["device.pair.list", {}],
    ["status", {}],
    ["health", { probe: true }],
    ["models.list", {}],
    ["system-presence", {}],
    ["config.schema", {}],
  ] as const) {
    const text = JSON.stringify(await reader.call(method, params));
    for (const secret of [...configured, deviceToken]) {
      expect([method, secret, text.includes(secret)]).toEqual([method, secret, false]);
    }
  }
});

test("S-29: the log of a gateway that made its own token does not show it", async () => {
  await using gateway = await startTestGateway({ rawConfig: "{}" });
  const { readFileSync } = await import("node:fs");
  const token = /[0-9a-f]{48}/.exec(readFileSync(gateway.configPath, "utf8"))?.[0] ?? "";
  expect(token).toHaveLength(48);
  const client = await gateway.connect({ token });
  await client.request("agent", { message: "hello", sessionKey: `${token}/x`, idempotencyKey: token });
  expect(gateway.readLog()).toContain("[redacted]");
  expect(gateway.readLog()).not.toContain(token);
});

test("S-29: only this user can read what the gateway writes", async () => {
  await using gateway = await startWithCanaries();
  const client = await gateway.connect();
  await client.agent("hello");
  const { hash: baseHash } = await client.call("config.get");
  await client.call("config.patch", { raw: '{ui: {seamColor: "#123456"}}', baseHash });
  gateway.readLog();
  await gateway.gateway.stop("stop");
  const mode = (path: string) => statSync(path).mode & 0o777;
  for (const entry of readdirSync(gateway.stateDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.startsWith(gateway.pageRoot)) continue;
    expect([path, mode(path) & 0o077]).toEqual([path, 0]);
  }
});
