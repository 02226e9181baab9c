// S-02: pages of other sites and names that point here by somebody else's DNS get nowhere, on any route.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest, UPGRADE_HEADERS } from "../support/in-process-http.ts";
import { listRoutes } from "../support/in-process-routes.ts";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const FOREIGN_HOSTS = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.1.2.3"];
const LOCAL_ORIGINS = [undefined, "http://localhost:5173", "https://127.0.0.1"];
const FOREIGN_ORIGINS = [
  "https://evil.example",
  "null",
  "file://",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "http://localhost@evil.example",
  "",
];

interface Attempt {
  readonly host: string;
  readonly origin: string | undefined;
  readonly isOurs: boolean;
}

const ATTEMPTS: readonly Attempt[] = [...LOCAL_HOSTS, ...FOREIGN_HOSTS].flatMap((host) =>
  [...LOCAL_ORIGINS, ...FOREIGN_ORIGINS].map((origin) => ({
    host,
    origin,
    isOurs: LOCAL_HOSTS.includes(host) && LOCAL_ORIGINS.includes(origin),
  })),
);

describe("S-02", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  const headersOf = ({ host, origin }: Attempt): Record<string, string> => {
    const { port } = gateway.gateway;
    return { host: `${host}:${port}`, ...(origin === undefined ? {} : { origin }) };
  };

  test.for(listRoutes())("$method $path answers only our own hosts and origins", async ({ method, path, letIn }) => {
    const { port } = gateway.gateway;
    for (const attempt of ATTEMPTS) {
      const headers = { ...headersOf(attempt), authorization: `Bearer ${gateway.token}` };
      const answer = await rawRequest(port, { method, path, headers, ...(method === "POST" ? { body: "{" } : {}) });
      // A POST that is let in stumbles over its body, which is no JSON.
      const expected = method === "POST" ? 400 : letIn;
      expect([attempt, answer.status]).toEqual([attempt, attempt.isOurs ? expected : 403]);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("an upgrade is made only for our own hosts and origins", async () => {
    for (const attempt of ATTEMPTS) {
      const headers = { ...headersOf(attempt), ...UPGRADE_HEADERS };
      const { status } = await rawRequest(gateway.gateway.port, { headers });
      expect([attempt, status === 101]).toEqual([attempt, attempt.isOurs]);
    }
  });

  test("a change that a browser says comes from another site is refused, even without an Origin", async () => {
    for (const { method, path, auth } of listRoutes().filter((route) => route.method === "POST")) {
      for (const site of ["cross-site", "same-site"]) {
        const headers = { authorization: `Bearer ${gateway.token}`, "sec-fetch-site": site };
        const { status } = await rawRequest(gateway.gateway.port, { method, path, headers, body: "{}" });
        expect([path, auth, site, status]).toEqual([path, auth, site, 403]);
      }
    }
  });

  test("an origin the operator lists is let in, exactly that one", async () => {
    const controlUi = { allowedOrigins: ["https://claw.example"] };
    await using listed = await startTestGateway({ config: { gateway: { controlUi } } });
    const status = async (host: string, origin: string) =>
      (await rawRequest(listed.gateway.port, { headers: { host, origin, ...UPGRADE_HEADERS } })).status;
    expect(await status("claw.example", "https://claw.example")).toBe(101);
    expect(await status("claw.example", "HTTPS://CLAW.EXAMPLE")).toBe(101);
    for (const origin of [
      "http://claw.example",
      "https://claw.example:8443",
      "https://x.claw.example",
      "https://evil.example",
    ]) {
      expect([origin, await status("claw.example", origin)]).toEqual([origin, 403]);
    }
  });
});
