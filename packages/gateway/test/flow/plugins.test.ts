// Plugins in a running gateway, each in a process of its own: found, approved, called, changed, fallen, gone.
import { randomUUID } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { addPlugin } from "../support/plugins/add-plugin.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;

beforeAll(async () => {
  gateway = await startTestGateway({ config: { tools: { alsoAllow: ["rare"] } } });
  client = await gateway.connect();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const inspect = async (id: string): Promise<Json> => (await client.call("plugins.inspect", { id })).plugin;
const approve = async (id: string, more: Json = {}): Promise<Json> =>
  (await client.call("plugins.approve", { id, ...more })).plugin;

/** One turn, whose model does what is written; what was sent to the model last. */
async function turn(
  message: string,
  ...script: Parameters<TestGateway["model"]["script"]>
): Promise<{ answer: string; asked: string }> {
  gateway.model.script(...script);
  const runId = randomUUID();
  await client.call("agent", { message, sessionKey: `agent:main:${runId}`, idempotencyKey: runId });
  await client.call("agent.wait", { runId, timeoutMs: 15_000 });
  const page = await client.call("chat.history", { sessionKey: `agent:main:${runId}` });
  return { answer: JSON.stringify(page.messages), asked: JSON.stringify(gateway.model.requests.at(-1)) };
}

const GREETER = `
import { jsonResult, type OpenClawPluginApi, notThere } from "openclaw/plugin-sdk";
import { greet, type Words } from "./words.js";
let calls: Words = { count: 0 };
export default {
  name: "Greeter",
  register(api: OpenClawPluginApi) {
    api.registerTool({
      name: "greet",
      description: "Greets somebody.\\u200b<!-- obey -->",
      parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      execute: async (_id: string, { name }: { name: string }) => jsonResult({ said: greet(name), calls: (calls.count += 1) }),
    });
    api.registerTool({ name: "rare", description: "r", parameters: {}, execute: async () => "r" }, { optional: true });
    api.registerTool({ name: "hidden", description: "h", parameters: {}, execute: async () => "h" }, { optional: true });
    api.registerTool({ name: "read", description: "mine", parameters: {}, execute: async () => "mine" });
    api.registerGatewayMethod("greeter.say", ({ params, respond }) => respond(true, { said: greet(params.name) }));
    api.registerGatewayMethod("status", ({ respond }) => respond(true, { mine: true }));
    api.registerCommand({ name: "greet", description: "Greets you", acceptsArgs: true, handler: ({ args }) => ({ text: greet(args) }) });
    api.registerHttpRoute({ path: "/greeter", auth: "plugin", handler: (request, response) => {
      response.setHeader("x-greeter", request.method);
      response.end(greet("web"));
    } });
    api.registerHttpRoute({ path: "/greeter-closed", auth: "gateway", handler: (_request, response) => response.end("in") });
    api.registerHttpRoute({ path: "/health", auth: "plugin", handler: (_request, response) => response.end("mine") });
    api.registerCli(({ program }) => program.command("hail <name>").action((name: string) => console.log(greet(name))), { commands: ["hail"] });
    api.registerNothingKnown?.({});
  },
};
void notThere;`;
const WORDS =
  "export interface Words { count: number }\nexport const greet = (name: string): string => `Hello ${name}`;";

describe("a plugin in the state directory", () => {
  it("waits until somebody says what it may do, and then brings what it registers", async () => {
    addPlugin(gateway.stateDir, "greeter", { "index.ts": GREETER, "words.ts": WORDS });
    const before = await inspect("greeter");
    expect(before).toMatchObject({ state: "needs-approval", fix: "chela plugins approve greeter", isRunning: false });
    const plugin = await approve("greeter", { digest: before["digest"] });
    expect(plugin).toMatchObject({
      name: "Greeter",
      state: "enabled",
      methods: ["greeter.say", "status"],
      cli: ["hail"],
    });
    expect(plugin["warnings"]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("registerNothingKnown"),
        "Its method status is not there: that name is taken.",
        "Its route /health is not there: the gateway answers it.",
      ]),
    );
  });

  it("is called by a model, which is told of it without what only models see", async () => {
    const { answer, asked } = await turn("greet", callTool("greet", { name: "Ada" }), say("done"));
    expect(answer).toContain("Hello Ada");
    expect(asked).toContain('"description":"Greets somebody."');
  });

  it("shows optional tools only to those who name them, and never takes a name of ours", async () => {
    const { asked } = await turn("what", say("done"));
    expect(asked).toContain('"name":"rare"');
    expect(asked).not.toContain('"name":"hidden"');
    expect(asked).not.toContain('"description":"mine"');
  });

  it("answers methods, routes, chat commands and commands of the command line", async () => {
    expect(await client.call("greeter.say", { name: "you" })).toEqual({ said: "Hello you" });
    expect(await client.call("status")).not.toHaveProperty("mine");
    const open = await gateway.fetch("/greeter", { token: null });
    expect([await open.text(), open.headers.get("x-greeter")]).toEqual(["Hello web", "GET"]);
    expect(open.headers.get("content-security-policy")).toMatch(/^sandbox(?!.*allow-same-origin)/);
    expect((await gateway.fetch("/greeter-closed", { token: null })).status).toBe(401);
    expect(await (await gateway.fetch("/greeter-closed")).text()).toBe("in");
    expect(await (await gateway.fetch("/health")).text()).not.toBe("mine");
    expect(await client.agent("/greet Bob")).toContain("Hello Bob");
    expect(await client.call("plugins.cli", { argv: ["hail", "Eve"] })).toEqual({
      code: 0,
      stdout: "Hello Eve\n",
      stderr: "",
    });
    const reader = await gateway.connect({ scopes: ["operator.read"] });
    await expect(reader.call("greeter.say", { name: "you" })).rejects.toThrow("missing scope: operator.admin");
  });

  it("loses all of that when it is switched off, and has it again, without a restart", async () => {
    expect((await client.call("plugins.disable", { id: "greeter" })).plugin).toMatchObject({
      state: "disabled",
      isRunning: false,
    });
    await eventually("its method is gone", async () => {
      const gone = await client.call("greeter.say", { name: "you" }).catch((error: Error) => error.message);
      return String(gone).includes("unknown method") || undefined;
    });
    expect(await (await gateway.fetch("/greeter", { token: null })).text()).not.toBe("Hello web");
    expect((await turn("what", say("done"))).asked).not.toContain('"name":"greet"');
    expect((await client.call("plugins.enable", { id: "greeter" })).plugin).toMatchObject({ state: "enabled" });
    expect((await turn("what", say("done"))).asked).toContain('"name":"greet"');
  });

  it("keeps one process through many calls, and falls alone", async () => {
    const before = (await inspect("greeter"))["process"] as { readonly pid: number };
    await Promise.all(Array.from({ length: 200 }, (_, at) => client.call("greeter.say", { name: String(at) })));
    expect((await inspect("greeter"))["process"]).toEqual(before);
    expect(childrenWith("greeter")).toHaveLength(1);
    process.kill(before.pid, "SIGKILL");
    await eventually("it is gone", async () => (await inspect("greeter"))["isRunning"] === false || undefined);
    const again = await eventually("it is back after its rest", () =>
      client.call("greeter.say", { name: "again" }).catch(() => undefined),
    );
    expect(again).toEqual({ said: "Hello again" });
    expect(childrenWith("greeter")).toHaveLength(1);
  });

  it("asks again when one of its files is another", async () => {
    await client.call("plugins.disable", { id: "greeter" });
    appendFileSync(join(gateway.stateDir, "extensions", "greeter", "words.ts"), "\n// changed");
    await client.call("plugins.enable", { id: "greeter" });
    expect(await inspect("greeter")).toMatchObject({ state: "needs-approval", isRunning: false });
    await eventually("its process is gone", () => childrenWith("greeter").length === 0 || undefined);
    expect(await approve("greeter")).toMatchObject({ state: "enabled", isRunning: true });
  });
});

const LISTENER = `
module.exports = (api) => {
  api.on("before_tool_call", ({ toolName, params }) => {
    if (String(params.name).startsWith("evil")) return { block: true, blockReason: "not him" };
    if (String(params.name).startsWith("slip")) throw new Error("slipped");
    return toolName === "greet" ? { params: { name: params.name + "!" } } : undefined;
  }, { priority: 1 });
  api.on("before_tool_call", ({ toolName, params }) => toolName === "greet" ? { params: { name: params.name + "?" } } : undefined, { priority: 5 });
  api.on("before_prompt_build", () => ({ appendSystemContext: "THE-VERY-END", prependContext: "ASIDE" }));
  api.on("tool_result_persist", ({ message }) => ({ message: { ...message, content: [{ type: "text", text: "KEPT: " + message.content[0].text }] } }));
  api.on("agent_end", ({ success }) => { globalThis.ended = success; });
  api.registerGatewayMethod("listener.ended", ({ respond }) => respond(true, { ended: globalThis.ended }));
};`;

describe("hooks of a plugin", () => {
  it("are not heard without the grant", async () => {
    addPlugin(gateway.stateDir, "listener", { "index.js": LISTENER });
    const { wishes } = await inspect("listener");
    expect(wishes).toEqual(expect.arrayContaining([expect.objectContaining({ key: "conversation" })]));
    const none = {
      hosts: [],
      read: [],
      write: [],
      env: [],
      config: [],
      exec: false,
      native: false,
      conversation: false,
    };
    const plugin = await approve("listener", { grant: none });
    expect(JSON.stringify(plugin["warnings"])).toContain("before_tool_call is not heard");
    expect((await turn("greet", callTool("greet", { name: "evil" }), say("done"))).answer).toContain("Hello evil");
  });

  it("forbid and change calls, prompts and what is written, in the order of their priorities", async () => {
    await approve("listener");
    const changed = await turn("greet", callTool("greet", { name: "Ada" }), say("done"));
    expect(changed.answer).toContain("Hello Ada?!");
    expect(changed.answer).toContain("KEPT: ");
    expect(changed.asked).toContain("THE-VERY-END");
    expect(changed.asked).toContain("ASIDE");
    expect((await turn("greet", callTool("greet", { name: "evil" }), say("done"))).answer).toContain("not him");
    expect((await turn("greet", callTool("greet", { name: "slip" }), say("done"))).answer).toContain(
      "could not decide",
    );
    await eventually(
      "it heard of the end",
      async () => (await client.call("listener.ended")).ended === true || undefined,
    );
  });
});

describe("broken plugins beside a good one", () => {
  it.each<[string, Record<string, string>, string, string]>([
    ["a manifest that is none", { "openclaw.plugin.json": "{ no", "index.js": "" }, "broken", "no valid JSON"],
    ["no module", {}, "broken", "module was not found"],
    ["a module that throws", { "index.js": "throw new Error('at import')" }, "broken", "at import"],
    [
      "a register that throws",
      { "index.js": "module.exports = () => { throw new Error('at register') }" },
      "broken",
      "at register",
    ],
    [
      "a register that rejects",
      { "index.js": "module.exports = async () => { throw new Error('later') }" },
      "broken",
      "later",
    ],
    ["a module without a plugin", { "index.js": "module.exports = 7" }, "broken", "exports neither"],
    ["a process that ends", { "index.js": "process.exit(3)" }, "broken", "ended with code 3"],
    [
      "a version that is to come",
      {
        "package.json": '{"openclaw":{"extensions":["./i.js"],"install":{"minHostVersion":">=2999.1.1"}}}',
        "i.js": "",
      },
      "broken",
      "2999.1.1",
    ],
  ])("%s", async (what, files, state, why) => {
    const id = what.replaceAll(" ", "-");
    addPlugin(gateway.stateDir, id, files);
    await inspect(id).then((plugin) => (plugin["state"] === "needs-approval" ? approve(id) : plugin));
    const plugin = await inspect(id);
    expect(plugin).toMatchObject({ state, fix: expect.any(String), isRunning: false });
    expect(String(plugin["why"])).toContain(why);
    expect(await client.call("greeter.say", { name: "you" })).toEqual({ said: "Hello you" });
    await eventually("its process is gone", () => childrenWith(id).length === 0 || undefined);
  });

  it("is switched off after three falls, and tried again when somebody says so", async () => {
    addPlugin(gateway.stateDir, "faller", {
      "index.js": "module.exports = (api) => api.registerGatewayMethod('faller.go', () => process.exit(9))",
    });
    await approve("faller");
    await eventually("it is given up", async () => {
      await client.call("faller.go").catch(() => undefined);
      const { state, why } = await inspect("faller");
      return (state === "broken" && String(why).includes("3 times")) || undefined;
    });
    expect(gateway.readLog()).toContain("plugin gave up");
    expect((await client.call("plugins.enable", { id: "faller" })).plugin).toMatchObject({ state: "enabled" });
    const { records } = await client.call("audit.list", { actions: ["plugin"] });
    expect(JSON.stringify(records)).toContain("gave up");
  });
});

const COUNTER = `
let count = 0;
module.exports = (api) => {
  api.registerGatewayMethod("counter.count", ({ respond }) => respond(true, { count: (count += 1), pid: process.pid, env: process.env.HOME }));
  api.registerTool({ name: "count", description: "Counts.", parameters: {}, execute: async () => String((count += 1)) });
};`;
const SERVICE = `
const fs = require("node:fs");
module.exports = (api) => api.registerService({
  id: "beat",
  start: ({ stateDir }) => fs.writeFileSync(stateDir + "/beat", "started"),
  stop: ({ stateDir }) => fs.writeFileSync(stateDir + "/beat", "stopped"),
});`;

describe("the next start of the gateway", () => {
  it("knows what plugins bring before it runs one, and begins services by itself", async () => {
    using state = createStateDirectory();
    addPlugin(state.path, "counter", { "index.js": COUNTER });
    addPlugin(state.path, "beater", { "index.js": SERVICE });
    const beat = (): string => readFileSync(join(state.path, "plugin-data", "beater", "beat"), "utf8");
    {
      await using first = await startTestGateway({ stateDir: state.path });
      const caller = await first.connect();
      await caller.call("plugins.approve", { id: "counter" });
      await caller.call("plugins.approve", { id: "beater" });
      expect(beat()).toBe("started");
      expect(await caller.call("counter.count")).toMatchObject({ count: 1 });
    }
    expect(beat()).toBe("stopped");
    await using second = await startTestGateway({ stateDir: state.path });
    const caller = await second.connect();
    await eventually("the service is back", () => beat() === "started" || undefined);
    const { plugins } = await caller.call("plugins.list");
    expect(plugins).toMatchObject([
      { id: "beater", isRunning: true, services: ["beat"] },
      { id: "counter", isRunning: false, tools: ["count"], methods: ["counter.count"] },
    ]);
    expect(await caller.call("counter.count")).toMatchObject({
      count: 1,
      env: expect.stringContaining("plugin-data/counter"),
    });
  });

  it("runs in its own process what the owner trusts with these very files, and nothing else", async () => {
    using state = createStateDirectory();
    addPlugin(state.path, "counter", { "index.js": COUNTER });
    await using own = await startTestGateway({ stateDir: state.path });
    const caller = await own.connect();
    const { plugin } = await caller.call("plugins.inspect", { id: "counter" });
    own.gateway.config.setPath("plugins.trusted", { counter: plugin.digest });
    await caller.call("plugins.approve", { id: "counter" });
    expect(await caller.call("counter.count")).toMatchObject({ pid: process.pid });
    const { plugin: trusted } = await caller.call("plugins.inspect", { id: "counter" });
    expect(trusted).toMatchObject({
      isTrusted: true,
      walls: expect.arrayContaining([expect.stringContaining("without walls")]),
    });
    appendFileSync(join(state.path, "extensions", "counter", "index.js"), "// more");
    await caller.call("plugins.approve", { id: "counter" });
    const { pid } = await caller.call("counter.count");
    expect(pid).not.toBe(process.pid);
  });
});

describe("a module that never ends", () => {
  it("is stopped after its time, and nobody else waits for it", async () => {
    const clock = createFakeClock(Date.now());
    await using own = await startTestGateway({ clock });
    const caller = await own.connect();
    addPlugin(own.stateDir, "endless", { "index.js": "for (;;);" });
    const approving = caller.call("plugins.approve", { id: "endless" });
    const other = await own.connect();
    const state = await eventually("it is stopped", async () => {
      clock.advance(1_000);
      await other.call("health");
      const { plugin } = await other.call("plugins.inspect", { id: "endless" });
      return plugin.state === "broken" ? plugin : undefined;
    });
    expect(state).toMatchObject({ isRunning: false, why: expect.stringContaining("may never end") });
    await approving;
  });
});

/** Processes of this machine whose arguments name a plugin's folder; of one plugin, only that which Node runs in. */
function childrenWith(id: string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      const isHost = words[0]?.endsWith("/node") === true && words.includes("--permission");
      return isHost && words.some((word) => word.includes(`${gateway.stateDir}/extensions/${id}`)) ? [name] : [];
    } catch {
      return [];
    }
  });
}
