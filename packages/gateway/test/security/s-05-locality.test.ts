// S-05: being on this machine is a fact of the socket; no header makes it true, and any header of a proxy makes it false.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest } from "../support/in-process-http.ts";

const NAMES = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-original-forwarded-for",
  "x-envoy-external-address",
  "true-client-ip",
  "cf-connecting-ip",
  "fastly-client-ip",
  "tailscale-user-login",
];
const VALUES = ["127.0.0.1", "::1", "localhost", "for=127.0.0.1", "", "203.0.113.9, 127.0.0.1"];

describe("S-05", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for(NAMES)("%s takes the privileges of this machine away", async (name) => {
    for (const value of VALUES) {
      const response = await gateway.dial({ headers: { [name]: value } }).tryConnect();
      expect([value, response.error?.details?.["code"]]).toEqual([value, "PAIRING_REQUIRED"]);
      const { status } = await rawRequest(gateway.gateway.port, {
        method: "POST",
        path: "/v1/chat/completions",
        body: "{}",
        headers: {
          [name]: value,
          authorization: `Bearer ${gateway.token}`,
        },
      });
      expect([value, status]).toEqual([value, 404]);
    }
  });

  test("what a client calls itself does not make it local", async () => {
    for (const client of [
      { id: "cli", mode: "cli" },
      { id: "gateway-client", mode: "backend" },
      { id: "test", mode: "test" },
      { id: "openclaw-macos", mode: "ui" },
    ]) {
      const response = await gateway.dial({ client, headers: { "x-real-ip": "127.0.0.1" } }).tryConnect();
      expect(response.error?.details?.["code"]).toBe("PAIRING_REQUIRED");
    }
  });

  test("without a credential, a proxied request is not this machine", async () => {
    await using open = await startTestGateway({ config: { gateway: { auth: { mode: "none" } } } });
    expect((await open.fetch("/v1/models", { token: null })).status).toBe(200);
    for (const name of NAMES) {
      const { status } = await rawRequest(open.gateway.port, { path: "/v1/models", headers: { [name]: "127.0.0.1" } });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test("whom a listed proxy names is not this machine, even if it names it", async () => {
    await using proxied = await startTestGateway({ config: { gateway: { trustedProxies: ["127.0.0.1"] } } });
    for (const headers of [{}, { "x-forwarded-for": "127.0.0.1" }, { "x-forwarded-for": "203.0.113.9" }]) {
      const response = await proxied.dial({ headers: { "x-forwarded-proto": "https", ...headers } }).tryConnect();
      expect(response.error?.details?.["code"]).toBe("PAIRING_REQUIRED");
    }
  });
});
