// S-01: a browser is let in by a code that works once and for ten minutes, and that stands in no address a server sees.
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway, type TestGatewayOptions } from "../support/in-process.ts";
import { createTestDevice, type ClientOptions, type Json, type WireClient } from "../support/wire-client.ts";

const PAGE_SCOPES = ["operator.admin", "operator.approvals", "operator.pairing"];
const PAGE: Partial<ClientOptions> = {
  token: undefined,
  scopes: PAGE_SCOPES,
  client: { id: "openclaw-control-ui", mode: "ui", platform: "Linux x86_64" },
  headers: { origin: "http://127.0.0.1:18789" },
};
const AWAY = { origin: "https://claw.example", host: "claw.example", "x-forwarded-for": "203.0.113.9" };
const INVALID = "AUTH_BOOTSTRAP_TOKEN_INVALID";

const codeOf = async (admin: WireClient): Promise<string> => String((await admin.call("access.code")).code);

async function refusal(gateway: TestGateway, options: Partial<ClientOptions>): Promise<unknown> {
  return (await gateway.dial({ ...PAGE, ...options }).tryConnect()).error?.details?.["code"];
}

describe("S-01: a one-time code", () => {
  let gateway: TestGateway;
  let admin: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: { gateway: { controlUi: { allowedOrigins: ["https://claw.example"] } } },
    });
    admin = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("lets a browser in, which has a token of its own from then on", async () => {
    const bootstrapToken = await codeOf(admin);
    const page = await gateway.connect({ ...PAGE, bootstrapToken });
    expect(page.hello.auth).toMatchObject({ role: "operator", scopes: PAGE_SCOPES });
    expect((await page.request("config.get")).ok).toBe(true);
    const { device } = page;
    const again = await gateway.connect({ ...PAGE, device, deviceToken: String(page.hello.auth.deviceToken) });
    expect(again.hello.auth).toEqual(page.hello.auth);
  });

  test("is long, lasts ten minutes, and tells where the page is", async () => {
    const before = Date.now();
    const { code, expiresAtMs, basePath } = await admin.call("access.code");
    expect(code).toMatch(/^[\w-]{32}$/);
    expect(expiresAtMs - before).toBeGreaterThanOrEqual(10 * 60_000);
    expect(expiresAtMs - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    expect(basePath).toBe("");
  });

  test("works once", async () => {
    const bootstrapToken = await codeOf(admin);
    await gateway.connect({ ...PAGE, bootstrapToken });
    const { error } = await gateway.dial({ ...PAGE, bootstrapToken }).tryConnect();
    expect(error?.details).toMatchObject({ code: INVALID, authReason: "bootstrap_token_invalid" });
    expect(error?.message).toContain("run `chela dashboard` on the gateway's machine again");
  });

  test("works once, even for browsers that come at the same moment", async () => {
    const bootstrapToken = await codeOf(admin);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => gateway.dial({ ...PAGE, bootstrapToken }).tryConnect()),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("is not used up by a browser that is known, nor by one whose proof is wrong", async () => {
    const bootstrapToken = await codeOf(admin);
    const known = await gateway.connect({ ...PAGE, token: gateway.token });
    const { device } = known;
    const deviceToken = String(known.hello.auth.deviceToken);
    await gateway.connect({ ...PAGE, device, deviceToken, bootstrapToken });
    await gateway.connect({ ...PAGE, token: gateway.token, bootstrapToken });
    const other = createTestDevice();
    const forged = await gateway
      .dial({ ...PAGE, device, bootstrapToken })
      .tryConnect((params) => ({ ...params, device: { ...(params["device"] as Json), publicKey: other.publicKey } }));
    expect(forged.ok).toBe(false);
    expect((await gateway.connect({ ...PAGE, bootstrapToken })).hello.type).toBe("hello-ok");
  });

  test("helps a browser whose token is no longer good, and that was no guess", async () => {
    const page = { ...PAGE, deviceToken: "an-old-token" };
    for (let at = 0; at < 15; at++) {
      const client = await gateway.connect({ ...page, bootstrapToken: await codeOf(admin) });
      expect(client.hello.auth.deviceToken).not.toBe("an-old-token");
    }
  });

  test("is the answer of a person for a browser from elsewhere, whose question is gone then", async () => {
    const device = createTestDevice();
    const away = { ...PAGE, device, headers: AWAY };
    const first = await gateway.dial({ ...away, token: gateway.token }).tryConnect();
    const requestId = first.error?.details?.["requestId"];
    expect(requestId).toEqual(expect.any(String));
    const page = await gateway.connect({ ...away, bootstrapToken: await codeOf(admin) });
    expect(page.hello.auth.scopes).toEqual(PAGE_SCOPES);
    await admin.untilEvent("device.pair.resolved", ({ payload }) => payload.requestId === requestId);
    expect((await admin.call("device.pair.list")).pending).toEqual([]);
  });

  test("approves the browser that holds the gateway's token, too; a wrong one is told so and asks nobody", async () => {
    const away = { ...PAGE, token: gateway.token, headers: AWAY };
    expect(await refusal(gateway, { ...away, bootstrapToken: "wrong" })).toBe(INVALID);
    expect((await admin.call("device.pair.list")).pending).toEqual([]);
    const page = await gateway.connect({ ...away, bootstrapToken: await codeOf(admin) });
    expect(page.hello.auth.scopes).toEqual(PAGE_SCOPES);
  });

  test.for([
    ["without a device", { device: null }, "CONTROL_UI_DEVICE_IDENTITY_REQUIRED"],
    ["from a foreign page", { headers: { origin: "https://evil.example" } }, undefined],
    ["for a node", { role: "node", scopes: [], client: { id: "node-host", mode: "node" } }, INVALID],
  ] as const)("is worth nothing %s", async ([, options, code]) => {
    const bootstrapToken = await codeOf(admin);
    if (code === undefined) await expect(gateway.connect({ ...PAGE, ...options, bootstrapToken })).rejects.toThrow();
    else expect(await refusal(gateway, { ...options, bootstrapToken })).toBe(code);
    expect((await gateway.connect({ ...PAGE, bootstrapToken })).hello.type).toBe("hello-ok");
  });

  test("is worth nothing as a token, a password, a bearer or in the address", async () => {
    const code = await codeOf(admin);
    expect(await refusal(gateway, { token: code })).toBe("AUTH_TOKEN_MISMATCH");
    expect(await refusal(gateway, { deviceToken: code })).toBe("AUTH_DEVICE_TOKEN_MISMATCH");
    expect((await gateway.fetch("/v1/models", { token: code })).status).toBe(401);
    const url = `${gateway.url}/?code=${code}&bootstrapToken=${code}`;
    expect(await refusal(gateway, { url })).toBe("AUTH_TOKEN_MISSING");
  });

  test("is made only for who may do everything", async () => {
    for (const scopes of [["operator.write"], ["operator.pairing"], ["operator.approvals"]]) {
      const { error } = await (await gateway.connect({ scopes })).request("access.code");
      expect(error?.message).toBe("missing scope: operator.admin");
    }
  });

  test("is kept in no log and in no file", async () => {
    const [used, unused] = [await codeOf(admin), await codeOf(admin)];
    await gateway.connect({ ...PAGE, bootstrapToken: used });
    await refusal(gateway, { bootstrapToken: used });
    const written = gateway.readLog() + readFileSync(`${gateway.stateDir}/devices/paired.json`, "utf8");
    for (const code of [used, unused]) expect(written).not.toContain(code);
    expect(gateway.readLog()).toContain('"bootstrap"');
  });
});

describe("S-01: one-time codes", () => {
  test("end after ten minutes", async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const code = async () => codeOf(await gateway.connect());
    const [early, late] = [await code(), await code()];
    await clock.advance(10 * 60_000 - 1);
    expect((await gateway.connect({ ...PAGE, bootstrapToken: early })).hello.type).toBe("hello-ok");
    await clock.advance(1);
    expect(await refusal(gateway, { bootstrapToken: late })).toBe(INVALID);
  });

  test("cannot pile up: the oldest goes", async () => {
    await using gateway = await startTestGateway();
    const admin = await gateway.connect();
    const codes: string[] = [];
    for (let at = 0; at < 21; at++) codes.push(await codeOf(admin));
    expect(new Set(codes).size).toBe(21);
    expect(await refusal(gateway, { bootstrapToken: codes[0] })).toBe(INVALID);
    for (const bootstrapToken of [codes[1], codes[20]]) await gateway.connect({ ...PAGE, bootstrapToken });
  });

  test("cannot be guessed: attempts are counted before they are looked at", async () => {
    await using gateway = await startTestGateway();
    const bootstrapToken = await codeOf(await gateway.connect());
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => refusal(gateway, { bootstrapToken: `guess-${at}` })),
    );
    expect(answers.filter((code) => code === INVALID)).toHaveLength(10);
    expect(answers.filter((code) => code === "AUTH_RATE_LIMITED")).toHaveLength(30);
    expect(await refusal(gateway, { bootstrapToken })).toBe("AUTH_RATE_LIMITED");
    expect((await gateway.connect()).hello.type).toBe("hello-ok");
  });

  test.for(["device.pair.remove", "device.token.revoke", "device.token.rotate"])(
    "of a device end with its trust (%s)",
    async (method) => {
      await using gateway = await startTestGateway();
      const [admin, lost] = [await gateway.connect(), await gateway.connect()];
      const [kept, gone] = [await codeOf(admin), await codeOf(lost)];
      const role = method === "device.pair.remove" ? {} : { role: "operator" };
      await admin.call(method, { deviceId: lost.device?.id, ...role });
      expect(await refusal(gateway, { bootstrapToken: gone })).toBe(INVALID);
      await gateway.connect({ ...PAGE, bootstrapToken: kept });
    },
  );

  test("all end when the gateway's own secret changes", async () => {
    await using gateway = await startTestGateway();
    const admin = await gateway.connect();
    const bootstrapToken = await codeOf(admin);
    const text = readFileSync(gateway.configPath, "utf8");
    writeFileSync(gateway.configPath, text.replace(gateway.token, "another-token-entirely"));
    await admin.closed;
    expect(await refusal(gateway, { bootstrapToken })).toBe(INVALID);
  });

  test("are not made while the page is switched off", async () => {
    await using gateway = await startTestGateway({ config: { gateway: { controlUi: { enabled: false } } } });
    const { error } = await (await gateway.connect()).request("access.code");
    expect(error?.message).toContain("gateway.controlUi.enabled");
  });

  test("tell where a moved page is", async () => {
    await using gateway = await startTestGateway({ config: { gateway: { controlUi: { basePath: "claw/" } } } });
    expect((await (await gateway.connect()).call("access.code")).basePath).toBe("/claw");
  });
});

const PROXY: TestGatewayOptions = {
  rawConfig: JSON.stringify({
    gateway: {
      auth: { mode: "trusted-proxy", trustedProxy: { userHeader: "x-user" } },
      controlUi: { allowedOrigins: ["https://claw.example"] },
      trustedProxies: ["127.0.0.1"],
    },
  }),
};

describe("S-01: with other ways of proving oneself", () => {
  test("a code works where a password is asked for", async () => {
    const auth = { mode: "password", password: "open sesame" };
    await using gateway = await startTestGateway({ config: { gateway: { auth } } });
    const admin = await gateway.connect({ token: undefined, password: "open sesame" });
    expect(await refusal(gateway, {})).toBe("AUTH_PASSWORD_MISSING");
    expect((await gateway.connect({ ...PAGE, bootstrapToken: await codeOf(admin) })).hello.auth.scopes).toEqual(
      PAGE_SCOPES,
    );
  });

  test("a code is not needed on this machine where nothing is asked for, and does no harm", async () => {
    await using gateway = await startTestGateway({ config: { gateway: { auth: { mode: "none" } } } });
    const bootstrapToken = await codeOf(await gateway.connect({ token: undefined }));
    await gateway.connect({ ...PAGE, bootstrapToken: "wrong" });
    await gateway.connect({ ...PAGE, bootstrapToken });
    await gateway.connect({ ...PAGE, bootstrapToken });
  });

  test("a code approves the browser of somebody the proxy names", async () => {
    await using gateway = await startTestGateway(PROXY);
    const headers = { ...AWAY, "x-user": "ada", "x-forwarded-proto": "https" };
    const admin = await gateway.connect({ token: undefined, device: null, headers });
    const page = { ...PAGE, headers };
    expect(await refusal(gateway, page)).toBe("PAIRING_REQUIRED");
    const client = await gateway.connect({ ...page, bootstrapToken: await codeOf(admin) });
    expect(client.hello.auth.scopes).toEqual(PAGE_SCOPES);
    await eventually("it is paired", async () => {
      const { paired } = await admin.call("device.pair.list");
      return paired.some(({ deviceId }: Json) => deviceId === client.device?.id) || undefined;
    });
  });
});
