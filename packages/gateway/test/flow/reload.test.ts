// The configuration is followed while the gateway runs; a broken one changes nothing.
import { createServer } from "node:net";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createScriptedModel, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

function edit(gateway: TestGateway, change: (config: Json) => void): void {
  const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as Json;
  change(config);
  writeFileSync(gateway.configPath, JSON.stringify(config, null, 2));
}

const logSays = (gateway: TestGateway, text: string) =>
  eventually(`the log says "${text}"`, () => gateway.readLog().includes(text));

const setToken = (token: string) => (config: Json) => ((config["gateway"] as { auth: Json }).auth["token"] = token);

test("another model answers the next message, without a restart", async () => {
  const second = createScriptedModel("second");
  const models = [{ id: "m", name: "M" }];
  const providers = { second: { baseUrl: "http://127.0.0.1:9", models } };
  await using gateway = await startTestGateway({ providers: { second }, config: { models: { providers } } });
  const client = await gateway.connect();
  await client.agent("hello");
  edit(gateway, (config) => ((config["agents"] as { defaults: Json }).defaults["model"] = "second/m"));
  await logSays(gateway, "configuration applied");
  second.script(say("I am the second"));
  expect(await client.agent("who are you?")).toBe("I am the second");
  expect(JSON.stringify(second.requests[0]?.messages)).toContain("hello");
});

test("a wrong edit is reported, and the last good version stays in use", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const good = readFileSync(gateway.configPath, "utf8");
  writeFileSync(gateway.configPath, '{ "gateway": { "auth": { "token": ');
  await logSays(gateway, "is not used");
  expect(await client.agent("still there?")).toContain("echo: ");
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
  expect(await client.call("config.get")).toMatchObject({ valid: false });
  writeFileSync(gateway.configPath, good.replace('"debounceMs": 1', '"debounceMs": 3'));
  await logSays(gateway, "configuration applied");
  expect(await client.call("config.get")).toMatchObject({ valid: true });
});

test.for(["as it was", "with a change"] as const)(
  "a file that was mended %s is said to be in use again",
  async (how) => {
    await using gateway = await startTestGateway();
    const good = readFileSync(gateway.configPath, "utf8");
    writeFileSync(gateway.configPath, "{ gateway: ");
    await logSays(gateway, "is not used");
    const mended = how === "as it was" ? good : good.replace('"debounceMs": 1', '"debounceMs": 3');
    writeFileSync(gateway.configPath, mended);
    await logSays(gateway, "openclaw.json can be read again and is used from now on.");
  },
);

test("a file that was gone for long is said to be in use again", async () => {
  await using gateway = await startTestGateway();
  const good = readFileSync(gateway.configPath, "utf8");
  rmSync(gateway.configPath);
  await logSays(gateway, "is gone");
  writeFileSync(gateway.configPath, good);
  await logSays(gateway, "openclaw.json can be read again and is used from now on.");
});

test("a new token holds at once: who came with the old one is closed, who has a device token stays", async () => {
  await using gateway = await startTestGateway();
  const byToken = await gateway.connect();
  const withoutDevice = await gateway.connect({ device: null, client: { id: "gateway-client", mode: "backend" } });
  const deviceToken = String(byToken.hello.auth.deviceToken);
  const byDevice = await gateway.connect({ token: undefined, device: byToken.device, deviceToken });
  edit(gateway, setToken("another-token-entirely"));
  for (const client of [byToken, withoutDevice]) {
    expect(await client.closed).toEqual({ code: 1008, reason: "gateway credentials changed" });
  }
  expect((await byDevice.request("sessions.list")).ok).toBe(true);
  const old = await gateway.dial({ device: null, client: { id: "gateway-client", mode: "backend" } }).tryConnect();
  expect(old.error?.details).toMatchObject({ code: "AUTH_TOKEN_MISMATCH" });
  expect((await gateway.connect({ token: "another-token-entirely" })).hello.type).toBe("hello-ok");
  expect((await gateway.fetch("/v1/models")).status).toBe(401);
  expect((await gateway.fetch("/v1/models", { token: "another-token-entirely" })).status).toBe(200);
});

test("a token that the gateway made itself can be changed like any other", async () => {
  await using gateway = await startTestGateway({ rawConfig: "{gateway: {reload: {debounceMs: 1}}}" });
  const made = /token: *"([0-9a-f]{48})"|"token": *"([0-9a-f]{48})"/.exec(readFileSync(gateway.configPath, "utf8"));
  const token = made?.[1] ?? made?.[2] ?? "";
  const client = await gateway.connect({ token });
  const text = readFileSync(gateway.configPath, "utf8");
  writeFileSync(gateway.configPath, text.replace(token, "chosen-by-a-person"));
  expect(await client.closed).toEqual({ code: 1008, reason: "gateway credentials changed" });
  expect((await gateway.connect({ token: "chosen-by-a-person" })).hello.type).toBe("hello-ok");
  const old = await gateway.dial({ token, device: null }).tryConnect();
  expect(old.error?.details).toMatchObject({ code: "AUTH_TOKEN_MISMATCH" });
});

test("a port that was given at the start stays, whatever the file says", async () => {
  await using gateway = await startTestGateway();
  edit(gateway, (config) => Object.assign(config["gateway"] as Json, { port: 1, controlUi: { basePath: "/claw" } }));
  await logSays(gateway, "configuration applied");
  await eventually("the page to move", async () => (await gateway.fetch("/claw/")).status === 200);
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
});

test("a port that is changed in the file is opened, and those who are connected stay", async () => {
  const [port = 0, next = 0] = await freePorts(2);
  await using gateway = await startTestGateway({
    config: { gateway: { port } },
    start: { port: undefined as never },
  });
  expect(gateway.gateway.port).toBe(port);
  const client = await gateway.connect();
  edit(gateway, (config) => Object.assign(config["gateway"] as Json, { port: next }));
  await logSays(gateway, "now listening elsewhere");
  expect((await client.request("health")).ok).toBe(true);
  expect((await gateway.connect({ url: `ws://127.0.0.1:${next}` })).hello.type).toBe("hello-ok");
  await expect(gateway.connect()).rejects.toThrow();
});

test("a bind that would not be safe is refused while running, as it would be at the start", async () => {
  await using gateway = await startTestGateway();
  edit(gateway, (config) => Object.assign(config["gateway"] as Json, { bind: "lan", auth: { mode: "none" } }));
  await logSays(gateway, "is for loopback only");
  expect((await gateway.fetch("/healthz")).status).toBe(200);
});

test("a change that needs it restarts the gateway, after the one who made it was answered", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { hash: baseHash } = await client.call("config.get");
  const raw = JSON.stringify({ memory: { citations: "off" } });
  const answer = await client.call("config.patch", { raw, baseHash });
  expect(answer.restart.applied.restart).toBe(true);
  expect((await client.untilEvent("shutdown")).payload).toMatchObject({ restartExpectedMs: 1500 });
  expect(await client.closed).toEqual({ code: 1012, reason: "service restart" });
  expect(await gateway.gateway.done).toBe("restart");
});

/** Different ports that nobody uses: all are held until the last is found. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
