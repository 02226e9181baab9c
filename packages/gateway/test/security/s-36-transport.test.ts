// S-36: from another machine, a credential is only taken inside TLS.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestGateway } from "../support/in-process.ts";
import { createSelfSigned } from "../support/in-process-tls.ts";
import { connectClient, WireClient } from "../support/wire-client.ts";

/** An address of this machine that is not loopback: whoever uses it comes as a stranger would. */
const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

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

  test("a key that is not there keeps the gateway from starting, with words", async () => {
    const tls = { enabled: true };
    await expect(startTestGateway({ config: { gateway: { tls } } })).rejects.toThrow(/gateway\.tls\.certPath/);
  });
});
