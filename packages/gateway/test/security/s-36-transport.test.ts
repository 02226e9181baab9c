// S-36: from another machine, a credential is only taken inside TLS.
import type { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, test } from "vitest";
import { PASSWORD } from "../support/security/door-credentials.ts";
import { DOOR_BODY, listDoorRoutes, MOUNT_PATH } from "../support/security/door-routes.ts";
import { HOOK_TOKEN, MOUNT_SECRET, openDoorStage, OUTSIDE } from "../support/security/door-stage.ts";
import { createStateDirectory, startTestGateway, TEST_TOKEN } from "../support/in-process.ts";
import { createSelfSigned } from "../support/in-process-tls.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectClient, WireClient, type ClientOptions, type Json } from "../support/wire-client.ts";

const LAN = { gateway: { bind: "lan", controlUi: { enabled: false } } };

function createCertificate(): Disposable & { readonly config: { certPath: string; keyPath: string; enabled: true } } {
  const directory = mkdtempSync(join(tmpdir(), "chela-tls-"));
  const { cert, key } = createSelfSigned();
  const [certPath, keyPath] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key, { mode: 0o600 });
  return {
    config: { enabled: true, certPath, keyPath },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function isFor(certificate: X509Certificate | undefined, name: string): boolean {
  return (certificate?.checkHost(name) ?? certificate?.checkIP(name)) !== undefined;
}

describe.skipIf(OUTSIDE === undefined)("S-36: from another machine", () => {
  test("a secret in plain text is refused before it is looked at", async () => {
    await using gateway = await startTestGateway({ config: LAN });
    const url = `ws://${OUTSIDE}:${gateway.gateway.port}`;
    for (const token of [gateway.token, "wrong"]) {
      const client = new WireClient({ url, token });
      const { error } = await client.tryConnect();
      expect(error?.details).toEqual({ code: "PLAINTEXT_TRANSPORT" });
      expect((await client.closed).code).toBe(1008);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`http://${OUTSIDE}:${gateway.gateway.port}/v1/models`, { headers });
      expect(response.status).toBe(403);
    }
  });

  test("claiming that TLS was in front changes nothing", async () => {
    await using gateway = await startTestGateway({ config: LAN });
    const headers = { "x-forwarded-proto": "https", forwarded: "proto=https" };
    const client = new WireClient({ url: `ws://${OUTSIDE}:${gateway.gateway.port}`, token: gateway.token, headers });
    expect((await client.tryConnect()).error?.details).toEqual({ code: "PLAINTEXT_TRANSPORT" });
    await client.close();
  });

  test("inside TLS the secret is looked at, and the device still has to be approved", async () => {
    using certificate = createCertificate();
    await using gateway = await startTestGateway({
      config: { gateway: { ...LAN.gateway, tls: certificate.config } },
    });
    const client = new WireClient({ url: `wss://${OUTSIDE}:${gateway.gateway.port}`, token: gateway.token });
    expect((await client.tryConnect()).error?.details).toMatchObject({ code: "PAIRING_REQUIRED" });
    await client.close();
  });

  test("an operator may decide that plain text is fine", async () => {
    const env = { OPENCLAW_ALLOW_INSECURE_PRIVATE_WS: "1" };
    await using gateway = await startTestGateway({ config: LAN, env });
    const client = new WireClient({ url: `ws://${OUTSIDE}:${gateway.gateway.port}`, token: gateway.token });
    expect((await client.tryConnect()).error?.details).toMatchObject({ code: "PAIRING_REQUIRED" });
    await client.close();
  });
});

const USER = { "x-user": "ada", "x-forwarded-proto": "http" };
/** Each way to prove oneself, with everything that would open the door. */
const MODES: ReadonlyArray<readonly [string, Json, Record<string, string>, Partial<ClientOptions>]> = [
  ["token", { auth: { mode: "token" } }, { authorization: `Bearer ${TEST_TOKEN}` }, { token: TEST_TOKEN }],
  [
    "password",
    { auth: { mode: "password", password: PASSWORD } },
    { authorization: `Bearer ${PASSWORD}` },
    { token: undefined, password: PASSWORD },
  ],
  [
    "trusted-proxy",
    {
      auth: { mode: "trusted-proxy", token: "", trustedProxy: { userHeader: "x-user" } },
      trustedProxies: [OUTSIDE ?? "127.0.0.1"],
    },
    USER,
    { token: undefined, headers: USER },
  ],
];

describe.skipIf(OUTSIDE === undefined)("S-36: in plain text from another machine", () => {
  test.for(MODES)(
    "no credential is taken in the mode %s, on any route or socket",
    async ([, door, headers, options]) => {
      await using stage = await openDoorStage({ door: { ...door, bind: "lan", controlUi: { enabled: false } } });
      const host = OUTSIDE ?? "";
      const routes = listDoorRoutes().filter(({ auth }) => auth === "bearer");
      const wrong = await stage.findWrong(routes, async ({ method, path }) => {
        const body = method === "POST" ? { body: DOOR_BODY } : {};
        const { status } = await stage.ask({ host, method, path, headers, ...body });
        return { expected: 403, got: status };
      });
      expect(wrong).toEqual([]);
      const url = `ws://${host}:${stage.port}`;
      const given: Partial<ClientOptions>[] = [
        options,
        { ...options, device: null },
        { token: undefined, deviceToken: "any", headers: options.headers ?? {} },
        { token: undefined, bootstrapToken: "any", headers: options.headers ?? {} },
      ];
      for (const one of given) {
        const client = new WireClient({ url, ...one });
        expect((await client.tryConnect()).error?.details).toEqual({ code: "PLAINTEXT_TRANSPORT" });
        await client.close();
      }
      countCases("S-36", routes.length + given.length);
    },
  );

  test("a secret of a webhook is not taken, right or wrong; a signature is looked at", async () => {
    await using stage = await openDoorStage({ door: { bind: "lan", controlUi: { enabled: false } } });
    const host = OUTSIDE ?? "";
    const post = async (path: string, headers: Record<string, string>) =>
      (await stage.ask({ host, method: "POST", path, headers, body: DOOR_BODY })).status;
    for (const secret of [HOOK_TOKEN, "wrong"]) {
      for (const path of ["/hooks/agent", "/hooks/wake", "/hooks/mapped"]) {
        expect(await post(path, { authorization: `Bearer ${secret}` })).toBe(403);
        expect(await post(path, { "x-openclaw-token": secret })).toBe(403);
      }
      expect(await post(MOUNT_PATH, { "x-telegram-bot-api-secret-token": secret })).toBe(403);
    }
    expect(await post(MOUNT_PATH, { "x-mount": MOUNT_SECRET })).toBe(200);
    expect(await post("/hooks/agent", { "x-hub-signature-256": "sha256=00" })).toBe(401);
    countCases("S-36", 16);
  });

  test("what asks for no credential is there, and tells nothing", async () => {
    await using stage = await openDoorStage({ door: { bind: "lan", controlUi: { enabled: false } } });
    const routes = listDoorRoutes().filter(({ auth }) => auth === "public" || auth === "page");
    const wrong = await stage.findWrong(routes, async ({ method, path, auth }) => {
      const { status } = await stage.ask({ host: OUTSIDE ?? "", method, path });
      return { expected: auth === "public" ? 200 : 404, got: status };
    });
    expect(wrong).toEqual([]);
    countCases("S-36", routes.length);
  });
});

const BELIEVED = "S-36: a proxy that is listed is believed when it says TLS was in front, and only then";
test.skipIf(OUTSIDE === undefined)(BELIEVED, async () => {
  const host = OUTSIDE ?? "";
  const door = { bind: "lan", controlUi: { enabled: false }, trustedProxies: [host] };
  await using stage = await openDoorStage({ door });
  const cases: ReadonlyArray<readonly [string | undefined, number]> = [
    ["https", 200],
    ["HTTPS", 200],
    ["https, https", 200],
    ["http", 403],
    ["https, http", 403],
    ["http, https", 403],
    ["", 403],
    ["httpsx", 403],
    [undefined, 403],
  ];
  for (const [proto, expected] of cases) {
    const headers = {
      authorization: `Bearer ${TEST_TOKEN}`,
      ...(proto === undefined ? {} : { "x-forwarded-proto": proto }),
    };
    const { status } = await stage.ask({ host, path: "/v1/models", headers });
    expect([proto, status]).toEqual([proto, expected]);
  }
  countCases("S-36", cases.length);
});

describe("S-36: with a certificate", () => {
  test("everything is spoken inside TLS, on the same port", async () => {
    using certificate = createCertificate();
    await using gateway = await startTestGateway({ config: { gateway: { tls: certificate.config } } });
    const { port } = gateway.gateway;
    const client = await connectClient({ url: `wss://127.0.0.1:${port}`, token: gateway.token });
    expect(await client.agent("hello")).toContain("echo: ");
    const status = await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: "/healthz", rejectUnauthorized: false, agent: false };
      httpsRequest(options, (response) => resolve((response.resume(), response.statusCode)))
        .once("error", reject)
        .end();
    });
    expect(status).toBe(200);
    await expect(gateway.connect()).rejects.toThrow();
    await client.close();
  });

  test("who does not finish the handshake in time is closed there, too", async () => {
    using certificate = createCertificate();
    await using gateway = await startTestGateway({
      config: { gateway: { tls: certificate.config } },
      env: { OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "80" },
    });
    const slow = new WireClient({ url: `wss://127.0.0.1:${gateway.gateway.port}` });
    expect((await slow.closed).code).toBe(1000);
  });

  test("a certificate is made once where none is named, and known by its fingerprint", async () => {
    using state = createStateDirectory({ gateway: { tls: { enabled: true } } });
    const shown: string[] = [];
    for (let start = 0; start < 2; start++) {
      await using gateway = await startTestGateway({ stateDir: state.path });
      const { fingerprint = "", port } = gateway.gateway;
      const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
      await once(socket, "secureConnect");
      const certificate = socket.getPeerX509Certificate();
      expect(certificate?.fingerprint256).toBe(fingerprint);
      expect(["localhost", "127.0.0.1", "::1"].map((name) => isFor(certificate, name))).toEqual([true, true, true]);
      expect(Date.parse(certificate?.validTo ?? "")).toBeGreaterThan(Date.now() + 9 * 365 * 24 * 60 * 60_000);
      socket.destroy();
      shown.push(fingerprint);
    }
    expect(shown[0]).toBe(shown[1]);
    const folder = join(state.path, "gateway", "tls");
    expect(statSync(join(folder, "gateway-key.pem")).mode & 0o777).toBe(0o600);
    // Whoever knows it is let in by clients that trust nobody else.
    const cert = readFileSync(join(folder, "gateway-cert.pem"));
    await using gateway = await startTestGateway({ stateDir: state.path });
    const trusting = connectTls({ port: gateway.gateway.port, host: "127.0.0.1", ca: cert, servername: "localhost" });
    await once(trusting, "secureConnect");
    expect(trusting.authorized).toBe(true);
    trusting.destroy();
  });

  test.for([
    [
      "one half of the files",
      { certPath: "/nowhere/cert.pem" },
      /needs both gateway\.tls\.certPath and gateway\.tls\.keyPath/,
    ],
    ["neither, and none is to be made", { autoGenerate: false }, /gateway\.tls\.autoGenerate/],
    ["files that are not there", { certPath: "/nowhere/c.pem", keyPath: "/nowhere/k.pem" }, /c\.pem .*is not there/],
    ["a file that is none", { certPath: "/etc/hostname", keyPath: "/etc/hostname" }, /is no certificate in PEM/],
  ] as const)("a gateway with %s does not start, and says what to do", async ([, more, why]) => {
    const tls = { enabled: true, ...more };
    await expect(startTestGateway({ config: { gateway: { tls } } })).rejects.toThrow(why);
  });
});
