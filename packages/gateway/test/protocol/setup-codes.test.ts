// Setup codes: one device is paired by scanning one, in the roles it was made for, and with no more than that.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { connectNode, tryNode, type NodeOptions } from "../support/test-node.ts";
import { createTestDevice, type Json, type WireClient } from "../support/wire-client.ts";

const AWAY = { token: undefined, headers: { "x-forwarded-for": "203.0.113.9" } };
const PHONE = { id: "openclaw-ios", mode: "ui", platform: "ios" };
const INVALID = "AUTH_BOOTSTRAP_TOKEN_INVALID";
const url = "wss://claw.example";

const readCode = (setupCode: string): { url: string; bootstrapToken: string } =>
  JSON.parse(Buffer.from(setupCode, "base64url").toString("utf8"));

describe("a setup code", () => {
  let gateway: TestGateway;
  let admin: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    admin = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const make = async (params: Json = {}, by = admin): Promise<string> =>
    readCode((await by.call("device.setup.create", { url, ...params })).setupCode).bootstrapToken;
  const asNode = (more: NodeOptions): NodeOptions => ({
    ...AWAY,
    platform: "ios",
    commands: ["location.get"],
    ...more,
  });
  const asOperator = (more: object) => ({
    ...AWAY,
    client: PHONE,
    scopes: ["operator.read", "operator.write"],
    ...more,
  });
  const refusedWith = async (more: object): Promise<unknown> =>
    (await gateway.dial(asOperator(more)).tryConnect()).error?.details?.["code"];

  test("holds the address and a token of its own, never the gateway's", async () => {
    const answer = await admin.call("device.setup.create", { url });
    const content = readCode(answer.setupCode);
    expect(content).toEqual({ url, bootstrapToken: expect.stringMatching(/^[\w-]{32}$/) });
    expect(answer).toMatchObject({ url, roles: ["node", "operator"] });
    expect(JSON.stringify(content)).not.toContain(gateway.token);
    expect(answer.expiresAtMs).toBeGreaterThan(Date.now());
  });

  test("of OpenClaw's command line is taken from its file, once, for what it was made for", async () => {
    const file = join(gateway.stateDir, "devices", "bootstrap.json");
    const codeOf = (token: string, issuedAtMs: number, profile: object = { roles: ["node"], scopes: [] }) => ({
      [token]: { token, ts: issuedAtMs, profile, issuedAtMs },
    });
    const now = Date.now();
    const all = ["operator.read", "operator.admin", "operator.approvals", "operator.pairing"];
    const both = { roles: ["node", "operator"], scopes: all };
    const [good, old, wide] = ["g", "o", "w"].map((letter) => letter.repeat(43)) as [string, string, string];
    const written = { ...codeOf(good, now), ...codeOf(old, now - 11 * 60_000), ...codeOf(wide, now, both) };
    writeFileSync(file, JSON.stringify(written), { mode: 0o600 });
    const device = createTestDevice();
    const node = await connectNode(gateway, asNode({ device, bootstrapToken: good }));
    expect((await admin.call("node.describe", { nodeId: node.nodeId })).paired).toBe(true);
    expect(readFileSync(file, "utf8")).not.toContain(good);
    expect((await tryNode(gateway, asNode({ bootstrapToken: good }))).response.ok).toBe(false);
    expect((await tryNode(gateway, asNode({ bootstrapToken: old }))).response.ok).toBe(false);
    // No setup code makes administrators, whoever wrote it; and none of a file makes somebody who says yes to commands.
    const asked = { scopes: all, bootstrapToken: wide };
    expect((await gateway.connect(asOperator(asked))).hello.auth.scopes).toEqual(["operator.read"]);
  });

  test("pairs one phone as node and as operator, with the name it was made with", async () => {
    const bootstrapToken = await make({ name: "My phone" });
    const device = createTestDevice();
    const node = await connectNode(gateway, asNode({ device, bootstrapToken }));
    const row = await admin.call("node.describe", { nodeId: node.nodeId });
    expect(row).toMatchObject({ displayName: "My phone", commands: ["location.get"], waits: false });
    const operator = await gateway.connect(asOperator({ device, bootstrapToken }));
    expect(operator.hello.auth).toMatchObject({ role: "operator", scopes: ["operator.read", "operator.write"] });
    const deviceToken = String(operator.hello.auth.deviceToken);
    await gateway.connect(asOperator({ device, deviceToken }));
    expect(await refusedWith({ device: createTestDevice(), bootstrapToken })).toBe(INVALID);
  });

  test("belongs to the device that used it first", async () => {
    const bootstrapToken = await make();
    await connectNode(gateway, asNode({ bootstrapToken }));
    expect(await refusedWith({ device: createTestDevice(), bootstrapToken })).toBe(INVALID);
    const { response } = await tryNode(gateway, asNode({ bootstrapToken }));
    expect(response.error?.details).toMatchObject({ code: INVALID });
  });

  test.for([
    ["node", "operator"],
    ["operator", "node"],
  ] as const)("for a %s is worth nothing for a %s", async ([role, other]) => {
    const bootstrapToken = await make({ role });
    const node = async () => (await tryNode(gateway, asNode({ bootstrapToken }))).response.ok;
    const operator = async () => (await gateway.dial(asOperator({ bootstrapToken })).tryConnect()).ok;
    expect(await (other === "node" ? node() : operator())).toBe(false);
    expect(await (role === "node" ? node() : operator())).toBe(true);
  });

  test("makes no administrator and nobody who lets in others", async () => {
    const scopes = ["operator.admin", "operator.pairing", "operator.read", "operator.approvals"];
    const phone = await gateway.connect(asOperator({ scopes, bootstrapToken: await make() }));
    expect(phone.hello.auth.scopes).toEqual(["operator.approvals", "operator.read"]);
    expect((await phone.request("config.schema")).error?.message).toBe("missing scope: operator.admin");
    expect((await phone.request("device.pair.list")).error?.message).toBe("missing scope: operator.pairing");
    expect((await phone.request("sessions.list")).ok).toBe(true);
  });

  test("gives no more than whoever made it holds", async () => {
    const clerk = await gateway.connect({ scopes: ["operator.pairing", "operator.write"] });
    const bootstrapToken = await make({}, clerk);
    const scopes = ["operator.read", "operator.write", "operator.approvals"];
    const phone = await gateway.connect(asOperator({ scopes, bootstrapToken }));
    expect(phone.hello.auth.scopes).toEqual(["operator.read", "operator.write"]);
    const porter = await gateway.connect({ scopes: ["operator.pairing"] });
    const { error } = await porter.request("device.setup.create", { url });
    expect(error?.message).toBe("missing scope: operator.write");
  });

  test("dies with the grant of whoever made it", async () => {
    const maker = await gateway.connect();
    const bootstrapToken = await make({}, maker);
    await admin.call("device.token.revoke", { deviceId: maker.device?.id, role: "operator" });
    expect(await refusedWith({ bootstrapToken })).toBe(INVALID);
  });

  test("is not made with an address that no phone can reach, or that everybody could read", async () => {
    for (const [asked, why] of [
      [undefined, /listens on this machine only.*gateway\.bind/],
      ["ws://192.0.2.4:18789", /not encrypted.*wss:/],
      ["wss://localhost", /this machine/],
    ] as const) {
      const { error } = await admin.request("device.setup.create", asked ? { url: asked } : {});
      expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(why) });
    }
  });
});

test("a setup code lasts ten minutes", async () => {
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ clock });
  const admin = await gateway.connect();
  const { setupCode } = await admin.call("device.setup.create", { url });
  const { bootstrapToken } = readCode(setupCode);
  await clock.advance(10 * 60_000);
  const late = await gateway.dial({ ...AWAY, client: PHONE, scopes: ["operator.read"], bootstrapToken }).tryConnect();
  expect(late.error?.details).toMatchObject({ code: INVALID });
});
