// Devices from elsewhere wait for a person; what was granted can be taken back, at once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/stages/command-here.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import {
  createTestDevice,
  type ClientOptions,
  type Json,
  type ResponseFrame,
  type WireClient,
} from "../support/wire-client.ts";

const AWAY = { headers: { "x-forwarded-for": "203.0.113.9" } };
const READ = ["operator.read"];

describe("pairing", () => {
  let gateway: TestGateway;
  let admin: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    admin = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  async function expectWaiting(options: Partial<ClientOptions>, reason: string): Promise<string> {
    const client = gateway.dial(options);
    const { error } = await client.tryConnect();
    expect(error?.details).toEqual({ code: "PAIRING_REQUIRED", requestId: expect.any(String), reason });
    const requestId = String(error?.details?.["requestId"]);
    // Old programs look for the first two words; people need the rest.
    const message = `pairing required: on the gateway's machine, type: chela devices approve ${requestId}`;
    expect(error).toMatchObject({ code: "NOT_PAIRED", message });
    expect(await client.closed).toEqual({ code: 1008, reason: message });
    return requestId;
  }

  test("a device from elsewhere waits, is approved, and comes in with its own token from then on", async () => {
    const device = createTestDevice();
    const away = { ...AWAY, device, scopes: READ };
    const requestId = await expectWaiting(away, "not-paired");
    const requested = await admin.untilEvent("device.pair.requested", ({ payload }) => payload.requestId === requestId);
    expect(requested.payload).toMatchObject({ deviceId: device.id, publicKey: device.publicKey, scopes: READ });
    expect(await expectWaiting(away, "not-paired")).toBe(requestId);

    const { pending } = await admin.call("device.pair.list");
    expect(pending.map((one: { requestId: string }) => one.requestId)).toContain(requestId);
    const approved = await admin.call("device.pair.approve", { requestId });
    expect(approved).toMatchObject({ requestId, device: { deviceId: device.id } });
    expect(JSON.stringify(approved)).not.toContain('"token"');
    const resolved = await admin.untilEvent("device.pair.resolved", ({ payload }) => payload.requestId === requestId);
    expect(resolved.payload).toEqual({ requestId, deviceId: device.id, decision: "approved", ts: expect.any(Number) });
    expect(admin.eventsOf("device.pair.requested").filter((one) => one.payload.requestId === requestId)).toHaveLength(
      1,
    );

    const first = await gateway.connect(away);
    const deviceToken = String(first.hello.auth.deviceToken);
    const second = await gateway.connect({ ...away, token: undefined, deviceToken });
    expect(second.hello.auth).toMatchObject({ role: "operator", scopes: READ, deviceToken });
    const denied = await second.request("chat.send", { sessionKey: "main", message: "hi", idempotencyKey: "k" });
    expect(denied.error?.message).toBe("missing scope: operator.write");
  });

  test("what a paired device asks for beyond its pairing waits too, with the reason", async () => {
    const device = createTestDevice();
    await gateway.connect({ device, scopes: READ, client: { platform: "linux" } });
    await expectWaiting({ ...AWAY, device, scopes: ["operator.admin"] }, "scope-upgrade");
    await expectWaiting({ ...AWAY, device, scopes: READ, client: { platform: "ios" } }, "metadata-upgrade");
    const asNode = { device, role: "node", scopes: [], client: { id: "node-host", mode: "node" } };
    await expectWaiting({ ...AWAY, ...asNode }, "role-upgrade");
  });

  test("whoever shows the gateway's token on this machine is asked nothing, and it is written down", async () => {
    const device = createTestDevice();
    const first = await gateway.connect({ device, scopes: READ });
    const { deviceToken } = first.hello.auth;
    // A device by its own token stays what it is, and so does one that comes through a proxy.
    const byToken = gateway.dial({ device, token: undefined, deviceToken, scopes: ["operator.admin"] });
    expect((await byToken.tryConnect()).ok).toBe(false);
    await expectWaiting({ ...AWAY, device, scopes: ["operator.admin"] }, "scope-upgrade");
    const foreign = { headers: { origin: "http://localhost:5173" }, device, scopes: ["operator.admin"] };
    await expectWaiting(foreign, "scope-upgrade");
    const wider = await gateway.connect({ device, scopes: ["operator.read", "operator.write"] });
    expect((await wider.request("cron.list")).ok).toBe(true);
    const node = await gateway.connect({ device, role: "node", scopes: [], client: { id: "node-host", mode: "node" } });
    expect(node.hello.auth).toMatchObject({ role: "node" });
    const { records } = await admin.call("audit.list", { actions: ["pairing"], limit: 200 });
    const ofDevice = records.filter(({ target }: { target: string }) => target === `device:${device.id}`);
    const approvals = ofDevice.filter(({ detail }: { detail: Json }) => detail["step"] === "approved");
    expect(approvals.map(({ actor, detail }: { actor: string; detail: Json }) => [actor, detail["unasked"]])).toEqual([
      [`device:${device.id}`, "role-upgrade"],
      [`device:${device.id}`, "scope-upgrade"],
      [`device:${device.id}`, "not-paired"],
    ]);
    expect(approvals[1].detail).toMatchObject({ role: "operator", scopes: ["operator.read", "operator.write"] });
  });

  test("a device that is turned away stays away", async () => {
    const device = createTestDevice();
    const requestId = await expectWaiting({ ...AWAY, device, scopes: READ }, "not-paired");
    expect(await admin.call("device.pair.reject", { requestId })).toEqual({ requestId, deviceId: device.id });
    expect((await admin.request("device.pair.approve", { requestId })).error?.message).toBe("unknown requestId");
    await expectWaiting({ ...AWAY, device, scopes: READ }, "not-paired");
  });

  test("nobody approves more than they hold", async () => {
    const clerk = await gateway.connect({ scopes: ["operator.pairing"] });
    const requestId = await expectWaiting({ ...AWAY, device: createTestDevice() }, "not-paired");
    const { error } = await clerk.request("device.pair.approve", { requestId });
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "missing scope: operator.admin" });
    expect((await admin.request("device.pair.approve", { requestId })).ok).toBe(true);
  });

  test("pairing events reach only those who may pair", async () => {
    const reader = await gateway.connect({ scopes: READ });
    const requestId = await expectWaiting({ ...AWAY, device: createTestDevice(), scopes: READ }, "not-paired");
    await admin.untilEvent("device.pair.requested", ({ payload }) => payload.requestId === requestId);
    await reader.call("health");
    expect(reader.eventsOf("device.pair.requested")).toEqual([]);
  });

  test("a node on this machine is let in and may call nothing of an operator", async () => {
    const node = await gateway.connect({ role: "node", scopes: [], client: { id: "node-host", mode: "node" } });
    expect(node.hello.auth).toMatchObject({ role: "node", scopes: [] });
    expect((await node.request("health")).ok).toBe(true);
    const { error } = await node.request("sessions.list");
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "unauthorized role: node" });
  });

  const ENDINGS = ["device.token.rotate", "device.token.revoke", "device.pair.remove"] as const;
  test.for(ENDINGS)("%s ends the device's live connections", async (method) => {
    const device = createTestDevice();
    const live = await gateway.connect({ device, scopes: READ });
    const params = method === "device.pair.remove" ? {} : { role: "operator" };
    await admin.call(method, { deviceId: device.id, ...params });
    expect(await live.closed).toEqual({ code: 1008, reason: "device access was revoked" });
    const old = gateway.dial({
      ...AWAY,
      device,
      scopes: READ,
      token: undefined,
      deviceToken: live.hello.auth.deviceToken,
    });
    const refused: ResponseFrame = await old.tryConnect();
    expect(refused.error?.details).toMatchObject({ code: "AUTH_DEVICE_TOKEN_MISMATCH" });
  });

  test("a rotated token works, within what was approved", async () => {
    const device = createTestDevice();
    await gateway.connect({ device, scopes: ["operator.read", "operator.write"] });
    const rotate = { deviceId: device.id, role: "operator", scopes: READ };
    const { token, scopes } = await admin.call("device.token.rotate", rotate);
    expect(scopes).toEqual(READ);
    const again = await gateway.connect({ device, scopes: READ, token: undefined, deviceToken: token });
    expect(again.hello.auth.deviceToken).toBe(token);
    const beyond = await admin.request("device.token.rotate", { ...rotate, scopes: ["operator.admin"] });
    expect(beyond.error?.message).toBe("missing scope: operator.admin");
  });

  test.for([
    ["device.pair.approve", { requestId: "x" }, "unknown requestId"],
    ["device.pair.reject", { requestId: "x" }, "unknown requestId"],
    ["device.pair.remove", { deviceId: "x" }, "unknown deviceId"],
    ["device.token.rotate", { deviceId: "x", role: "operator" }, "unknown deviceId/role"],
    ["device.token.revoke", { deviceId: "x", role: "operator" }, "unknown deviceId/role"],
  ] as const)("%s of something nobody knows", async ([method, params, message]) => {
    expect((await admin.request(method, params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });
});

test("behind a proxy on the same machine, the first device is approved with the files, by whoever may write them", async () => {
  const config = { gateway: { trustedProxies: ["127.0.0.1"] } };
  await using gateway = await startTestGateway({ config });
  const here = { stateDir: gateway.stateDir, port: gateway.gateway.port };
  const shut = await runCommand(here, "health");
  expect([shut.code, shut.text]).toEqual([1, expect.stringContaining("pairing required")]);
  const [, requestId = ""] = /chela devices approve (\S+)/.exec(shut.text) ?? [];
  expect((await runCommand(here, "devices list")).text).toContain(requestId);
  const approved = await runCommand(here, `devices approve ${requestId}`);
  expect([approved.code, approved.text]).toEqual([0, expect.stringMatching(/^Approved .*It can connect now/)]);
  expect((await runCommand(here, "health")).text).toContain("The gateway is well");
  // From here on the gateway itself is asked.
  const listed = await eventually("it is in the audit trail", async () => {
    const { text } = await runCommand(here, "audit list --action pairing --json");
    return text.includes('"file"') ? text : undefined;
  });
  expect(JSON.parse(listed).records).toContainEqual(
    expect.objectContaining({ actor: "file", detail: expect.objectContaining({ step: "approved", unasked: "file" }) }),
  );
});

test("without a gateway, devices are approved and forgotten with the files, and it is written down", async () => {
  using state = createStateDirectory();
  const device = createTestDevice();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    expect((await gateway.dial({ ...AWAY, device, scopes: READ }).tryConnect()).ok).toBe(false);
  }
  const here = { stateDir: state.path };
  expect((await runCommand(here, "devices approve")).text).toMatch(/^Approved .*It can connect now/);
  expect((await runCommand(here, `devices remove ${device.id}`)).text).toMatch(/^Removed/);
  const { records } = JSON.parse((await runCommand(here, "audit list --action pairing --json")).text);
  expect(records.slice(0, 2)).toMatchObject([
    { actor: "cli", target: `device:${device.id}`, detail: { step: "removed" } },
    { actor: "cli", target: `device:${device.id}`, detail: { step: "approved" } },
  ]);
});
