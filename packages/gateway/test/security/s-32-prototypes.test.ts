// S-32: names that every object already has are data like any other: refused where unknown, never part of the gateway.
import { afterEach, expect, test } from "vitest";
import { METHODS, type MethodName } from "@chela/sdk/protocol";
import { startTestGateway } from "../support/in-process.ts";
import { listRoutes } from "../support/in-process-routes.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectNode } from "../support/test-node.ts";

const NAMES = ["__proto__", "constructor", "prototype"];
const poison = (name: string) => `"${name}":{"polluted":true,"scopes":["operator.admin"]}`;

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("S-32: in the parameters of every method", async () => {
  await using gateway = await startTestGateway();
  const operator = await gateway.connect();
  const { client: node } = await connectNode(gateway);
  countCases("S-32", Object.keys(METHODS).length * NAMES.length);
  for (const method of Object.keys(METHODS) as MethodName[]) {
    const client = "role" in METHODS[method] && METHODS[method].role === "node" ? node : operator;
    for (const name of NAMES) {
      const id = `${method} ${name}`;
      client.sendText(`{"type":"req","id":"${id}","method":"${method}","params":{${poison(name)}}}`);
      const { error } = await client.until("an answer", () => client.responsesTo(id)[0]);
      expect([id, error?.message]).toEqual([id, expect.stringMatching(/^(invalid .* params: |rate limit exceeded)/)]);
    }
  }
});

test("S-32: in a frame, and in parts of parameters", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  for (const name of NAMES) {
    client.sendText(`{"type":"req","id":"f${name}","method":"health",${poison(name)}}`);
    const { error } = await client.until("an answer", () => client.responsesTo(`f${name}`)[0]);
    expect(error?.message).toMatch(/^invalid request frame: /);
    const attachment = `{${poison(name)},"content":"iVBORw0KGgoAAAANSUhEUg=="}`;
    const params = `{"message":"x","idempotencyKey":"${name}","attachments":[${attachment}]}`;
    client.sendText(`{"type":"req","id":"a${name}","method":"agent","params":${params}}`);
    await client.until("an answer", () => client.responsesTo(`a${name}`).at(-1));
  }
});

test("S-32: in the handshake", async () => {
  await using gateway = await startTestGateway();
  for (const name of NAMES) {
    const client = gateway.dial();
    const params = JSON.stringify(await client.connectParams());
    client.sendText(`{"type":"req","id":"c","method":"connect","params":{${poison(name)},${params.slice(1)}}`);
    const { error } = await client.until("an answer", () => client.responsesTo("c")[0]);
    expect(error?.message).toMatch(/^invalid connect params: /);
    const record = gateway.dial();
    const plain = JSON.stringify(await record.connectParams());
    record.sendText(
      `{"type":"req","id":"c","method":"connect","params":{"permissions":{"${name}":true},${plain.slice(1)}}`,
    );
    await record.until("an answer", () => record.responsesTo("c")[0]);
  }
});

test("S-32: in every body", async () => {
  await using gateway = await startTestGateway();
  for (const { method, path } of listRoutes().filter((route) => route.method === "POST")) {
    for (const name of NAMES) {
      const content = `{${poison(name)},"text":"x"}`;
      const body = `{${poison(name)},"text":"x","model":"m","input":"x","messages":[{"role":"user","content":[${content}]}]}`;
      const response = await gateway.fetch(path, { method, body });
      expect([path, name, response.status < 500]).toEqual([path, name, true]);
    }
  }
});

test("S-32: in the configuration and in session keys", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  for (const name of NAMES) {
    const { hash: baseHash } = await client.call("config.get");
    const raw = `{${poison(name)}}`;
    const { error } = await client.request("config.set", { raw, baseHash });
    expect(error?.message).toMatch(/^invalid config/);
    expect(await client.agent("hello", { sessionKey: name })).toContain("echo: ");
    const { key } = await client.call("sessions.resolve", { key: name });
    expect(key).toBe(`agent:main:${name}`);
    await client.call("sessions.patch", { key: name, label: name });
    expect((await client.call("sessions.resolve", { label: name })).key).toBe(key);
  }
});
