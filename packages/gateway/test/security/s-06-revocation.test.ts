// S-06: what was taken back ends at once: connections, answers under way, uploads.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openSocket, readToEnd } from "../support/in-process-http.ts";
import { callOf, connectNode } from "../support/test-node.ts";
import type { Json } from "../support/wire-client.ts";

function changeToken(gateway: TestGateway): void {
  const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as { gateway: { auth: Json } };
  config.gateway.auth["token"] = "another-token-entirely";
  writeFileSync(gateway.configPath, JSON.stringify(config));
}

test("S-06: a revoked device is closed in the middle of its answer, and hears no more of it", async () => {
  await using gateway = await startTestGateway();
  const admin = await gateway.connect();
  const device = await gateway.connect();
  const gate = gateway.gate();
  gateway.model.script(gate.step("half", " and the secret half"));
  const runId = "run-of-a-revoked-device";
  await device.call("chat.send", { sessionKey: "main", message: "hello", idempotencyKey: runId });
  await gate.reached;
  await admin.call("device.token.revoke", { deviceId: device.device?.id, role: "operator" });
  expect(await device.closed).toEqual({ code: 1008, reason: "device access was revoked" });
  gate.open();
  await admin.chatEnd(runId);
  expect(JSON.stringify(device.frames)).not.toContain("secret half");
});

test("S-06: a device that another program removes from the book loses its authority with its next request", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  expect((await client.request("sessions.list")).ok).toBe(true);
  writeFileSync(join(gateway.stateDir, "devices", "paired.json"), "{}");
  await clock.advance(1_000);
  client.send({ type: "req", id: "late", method: "sessions.list" });
  expect((await client.closed).code).toBe(1008);
  expect(client.responsesTo("late")).toEqual([]);
});

test("S-06: fewer scopes in the book are fewer scopes of the live connection", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  const path = join(gateway.stateDir, "devices", "paired.json");
  const book = JSON.parse(readFileSync(path, "utf8")) as Record<string, Json>;
  for (const device of Object.values(book)) {
    device["scopes"] = ["operator.read"];
    device["approvedScopes"] = ["operator.read"];
  }
  writeFileSync(path, JSON.stringify(book));
  await clock.advance(1_000);
  client.send({ type: "req", id: "late", method: "sessions.patch", params: { key: "main", label: "x" } });
  expect((await client.closed).code).toBe(1008);
  expect(client.responsesTo("late")).toEqual([]);
});

test("S-06: a stream of an answer ends when the secret it was opened with changes", async () => {
  await using gateway = await startTestGateway();
  const gate = gateway.gate();
  gateway.model.script(gate.step("half", " and the secret half"));
  const response = await gateway.fetch("/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify({ stream: true, messages: [{ role: "user", content: "hello" }] }),
  });
  await gate.reached;
  changeToken(gateway);
  await expect(response.text()).rejects.toThrow();
  gate.open();
});

test("S-06: an upload ends when the secret it was begun with changes", async () => {
  await using gateway = await startTestGateway();
  const socket = await openSocket(gateway.gateway.port);
  const everything = readToEnd(socket);
  const head = `POST /api/sessions/home HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${gateway.token}\r\n`;
  socket.write(`${head}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.write('{"text":"do it', () => changeToken(gateway));
  expect(await everything).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  expect(gateway.model.requests).toEqual([]);
});

test("S-06: a device that comes back for more by its own token waits for a yes, and keeps what it has", async () => {
  await using gateway = await startTestGateway();
  const admin = await gateway.connect();
  const narrow = { scopes: ["operator.read"] };
  const { device, hello } = await gateway.connect(narrow);
  const more = { device, scopes: ["operator.read", "operator.admin"] };
  const byToken = { ...more, token: undefined, deviceToken: String(hello.auth.deviceToken) };
  expect((await gateway.dial(byToken).tryConnect()).ok).toBe(false);
  const refused = await gateway.dial({ ...more, headers: { "x-forwarded-for": "203.0.113.9" } }).tryConnect();
  expect(refused.error?.details).toMatchObject({ code: "PAIRING_REQUIRED", reason: "scope-upgrade" });
  expect((await gateway.connect({ device, ...narrow })).hello.auth.scopes).toEqual(narrow.scopes);
  await admin.call("device.pair.approve", { requestId: refused.error?.details?.["requestId"] });
  expect((await gateway.connect(more)).hello.auth.scopes.toSorted()).toEqual(more.scopes.toSorted());
});

const OWN = [
  ["device.token.rotate", { role: "operator" }],
  ["device.token.revoke", { role: "operator" }],
  ["device.pair.remove", {}],
] as const;
test.for(OWN)("S-06: %s of the own device is answered first, and is the last thing that is", async ([method, more]) => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  client.send({ type: "req", id: "own", method, params: { deviceId: client.device?.id, ...more } });
  client.send({ type: "req", id: "after", method: "sessions.patch", params: { key: "main", label: "after" } });
  expect(await client.closed).toEqual({ code: 1008, reason: "device access was revoked" });
  const [answer] = client.responsesTo("own");
  expect(answer).toMatchObject({ ok: true, payload: { deviceId: client.device?.id } });
  expect(client.frames.at(-1)).toEqual(answer);
  expect(client.responsesTo("after")).toEqual([]);
  const { sessions } = await (await gateway.connect()).call("sessions.list");
  expect(JSON.stringify(sessions)).not.toContain("after");
});

test("S-06: a new token of the own device is the one to come back with", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { device } = client;
  const { token } = await client.call("device.token.rotate", { deviceId: device?.id, role: "operator" });
  await client.closed;
  const again = await gateway.connect({ device, token: undefined, deviceToken: token });
  expect(again.hello.auth.deviceToken).toBe(token);
});

test("S-06: an answer that is under way does not reach a device that was shown out meanwhile", async () => {
  await using gateway = await startTestGateway();
  const admin = await gateway.connect();
  const device = await gateway.connect();
  const node = await connectNode(gateway, { commands: ["system.notify"] });
  device.send({ type: "req", id: "slow", method: "node.invoke", params: callOf(node.nodeId, "system.notify") });
  const { id } = await node.nextCall();
  await admin.call("device.pair.remove", { deviceId: device.device?.id });
  await node.answer(id, { ok: true, payload: "a private answer" });
  await device.closed;
  expect(device.responsesTo("slow")).toEqual([]);
  expect(JSON.stringify(device.frames)).not.toContain("a private answer");
});

test("S-06: a node that is shown out fails what it was asked at once, and its answer counts no more", async () => {
  await using gateway = await startTestGateway();
  const admin = await gateway.connect();
  const node = await connectNode(gateway, { commands: ["system.notify"] });
  const asked = admin.request("node.invoke", callOf(node.nodeId, "system.notify"));
  const { id } = await node.nextCall();
  node.client.fallAsleep();
  await admin.call("device.token.revoke", { deviceId: node.nodeId, role: "node" });
  node.client.send({
    type: "req",
    id: "late",
    method: "node.invoke.result",
    params: { id, nodeId: node.nodeId, ok: true },
  });
  expect((await asked).error?.details).toMatchObject({ nodeError: { code: "NOT_CONNECTED" } });
  const again = await admin.request("node.invoke", callOf(node.nodeId, "system.notify"));
  expect(again.error?.details).toEqual({ code: "NOT_CONNECTED" });
  node.client.terminate();
});

test("S-06: a device that does not hang up is not heard, and its connection is cut", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const admin = await gateway.connect();
  const device = await gateway.connect({ client: { id: "gateway-client", mode: "backend" } });
  const here = async (): Promise<Json[]> => {
    const entries = (await admin.call("system-presence")) as Json[];
    return entries.filter(({ deviceId, reason }) => deviceId === device.device?.id && reason !== "disconnect");
  };
  expect(await here()).toHaveLength(1);
  device.fallAsleep();
  await admin.call("device.token.revoke", { deviceId: device.device?.id, role: "operator" });
  for (const label of ["one", "two"]) {
    device.send({ type: "req", id: label, method: "sessions.patch", params: { key: "main", label } });
    await admin.call("health");
  }
  expect(await here()).toHaveLength(1);
  await clock.advance(500);
  await eventually("it is gone", async () => (await here()).length === 0);
  const { sessions } = await admin.call("sessions.list");
  expect(sessions).toEqual([]);
  device.terminate();
});

test("S-06: who is revoked while coming in does not come in", async () => {
  await using gateway = await startTestGateway();
  const admin = await gateway.connect();
  const first = await gateway.connect();
  const { device } = first;
  const deviceToken = String(first.hello.auth.deviceToken);
  const coming = gateway.dial({ device, token: undefined, deviceToken });
  const params = await coming.connectParams();
  coming.send({ type: "req", id: "connect", method: "connect", params });
  const revoked = admin.request("device.token.revoke", { deviceId: device?.id, role: "operator" });
  expect((await revoked).ok).toBe(true);
  expect((await coming.closed).code).toBe(1008);
});
