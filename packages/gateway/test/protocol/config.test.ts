// Methods about the configuration: nobody's change is lost, no secret is shown, and nobody changes it all the time.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { startTestGateway } from "../support/in-process.ts";

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

test("a caller has three changes a minute, and is told when the next is possible", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  const change = async (seamColor: string, method = "config.patch") => {
    const { hash: baseHash } = await client.call("config.get");
    return client.request(method, { raw: JSON.stringify({ ui: { seamColor } }), baseHash });
  };
  for (const color of ["#111111", "#222222", "#333333"]) expect((await change(color)).ok).toBe(true);
  await clock.advance(20_000);
  for (const method of ["config.patch", "config.apply"]) {
    expect((await change("#444444", method)).error).toEqual({
      code: "UNAVAILABLE",
      message: `rate limit exceeded for ${method}; retry after 40s`,
      retryable: true,
      retryAfterMs: 40_000,
      details: { method, limit: "3 per 60s" },
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
