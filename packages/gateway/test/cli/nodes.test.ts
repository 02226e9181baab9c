// `chela nodes …` and `chela qr` against a running gateway with a node that answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";
import { createTestDevice, WireClient } from "../support/wire-client.ts";

const home = new Household();
const device = createTestDevice();
let url = "";
const clients: WireClient[] = [];

beforeAll(async () => {
  const { port } = await home.startGateway();
  url = `ws://127.0.0.1:${port}`;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await home[Symbol.asyncDispose]();
});

async function comeAsNode(commands: readonly string[], bootstrapToken?: string): Promise<WireClient> {
  const token = bootstrapToken ? undefined : gatewayToken();
  const headers = bootstrapToken ? { "x-forwarded-for": "203.0.113.9" } : {};
  const client = new WireClient({
    url,
    token,
    bootstrapToken,
    headers,
    device,
    role: "node",
    scopes: [],
    client: { id: "node-host", mode: "node", platform: "linux", displayName: "Lamp" },
  });
  clients.push(client);
  const response = await client.tryConnect((params) => ({ ...params, commands }));
  expect(response.error).toBeUndefined();
  return client;
}

function gatewayToken(): string {
  const { gateway } = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")) as {
    gateway: { auth: { token: string } };
  };
  return gateway.auth.token;
}

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("refuses to give a phone an address it cannot reach, and says what to do", async () => {
  const { code, stderr } = await home.chela("qr");
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/listens on this machine only[^]*gateway\.bind/);
});

it("draws a setup code, prints it alone, and tells programs about it", async () => {
  expect(await ok("qr", "--url", "wss://claw.example")).toMatch(
    /[█▀▄]{5}[^]*Setup code: [\w-]+\nGateway: +wss:\/\/claw/,
  );
  expect(await ok("qr", "--url", "wss://claw.example", "--no-ascii")).not.toMatch(/[█▀▄]/);
  expect(JSON.parse(await ok("qr", "--public-url", "wss://claw.example", "--json"))).toMatchObject({
    url: "wss://claw.example",
    setupCode: expect.any(String),
  });
});

it("lists, describes, renames, asks and removes a node that was paired by its setup code", async () => {
  expect(await ok("nodes", "list")).toMatch(/^There is no node/);
  const setupCode = (await ok("qr", "--url", "wss://claw.example", "--setup-code-only")).trim();
  const { bootstrapToken } = JSON.parse(Buffer.from(setupCode, "base64url").toString()) as { bootstrapToken: string };
  const node = await comeAsNode(["system.notify"], bootstrapToken);
  expect(await ok("nodes", "list")).toMatch(/^Lamp \([0-9a-f]{12}\) +linux +connected +1 commands\n$/);
  expect(await ok("nodes", "describe", "--node", "lamp")).toMatch(/Commands +system\.notify/);
  expect(await ok("nodes", "rename", "--node", "Lamp", "--name", "Desk lamp")).toMatch(/Desk lamp/);

  const shown = ok("nodes", "notify", "--node", "desk lamp", "--title", "Tea");
  const { payload } = await node.untilEvent("node.invoke.request");
  expect(JSON.parse(payload.paramsJSON)).toEqual({ title: "Tea", delivery: "system" });
  await node.request("node.invoke.result", { id: payload.id, nodeId: device.id, ok: true, payload: { shown: true } });
  expect(await shown).toBe("The node was told.\n");

  await node.close();
  await comeAsNode(["system.notify", "system.which"]);
  const waiting = await ok("nodes", "pending");
  const [, requestId = ""] = /\n +(\S+) +Lamp.*asks for more +system\.which/.exec(waiting) ?? [];
  expect(await ok("nodes", "approve", requestId.slice(0, 8))).toMatch(/^Approved/);
  expect(await ok("nodes", "pending")).toBe("No node waits.\n");
  const refused = await home.chela("nodes", "invoke", "--node", "desk lamp", "--command", "camera.snap");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("node command not allowed") });
  expect(await ok("nodes", "remove", "--node", "desk lamp")).toMatch(/^Removed Desk lamp/);
  expect(await home.chela("nodes", "describe", "--node", "desk lamp")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no node desk lamp"),
  });
});

it("a device that gives itself a new token goes on with it", async () => {
  const read = () =>
    JSON.parse(readFileSync(join(home.stateDir, "identity", "device-auth.json"), "utf8")) as {
      deviceId: string;
      tokens: { operator: { token: string } };
    };
  const before = read();
  const out = await ok("devices", "rotate", "--device", before.deviceId, "--json");
  const { token } = JSON.parse(out) as { token: string };
  expect(token).not.toBe(before.tokens.operator.token);
  expect(read().tokens.operator.token).toBe(token);
});

it("devices are cleared by those that wait, and all but the own one", async () => {
  expect((await home.chela("devices", "clear")).stderr).toMatch(/--pending/);
  expect(await ok("devices", "clear", "--pending", "--yes")).toMatch(/^Turned away 0, removed \d+\.\n$/);
  const { paired } = JSON.parse(await ok("devices", "list", "--json")) as { paired: unknown[] };
  expect(paired).toHaveLength(1);
});
