// S-32: what every object has by itself is nobody's name: sessions, agents, people, jobs, channels and tools that are called so.
import { expect, test } from "vitest";
import { openDoorStage } from "../support/security/door-stage.ts";
import { countCases } from "../support/security/security-cases.ts";

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "\u202emain", "maіn", "main\0", "../main"];

const CALLS: ReadonlyArray<readonly [method: string, params: (name: string) => object]> = [
  ["sessions.get", (key) => ({ key })],
  ["sessions.patch", (key) => ({ key, label: key })],
  ["sessions.reset", (key) => ({ key })],
  ["sessions.delete", (key) => ({ key })],
  ["sessions.create", (key) => ({ key })],
  ["sessions.create", (agentId) => ({ agentId })],
  ["chat.history", (sessionKey) => ({ sessionKey })],
  ["agents.delete", (agentId) => ({ agentId })],
  ["agents.files.list", (agentId) => ({ agentId })],
  ["agents.files.get", (name) => ({ agentId: "main", name })],
  ["cron.list", (agentId) => ({ agentId })],
  ["cron.run", (id) => ({ id })],
  ["cron.remove", (id) => ({ id })],
  ["config.schema.lookup", (path) => ({ path })],
  ["channels.status", (channel) => ({ channel })],
  ["channels.logout", (channel) => ({ channel })],
  ["pairing.list", (channel) => ({ channel })],
  ["pairing.approve", (channel) => ({ channel, code: "ABCDEFGH" })],
  ["pairing.approve", (accountId) => ({ channel: "fake", accountId, code: "ABCDEFGH" })],
  ["send", (channel) => ({ channel, to: channel, message: "x", idempotencyKey: `send-${channel}` })],
  ["people.update", (id) => ({ id, name: "x" })],
  ["device.token.revoke", (deviceId) => ({ deviceId, role: "operator" })],
  ["tools.catalog", (agentId) => ({ agentId })],
  ["sandbox.explain", (sessionKey) => ({ sessionKey })],
  ["exec.approval.resolve", (id) => ({ id, decision: "deny" })],
  ["node.describe", (nodeId) => ({ nodeId })],
];

test("S-32: no method stumbles over such a name", async () => {
  await using stage = await openDoorStage();
  const admin = await stage.gateway.connect();
  const wrong: unknown[] = [];
  for (const [method, params] of CALLS)
    for (const name of NAMES) {
      const { error } = await admin.request(method, params(name));
      if (/TypeError|is not a|Cannot read|undefined/.test(error?.message ?? "")) wrong.push([method, name, error]);
    }
  expect(wrong).toEqual([]);
  expect(stage.gateway.readLog()).not.toMatch(/TypeError|RangeError/);
  expect(Object.keys(Object.getOwnPropertyDescriptors(Object.prototype)).toSorted()).toEqual(
    Object.getOwnPropertyNames(Object.prototype).toSorted(),
  );
  countCases("S-32", CALLS.length * NAMES.length);
});

test("S-32: no address stumbles over such a name, and none leads to somebody", async () => {
  await using stage = await openDoorStage();
  const headers = { authorization: `Bearer ${stage.gateway.token}`, "content-type": "application/json" };
  const wrong: unknown[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const more = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, text } = await stage.ask({ method, path, headers, ...more });
    if (status < 400 || /TypeError|is not a function|Internal Server Error/.test(text))
      wrong.push([path, status, text]);
  };
  for (const name of NAMES) {
    const part = encodeURIComponent(name);
    await ask("GET", `/avatar/${part}`);
    await ask("GET", `/v1/models/${part}`);
    await ask("GET", `/sessions/${part}/history`);
    await ask("POST", `/sessions/${part}/kill`, {});
    await ask("POST", "/tools/invoke", { tool: name, args: {} });
    await ask("POST", "/tools/invoke", { tool: "session_status", sessionKey: `agent:${name}:main`, args: {} });
    await ask("POST", "/api/send", { channel: name, to: name, text: "x" });
    await ask("POST", `/hooks/${part}`, {});
  }
  expect(wrong).toEqual([]);
  expect(stage.gateway.readLog()).not.toMatch(/TypeError|RangeError/);
  countCases("S-32", NAMES.length * 8);
});

/** What cannot be seen, turns letters round, moves a cursor, ends a string in C, or is no text at all. */
const UNSEEN = [
  "a\0b",
  "a\u0007b",
  "a\u001b[31m",
  "a\u0085b",
  "a\u00adb",
  "a\u200bb",
  "a\u202eb",
  "a\u2066b\u2069",
  "\ud800x",
];
const OPENING: ReadonlyArray<readonly [method: string, params: (key: string) => object]> = [
  ["sessions.create", (key) => ({ key })],
  ["sessions.create", (key) => ({ key: `agent:main:${key}` })],
  ["sessions.create", (parentSessionKey) => ({ parentSessionKey })],
  ["sessions.patch", (key) => ({ key, label: "x" })],
  ["sessions.send", (key) => ({ key, message: "x" })],
  ["chat.send", (sessionKey) => ({ sessionKey, message: "x", idempotencyKey: sessionKey })],
  ["chat.send", (key) => ({ sessionKey: `agent:main:main${key}`, message: "x", idempotencyKey: key })],
  ["agent", (sessionKey) => ({ sessionKey, message: "x", idempotencyKey: sessionKey })],
  ["chat.inject", (sessionKey) => ({ sessionKey, message: "x" })],
  ["sessions.preview", (key) => ({ keys: [key] })],
];

test("S-32: no conversation is opened under a key that cannot be seen", async () => {
  await using stage = await openDoorStage();
  const admin = await stage.gateway.connect();
  const before = (await admin.call("sessions.list", { limit: 1000 })).sessions.length;
  for (const [method, params] of OPENING) for (const key of UNSEEN) await admin.request(method, params(key));
  const long = await stage.ask({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${stage.gateway.token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "openclaw", user: "u".repeat(5_000), messages: [{ role: "user", content: "x" }] }),
  });
  expect(long.status).toBe(400);
  const { sessions } = await admin.call("sessions.list", { limit: 1000, includeGlobal: true, includeUnknown: true });
  expect(
    sessions.map(({ key }: { key: string }) => key).filter((key: string) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(key)),
  ).toEqual([]);
  expect(sessions).toHaveLength(before);
  countCases("S-32", OPENING.length * UNSEEN.length + 1);
});
