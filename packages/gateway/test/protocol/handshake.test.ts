// What a client must do to be let in, and what it is told when it is not.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../support/in-process.ts";
import { createTestDevice, signedLine, signLine, type ClientOptions, type Json } from "../support/wire-client.ts";

interface Refusal {
  readonly name: string;
  readonly options?: Partial<ClientOptions>;
  readonly change?: (params: Json) => unknown;
  readonly code?: string;
  readonly message: string | RegExp;
  readonly details?: Json;
  readonly close?: number;
}

const BACKEND = { id: "gateway-client", mode: "backend" };
const CONTROL_UI = { id: "openclaw-control-ui", mode: "ui" };
const LOCAL_PAGE = { origin: "http://localhost:5173" };
const other = createTestDevice();

const inDevice = (change: Json) => (params: Json) => ({
  ...params,
  device: { ...(params["device"] as Json), ...change },
});
const without = (key: string) => (params: Json) => {
  const { [key]: _gone, ...rest } = params;
  return rest;
};
const advice = (authReason: string, code: string, step: string, canRetryWithDeviceToken = false) => ({
  code,
  authReason,
  canRetryWithDeviceToken,
  recommendedNextStep: step,
});

const REFUSALS: readonly Refusal[] = [
  {
    name: "a client that only speaks protocol 4",
    options: { minProtocol: 4, maxProtocol: 4 },
    change: (params) => ({ ...params, workerRuns: true }),
    message: "protocol mismatch: this gateway speaks protocol 3, as OpenClaw before 2026.5 does; the client wants 4",
    details: { expectedProtocol: 3 },
    close: 1002,
  },
  {
    name: "a client that only speaks protocol 2",
    options: { minProtocol: 1, maxProtocol: 2 },
    message:
      "protocol mismatch: this gateway speaks protocol 3, as OpenClaw before 2026.5 does; the client wants 1 to 2",
    details: { expectedProtocol: 3 },
    close: 1002,
  },
  { name: "a role nobody has", options: { role: "owner" }, message: "invalid role" },
  {
    name: "an unknown property",
    change: (params) => ({ ...params, surprise: 1 }),
    message: "invalid connect params: at root: unexpected property 'surprise'",
  },
  {
    name: "an unknown property of the client",
    change: (params) => ({ ...params, client: { ...(params["client"] as Json), shoe: 44 } }),
    message: "invalid connect params: at /client: unexpected property 'shoe'",
  },
  {
    name: "missing protocol versions",
    change: (params) => without("minProtocol")(without("maxProtocol")(params) as Json),
    message:
      "invalid connect params: must have required property 'minProtocol'; must have required property 'maxProtocol'",
  },
  { name: "no parameters at all", change: () => undefined, message: /^invalid connect params: must have required/ },
  {
    name: "a client id that is not in the list",
    change: (params) => ({ ...params, client: { ...(params["client"] as Json), id: "my-own-client" } }),
    message: /^invalid connect params: at \/client\/id: must be /,
  },
  {
    name: "a wrong token of a backend",
    options: { client: BACKEND, device: null, token: "wrong" },
    message: "unauthorized: gateway token mismatch (provide gateway auth token)",
    details: advice("token_mismatch", "AUTH_TOKEN_MISMATCH", "update_auth_credentials"),
  },
  {
    name: "a wrong token of a proved device, which may still hold a token of its own",
    options: { token: "wrong" },
    message: "unauthorized: gateway token mismatch (set gateway.remote.token to match gateway.auth.token)",
    details: advice("token_mismatch", "AUTH_TOKEN_MISMATCH", "retry_with_device_token", true),
  },
  {
    name: "a wrong token of a page",
    options: { client: { id: "webchat-ui", mode: "webchat" }, token: "wrong", device: null, headers: LOCAL_PAGE },
    message: "unauthorized: gateway token mismatch (paste the gateway token in the Control UI settings)",
    details: advice("token_mismatch", "AUTH_TOKEN_MISMATCH", "update_auth_credentials"),
  },
  {
    name: "a device without a token",
    options: { token: undefined },
    message: "unauthorized: gateway token missing (set gateway.remote.token to match gateway.auth.token)",
    details: advice("token_missing", "AUTH_TOKEN_MISSING", "update_auth_configuration"),
  },
  {
    name: "a wrong device token",
    options: { token: undefined, deviceToken: "made-up" },
    message: /^unauthorized: device token mismatch /,
    details: advice("device_token_mismatch", "AUTH_DEVICE_TOKEN_MISMATCH", "update_auth_credentials"),
  },
  {
    name: "neither token nor device",
    options: { client: BACKEND, device: null, token: undefined },
    code: "NOT_PAIRED",
    message: "device identity required",
    details: { code: "DEVICE_IDENTITY_REQUIRED" },
  },
  {
    name: "a node without a device, even with the right token",
    options: { role: "node", scopes: [], client: { id: "node-host", mode: "node" }, device: null },
    code: "NOT_PAIRED",
    message: "device identity required",
    details: { code: "DEVICE_IDENTITY_REQUIRED" },
  },
  {
    name: "a control page that comes from nowhere",
    options: { client: CONTROL_UI, device: null },
    message:
      "origin not allowed (open the Control UI from the gateway host or allow it in gateway.controlUi.allowedOrigins)",
    details: { code: "CONTROL_UI_ORIGIN_NOT_ALLOWED", reason: "origin missing or invalid" },
  },
  {
    name: "a control page without a device",
    options: { client: CONTROL_UI, device: null, headers: LOCAL_PAGE },
    message: /^control ui requires device identity /,
    details: { code: "CONTROL_UI_DEVICE_IDENTITY_REQUIRED" },
  },
  {
    name: "a device that shows the key of another",
    change: inDevice({ publicKey: other.publicKey }),
    message: "device identity mismatch",
    details: { code: "DEVICE_AUTH_DEVICE_ID_MISMATCH", reason: "device-id-mismatch" },
  },
  {
    name: "a key that is none",
    change: inDevice({ publicKey: "no key" }),
    message: "device public key invalid",
    details: { code: "DEVICE_AUTH_PUBLIC_KEY_INVALID", reason: "device-public-key" },
  },
  ...[-121_000, 121_000].map((signedAtShiftMs) => ({
    name: `a signature ${signedAtShiftMs} ms off`,
    options: { signedAtShiftMs },
    message: "device signature expired",
    details: { code: "DEVICE_AUTH_SIGNATURE_EXPIRED", reason: "device-signature-stale" },
  })),
  {
    name: "a blank nonce",
    change: inDevice({ nonce: " " }),
    message: "device nonce required",
    details: { code: "DEVICE_AUTH_NONCE_REQUIRED", reason: "device-nonce-missing" },
  },
  {
    name: "the nonce of another connection",
    change: inDevice({ nonce: randomUUID() }),
    message: "device nonce mismatch",
    details: { code: "DEVICE_AUTH_NONCE_MISMATCH", reason: "device-nonce-mismatch" },
  },
  {
    name: "a signature of another key",
    change: inDevice({ signature: signLine(other, "something else") }),
    message: "device signature invalid",
    details: { code: "DEVICE_AUTH_SIGNATURE_INVALID", reason: "device-signature" },
  },
  {
    name: "scopes that were not signed",
    options: { scopes: ["operator.read"] },
    change: (params) => ({ ...params, scopes: ["operator.admin"] }),
    message: "device signature invalid",
    details: { code: "DEVICE_AUTH_SIGNATURE_INVALID", reason: "device-signature" },
  },
];

async function expectRefusal(gateway: TestGateway, refusal: Refusal): Promise<void> {
  const client = gateway.dial(refusal.options);
  const response = await client.tryConnect(refusal.change);
  expect(response.ok).toBe(false);
  expect(response.error?.code).toBe(refusal.code ?? "INVALID_REQUEST");
  const { message = "" } = response.error ?? {};
  if (typeof refusal.message === "string") expect(message).toBe(refusal.message);
  else expect(message).toMatch(refusal.message);
  expect(response.error?.details).toEqual(refusal.details);
  const { code, reason } = await client.closed;
  expect(code).toBe(refusal.close ?? 1008);
  expect(message.startsWith(reason) && reason.length > 0).toBe(true);
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(120);
}

describe("with a token, the gateway refuses", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for(REFUSALS)("$name", (refusal) => expectRefusal(gateway, refusal));

  test("a first request that is not connect", async () => {
    const client = gateway.dial();
    await client.challenge();
    const response = await client.request("health", {}, "1");
    expect(response).toEqual({
      type: "res",
      id: "1",
      ok: false,
      error: {
        code: "INVALID_REQUEST",
        message: "invalid handshake: first request must be connect",
      },
    });
    const reason = "invalid handshake: first request must be connect";
    expect(await client.closed).toEqual({ code: 1008, reason });
  });

  test.for([
    ["something that is no request", JSON.stringify({ type: "event", event: "x" })],
    ["a bare list", "[]"],
    ["a request without a method", JSON.stringify({ type: "req", id: "1" })],
    ["a request with one property too many", JSON.stringify({ type: "req", id: "1", method: "connect", x: 1 })],
    ["something that is no JSON", "hello"],
  ] as const)("%s as the first frame, without an answer", async ([, text]) => {
    const client = gateway.dial();
    await client.challenge();
    client.sendText(text);
    expect(await client.closed).toEqual({ code: 1008, reason: "invalid request frame" });
    expect(client.frames).toHaveLength(1);
  });
});

const OTHER_MODES: ReadonlyArray<Refusal & { readonly gateway: TestGatewayOptions }> = [
  {
    name: "a missing password",
    gateway: { config: { gateway: { auth: { mode: "password", password: "open sesame" } } } },
    message: "unauthorized: gateway password missing (set gateway.remote.password to match gateway.auth.password)",
    details: advice("password_missing", "AUTH_PASSWORD_MISSING", "update_auth_configuration"),
  },
  {
    name: "a wrong password",
    gateway: { config: { gateway: { auth: { mode: "password", password: "open sesame" } } } },
    options: { password: "open barley" },
    message: "unauthorized: gateway password mismatch (set gateway.remote.password to match gateway.auth.password)",
    details: advice("password_mismatch", "AUTH_PASSWORD_MISMATCH", "update_auth_credentials"),
  },
  {
    name: "any password while none is configured",
    gateway: { config: { gateway: { auth: { mode: "password" } } } },
    options: { password: "open sesame" },
    message: "unauthorized: gateway password not configured on gateway (set gateway.auth.password)",
    details: advice("password_missing_config", "AUTH_PASSWORD_NOT_CONFIGURED", "update_auth_configuration"),
  },
  {
    name: "somebody behind a proxy when no credential is needed on this machine",
    gateway: { config: { gateway: { auth: { mode: "none" } } } },
    options: { headers: { "x-forwarded-for": "203.0.113.9" } },
    message: "unauthorized",
    details: advice("unauthorized", "AUTH_UNAUTHORIZED", "review_auth_configuration"),
  },
  {
    name: "a request the trusted proxy does not vouch for",
    gateway: {
      rawConfig: JSON.stringify({
        gateway: {
          auth: { mode: "trusted-proxy", trustedProxy: { userHeader: "x-user" } },
          trustedProxies: ["127.0.0.1"],
        },
      }),
    },
    options: { token: undefined },
    message: "unauthorized",
    details: advice("trusted_proxy_user_missing", "AUTH_UNAUTHORIZED", "review_auth_configuration"),
  },
];

describe("in other modes, the gateway refuses", () => {
  test.for(OTHER_MODES)("$name", async (refusal) => {
    await using gateway = await startTestGateway(refusal.gateway);
    await expectRefusal(gateway, refusal);
  });

  test("further guesses once there were too many, even a right one", async () => {
    const rateLimit = { maxAttempts: 2, exemptLoopback: false };
    await using gateway = await startTestGateway({ config: { gateway: { auth: { rateLimit } } } });
    const wrong = { client: BACKEND, device: null, token: "wrong" };
    for (let guess = 1; guess <= 2; guess++) {
      const response = await gateway.dial(wrong).tryConnect();
      expect(response.error?.details?.["code"]).toBe("AUTH_TOKEN_MISMATCH");
    }
    const limited = {
      name: "a third guess",
      options: {
        client: BACKEND,
        device: null,
      },
      message: "unauthorized: too many failed authentication attempts (wait before trying again)",
      details: advice("rate_limited", "AUTH_RATE_LIMITED", "wait_then_retry"),
    };
    await expectRefusal(gateway, limited);
  });
});

describe("the gateway lets in", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for(["v2", "v3"] as const)("a device that signs the %s line", async (proof) => {
    const client = await gateway.connect({ proof, client: { deviceFamily: "Linux PC", platform: "Linux" } });
    expect(client.hello.auth.role).toBe("operator");
    expect(await client.call("sessions.list", { limit: 1 })).toMatchObject({ count: 0 });
  });

  test("a device whose clock is nearly two minutes off", async () => {
    const client = await gateway.connect({ signedAtShiftMs: -110_000 });
    expect(client.hello.type).toBe("hello-ok");
  });

  test("a backend with the token alone, but grants it nothing", async () => {
    const client = await gateway.connect({ client: BACKEND, device: null });
    expect(client.hello.auth).toBeUndefined();
    const response = await client.request("sessions.list", { limit: 1 });
    expect(response.error).toEqual({ code: "INVALID_REQUEST", message: "missing scope: operator.read" });
    expect((await client.request("health")).ok).toBe(true);
  });

  test("a device with the token it was given before, and no other secret", async () => {
    const first = await gateway.connect();
    const again = { token: undefined, device: first.device, deviceToken: String(first.hello.auth.deviceToken) };
    const second = await gateway.connect(again);
    expect(second.hello.auth).toEqual(first.hello.auth);
    const inTokenField = await gateway.connect({ device: first.device, token: again.deviceToken });
    expect(inTokenField.hello.auth).toEqual(first.hello.auth);
  });

  test("frames that were sent before the handshake was answered", async () => {
    const client = gateway.dial();
    const params = await client.connectParams();
    client.send({ type: "req", id: "c", method: "connect", params });
    client.send({ type: "req", id: "h", method: "health" });
    const answers = await client.until("two answers", () => {
      const found = client.frames.filter((frame) => frame.type === "res");
      return found.length === 2 ? found : undefined;
    });
    expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
      ["c", true],
      ["h", true],
    ]);
  });

  test("a page of this machine that proves a device", async () => {
    const client = await gateway.connect({ client: CONTROL_UI, headers: LOCAL_PAGE });
    expect(client.hello.auth.scopes).toContain("operator.admin");
  });
});

describe("the gateway lets in, by other ways", () => {
  test("the right password", async () => {
    const config = { gateway: { auth: { mode: "password", password: "open sesame" } } };
    await using gateway = await startTestGateway({ config });
    const client = await gateway.connect({ token: undefined, password: "open sesame" });
    expect(client.hello.snapshot.authMode).toBe("password");
  });

  test("a client on this machine when the mode is none", async () => {
    await using gateway = await startTestGateway({ config: { gateway: { auth: { mode: "none" } } } });
    const client = await gateway.connect({ token: undefined });
    expect(client.hello.snapshot.authMode).toBe("none");
  });

  test("whom the trusted proxy names, with the scopes that were asked for and no device", async () => {
    await using gateway = await startTestGateway({
      rawConfig: JSON.stringify({
        gateway: {
          auth: { mode: "trusted-proxy", trustedProxy: { userHeader: "x-user", allowUsers: ["ada"] } },
          trustedProxies: ["127.0.0.1"],
        },
      }),
    });
    const proxied = { token: undefined, device: null, headers: { "x-user": "ada", "x-forwarded-proto": "https" } };
    const client = await gateway.connect(proxied);
    expect((await client.request("sessions.list")).ok).toBe(true);
    const stranger = await gateway.dial({ ...proxied, headers: { ...proxied.headers, "x-user": "eve" } }).tryConnect();
    expect(stranger.error?.details).toMatchObject({ authReason: "trusted_proxy_user_not_allowed" });
  });

  test("a control page without a device where the operator decided so", async () => {
    const controlUi = { allowInsecureAuth: true };
    await using gateway = await startTestGateway({ config: { gateway: { controlUi } } });
    const client = await gateway.connect({ client: CONTROL_UI, device: null, headers: LOCAL_PAGE });
    expect((await client.request("sessions.list")).ok).toBe(true);
  });

  test.for([
    ["v2", "vE2b673gigeh0MapTGSMrxBLh2zz9FTZ0NYu-puboIeD_2xtjwszsyeGPnZLtVk1sTVGzLc0C9s6ZTjZ-eZNDA"],
    ["v3", "QOQfgcMzMPI3midqtvXoQ7B99Wpe-25ysMEq_J44tc8nGjkwWkKZOQz7xG50TZCon0ZGL04X_4s2sJiEj2K8DQ"],
  ] as const)("a known device with a known signature (%s)", async ([version, signature]) => {
    const nonce = "11111111-2222-4333-8444-555555555555";
    const token = "secret-token";
    const signedAt = 1_772_000_000_000;
    let isArmed = false;
    const ids = {
      uuid: () => (isArmed ? ((isArmed = false), nonce) : randomUUID()),
      entryId: () => randomUUID().slice(0, 8),
      secretHex: (bytes: number) => Buffer.alloc(bytes, randomUUID()).toString("hex"),
    };
    await using gateway = await startTestGateway({
      config: { gateway: { auth: { token } } },
      clock: createFakeClock(signedAt),
      start: { given: { ids } },
    });
    isArmed = true;
    const device = createTestDevice("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    const scopes = ["operator.read", "operator.write"];
    const client = gateway.dial({ token, device, scopes, proof: version });
    const response = await client.tryConnect((params) => inDevice({ signature, signedAt, nonce })(params));
    expect(response.error).toBeUndefined();
    expect(client.hello.auth.scopes).toEqual(scopes);
    expect(device.id).toBe("56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c");
    const fields = { clientId: "cli", clientMode: "cli", role: "operator", scopes, signedAt, token, nonce };
    expect(signLine(device, signedLine(version, device.id, { ...fields, platform: "linux" }))).toBe(signature);
  });
});
