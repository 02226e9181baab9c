// Methods about the configuration: nobody's change is lost, no secret is shown, and nobody changes it all the time.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { eventually, startTestGateway } from "../support/in-process.ts";

const REDACTED = "__OPENCLAW_REDACTED__";

test("config.get shows the file as it is, without secrets", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const shown = await client.call("config.get");
  const text = readFileSync(gateway.configPath, "utf8");
  expect(shown).toMatchObject({ path: gateway.configPath, exists: true, valid: true, issues: [] });
  expect(shown.hash).toBe(createHash("sha256").update(text).digest("hex"));
  expect(shown.raw).toBe(text.replace(gateway.token, REDACTED));
  for (const view of [shown.parsed, shown.resolved, shown.config]) {
    expect(view.gateway.auth).toEqual({ mode: "token", token: REDACTED });
  }
  expect(JSON.stringify(shown)).not.toContain(gateway.token);
});

test("config.get names what is wrong and what has no effect as config.check does of the same text", async () => {
  const config = { web: { heartbeatSeconds: 3 }, nonsense: 1, tools: { nope: 1 }, commands: { bash: true } };
  await using gateway = await startTestGateway({ config: config as never });
  const client = await gateway.connect();
  const shown = await client.call("config.get");
  const told = await client.call("config.check", { raw: readFileSync(gateway.configPath, "utf8") });
  expect(shown.notes).toEqual(told.notes);
  expect(shown.notes.map(({ path }: { path: string }) => path).toSorted()).toEqual(["commands.bash", "web"]);
  const paths = (issues: ReadonlyArray<{ path: string }>): string[] => issues.map(({ path }) => path);
  expect(paths(shown.warnings)).toEqual(["nonsense", "tools.nope"]);
  expect(paths(told.issues)).toEqual(paths(shown.warnings));
});

test("config.get shows the text itself to administrators only, and no secret under whatever name", async () => {
  const secrets = { pass: "hunter2-canary", smtpPwd: "canary-two", "signing-key": "canary-three" };
  const config = { hooks: { internal: { entries: { mail: { enabled: false, config: secrets } } } } };
  const remark = "// the old one was canary-four\n";
  await using gateway = await startTestGateway({ config });
  writeFileSync(gateway.configPath, remark + readFileSync(gateway.configPath, "utf8"));
  const admin = await gateway.connect();
  const reader = await gateway.connect({ scopes: ["operator.read"] });
  const shown = await eventually("the remark is read", async () => {
    const now = await admin.call("config.get");
    return now.raw.includes("canary-four") ? now : undefined;
  });
  expect(JSON.stringify(shown)).not.toMatch(/hunter2-canary|canary-two|canary-three/);
  const read = await reader.call("config.get");
  expect([read.raw, read.hash]).toEqual([null, shown.hash]);
  expect(JSON.stringify(read)).not.toContain("canary");
});

test("a change needs the hash of what it is based on", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const raw = JSON.stringify({ ui: { seamColor: "#ff0000" } });
  const { hash } = await client.call("config.get");
  const attempt = async (method: string, params: object) => (await client.request(method, params)).error;
  const before = readFileSync(gateway.configPath, "utf8");
  expect(await attempt("config.set", { raw })).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(/^config base hash required; /),
  });
  expect(await attempt("config.set", { raw, baseHash: "0".repeat(64) })).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(/^config changed since last load; /),
  });
  expect(readFileSync(gateway.configPath, "utf8")).toBe(before);
  const patched = await client.call("config.patch", { raw, baseHash: hash });
  expect(patched).toMatchObject({ ok: true, path: gateway.configPath, config: { ui: { seamColor: "#ff0000" } } });
  expect(patched.restart).toMatchObject({ ok: true, pid: process.pid });
  expect(patched.sentinel.payload).toMatchObject({ kind: "config-patch", status: "ok" });
  expect(JSON.stringify(patched)).not.toContain(gateway.token);
  expect(await attempt("config.patch", { raw, baseHash: hash })).toMatchObject({ code: "INVALID_REQUEST" });
  expect(readFileSync(gateway.configPath, "utf8")).toContain(gateway.token);
});

test("of two changes based on the same version, one is made", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { hash: baseHash } = await client.call("config.get");
  const change = (seamColor: string) =>
    client.request("config.patch", { raw: JSON.stringify({ ui: { seamColor } }), baseHash });
  const answers = await Promise.all([change("#111111"), change("#222222")]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
});

test("what was shown redacted may be sent back, and stays what it was", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { raw, hash: baseHash } = await client.call("config.get");
  const changed = raw.replace('"debounceMs": 1', '"debounceMs": 2');
  await client.call("config.set", { raw: changed, baseHash });
  const text = readFileSync(gateway.configPath, "utf8");
  expect(text).toContain(gateway.token);
  expect(text).toContain('"debounceMs": 2');
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
});

test.for([
  ["config.patch", JSON.stringify({ gateway: { port: "many" } })],
  ["config.patch", '{"__proto__": {"polluted": true}}'],
  ["config.patch", "[]"],
  ["config.patch", "{"],
  ["config.set", JSON.stringify({ gateway: { bind: "everywhere" } })],
  ["config.set", "not json5 {"],
] as const)("%s with %s changes nothing and says why", async ([method, raw]) => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { hash: baseHash } = await client.call("config.get");
  const before = readFileSync(gateway.configPath, "utf8");
  const { error } = await client.request(method, { raw, baseHash });
  expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(/^invalid config/) });
  expect(readFileSync(gateway.configPath, "utf8")).toBe(before);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a caller has thirty changes a minute, and is told when the next is possible", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  const change = async (seamColor: string, method = "config.patch") => {
    const { hash: baseHash } = await client.call("config.get");
    return client.request(method, { raw: JSON.stringify({ ui: { seamColor } }), baseHash });
  };
  for (let count = 10; count < 40; count++) expect((await change(`#1111${count}`)).ok).toBe(true);
  await clock.advance(20_000);
  for (const method of ["config.patch", "config.apply"]) {
    expect((await change("#444444", method)).error).toEqual({
      code: "UNAVAILABLE",
      message: `rate limit exceeded for ${method}; retry after 40s`,
      retryable: true,
      retryAfterMs: 40_000,
      details: { method, limit: "30 per 60s" },
    });
  }
  const other = await gateway.connect();
  const { hash: baseHash } = await other.call("config.get");
  const raw = JSON.stringify({ ui: { seamColor: "#555555" } });
  expect((await other.request("config.patch", { raw, baseHash })).ok).toBe(true);
  await clock.advance(40_000);
  expect((await change("#666666")).ok).toBe(true);
});

test("config.schema describes every key for editors", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { schema, uiHints } = await client.call("config.schema");
  expect(schema.properties.gateway.properties.port).toBeDefined();
  expect(uiHints["gateway.auth.token"]).toMatchObject({ sensitive: true });
});

test("every key of config.schema has a label, a sentence, a group and a place", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { uiHints } = await client.call("config.schema");
  const hints = Object.entries(
    uiHints as Record<string, { label: string; help: string; group: string; order: number }>,
  );
  expect(hints.length).toBeGreaterThan(1000);
  const poor = hints.filter(([, hint]) => !hint.label || !/[.!]$/.test(hint.help) || !hint.group || hint.order < 0);
  expect(poor.map(([path]) => path)).toEqual([]);
  expect(uiHints["gateway.port"]).toMatchObject({ group: "gateway", label: "Port" });
  expect(uiHints["channels"].help).toContain("platforms");
  expect(uiHints["talk.voiceId"]).toMatchObject({ advanced: true });
});

test.for(["config.set", "config.apply", "config.patch"])(
  "%s puts secrets back that a client was shown as placeholders",
  async (method) => {
    const key = "sk-of-the-provider-0123456789";
    await using gateway = await startTestGateway({
      config: {
        models: { providers: { own: { baseUrl: "http://127.0.0.1:9", apiKey: key, models: [] } } },
        env: { vars: { SOME_TOKEN: "a-token-in-the-environment" } },
      },
    });
    const client = await gateway.connect();
    const { raw, config, hash: baseHash } = await client.call("config.get");
    expect(raw).not.toContain(key);
    const { own } = config.models.providers;
    const patch = { models: { providers: { own: { ...own, baseUrl: "http://127.0.0.1:10" } } } };
    const sent =
      method === "config.patch" ? JSON.stringify(patch) : raw.replace(/127\.0\.0\.1:9(",\s*"apiKey)/, "127.0.0.1:10$1");
    await client.call(method, { raw: sent, baseHash });
    const text = readFileSync(gateway.configPath, "utf8");
    for (const word of [key, gateway.token, "a-token-in-the-environment", "127.0.0.1:10"]) expect(text).toContain(word);
    expect(text).not.toContain(REDACTED);
  },
);

test("config.check tells what is wrong with a text, and where, and writes nothing", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { raw } = await client.call("config.get");
  const before = readFileSync(gateway.configPath, "utf8");
  const check = (text: string) => client.call("config.check", { raw: text });
  expect(await check(raw)).toEqual({ ok: true, issues: [], notes: [] });
  expect(await check('{\n  gateway: { port: "many" },\n  uii: {},\n  talk: { voiceId: "x" },\n}')).toEqual({
    ok: false,
    issues: [
      { path: "gateway.port", message: expect.any(String), level: "error", line: 2, column: 14 },
      { path: "uii", message: expect.stringContaining("ui"), level: "warning", line: 3, column: 3 },
    ],
    notes: [{ path: "talk", message: expect.stringContaining("no effect") }],
  });
  expect(await check("{\n  gateway: {\n")).toMatchObject({
    ok: false,
    issues: [{ path: "", level: "error", line: expect.any(Number), column: expect.any(Number) }],
  });
  const nothingBehind = await check(`{ channels: { telegram: { botToken: "${REDACTED}" } } }`);
  expect(nothingBehind).toMatchObject({
    ok: false,
    issues: [{ level: "error", message: expect.stringContaining(REDACTED) }],
  });
  expect(readFileSync(gateway.configPath, "utf8")).toBe(before);
  const reader = await gateway.connect({ scopes: ["operator.read"] });
  expect((await reader.request("config.check", { raw })).error?.message).toBe("missing scope: operator.admin");
});

test("who changes an old version is told that somebody changed it meanwhile", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { hash: baseHash } = await client.call("config.get");
  const change = (seamColor: string) => ({ raw: JSON.stringify({ ui: { seamColor } }), baseHash });
  await client.call("config.patch", change("#111111"));
  for (const method of ["config.set", "config.patch"]) {
    const { error } = await client.request(method, change("#222222"));
    expect(error?.message).toContain("changed it meanwhile");
  }
});

test("one place of the schema can be looked up, with what is below it", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect({ scopes: ["operator.read"] });
  const look = (path: string) => client.call("config.schema.lookup", { path });
  const whole = await look("gateway");
  expect(whole).toMatchObject({ path: "gateway", hintPath: "gateway", schema: { type: "object" } });
  expect(whole.children).toContainEqual(
    expect.objectContaining({
      key: "port",
      path: "gateway.port",
      type: "integer",
      required: false,
      hasChildren: false,
    }),
  );
  expect(await look("gateway.port")).toMatchObject({ schema: { type: "integer" }, children: [] });
  const agent = await look("agents.list[]");
  expect(agent.path).toBe("agents.list.*");
  expect(agent.children).toContainEqual(expect.objectContaining({ key: "id", required: true }));
  expect((await look("agents.list.0")).children.map(({ key }: { key: string }) => key)).toEqual(
    agent.children.map(({ key }: { key: string }) => key),
  );
  expect(await look("models.providers.mine.apiKey")).toMatchObject({
    hintPath: "models.providers.*.apiKey",
    hint: { sensitive: true },
  });
  for (const path of ["nope", "gateway.nope", ".", "__proto__", "gateway.__proto__", "agents.list.x"]) {
    const { error } = await client.request("config.schema.lookup", { path });
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "config schema path not found" });
  }
  expect((await client.request("config.schema.lookup", { path: "a b" })).error?.code).toBe("INVALID_REQUEST");
});

test("secrets are looked for again when somebody says so, and never handed out", async () => {
  const secret = "sk-a-secret-of-this-test";
  const pointed = { source: "env", provider: "default", id: "MINE" };
  await using gateway = await startTestGateway({
    config: { models: { providers: { mine: { baseUrl: "http://127.0.0.1:9", apiKey: pointed, models: [] } } } },
    env: { MINE: secret },
  });
  const client = await gateway.connect();
  expect(await client.call("secrets.reload")).toEqual({ ok: true, warningCount: 0 });
  const { hash: baseHash } = await client.call("config.get");
  const gone = { source: "file", provider: "nobody", id: "/key" };
  const raw = JSON.stringify({ models: { providers: { mine: { apiKey: gone } } } });
  await client.call("config.patch", { raw, baseHash });
  expect(await client.call("secrets.reload")).toEqual({ ok: true, warningCount: 1 });
  const targetIds = ["models.providers.*.apiKey", "gateway.auth.token"];
  const resolved = await client.call("secrets.resolve", { commandName: "models status", targetIds });
  expect(resolved).toEqual({ ok: true, assignments: [], diagnostics: [], inactiveRefPaths: [] });
  const { error } = await client.request("secrets.resolve", { commandName: "x", targetIds: ["gateway.port"] });
  expect(error?.message).toBe('invalid secrets.resolve params: unknown target id "gateway.port"');
  expect(JSON.stringify(client.frames)).not.toContain(secret);
});

test("a gateway tells which device it is to others", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect({ scopes: ["operator.read"] });
  const { deviceId, publicKey } = await client.call("gateway.identity.get");
  expect(createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex")).toBe(deviceId);
  expect(await client.call("gateway.identity.get")).toEqual({ deviceId, publicKey });
});
