// S-06: what was taken back ends at once: connections, answers under way, uploads.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openSocket, readToEnd } from "../support/in-process-http.ts";
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
