// What the process of a plugin tries to get at and must not: files, programs, threads, secrets, the network, the gateway itself.
import { mkdirSync, readFileSync, writeFileSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureDebianPackage } from "../support/stages/debian-package.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { addPlugin } from "../support/plugins/add-plugin.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const hasWalls = process.platform === "linux" && ensureDebianPackage("bubblewrap", "bwrap");
const NOTHING = {
  hosts: [],
  read: [],
  write: [],
  env: [],
  config: [],
  exec: false,
  native: false,
  conversation: false,
};

/** Each tells what it got, or throws. `SECRET` lies outside of everything that was granted. */
const ATTEMPTS = `
const fs = require("node:fs");
module.exports = (api) => {
  const attempts = {
    read: ({ path }) => fs.readFileSync(path, "utf8"),
    list: ({ path }) => fs.readdirSync(path),
    write: ({ path }) => (fs.writeFileSync(path, "x"), "written"),
    follow: ({ path }) => (fs.symlinkSync(path, api.runtime.state.resolveStateDir() + "/link"), fs.readFileSync(api.runtime.state.resolveStateDir() + "/link", "utf8")),
    exec: () => require("node:child_process").execFileSync("/bin/echo", ["ran"]).toString(),
    thread: () => (new (require("node:worker_threads").Worker)("0", { eval: true }), "thread"),
    sqlite: ({ path }) => (new (require("node:sqlite").DatabaseSync)(path), "opened"),
    builtin: () => (process.getBuiltinModule("node:sqlite") ? "there" : (() => { throw new Error("gone"); })()),
    environment: () => JSON.stringify(process.env),
    signal: ({ pid }) => (process.kill(pid, 0), "there"),
    fetch: async ({ url }) => (await fetch(url)).text(),
    config: () => JSON.stringify(api.config),
    writeConfig: async ({ change }) => (await api.runtime.config.writeConfigFile({ ...api.config, ...change }), "written"),
    inspector: () => (require("node:inspector").open(0), "open"),
    binding: () => (process.binding("fs"), "bound"),
  };
  api.registerGatewayMethod(api.id + ".try", async ({ params, respond }) => {
    try {
      respond(true, { got: await attempts[params.what](params) });
    } catch (error) {
      respond(true, { refused: String(error.message), code: error.code });
    }
  });
};`;

describe.each([
  ["bubblewrap and Node", { plugins: { entries: {} } }, true],
  ["Node alone", { plugins: { walls: "node" } }, false],
])("a plugin behind %s", (_, config, isWalled) => {
  let gateway: TestGateway;
  let client: WireClient;
  let server: Server;
  let url: string;
  let secret: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ config: config as Json, env: { CANARY_VARIABLE: "canary-of-the-environment" } });
    client = await gateway.connect();
    secret = join(gateway.stateDir, "secret.txt");
    writeFileSync(secret, "canary-of-the-disk");
    server = createServer((_request, response) => response.end("canary-of-the-network")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    addPlugin(gateway.stateDir, "burglar", { "index.js": ATTEMPTS });
    await client.call("plugins.approve", { id: "burglar", grant: NOTHING });
  });
  afterAll(async () => {
    server.close();
    await gateway[Symbol.asyncDispose]();
  });
  const attempt = (what: string, more: Json = {}, id = "burglar"): Promise<Json> =>
    client.call(`${id}.try`, { what, ...more });

  it("stands behind what it says", async () => {
    const { plugin } = await client.call("plugins.inspect", { id: "burglar" });
    const walls = plugin.walls.join(" ");
    expect(walls).toContain(isWalled && hasWalls ? "Bubblewrap stands" : "Bubblewrap does not stand");
    expect(walls).toContain(isWalled && hasWalls ? "It reaches no network." : "Nothing keeps it from the network");
  });

  it.each(["read", "write", "follow", "sqlite", "exec", "thread", "builtin", "inspector", "binding"])(
    "cannot: %s",
    async (what) => {
      const said = await attempt(what, { path: secret });
      expect(said).not.toHaveProperty("got");
      expect(readFileSync(secret, "utf8")).toBe("canary-of-the-disk");
    },
  );

  it("sees nothing of the gateway's environment, configuration and folders", async () => {
    expect(JSON.stringify(await attempt("environment"))).not.toContain("canary");
    expect(JSON.stringify(await attempt("config"))).not.toContain(gateway.token);
    expect(await attempt("list", { path: gateway.stateDir })).not.toHaveProperty("got");
    expect(await attempt("read", { path: "/etc/shadow" })).not.toHaveProperty("got");
  });

  it.skipIf(!isWalled || !hasWalls)("reaches no network, and neither sees nor signals another process", async () => {
    expect(await attempt("fetch", { url })).not.toHaveProperty("got");
    expect(await attempt("signal", { pid: process.pid })).toMatchObject({ code: "ESRCH" });
  });

  it("changes nothing of the configuration that is not its own", async () => {
    const refused = await attempt("writeConfig", { change: { gateway: { auth: { mode: "none" } } } });
    expect(JSON.stringify(refused)).toContain("may not change gateway");
    const own = { plugins: { ...(config["plugins"] as object), entries: { burglar: { config: { mine: 1 } } } } };
    expect(await attempt("writeConfig", { change: own })).toEqual({ got: "written" });
    expect(gateway.gateway.config.current().plugins?.entries?.["burglar"]?.config).toEqual({ mine: 1 });
  });

  it("has what was granted, and the next one has not", async () => {
    const open = join(gateway.stateDir, "open");
    mkdirSync(open);
    writeFileSync(join(open, "note"), "granted");
    addPlugin(gateway.stateDir, "guest", { "index.js": ATTEMPTS });
    const grant = { ...NOTHING, read: [open], env: ["CANARY_VARIABLE"], exec: true, hosts: ["*"] };
    await client.call("plugins.approve", { id: "guest", grant });
    expect(await attempt("read", { path: join(open, "note") }, "guest")).toEqual({ got: "granted" });
    expect(await attempt("write", { path: join(open, "note") }, "guest")).not.toHaveProperty("got");
    expect(JSON.stringify(await attempt("environment", {}, "guest"))).toContain("canary-of-the-environment");
    expect(await attempt("exec", {}, "guest")).toEqual({ got: "ran\n" });
    expect(await attempt("fetch", { url }, "guest")).toEqual({ got: "canary-of-the-network" });
    expect(await attempt("read", { path: join(open, "note") })).not.toHaveProperty("got");
  });

  it("is not loaded through a link that leads out of its folder", async () => {
    const root = addPlugin(gateway.stateDir, "linked", { "index.js": ATTEMPTS });
    symlinkSync(secret, join(root, "out.txt"));
    await expect(client.call("plugins.approve", { id: "linked" })).rejects.toThrow("leads out of the plugin");
  });
});
