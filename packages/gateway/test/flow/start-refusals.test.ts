// A configuration that no gateway starts with is called so by every command that judges it, in the same words.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GatewayError } from "@chela/sdk";
import { runCommand } from "../support/stages/command-here.ts";
import { createStateDirectory, startTestGateway } from "../support/in-process.ts";

const NO_CERTIFICATE = { tls: { enabled: true, certPath: "/nowhere/cert.pem", keyPath: "/nowhere/key.pem" } };
const REFUSED = [
  ["a certificate that is not there", NO_CERTIFICATE],
  ["half of a certificate", { tls: { enabled: true, certPath: "/nowhere/cert.pem" } }],
  ["no certificate, and none to be made", { tls: { enabled: true, autoGenerate: false } }],
  ["a funnel without a password", { tailscale: { mode: "funnel" } }],
  ["a page for everybody", { bind: "lan" }],
  ["no credential for everybody", { bind: "lan", auth: { mode: "none" }, controlUi: { enabled: false } }],
  ["an address of another machine", { bind: "custom", customBindHost: "198.51.100.7" }],
  ["a proxy that names nobody", { auth: { mode: "trusted-proxy" } }],
] as const;

test.for(REFUSED)("%s: the start, validate and doctor agree", async ([, gateway]) => {
  using state = createStateDirectory({ gateway });
  const why = await startTestGateway({ stateDir: state.path }).then(
    () => expect.fail("it started"),
    (error: unknown) => (GatewayError.is(error) ? error.detail : expect.fail(String(error))),
  );
  const place = { stateDir: state.path, env: { OPENCLAW_GATEWAY_TOKEN: "" } };
  const validate = await runCommand(place, "config validate");
  expect(validate).toMatchObject({
    code: 1,
    text: expect.stringContaining(`gateway: does not start like this: ${why}`),
  });
  const doctor = await runCommand(place, "doctor");
  expect(doctor).toMatchObject({ code: 1, text: expect.stringContaining(why) });
});

test("a certificate that a start would make is no mistake, and checking makes none", async () => {
  using state = createStateDirectory({ gateway: { tls: { enabled: true } } });
  expect(await runCommand({ stateDir: state.path }, "config validate")).toMatchObject({ code: 0 });
  expect(existsSync(join(state.path, "gateway"))).toBe(false);
});
