// S-31: JSON that is nested deeper than anybody means it is nothing, also inside of a form, a field or a signed body.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPayload } from "../../src/rooms/webhooks/mapping/read-payload.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { connectNode } from "../support/test-node.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const DEPTH = 20_000;
const DEEP = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
const sign = (body: string): Record<string, string> => ({
  "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
});
const FORM = "application/x-www-form-urlencoded";

describe("S-31: depth", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const webhook = { secret: SECRET, format: "github", dmPolicy: "open", allowFrom: ["*"] };
    const mapping = {
      id: "deep",
      match: { path: "deep" },
      signature: { type: "github", secret: SECRET },
      action: "agent",
    };
    const mappings = [{ ...mapping, messageTemplate: "{{payload}}" }];
    gateway = await startTestGateway({
      config: {
        channels: { webhook },
        hooks: { enabled: true, path: "/in", token: "a-token-of-hooks-0123456789", mappings },
      },
    });
    await eventually(
      "the door is open",
      async () => (await post("/hooks/channel", "{}", {})).status === 401 || undefined,
    );
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  const post = (path: string, body: string, headers: Record<string, string>) =>
    gateway.fetch(path, { method: "POST", body, headers, token: null });

  test.for([
    ["JSON", `{"action":"opened","x":${DEEP}}`, "application/json"],
    ["a field of a form", `payload=${encodeURIComponent(`{"action":"opened","x":${DEEP}}`)}`, FORM],
  ] as const)("as %s that is signed, it is refused by channels and mappings", async ([, body, type]) => {
    for (const path of ["/hooks/channel", "/in/deep"]) {
      const response = await post(path, body, { ...sign(body), "content-type": type, "x-github-event": "issues" });
      expect([path, response.status]).toEqual([path, 400]);
    }
    expect(gateway.readLog()).not.toMatch(/RangeError|call stack/);
  });

  test("inside of what a node says, it is refused", async () => {
    const node = await connectNode(gateway, { scopes: [] });
    const payloadJSON = `{"text":"hello","x":${DEEP}}`;
    const answer = await node.client.request("node.event", { event: "voice.transcript", payloadJSON });
    expect(answer.error?.code).toBe("INVALID_REQUEST");
  });

  test("in a field of a form, it is unreadable", () => {
    const body = new TextEncoder().encode(`payload=${encodeURIComponent(DEEP)}`);
    expect(readPayload(body, FORM).kind).toBe("unreadable");
  });
});
