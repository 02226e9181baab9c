// `chela models …`: which model answers, by which credential; and that no secret is ever shown.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { createServer, type AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "@chela/sdk";
import type { CommandCall, Terminal } from "@chela/sdk/command-line";
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import { withGateway } from "../../src/cli/connect/gateway-caller.ts";
import { createHttpFetch } from "@chela/sdk/http";
import { COMMANDS, GLOBAL_FLAGS } from "../../src/cli/table/command-table.ts";
import { explainFailure } from "../../src/cli/table/explain-failure.ts";
import { parseCommandLine } from "../../src/cli/table/parse-arguments.ts";
import { openVault } from "../../src/cli/offline/vault.ts";
import { resolveStatePaths } from "../../src/rooms/config/room.ts";
import { SIGN_INS } from "../../src/rooms/models/providers/sign-in/sign-ins.ts";
import { Household } from "../support/durability/child-gateway.ts";
import { openGoogleHouse, openQwenHouse, type GoogleAccount } from "../support/models/sign-in-houses.ts";
import { openReplayServer, type Reply } from "../../src/rooms/models/testing/replay-server.ts";

const CANARY = "sk-canary-0123456789";
const NOW = Date.now();
const DAY_MS = 24 * 3_600_000;

/** Everything any command said in this file; looked through at the end. */
let said = "";
const plain = (text: string): string => text;
const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What commands take beside their call: the clock, what is typed, and GitHub. */
  readonly parts?: {
    readonly clock?: Clock;
    readonly input?: NodeJS.ReadableStream;
    readonly siteUrl?: string;
    readonly tokenUrl?: string;
    readonly codeUrl?: string;
    readonly codeAssistUrl?: string;
  };
}

/** A state directory, and the command line in this process. */
class Home implements Disposable {
  readonly stateDir = mkdtempSync(join(tmpdir(), "chela-models-"));
  readonly configPath = join(this.stateDir, "openclaw.json");
  stdout = "";
  stderr = "";
  #watchers: Array<() => void> = [];

  readonly #terminal: Terminal = {
    style,
    columns: 80,
    isInteractive: false,
    write: (text) => this.#take("stdout", text),
    control: (code) => this.#take("stdout", code),
    print: (text) => this.#take("stdout", `${text}\n`),
    printJson: (value) => this.#take("stdout", `${JSON.stringify(value)}\n`),
    note: (text) => this.#take("stderr", `${text}\n`),
  };

  #take(stream: "stdout" | "stderr", text: string): void {
    this[stream] += text;
    said += text;
    for (const watch of this.#watchers) watch();
  }

  async run(line: string, { env = {}, parts = {} }: Surroundings = {}) {
    this.stdout = "";
    this.stderr = "";
    let code = 1;
    try {
      const parsed = parseCommandLine(line.split(" "), { commands: COMMANDS, globals: GLOBAL_FLAGS });
      if (parsed.kind !== "run" || !parsed.command.load) throw new Error(`not a command: ${line}`);
      const run = (await parsed.command.load()) as (call: CommandCall, parts?: object) => Promise<number>;
      const call = {
        path: parsed.command.path,
        args: parsed.args,
        flags: parsed.flags,
        terminal: this.#terminal,
        env: { HOME: this.stateDir, OPENCLAW_STATE_DIR: this.stateDir, OPENCLAW_GATEWAY_PORT: "9", ...nobody, ...env },
        state: {},
      };
      code = await run(withGateway(call), {
        clock: createFakeClock(NOW),
        input: Readable.from([]),
        fetch: createHttpFetch(),
        ...parts,
      });
    } catch (error) {
      this.#terminal.note(explainFailure(error, this.#terminal));
    }
    return { code, stdout: this.stdout, stderr: this.stderr };
  }

  /** Runs a command that has to work, and gives what it prints. */
  async ok(line: string, more?: Surroundings): Promise<string> {
    const { code, stdout, stderr } = await this.run(line, more);
    expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    return stdout;
  }

  async json(line: string, more?: Surroundings) {
    return JSON.parse(await this.ok(`${line} --json`, more));
  }

  async printed(text: string): Promise<void> {
    while (!this.stdout.includes(text) && !this.stderr.includes(text)) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  configure(config: object): void {
    writeFileSync(this.configPath, JSON.stringify(config), { mode: 0o600 });
  }

  get config() {
    return JSON.parse(readFileSync(this.configPath, "utf8"));
  }

  profilesPath(agentId = "main"): string {
    return join(this.stateDir, "agents", agentId, "agent", "auth-profiles.json");
  }

  writeProfiles(document: object, agentId?: string): void {
    mkdirSync(dirname(this.profilesPath(agentId)), { recursive: true });
    writeFileSync(this.profilesPath(agentId), JSON.stringify(document), { mode: 0o600 });
  }

  /** With what the vault has for the references in it. */
  profiles(agentId?: string) {
    const vault = openVault(resolveStatePaths({ OPENCLAW_STATE_DIR: this.stateDir }), {});
    return JSON.parse(readFileSync(this.profilesPath(agentId), "utf8"), (_key, value: unknown) => {
      const found = typeof value === "string" && value.startsWith("vault:") ? vault.find(value.slice(6)) : undefined;
      return found?.kind === "found" ? found.secret.reveal() : value;
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.stateDir, { recursive: true, force: true });
  }
}

/** Nobody listens there, so that no server of this machine is found. */
const nobody = { OLLAMA_HOST: "127.0.0.1:9" };
const piped = (text: string) => ({ parts: { input: Readable.from([text]) } });
const key = (provider: string, more: object = {}) => ({ type: "api_key", provider, key: CANARY, ...more });

describe("models status", () => {
  it("says that only the demo answers, and fails the check", async () => {
    using home = new Home();
    const told = await home.ok("models status");
    expect(told).toMatch(/Model +demo\/demo, the built-in demo[^]*No profiles[^]*No keys[^]*`chela models auth add`/);
    expect(await home.run("models status --check")).toMatchObject({ code: 1 });
    expect(await home.ok("models status --plain")).toBe("demo/demo\n");
  });

  it("tells where the model comes from, who can take its place, and how each profile is", async () => {
    using home = new Home();
    const until = NOW + 3_600_000;
    home.configure({
      agents: {
        defaults: {
          model: { primary: "anthropic/claude-opus-4-6", fallbacks: ["openai/gpt-5.2", "nowhere/x"] },
          models: { "openai/gpt-5.2": { alias: "quick" } },
        },
      },
    });
    home.writeProfiles({
      version: 1,
      profiles: {
        "anthropic:a": key("anthropic"),
        "anthropic:b": key("anthropic"),
        "groq:old": { type: "token", provider: "groq", token: CANARY, expires: NOW - DAY_MS },
        "xai:good": key("xai", { email: "me@example.org" }),
      },
      usageStats: {
        "anthropic:a": { errorCount: 1, cooldownUntil: until, cooldownReason: "rate_limit" },
        "anthropic:b": { errorCount: 1, disabledUntil: until + DAY_MS, disabledReason: "billing" },
        "xai:good": { errorCount: 0, lastUsed: NOW - 60_000 },
      },
    });
    const time = `${new Date(until).toISOString().slice(0, 10)} \\d\\d:\\d\\d UTC`;
    const env = { OPENAI_API_KEY: CANARY };
    const told = (await home.ok("models status", { env })).replace(/\s+/g, " ");
    for (const says of [
      `Model +anthropic/claude-opus-4-6 \\(anthropic:a rests until ${time}\\), from agents.defaults.model`,
      "Fallbacks +openai/gpt-5.2 \\(key from OPENAI_API_KEY\\) nowhere/x \\(There is no model",
      "Aliases +quick = openai/gpt-5.2",
      `anthropic:a +cooling until ${time} \\(rate-limit\\), api_key`,
      "anthropic:b +disabled until .* \\(billing\\)",
      "groq:old +expired .*, token",
      "xai:good ok, api_key, me@example.org, used 1 min ago",
      "openai +OPENAI_API_KEY in the environment",
    ]) {
      expect(told).toMatch(new RegExp(says));
    }
    expect(await home.run("models status --check", { env })).toMatchObject({ code: 0 });
    expect(await home.run("models status --check")).toMatchObject({ code: 1 });
    expect(await home.json("models status")).toMatchObject({
      defaultModel: "anthropic/claude-opus-4-6",
      fallbacks: ["openai/gpt-5.2", "nowhere/x"],
      aliases: { quick: "openai/gpt-5.2" },
      usable: false,
      auth: { profiles: [{ id: "anthropic:a", state: { kind: "cooling", until, reason: "rate-limit" } }, {}, {}, {}] },
    });
  });

  it("is that of one agent: its own model, its own profiles", async () => {
    using home = new Home();
    home.configure({
      agents: { defaults: { model: "openai/gpt-5.2" }, list: [{ id: "main" }, { id: "work", model: "xai/grok-4.7" }] },
    });
    home.writeProfiles({ profiles: { "xai:default": key("xai") } }, "work");
    expect(await home.json("models status --agent work")).toMatchObject({
      agentId: "work",
      resolvedDefault: "xai/grok-4.7",
      source: "from the model of the agent work",
      usable: true,
    });
    expect(await home.json("models status")).toMatchObject({ resolvedDefault: "openai/gpt-5.2", usable: false });
    expect(await home.run("models status --agent wrok")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Did you mean work?"),
    });
  });

  it("says when the file of profiles cannot be read, and goes on", async () => {
    using home = new Home();
    home.writeProfiles({});
    writeFileSync(home.profilesPath(), `{"profiles": {"x": "${CANARY}`);
    expect(await home.run("models status --plain")).toMatchObject({
      code: 0,
      stdout: "demo/demo\n",
      stderr: expect.stringContaining("it is not valid JSON"),
    });
  });
});

describe("models list", () => {
  it("knows models by a stored key, and says what is wrong with a provider's name", async () => {
    using home = new Home();
    expect(await home.ok("models list --provider xai")).toContain("No models of xai can be used now. `--all`");
    expect(await home.ok("models list --provider xia")).toContain("Did you mean xai?");
    home.writeProfiles({ profiles: { "xai:default": key("xai") } });
    expect(await home.ok("models list --provider xai --plain")).toContain("xai/grok-4.7\n");
  });
});

describe("the choice of models", () => {
  it("is written with comments and fallbacks kept", async () => {
    using home = new Home();
    writeFileSync(
      home.configPath,
      '{ // mine\n  agents: { defaults: { model: { primary: "xai/grok-4.7", fallbacks: ["openai/gpt-5.2"] } } } }\n',
    );
    const { stderr } = await home.run("models set anthropic/claude-opus-4-6");
    expect(stderr).toMatch(/cannot be used yet: no key: set ANTHROPIC_API_KEY/);
    const text = readFileSync(home.configPath, "utf8");
    expect(text).toContain("// mine");
    expect(await home.json("models status")).toMatchObject({
      defaultModel: "anthropic/claude-opus-4-6",
      fallbacks: ["openai/gpt-5.2"],
    });
  });

  it.each<[string, object, string, object]>([
    ["a new one", {}, "models set openai/gpt-5.2", { model: { primary: "openai/gpt-5.2" } }],
    ["a plain name", { model: "xai/grok-4.7" }, "models set openai/gpt-5.2", { model: "openai/gpt-5.2" }],
    [
      "an alias",
      { models: { "openai/gpt-5.2": { alias: "quick" } } },
      "models set quick",
      { model: { primary: "openai/gpt-5.2" }, models: { "openai/gpt-5.2": { alias: "quick" } } },
    ],
    [
      "one that a list lacks",
      { models: { "xai/grok-4.7": {} } },
      "models set openai/gpt-5.2",
      { model: { primary: "openai/gpt-5.2" }, models: { "xai/grok-4.7": {}, "openai/gpt-5.2": {} } },
    ],
    [
      "one for pictures",
      { imageModel: { fallbacks: ["xai/grok-4.7"] } },
      "models set-image openai/gpt-5.2",
      { imageModel: { primary: "openai/gpt-5.2", fallbacks: ["xai/grok-4.7"] } },
    ],
    [
      "a fallback of a plain name",
      { model: "xai/grok-4.7" },
      "models fallbacks add openai/gpt-5.2",
      { model: { primary: "xai/grok-4.7", fallbacks: ["openai/gpt-5.2"] } },
    ],
    [
      "a fallback for pictures",
      {},
      "models image-fallbacks add openai/gpt-5.2",
      { imageModel: { fallbacks: ["openai/gpt-5.2"] } },
    ],
    [
      "one fallback less",
      { model: { primary: "xai/grok-4.7", fallbacks: ["openai/gpt-5.2", "demo/demo"] } },
      "models fallbacks remove openai/gpt-5.2",
      { model: { primary: "xai/grok-4.7", fallbacks: ["demo/demo"] } },
    ],
    [
      "no fallbacks",
      { model: { primary: "xai/grok-4.7", fallbacks: ["demo/demo"] } },
      "models fallbacks clear",
      { model: { primary: "xai/grok-4.7" } },
    ],
    [
      "an alias for a model",
      {},
      "models aliases add quick openai/gpt-5.2",
      { models: { "openai/gpt-5.2": { alias: "quick" } } },
    ],
    [
      "no alias, with what else is said about the model",
      { models: { "openai/gpt-5.2": { alias: "Quick", streaming: false } } },
      "models aliases remove quick",
      { models: { "openai/gpt-5.2": { streaming: false } } },
    ],
  ])("can be %s", async (_name, before, line, after) => {
    using home = new Home();
    home.configure({ agents: { defaults: before } });
    await home.ok(line);
    expect(home.config.agents.defaults).toEqual(after);
    expect(statSync(home.configPath).mode & 0o777).toBe(0o600);
  });

  it.each<[string, RegExp]>([
    ["models set antropic/claude-opus-4-6", /nearest is "anthropic\/claude-opus-4-6"/],
    ["models fallbacks add xai/grok-4.7", /is the first choice already/],
    ["models fallbacks remove openai/gpt-5.2", /openai\/gpt-5.2 is no fallback\.\nThere are: demo\/demo\./],
    ["models image-fallbacks remove openai/gpt-5.2", /has no fallbacks/],
    ["models aliases add a/b openai/gpt-5.2", /"a\/b" cannot be an alias/],
    ["models aliases add quick demo/demo", /stands for openai\/gpt-5.2 already\.\n`chela models aliases remove quick`/],
    ["models aliases remove quik", /Did you mean quick\?/],
    ["models aliases remove gpt", /gpt is built in/],
  ])("is left as it is by `chela %s`, which says why", async (line, says) => {
    using home = new Home();
    home.configure({
      agents: {
        defaults: {
          model: { primary: "xai/grok-4.7", fallbacks: ["demo/demo"] },
          models: { "openai/gpt-5.2": { alias: "quick" } },
        },
      },
    });
    const before = readFileSync(home.configPath, "utf8");
    expect(await home.run(line)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(says) });
    expect(readFileSync(home.configPath, "utf8")).toBe(before);
  });

  it("takes a model that the catalogue lacks, and says so with the nearest", async () => {
    using home = new Home();
    const { code, stderr } = await home.run("models set anthropic/claude-opus-4-66");
    expect(code).toBe(0);
    expect(stderr.replaceAll("\n", " ")).toMatch(/not in the catalogue.* The nearest is anthropic\/claude-opus-4-6\./);
    expect(home.config.agents.defaults.model.primary).toBe("anthropic/claude-opus-4-66");
  });

  it("names the agents that it does not change, and the lists for programs", async () => {
    using home = new Home();
    home.configure({
      agents: {
        defaults: { model: { fallbacks: ["demo/demo"] }, models: { "openai/gpt-5.2": {} } },
        list: [{ id: "main" }, { id: "work", model: "demo/demo" }],
      },
    });
    expect((await home.run("models set xai/grok-4.7")).stderr).toContain("keep it: work.");
    expect(await home.json("models fallbacks list")).toEqual({ fallbacks: ["demo/demo"] });
    expect(await home.ok("models image-fallbacks list")).toContain("has no fallbacks");
    expect(await home.json("models aliases list")).toEqual({ aliases: { gpt: "openai/gpt-5.2" } });
  });
});

describe("models auth", () => {
  it("stores a key that is piped in, privately", async () => {
    using home = new Home();
    const told = await home.ok("models auth add --provider anthropic", piped(` ${CANARY}\n`));
    expect(told).toContain("Stored the profile anthropic:default of the agent main.");
    expect(home.profiles().profiles).toEqual({ "anthropic:default": key("anthropic") });
    expect(readFileSync(home.profilesPath(), "utf8")).not.toContain(CANARY);
    expect(statSync(home.profilesPath()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(home.profilesPath())).mode & 0o777).toBe(0o700);
    expect(await home.ok("models auth add --provider anthropic", piped(`${CANARY}-2`))).toContain(
      "Replaced the profile",
    );
    expect(home.profiles().profiles["anthropic:default"].key).toBe(`${CANARY}-2`);
  });

  it("asks a person for the provider and the key, and does not show the key", async () => {
    using home = new Home();
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
    const done = home.run("models auth add", { parts: { input } });
    await home.printed("Which provider?");
    input.write("groq\r");
    await home.printed("Paste the key of groq");
    expect(modes.at(-1)).toBe(true);
    input.write(`${CANARY}\r`);
    expect(await done).toMatchObject({ code: 0, stdout: expect.stringContaining("Which provider? groq") });
    expect(modes.at(-1)).toBe(false);
    expect(home.profiles().profiles).toEqual({ "groq:default": key("groq") });
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("stores nothing after %s", async (_name, typed) => {
    using home = new Home();
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    const done = home.run("models auth paste-token --provider groq", { parts: { input } });
    await home.printed("Paste the token of groq");
    input.write(typed);
    expect(await done).toMatchObject({ code: 1, stderr: expect.stringContaining("Called off; nothing was stored.") });
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it.each<[string, string, object]>([
    ["", "anthropic:manual", {}],
    [" --profile-id work --expires-in 365d", "anthropic:work", { expires: NOW + 365 * DAY_MS }],
    [" --profile-id x:me@example.org --expires-in 12h", "x:me@example.org", { expires: NOW + DAY_MS / 2 }],
    [" --expires-in 30", "anthropic:manual", { expires: NOW + 30 * DAY_MS }],
  ])("paste-token%s keeps a token", async (more, id, fields) => {
    using home = new Home();
    await home.ok(`models auth paste-token --provider anthropic${more}`, piped(CANARY));
    expect(home.profiles().profiles).toEqual({
      [id]: { type: "token", provider: "anthropic", token: CANARY, ...fields },
    });
  });

  it.each<[string, string, RegExp]>([
    ["models auth add", CANARY, /Which provider\? Add --provider/],
    ["models auth add --provider antropic", CANARY, /no provider "antropic"\.\nDid you mean anthropic\?/],
    ["models auth add --provider qwen-portal", CANARY, /has no keys[^]*chela models auth login --provider qwen-portal/],
    ["models auth add --provider anthropic", " \n", /key of anthropic is empty/],
    ["models auth add --provider anthropic", `${CANARY} ${CANARY}`, /spaces, line breaks/],
    ["models auth add --provider anthropic", `${CANARY}\u001b[2J`, /spaces, line breaks/],
    ["models auth add --provider anthropic", `ANTHROPIC_API_KEY=${CANARY}`, /looks like a line NAME=value/],
    ["models auth add --provider anthropic", CANARY.repeat(5000), /far too long/],
    ["models auth add --provider anthropic --agent nobody", CANARY, /no agent "nobody"\.\nThere is: main\./],
    ["models auth add --provider anthropic --profile-id a/b", CANARY, /"a\/b" cannot be the id/],
    ["models auth paste-token --provider anthropic --expires-in soon", CANARY, /as 365d, 12h/],
    ["models auth paste-token --provider anthropic --expires-in 0d", CANARY, /as 365d, 12h/],
    ["models auth login-github-copilot --enterprise-url a%b", "", /"a%b" is no address/],
  ])("`chela %s` stores nothing and says what is wrong", async (line, typed, says) => {
    using home = new Home();
    expect(await home.run(line, piped(typed))).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(says),
    });
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("keeps the order, which a running gateway takes up", async () => {
    using home = new Home();
    home.configure({ auth: { order: { xai: ["xai:two"] } } });
    home.writeProfiles({
      version: 1,
      profiles: { "xai:one": key("xai"), "xai:two": key("xai"), "xai:three": key("xai"), "groq:x": key("groq") },
      other: "kept",
    });
    expect(await home.json("models auth order get --provider xai")).toMatchObject({
      order: ["xai:two"],
      source: "auth.order",
    });
    const set = await home.run("models auth order set --provider xai xai:two,xai:one");
    expect(set).toMatchObject({ code: 0, stderr: "Not used any more: xai:three.\n" });
    expect(home.profiles()).toMatchObject({ order: { xai: ["xai:two", "xai:one"] }, other: "kept" });
    expect(await home.ok("models auth order get --provider xai")).toBe("xai: xai:two, xai:one (auth-profiles.json)\n");
    const added = await home.run("models auth add --provider xai --profile-id four", piped(CANARY));
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("does not name it") });
    expect(await home.run("models auth order set --provider xai groq:x")).toMatchObject({
      code: 1,
      stderr: "groq:x is a profile of groq, not of xai.\n",
    });
    await home.ok("models auth order clear --provider xai");
    expect(home.profiles().order).toEqual({});
    expect(await home.ok("models auth order get --provider groq")).toContain("No order is set for groq");
  });

  it("removes profiles and wakes resting ones; keys that lie elsewhere are left alone", async () => {
    using home = new Home();
    home.writeProfiles({
      profiles: { "xai:one": key("xai"), "xai:two": key("xai") },
      usageStats: { "xai:one": { errorCount: 3, cooldownUntil: NOW + DAY_MS / 48 } },
      lastGood: { xai: "xai:two" },
    });
    expect(await home.ok("models auth clear-cooldown xai:one")).toBe("xai:one is tried again from now on.\n");
    expect(await home.ok("models auth clear-cooldown xai:one")).toBe("xai:one was not resting.\n");
    expect(await home.ok("models auth remove xai:two")).toBe("Removed the profile xai:two of the agent main.\n");
    expect(home.profiles()).toEqual({
      profiles: { "xai:one": key("xai") },
      usageStats: { "xai:one": { errorCount: 0 } },
      lastGood: {},
    });
    expect(await home.run("models auth remove xai:oen")).toMatchObject({
      code: 1,
      stderr: 'The agent main has no profile "xai:oen".\nDid you mean xai:one?\n',
    });
    expect(await home.run("models auth remove groq:env", { env: { GROQ_API_KEY: CANARY } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it is GROQ_API_KEY in the environment"),
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("models auth login", () => {
  const token = `h.${Buffer.from(JSON.stringify({ "https://api.openai.com/auth": { chatgpt_account_id: "acc-1" } })).toString("base64url")}.s`;
  const tokens = { access_token: token, refresh_token: `${CANARY}-refresh`, expires_in: 3_600 };

  /** Runs the command, and answers as soon as it shows the address to open. */
  async function signIn(
    home: Home,
    line: string,
    answer: (url: URL, input: PassThrough) => unknown,
    reply: Reply,
    parts = {},
  ) {
    await using server = await openReplayServer();
    server.answer(reply);
    const input = new PassThrough();
    const done = home.run(line, { parts: { input, tokenUrl: server.url, ...parts } });
    await home.printed("code_challenge=");
    await answer(new URL(/^https:\S+$/m.exec(home.stdout)?.[0] ?? ""), input);
    return { ...(await done), asked: server.requests };
  }
  const paste = (text: string, input: PassThrough) => void input.end(text);
  const ok: Reply = { body: JSON.stringify(tokens) };

  it("takes the code that is pasted, with the proof that it is ours, and stores the tokens", async () => {
    using home = new Home();
    const { code, asked } = await signIn(
      home,
      "models auth login --provider anthropic",
      (url, input) => {
        expect(url.origin + url.pathname).toBe("https://claude.ai/oauth/authorize");
        expect(url.searchParams.get("code_challenge_method")).toBe("S256");
        paste(`the-code#${url.searchParams.get("state")}`, input);
      },
      ok,
    );
    expect(code).toBe(0);
    expect(asked[0]?.body).toMatchObject({ grant_type: "authorization_code", code: "the-code" });
    const stored = home.profiles().profiles["anthropic:default"];
    expect(stored).toMatchObject({ type: "oauth", provider: "anthropic", refresh: tokens.refresh_token });
    expect(stored.expires).toBeGreaterThan(NOW);
  });

  it("takes the address the browser was sent to, and knows whose account it is", async () => {
    using home = new Home();
    const { code, asked } = await signIn(
      home,
      "models auth login --provider openai-codex --profile-id me",
      (url, input) =>
        paste(`http://localhost:1455/auth/callback?code=c1&state=${url.searchParams.get("state")}`, input),
      ok,
    );
    expect({ code, text: asked[0]?.text }).toEqual({ code: 0, text: expect.stringContaining("code=c1") });
    expect(home.profiles().profiles["openai-codex:me"]).toMatchObject({ type: "oauth", accountId: "acc-1" });
    expect(await home.ok("models list --provider openai-codex --plain")).toContain("openai-codex/gpt-");
  });

  it("lets the browser come back by itself, and nobody else", async () => {
    using home = new Home();
    const known = SIGN_INS.find(({ provider }) => provider === "openai-codex");
    const port = await freePort();
    const redirectUri = `http://localhost:${port}/auth/callback`;
    const parts = { signIns: [{ ...known, redirectUri }] };
    const come = async (url: URL) => {
      const state = url.searchParams.get("state");
      const knock = (query: string) => fetch(`http://127.0.0.1:${port}/auth/callback?${query}`);
      expect((await knock("code=theirs&state=other")).status).toBe(400);
      expect((await knock(`code=ours&state=${state}`)).status).toBe(200);
    };
    const line = "models auth login --provider openai-codex";
    const { code, asked } = await signIn(home, line, come, ok, parts);
    expect({ code, text: asked[0]?.text }).toEqual({ code: 0, text: expect.stringContaining("code=ours") });
  });

  it.each<[string, string, Reply, RegExp]>([
    ["it is of another sign-in", "the-code#other", ok, /belongs to another sign-in/],
    ["nobody knows which one was called off", "https://x.example/?error=access_denied", ok, /another sign-in/],
    ["the provider refuses it", "the-code", { status: 400, body: CANARY }, /Anthropic answered 400/],
    ["the answer holds no tokens", "the-code", { body: "{}" }, /holds no tokens/],
  ])("stores nothing when %s", async (_name, text, reply, says) => {
    using home = new Home();
    const line = "models auth login --provider anthropic";
    const { code, stderr } = await signIn(home, line, (_url, input) => paste(text, input), reply);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
    expect(stderr).toContain("Nothing was stored.");
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("is told when the person says no in the browser, but not when a stranger does", async () => {
    using home = new Home();
    const known = SIGN_INS.find(({ provider }) => provider === "openai-codex");
    const port = await freePort();
    const parts = { signIns: [{ ...known, redirectUri: `http://localhost:${port}/auth/callback` }] };
    const come = async (url: URL) => {
      const knock = (query: string) => fetch(`http://127.0.0.1:${port}/auth/callback?error=access_denied${query}`);
      expect((await knock("&state=other")).status).toBe(400);
      expect((await knock("")).status).toBe(400);
      expect(await (await knock(`&state=${url.searchParams.get("state")}`)).text()).toContain("Not signed in.");
    };
    const line = "models auth login --provider openai-codex";
    const { code, stderr } = await signIn(home, line, come, ok, parts);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "The sign-in was refused at OpenAI.\nNothing was stored. Run the command again.\n",
    });
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("says what Google may do to the account, and goes on only when that is accepted", async () => {
    using home = new Home();
    const { code, stdout, stderr } = await home.run("models auth login --provider google-gemini-cli");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.replaceAll("\n", " ")).toMatch(
      /is a risk for the account\..*may suspend an account.*chela models auth add --provider google\..*add --accept-risk/,
    );
  });

  const LINE = "models auth login --provider google-gemini-cli --accept-risk";

  /** With what the person pastes after they agreed in the browser. */
  async function signInAtGoogle(home: Home, account: GoogleAccount, env = {}) {
    await using google = await openGoogleHouse(account);
    const input = new PassThrough();
    const time = createFakeClock(NOW);
    const clock: Clock = {
      now: time.now,
      steady: time.steady,
      after: (ms, task) => time.after(ms < 30_000 ? 0 : ms, task),
    };
    let isDone = false;
    const parts = { input, clock, tokenUrl: `${google.url}/token`, codeAssistUrl: google.url };
    const done = home.run(LINE, { parts, env }).finally(() => (isDone = true));
    await home.printed("code_challenge=");
    input.end(google.agree(new URL(/^https:\S+$/m.exec(home.stdout)?.[0] ?? "")));
    while (!isDone) {
      await time.advance(0);
      await setImmediate();
    }
    return { ...(await done), asked: google.asked.map(({ path }) => path) };
  }

  it("has a project made for an account that was never there, and waits for it", async () => {
    using home = new Home();
    const { code, asked } = await signInAtGoogle(home, { kind: "new", project: "made-project" });
    expect({ code, asked: asked.slice(1) }).toEqual({
      code: 0,
      asked: [
        "/v1internal:loadCodeAssist",
        "/v1internal:onboardUser",
        "/v1internal/operations/op-1",
        "/v1internal/operations/op-1",
      ],
    });
    expect(home.profiles().profiles["google-gemini-cli:default"]).toMatchObject({
      type: "oauth",
      refresh: "1//google-refresh",
      projectId: "made-project",
    });
  });

  it("repeats why Google does not serve an account, and stores nothing", async () => {
    using home = new Home();
    const why = "This client is no longer supported for individuals.\u001b[2J";
    const { code, stderr } = await signInAtGoogle(home, { kind: "ineligible", why });
    expect(code).toBe(1);
    expect(stderr.replaceAll("\n", " ")).toContain("does not serve this account: This client is no longer supported");
    expect(stderr).not.toContain("\u001b");
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("takes the project that the environment names", async () => {
    using home = new Home();
    const account = { kind: "known", project: "" } as const;
    expect(await signInAtGoogle(home, account)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("GOOGLE_CLOUD_PROJECT"),
    });
    expect(await signInAtGoogle(home, account, { GOOGLE_CLOUD_PROJECT: "own" })).toMatchObject({ code: 0 });
    expect(home.profiles().profiles["google-gemini-cli:default"]).toMatchObject({ projectId: "own" });
  });

  it("names the places where one can sign in", async () => {
    using home = new Home();
    const { code, stderr } = await home.run("models auth login --provider groq");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("anthropic, openai-codex, google"),
    });
  });
});

describe("models auth login at Qwen", () => {
  const LINE = "models auth login --provider qwen-portal";

  /** Moves the clock whenever the command waits. */
  async function logIn(home: Home, polls: Parameters<typeof openQwenHouse>[0], meanwhile: () => void = () => {}) {
    await using qwen = await openQwenHouse(polls);
    const time = createFakeClock(NOW);
    const pauses: number[] = [];
    const clock: Clock = {
      now: time.now,
      steady: time.steady,
      after(ms, task) {
        if (ms === 30_000) return () => undefined;
        pauses.push(ms / 1000);
        return time.after(ms, task);
      },
    };
    let isDone = false;
    const parts = { clock, codeUrl: `${qwen.url}/device/code`, tokenUrl: `${qwen.url}/token` };
    const done = home.run(LINE, { parts }).finally(() => (isDone = true));
    await home.printed("Waiting");
    meanwhile();
    while (!isDone) {
      if (time.waiting > 0) await time.advance((pauses.at(-1) ?? 0) * 1000);
      await setImmediate();
    }
    return { ...(await done), pauses };
  }

  it("shows the code, slows down when told so, and keeps where the token is good", async () => {
    using home = new Home();
    const { code, stdout, pauses } = await logIn(home, ["pending", "slow", "pending", "approved"]);
    expect({ code, pauses }).toEqual({ code: 0, pauses: [5, 5, 10, 10] });
    expect(stdout).toMatch(
      /^Open https:\/\/chat\.qwen\.example\/authorize\?user_code=QW-34\nand type this code: QW-34/,
    );
    expect(home.profiles().profiles["qwen-portal:default"]).toMatchObject({
      type: "oauth",
      access: "qwen-access-1",
      refresh: "qwen-refresh-1",
      resourceUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
    });
  });

  it.each<[string, Parameters<typeof openQwenHouse>[0], string]>([
    ["the person says no", ["pending", "denied"], "The login was refused at Qwen."],
    ["the code is too old", ["expired"], "The code is too old: nobody typed it in."],
    ["nobody decides", ["pending"], "The code is too old: nobody typed it in."],
  ])("stores nothing when %s", async (_name, polls, says) => {
    using home = new Home();
    const { code, stderr } = await logIn(home, polls);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
    expect(stderr).toContain("Nothing was stored. Run the command again for a new code.");
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("stores nothing when it is called off", async () => {
    using home = new Home();
    const { code, stderr } = await logIn(home, ["pending"], () => process.emit("SIGINT"));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("The login was called off.") });
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("says when Qwen cannot be reached", async () => {
    using home = new Home();
    const told = await home.run(LINE, { parts: { codeUrl: "http://127.0.0.1:9/code" } });
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining("Qwen at 127.0.0.1:9 cannot be reached") });
  });

  it("is meant by what OpenClaw writes in place of a key", async () => {
    using home = new Home();
    home.configure({
      models: { providers: { "qwen-portal": { baseUrl: "https://portal.qwen.ai/v1", apiKey: "qwen-oauth" } } },
    });
    const { stderr } = await home.run("models set qwen-portal/coder-model");
    expect(stderr.replaceAll("\n", " ")).toContain("chela models auth login --provider qwen-portal");
  });
});

describe("models auth login-github-copilot", () => {
  const BEGUN = {
    device_code: "device-canary",
    user_code: "AB-12",
    verification_uri: "https://github.example/device",
    expires_in: 900,
    interval: 5,
  };
  const reply = (body: object): Reply => ({ body: JSON.stringify(body) });

  /** Types in the line and moves the clock whenever the command waits. */
  async function logIn(home: Home, line: string, answers: object[]) {
    await using github = await openReplayServer();
    github.answer(reply(BEGUN), ...answers.map(reply));
    const time = createFakeClock(NOW);
    const pauses: number[] = [];
    const clock: Clock = {
      now: time.now,
      steady: time.steady,
      after(ms, task) {
        // How long a request may take: all of them are answered here.
        if (ms === 30_000) return () => undefined;
        pauses.push(ms / 1000);
        return time.after(ms, task);
      },
    };
    let isDone = false;
    const done = home.run(line, { parts: { clock, siteUrl: github.url } }).finally(() => (isDone = true));
    while (!isDone) {
      if (time.waiting > 0) await time.advance((pauses.at(-1) ?? 0) * 1000);
      await setImmediate();
    }
    return { ...(await done), pauses };
  }

  it("shows the code and the address, waits as long as GitHub asks, and stores the token", async () => {
    using home = new Home();
    const { code, stdout, pauses } = await logIn(home, "models auth login-github-copilot", [
      { error: "authorization_pending" },
      { error: "slow_down", interval: 11 },
      { error: "authorization_pending" },
      { access_token: CANARY, token_type: "bearer" },
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Open https:\/\/github\.example\/device\nand type this code: AB-12\nIt is good for 15 min/);
    expect(stdout).toContain("Stored the profile github-copilot:github of the agent main.");
    expect(pauses).toEqual([5, 5, 11, 11]);
    expect(home.profiles().profiles).toEqual({
      "github-copilot:github": { type: "token", provider: "github-copilot", token: CANARY },
    });
    expect(statSync(home.profilesPath()).mode & 0o777).toBe(0o600);
  });

  it("remembers whose GitHub it was", async () => {
    using home = new Home();
    const line = "models auth login-github-copilot --enterprise-url https://acme.ghe.com/ --profile-id work";
    expect(await logIn(home, line, [{ access_token: CANARY }])).toMatchObject({ code: 0 });
    expect(home.profiles().profiles["github-copilot:work"]).toMatchObject({ enterpriseUrl: "acme.ghe.com" });
  });

  it.each<[string, object[], RegExp]>([
    ["the person says no", [{ error: "authorization_pending" }, { error: "access_denied" }], /was refused at GitHub/],
    ["the code is too old", [{ error: "expired_token" }], /code is too old/],
    ["nobody decides", [{ error: "authorization_pending" }], /code is too old/],
    ["GitHub gives another reason", [{ error: "device_flow_disabled" }], /ended the login with "device_flow_disabled"/],
  ])("stores nothing when %s", async (_name, answers, says) => {
    using home = new Home();
    const { code, stderr } = await logIn(home, "models auth login-github-copilot", answers);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
    expect(stderr).toContain("Nothing was stored.");
    expect(existsSync(home.profilesPath())).toBe(false);
  });

  it("says when GitHub cannot be reached", async () => {
    using home = new Home();
    const told = await home.run("models auth login-github-copilot", { parts: { siteUrl: "http://127.0.0.1:9" } });
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining("127.0.0.1:9 cannot be reached") });
  });
});

describe("a process of its own", () => {
  it("takes a key from a pipe, and the next one finds it", async () => {
    await using household = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
    const program = household.start(["models", "auth", "add", "--provider", "groq"]);
    program.type(CANARY);
    program.endInput();
    const stored = await program.finished();
    const status = await household.chela("models", "status", "--json");
    said += [stored, status].map(({ stdout, stderr }) => stdout + stderr).join("");
    expect(stored).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(status.stdout)).toMatchObject({
      auth: { profiles: [{ id: "groq:default", state: { kind: "ok" } }] },
    });
  });
});

describe("whatever was said above", () => {
  it("held no secret, and fits a small terminal", () => {
    expect(said).toContain("Stored the profile");
    expect(said).not.toContain("canary");
    const lines = said.split("\n").filter((line) => !/^\s*[{"]/.test(line));
    // Sentences of other rooms, addresses to open, commands to copy, and the names of this test's own directories.
    const isOther = (line: string): boolean =>
      line.startsWith("There is no model") || line.includes(tmpdir()) || /^(https?:\S+$|chela config set )/.test(line);
    expect(lines.filter((line) => line.length > 80 && !isOther(line))).toEqual([]);
  });
});
