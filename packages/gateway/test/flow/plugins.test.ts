// Plugins in a running gateway, each in a process of its own: found, approved, called, changed, fallen, gone.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { addPlugin } from "../support/plugins/add-plugin.ts";
import type { WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;

beforeAll(async () => {
  gateway = await startTestGateway();
  client = await gateway.connect();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const GREETER = `
import { jsonResult, type OpenClawPluginApi } from "openclaw/plugin-sdk";
import { greet } from "./words.js";
export default {
  register(api: OpenClawPluginApi) {
    api.registerTool({
      name: "greet",
      description: "Greets somebody.",
      parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      execute: async (_id: string, { name }: { name: string }) => jsonResult({ said: greet(name) }),
    });
    api.registerGatewayMethod("greeter.say", ({ params, respond }) => respond(true, { said: greet(params.name) }));
    api.registerCommand({ name: "greet", description: "Greets you", acceptsArgs: true, handler: ({ args }) => ({ text: greet(args) }) });
    api.registerHttpRoute({ path: "/greeter", auth: "plugin", handler: (_request, response) => response.end(greet("web")) });
  },
};`;
const WORDS = "export const greet = (name: string): string => `Hello ${name}`;";

describe("a plugin in the state directory", () => {
  it("waits until somebody says what it may do, and brings what it registers then", async () => {
    addPlugin(gateway.stateDir, "greeter", { "index.ts": GREETER, "words.ts": WORDS });
    const { plugin: before } = await client.call("plugins.inspect", { id: "greeter" });
    expect(before).toMatchObject({ state: "needs-approval", fix: "chela plugins approve greeter" });
    const { plugin } = await client.call("plugins.approve", { id: "greeter", digest: before.digest });
    expect(plugin).toMatchObject({ state: "enabled", tools: ["greet"], methods: ["greeter.say"], commands: ["greet"] });
    expect(await client.call("greeter.say", { name: "you" })).toEqual({ said: "Hello you" });
    expect(await (await gateway.fetch("/greeter", { token: null })).text()).toBe("Hello web");
  });
});
void eventually;
