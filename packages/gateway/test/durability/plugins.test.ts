// A gateway that is killed while plugins work for it: none of their processes is left behind.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startLoneGateway } from "../support/durability/lone-gateway.ts";
import { eventually } from "../support/in-process.ts";
import { addPlugin } from "../support/plugins/add-plugin.ts";
import { connectClient } from "../support/wire-client.ts";

const TOKEN = "token-of-a-gateway-that-is-killed-012345";
const HANGS = `
module.exports = (api) => {
  api.registerGatewayMethod("hanger.pid", ({ respond }) => respond(true, {}));
  api.registerGatewayMethod("hanger.hang", () => new Promise(() => {}));
};`;

it.each(["auto", "node"])("kill -9 of the gateway ends them, too: walls %s", async (walls) => {
  const gateway = await startLoneGateway({
    gateway: { auth: { mode: "token", token: TOKEN } },
    agents: { defaults: { model: "demo/demo", memorySearch: { enabled: false } } },
    plugins: { walls },
  });
  const { stateDir } = gateway;
  try {
    addPlugin(stateDir, "hanger", { "index.js": HANGS });
    const client = await connectClient({ url: `ws://127.0.0.1:${gateway.port}`, token: TOKEN });
    await client.call("plugins.approve", { id: "hanger" });
    await client.call("hanger.pid");
    client.request("hanger.hang").catch(() => undefined);
    expect(processesNaming(`${stateDir}/extensions/hanger`).length).toBeGreaterThan(0);
  } finally {
    await gateway[Symbol.asyncDispose]();
  }
  await eventually("nothing is left", () => processesNaming(stateDir).length === 0 || undefined);
});

function processesNaming(path: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(path);
    } catch {
      return false;
    }
  });
}
