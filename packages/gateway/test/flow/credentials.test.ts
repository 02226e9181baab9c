// The vault in the whole gateway: what refers to it works, changes without a restart, and never shows a value.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConfigStore, resolveStatePaths } from "../../src/rooms/config/room.ts";
import { systemClock } from "@chela/sdk/base";
import { createLog } from "../../src/base/log.ts";
import { openVault } from "../../src/cli/offline/vault.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";

const CANARY = "sk-canary-0123456789abcdef";
const OTHER = "sk-canary-fedcba9876543210";

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly requests: string[];
}

/** A service that judges what it is asked. */
async function openService(judge: (request: IncomingMessage) => { status: number; body: string }): Promise<Service> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const { status, body } = judge(request);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const valueOf = (stateDir: string, id: string): string | undefined => {
  const found = openVault(resolveStatePaths({ OPENCLAW_STATE_DIR: stateDir }), {}).find(id);
  return found.kind === "found" ? found.secret.reveal() : undefined;
};

test("a reference in the configuration stands for the value, and every answer shows only the reference", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const add = { id: "hook", service: "hooks", value: CANARY };
  expect(await client.call("credentials.add", add)).toMatchObject({ credential: { id: "hook", usedBy: [] } });
  const { hash } = await client.call("config.get");
  const patch = { hooks: { token: "vault:hook" } };
  await client.call("config.patch", { raw: JSON.stringify(patch), baseHash: hash });
  expect(gateway.gateway.config.current().hooks?.token).toBe(CANARY);
  expect(readFileSync(gateway.configPath, "utf8")).toContain('"vault:hook"');
  const shown = await client.call("config.get");
  expect(shown.raw).toContain("vault:hook");
  expect(shown.parsed.hooks.token).toBe("vault:hook");
  expect((await client.call("credentials.list")).credentials).toMatchObject([{ id: "hook", usedBy: ["hooks.token"] }]);

  await client.call("credentials.add", { ...add, value: OTHER, replace: true });
  expect(gateway.gateway.config.current().hooks?.token).toBe(OTHER);
  await expect(client.call("credentials.remove", { id: "hook" })).rejects.toThrow(/is used by hooks\.token/);
  gateway.gateway.log.error(`said by accident: ${CANARY} ${OTHER}`);
  for (const secret of [CANARY, OTHER]) {
    expect(JSON.stringify(client.frames)).not.toContain(secret);
    expect(gateway.readLog()).not.toContain(secret);
    expect(readFileSync(join(gateway.stateDir, "openclaw.json"), "utf8")).not.toContain(secret);
  }
});

test("a reference is followed only where a secret belongs", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  await client.call("credentials.add", { id: "x", service: "x", value: CANARY });
  const { hash } = await client.call("config.get");
  const patch = { agents: { list: [{ id: "main", name: "vault:x" }] } };
  await client.call("config.patch", { raw: JSON.stringify(patch), baseHash: hash });
  expect(gateway.gateway.config.current().agents?.list?.[0]?.name).toBe("vault:x");
});

test("a reference to nothing is refused when it is written, and at a start leaves the rest in force", async () => {
  using directory = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: directory.path });
    const client = await gateway.connect();
    const { hash } = await client.call("config.get");
    const raw = JSON.stringify({ hooks: { token: "vault:nothing" } });
    await expect(client.call("config.patch", { raw, baseHash: hash })).rejects.toThrow(
      /"nothing", which cannot be had/,
    );
    await client.call("credentials.add", { id: "nothing", service: "hooks", value: CANARY });
    await client.call("config.patch", { raw, baseHash: hash });
  }
  writeFileSync(join(directory.path, "credentials", "vault.key"), "{}");
  await using gateway = await startTestGateway({ stateDir: directory.path });
  expect(gateway.gateway.config.current().hooks?.token).toBeUndefined();
  expect(gateway.gateway.config.current().agents?.defaults?.model).toBe("scripted/test");
  expect(gateway.readLog()).toContain("vault.key is damaged");
});

test("everything plain is moved, goes on working without a restart, and comes back equal", async () => {
  using directory = createStateDirectory({ channels: { telegram: { enabled: false, botToken: `1:${CANARY}` } } });
  const stateDir = directory.path;
  const agentDir = join(stateDir, "agents", "main", "agent");
  mkdirSync(agentDir, { recursive: true });
  mkdirSync(join(stateDir, "credentials"));
  const profiles = {
    version: 1,
    profiles: {
      "openai:default": { type: "api_key", provider: "openai", key: `${CANARY}-key` },
      "old:one": { mode: "api_key", provider: "groq", apiKey: `${CANARY}-old` },
      "anthropic:manual": { type: "token", provider: "anthropic", token: `${CANARY}-token`, expires: 4102444800000 },
      "openai-codex:me": {
        type: "oauth",
        provider: "openai-codex",
        access: `${CANARY}-access`,
        refresh: `${CANARY}-refresh`,
        expires: 4102444800000,
        accountId: "me",
      },
      "google:ref": { type: "api_key", provider: "google", keyRef: { source: "env", provider: "default", id: "G" } },
    },
    order: { openai: ["openai:default"] },
  };
  const signIns = { anthropic: { access: `${CANARY}-a`, refresh: `${CANARY}-r`, expires: 1 } };
  const env = `# mine\nGROQ_API_KEY=${CANARY}-env\nexport PLAIN=1\n`;
  const files = {
    [join(agentDir, "auth-profiles.json")]: `${JSON.stringify(profiles, null, 2)}\n`,
    [join(stateDir, "credentials", "oauth.json")]: `${JSON.stringify(signIns, null, 2)}\n`,
    [join(stateDir, ".env")]: env,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text, { mode: 0o600 });
  const before = JSON.parse(readFileSync(join(stateDir, "openclaw.json"), "utf8"));

  await using gateway = await startTestGateway({ stateDir });
  const client = await gateway.connect();
  const plain = (await client.call("credentials.list")).plain.map(({ where }: { where: string }) => where);
  expect(plain).toEqual([
    "channels.telegram.botToken",
    "agent main, profile openai:default",
    "agent main, profile old:one",
    "agent main, profile anthropic:manual",
    "agent main, profile openai-codex:me",
    "agent main, profile openai-codex:me",
    // Taken over from oauth.json, where it stays for OpenClaw.
    "agent main, profile anthropic:default",
    "agent main, profile anthropic:default",
    "oauth.json, oauth/anthropic/access",
    "oauth.json, oauth/anthropic/refresh",
    ".env, GROQ_API_KEY",
  ]);
  expect((await client.call("credentials.import")).moved).toHaveLength(plain.length);
  expect((await client.call("credentials.list")).plain).toEqual([]);
  for (const path of [...Object.keys(files), gateway.configPath, `${gateway.configPath}.bak`]) {
    expect(readFileSync(path, "utf8")).not.toContain("canary");
  }
  expect(readFileSync(join(stateDir, ".env"), "utf8")).toBe(
    `# mine\nGROQ_API_KEY=vault:env/GROQ_API_KEY\nexport PLAIN=1\n`,
  );
  const { config } = gateway.gateway;
  expect(config.current().channels?.["telegram"]).toMatchObject({ botToken: `1:${CANARY}` });
  await eventually("the variable is filled in again", () => {
    config.reload();
    return config.effectiveEnv()["GROQ_API_KEY"] === `${CANARY}-env`;
  });
  const usable = (await client.call("models.list")).models.map(({ provider }: { provider: string }) => provider);
  expect(usable).toEqual(expect.arrayContaining(["openai", "groq", "anthropic"]));
  expect(JSON.stringify(client.frames)).not.toContain("canary");
  expect((await client.call("credentials.import")).moved).toEqual([]);

  const target = join(stateDir, "exported");
  const { createStoredCredentials } = await import("../../src/house/credentials/stored-credentials.ts");
  const paths = resolveStatePaths({ OPENCLAW_STATE_DIR: stateDir });
  const log = createLog({ clock: systemClock, level: "silent", consoleLevel: "silent" });
  const desk = createStoredCredentials({
    vault: openVault(paths, {}),
    config: createConfigStore({ paths, env: {}, clock: systemClock, log, version: "1" }),
    paths,
    models: {
      setup: () => Promise.reject(new Error("not asked")),
      candidates: () => Promise.resolve([]),
      hasCredential: () => false,
    },
    clock: systemClock,
    workspaces: () => [join(stateDir, "workspace")],
  });
  desk.export(target);
  const exported = (name: string) => readFileSync(join(target, name), "utf8");
  expect(JSON.parse(exported("agents/main/agent/auth-profiles.json"))).toMatchObject(profiles);
  expect(JSON.parse(exported("credentials/oauth.json"))).toEqual(signIns);
  expect(exported(".env")).toBe(env);
  expect(JSON.parse(exported("openclaw.json"))).toMatchObject(before);
  expect(statSync(join(target, ".env")).mode & 0o777).toBe(0o600);
  expect(() => desk.export(target)).toThrow(/is not empty/);
  expect(() => desk.export(join(stateDir, "workspace", "out"))).toThrow(/lies in the workspace/);
});

test("a credential that is bound to an address is sent to no other", async () => {
  await using home = await openService(() => ({ status: 200, body: '{"data":[{"id":"m"}]}' }));
  await using elsewhere = await openService(() => ({ status: 200, body: '{"data":[{"id":"m"}]}' }));
  const provider = (baseUrl: string) => ({ api: "openai-completions", baseUrl, models: [{ id: "m", name: "M" }] });
  await using gateway = await startTestGateway({ config: { models: { providers: { house: provider(home.url) } } } });
  const client = await gateway.connect();
  await client.call("credentials.add", { id: "house", service: "house", value: CANARY, origin: home.url });
  const write = async (baseUrl: string) => {
    const { hash } = await client.call("config.get");
    const house = { ...provider(baseUrl), apiKey: "vault:house" };
    await client.call("config.patch", { raw: JSON.stringify({ models: { providers: { house } } }), baseHash: hash });
  };
  await write(home.url);
  await expect(write(elsewhere.url)).rejects.toThrow(
    /it is only for http:\/\/127\.0\.0\.1:\d+, and what stands here is sent to/,
  );
  expect(elsewhere.requests).toEqual([]);
  expect(valueOf(gateway.stateDir, "house")).toBe(CANARY);
});

test("a credential is bound to the address of its service unless told", async () => {
  await using gateway = await startTestGateway({
    config: { channels: { slack: { enabled: false, apiRoot: "https://s.example/api/" } } },
  });
  const client = await gateway.connect();
  const originOf = async (id: string, more: object) =>
    (await client.call("credentials.add", { id, value: CANARY, ...more })).credential.origin;
  expect(await originOf("a", { service: "openai" })).toBe("https://api.openai.com");
  expect(await originOf("b", { service: "telegram" })).toBe("https://api.telegram.org");
  expect(await originOf("c", { service: "slack" })).toBe("https://s.example");
  expect(await originOf("d", { service: "openai", origin: "proxy.example" })).toBe("https://proxy.example");
  expect(await originOf("e", { service: "openai", origin: "any" })).toBeUndefined();
  expect(await originOf("f", { service: "nobody" })).toBeUndefined();
  await expect(originOf("g", { service: "x", origin: "no address" })).rejects.toThrow(/is no address/);
});

test("verifying asks the service, and keeps what it said", async () => {
  await using server = await openService(({ headers }) =>
    headers["authorization"] === `Bearer ${CANARY}`
      ? { status: 200, body: '{"data":[{"id":"m"}]}' }
      : { status: 401, body: "{}" },
  );
  await using telegram = await openService(({ url: path }) =>
    path === `/bot1:good/getMe` ? { status: 200, body: '{"ok":true}' } : { status: 401, body: '{"ok":false}' },
  );
  await using gateway = await startTestGateway({
    config: {
      models: { providers: { house: { api: "openai-completions", baseUrl: server.url, models: [] } } },
      channels: { telegram: { enabled: false, apiRoot: telegram.url } },
    },
  });
  const client = await gateway.connect();
  const check = async (id: string, service: string, value: string) => {
    await client.call("credentials.add", { id, service, value });
    const { status } = await client.call("credentials.verify", { id });
    const { credentials } = await client.call("credentials.list");
    expect(credentials.find((one: { id: string }) => one.id === id)).toMatchObject({ status });
    return status;
  };
  expect(await check("right", "house", CANARY)).toBe("verified");
  expect(await check("wrong", "house", OTHER)).toBe("failed");
  expect(await check("bot", "telegram", "1:good")).toBe("verified");
  expect(await check("bad-bot", "telegram", "1:bad")).toBe("failed");
  expect(await check("hook-secret", "telegram", "no token of a bot")).toBe("unverified");
  expect(await check("mail", "mail", "a password")).toBe("unverified");
  expect(JSON.stringify(client.frames)).not.toMatch(/canary|1:good/);
});

test("a gateway without a vault makes none", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  await client.agent("hello");
  expect(() => statSync(join(gateway.stateDir, "credentials", "vault.json"))).toThrow(/ENOENT/);
});
