// Whether a credential changed is noticed for every place one can be written to.
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { createRateLimiter } from "./auth/index.ts";
import { readDoorRules } from "./door-rules.ts";

const parts = {
  limiter: createRateLimiter(createFakeClock()),
  whois: async () => undefined,
  listenHosts: ["127.0.0.1"],
  override: {},
};
const before = readDoorRules({}, {}, parts);

test.each([
  "OPENCLAW_GATEWAY_TOKEN",
  "OPENCLAW_GATEWAY_PASSWORD",
  "CLAWDBOT_GATEWAY_TOKEN",
  "CLAWDBOT_GATEWAY_PASSWORD",
])("another %s opens the door, and those who came in with the old one are noticed", (name) => {
  const after = readDoorRules({}, { [name]: "another" }, parts);
  const { token, password } = after.auth.auth;
  expect((token ?? password)?.matches("another")).toBe(true);
  expect(after.credentials).not.toBe(before.credentials);
});

test("what is no credential changes none", () => {
  const after = readDoorRules({ gateway: { trustedProxies: ["10.0.0.1"] } }, { HOME: "/elsewhere" }, parts);
  expect(after.credentials).toBe(before.credentials);
});
