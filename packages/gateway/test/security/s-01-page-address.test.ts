// S-01: nothing in the address of the control page chooses whom a credential is sent to, and none is ever part of it.
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest } from "../support/in-process-http.ts";
import { countCases } from "../support/security/security-cases.ts";

/** Every name by which a link has ever told a page where to connect, with what, or as whom. */
const NAMES = (
  "gatewayUrl gatewayurl gateway_url gateway url uri ws wss wsUrl websocket socket server host hostname endpoint origin " +
  "base baseUrl api apiUrl remote connect target proxy relay redirect redirect_uri return returnTo next callback " +
  "token access_token auth authToken password secret key apiKey deviceToken bootstrapToken code pair pairing setup " +
  "onboarding config settings state session_token __proto__ constructor"
).split(" ");
/** Where the page is, and each place of it that has been an address of its own. */
const PLACES = ["/", "/index.html"].concat(
  "chat overview channels instances sessions usage cron agents skills nodes config debug logs"
    .split(" ")
    .map((tab) => `/${tab}`),
  "/sessions/agent:main:main",
);

describe("S-01", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("whatever stands behind the question mark is dropped before the page sees it, and nobody is asked", async () => {
    let visits = 0;
    const sink = createServer(() => void visits++);
    await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
    const { port } = sink.address() as { port: number };
    const value = `ws://127.0.0.1:${port}/canary`;
    for (const place of PLACES) {
      for (const name of NAMES) {
        const path = `${place}?${name}=${encodeURIComponent(value)}`;
        const { status, headers, text } = await rawRequest(gateway.gateway.port, { path });
        expect([path, status]).toEqual([path, 302]);
        expect(headers.location).toBe(PLACES.indexOf(place) < 2 ? "/" : `/#${place}`);
        expect(text).toBe("");
      }
    }
    await new Promise((resolve) => sink.close(resolve));
    expect(visits).toBe(0);
    countCases("S-01", PLACES.length * NAMES.length);
  });

  test.for([
    ["/?session=agent:main:main", "/#/chat/agent%3Amain%3Amain"],
    ["/chat?session=main&token=canary", "/#/chat/main"],
    ["/sessions?gatewayUrl=ws://evil.example&session=a%2Fb%23%3Ftoken%3Dx", "/#/chat/a%2Fb%23%3Ftoken%3Dx"],
    [`/?session=${"k".repeat(513)}`, "/"],
    ["/?session=", "/"],
  ])("of %s only the conversation is kept", async ([path = "", location]) => {
    const { status, headers } = await rawRequest(gateway.gateway.port, { path });
    expect([status, headers.location]).toEqual([302, location]);
  });

  test("a redirect never leads away from here", async () => {
    for (const path of ["//evil.example/chat", "/chat//evil.example", "/\\evil.example/chat", "/chat/%0d%0aX-Evil:1"]) {
      const { status, headers } = await rawRequest(gateway.gateway.port, { path });
      if (status === 302) expect(headers.location).toMatch(/^\/#\/chat/);
      else expect([400, 403, 404]).toContain(status);
      expect(headers["x-evil"]).toBeUndefined();
    }
  });
});
