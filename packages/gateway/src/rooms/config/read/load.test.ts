// Reading a config: variables, included files, unknown keys, wrong values, old keys, and the fallback when all fails.
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryState } from "../temporary-state.test-support.ts";

const CONFIG = "openclaw.json";

function issuesFor(content: unknown, env: Record<string, string> = {}) {
  using state = temporaryState({ [CONFIG]: content });
  return state.open(env).snapshot().issues;
}

function configFor(content: unknown, env: Record<string, string> = {}, more: Record<string, unknown> = {}) {
  using state = temporaryState({ [CONFIG]: content, ...more });
  const snapshot = state.open(env).snapshot();
  expect(snapshot.issues).toEqual([]);
  return snapshot.config;
}

describe("a config file", () => {
  it("may be JSON5 with comments, bare keys and trailing commas", () => {
    expect(configFor("// mine\n{ gateway: { port: 1234, bind: 'lan', }, }").gateway).toEqual({
      port: 1234,
      bind: "lan",
    });
  });

  it.each([
    ["", "an empty file"],
    ["  \n", "a blank file"],
    ["{}", "an empty object"],
    ["\uFEFF{}", "a byte order mark"],
  ])("gives the defaults for %j (%s)", (text) => expect(configFor(text)).toEqual({}));

  it("gives the defaults and says so when it does not exist", () => {
    using state = temporaryState();
    const { exists, source, config, valid, hash } = state.open().snapshot();
    expect({ exists, source, config, valid }).toEqual({ exists: false, source: "defaults", config: {}, valid: true });
    expect(hash).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});

describe("variables in texts", () => {
  it.each([
    ["${NAME}", "value"],
    ["a-${NAME}-${OTHER_1}", "a-value-other"],
    ["$${NAME}", "${NAME}"],
    ["${lower}", "${lower}"],
    ["${1ABC}", "${1ABC}"],
    ["$NAME", "$NAME"],
    ["${NAME", "${NAME"],
  ])("%s becomes %s", (written, read) => {
    const config = configFor({ ui: { assistant: { name: written } } }, { NAME: "value", OTHER_1: "other" });
    expect(config.ui?.assistant?.name).toBe(read);
  });

  it.each([[{}], [{ NAME: "" }]])("are an issue with name and place when missing or empty (%j)", (env) => {
    const [issue] = issuesFor(
      '{\n  "agents": {\n    "list": [{ "id": "a", "workspace": "${NAME}" }]\n  }\n}',
      env as Record<string, string>,
    );
    expect(issue?.path).toBe("agents.list[0].workspace");
    expect(issue?.message).toContain("NAME");
    expect(issue?.line).toBe(3);
  });

  it("come from the process, then .env of the state directory, then the config; what is set is never changed", () => {
    using state = temporaryState({
      ".env": "A=file\nB=file\nC='quoted file'\n",
      [CONFIG]: { env: { A: "config", B: "config", D: "config", vars: { D2: "${C}+config", EMPTY: "x" } } },
    });
    const env = state.open({ A: "process", EMPTY: "" }).effectiveEnv();
    expect(env).toMatchObject({
      A: "process",
      B: "file",
      C: "quoted file",
      D: "config",
      D2: "quoted file+config",
      EMPTY: "x",
    });
    expect(process.env["D2"]).toBeUndefined();
  });

  it("are not read from a .env in the current directory", () => {
    using state = temporaryState({ [CONFIG]: {} });
    const here = join(state.home, "workspace");
    mkdirSync(here);
    writeFileSync(join(here, ".env"), "STOLEN=yes");
    const before = process.cwd();
    process.chdir(here);
    try {
      expect(state.open().effectiveEnv()["STOLEN"]).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });
});

describe("$include", () => {
  it("merges objects, joins lists, lets later files and the keys beside it win", () => {
    const files = {
      "a.json5": "{ port: 1, bind: 'lan', trustedProxies: ['a'], auth: { mode: 'none' } }",
      "sub/b.json": { port: 2, trustedProxies: ["b"], controlUi: { $include: "./ui.json5" } },
      "sub/ui.json5": "{ basePath: '/x' }",
    };
    const config = configFor(
      { gateway: { $include: ["a.json5", "sub/b.json"], port: 3, trustedProxies: ["c"] } },
      {},
      files,
    );
    expect(config.gateway).toEqual({
      port: 3,
      bind: "lan",
      trustedProxies: ["a", "b", "c"],
      auth: { mode: "none" },
      controlUi: { basePath: "/x" },
    });
  });

  it("fills in variables of included files too", () => {
    const config = configFor(
      { $include: "a.json" },
      { WHO: "me" },
      { "a.json": { ui: { assistant: { name: "${WHO}" } } } },
    );
    expect(config.ui?.assistant?.name).toBe("me");
  });

  it.each<[string, unknown, Record<string, unknown>, string]>([
    [
      "a circle",
      { $include: "a.json" },
      { "a.json": { $include: "b.json" }, "b.json": { $include: "a.json" } },
      "circle",
    ],
    ["itself", { $include: "openclaw.json" }, {}, "circle"],
    ["a way out", { $include: "../outside.json" }, {}, "outside"],
    ["an absolute way out", { $include: "/etc/hostname" }, {}, "outside"],
    ["a missing file", { $include: "gone.json" }, {}, "ENOENT"],
    ["a directory", { $include: "sub" }, { "sub/x.json": {} }, "not a file"],
    ["broken content", { $include: "a.json" }, { "a.json": "{ oops" }, "line 1"],
    ["a huge file", { $include: "a.json" }, { "a.json": `{"a":"${"x".repeat(2 * 1024 * 1024)}"}` }, "2 MiB"],
    ["a number", { $include: 5 }, {}, "file name"],
  ])("refuses %s", (_name, content, files, words) => {
    using state = temporaryState({ [CONFIG]: content, ...files });
    const [issue] = state.open().snapshot().issues;
    expect(issue?.message).toContain(words);
    expect(issue?.path).toContain("$include");
  });

  it("names the files of a circle", () => {
    using state = temporaryState({
      [CONFIG]: { $include: "a.json" },
      "a.json": { $include: "b.json" },
      "b.json": { $include: "a.json" },
    });
    expect(state.open().snapshot().issues[0]?.message).toMatch(/a\.json → .*b\.json → .*a\.json/);
  });

  it("goes ten files deep and no deeper", () => {
    const chain = (length: number) => {
      const files: Record<string, unknown> = { [CONFIG]: { $include: "f1.json" } };
      for (let index = 1; index <= length; index++)
        files[`f${index}.json`] = index === length ? { gateway: { port: 7 } } : { $include: `f${index + 1}.json` };
      using state = temporaryState(files);
      return state.open().snapshot();
    };
    expect(chain(10).config.gateway?.port).toBe(7);
    expect(chain(11).issues[0]?.message).toContain("deeper than 10");
  });

  it("does not follow a link out of the config directory", () => {
    using state = temporaryState({ [CONFIG]: { $include: "link.json" } });
    writeFileSync(join(state.home, "outside.json"), "{}");
    symlinkSync(join(state.home, "outside.json"), join(state.paths.stateDir, "link.json"));
    expect(state.open().snapshot().issues[0]?.message).toContain("through a link");
  });
});

describe("an unknown key", () => {
  it.each([
    [{ gatway: { port: 1 } }, "gatway", "gateway"],
    [{ gateway: { prot: 1 } }, "gateway.prot", "gateway.port"],
    [{ channels: { telegram: { botTokn: "x" } } }, "channels.telegram.botTokn", "channels.telegram.botToken"],
    [{ agents: { list: [{ id: "a", modle: "x" }] } }, "agents.list[0].modle", "agents.list[0].model"],
    [
      { agents: { defaults: { model: { primry: "x" } } } },
      "agents.defaults.model.primry",
      "agents.defaults.model.primary",
    ],
  ])("%j is set aside with a hint, and the rest is used", (content, path, near) => {
    using state = temporaryState({ [CONFIG]: { ...content, logging: { level: "debug" } } });
    const { issues, warnings, config, source } = state.open().snapshot();
    expect(issues).toEqual([]);
    expect(source).toBe("file");
    expect(warnings.map((warning) => warning.path)).toEqual([path]);
    expect(warnings[0]?.message).toContain(`"${near}"`);
    expect(warnings[0]?.line).toBeGreaterThan(0);
    expect(JSON.stringify(config)).not.toContain(path.split(".").at(-1));
    expect(config.logging?.level).toBe("debug");
    expect(JSON.parse(state.read(CONFIG))).toMatchObject(content);
  });

  it("of a channel that a plugin brings is kept", () => {
    expect(configFor({ channels: { pigeon: { loft: "x" } } }).channels?.["pigeon"]).toEqual({ loft: "x" });
  });

  it("is not confused with a key that is not used yet", () => {
    using state = temporaryState({
      [CONFIG]: {
        browser: { enabled: true },
        gateway: { port: 1, tls: { enabled: true }, channelHealthCheckMinutes: 3 },
        env: { shellEnv: { enabled: true }, A: "b" },
      },
    });
    const check = state.open().check();
    expect(check.warnings).toEqual([]);
    expect(check.notUsedYet).toEqual(["browser", "gateway.channelHealthCheckMinutes", "env.shellEnv"]);
  });

  it("of a channel is not used yet either when only some of its block is", () => {
    const group = { requireMention: false, skills: ["x"], topics: { "7": { systemPrompt: "p" } } };
    using state = temporaryState({
      [CONFIG]: {
        channels: {
          telegram: {
            botToken: "t",
            proxy: "http://p",
            groups: { "-1": group },
            accounts: { work: { botToken: "u", network: { autoSelectFamily: true } } },
          },
          googlechat: { enabled: true },
        },
        messages: { queue: { mode: "steer", byChannel: { telegram: "followup", imessage: "queue" } } },
      },
    });
    const check = state.open().check();
    expect(check.warnings).toEqual([]);
    expect(check.notUsedYet).toEqual([
      "channels.telegram.proxy",
      "channels.telegram.accounts.work.network",
      "channels.googlechat",
    ]);
  });
});

describe("a wrong value", () => {
  it.each<[unknown, string, string[]]>([
    [{ gateway: { port: "abc" } }, "gateway.port", ['"abc"', "at most 65535"]],
    [{ gateway: { port: 0 } }, "gateway.port", ["0 is not allowed"]],
    [
      { memory: { learning: { maxTokensPerDay: "many" } } },
      "memory.learning.maxTokensPerDay",
      ['"many" is not allowed', "whole number"],
    ],
    [{ gateway: { bind: "lopback" } }, "gateway.bind", ["one of", '"loopback"', 'did you mean "loopback"']],
    [{ gateway: "x" }, "gateway", ["an object"]],
    [{ agents: { list: [{ name: 5, id: "a" }] } }, "agents.list[0].name", ["5", "a text"]],
    [{ agents: { list: [{ default: true }] } }, "agents.list[0].id", ["is missing"]],
    [{ agents: { defaults: { model: 5 } } }, "agents.defaults.model", ["a text or an object"]],
    [{ agents: { defaults: { model: { primary: 5 } } } }, "agents.defaults.model.primary", ["5"]],
    [{ ui: { assistant: { name: "x".repeat(51) } } }, "ui.assistant.name", ["at most 50"]],
    [{ channels: { telegram: { dmPolicy: "open" } } }, "channels.telegram.allowFrom", ['"*"']],
    [{ channels: { slack: { dmPolicy: "allowlist", allowFrom: [] } } }, "channels.slack.allowFrom", ["somebody"]],
    [
      { channels: { telegram: { accounts: { work: {}, Work: {} } } } },
      "channels.telegram.accounts.Work",
      ['"work"', '"Work"', "another name"],
    ],
    [{ channels: { irc: { accounts: { "a b": {}, A_b: {} } } } }, "channels.irc.accounts.A_b", ['"a b"', '"A_b"']],
    [{ secrets: { providers: { x: { source: "file" } } } }, "secrets.providers.x.path", ["is missing"]],
  ])("%j is an issue at %s", (content, path, words) => {
    const [issue] = issuesFor(content);
    expect(issue?.path).toBe(path);
    for (const word of words) expect(issue?.message).toContain(word);
  });

  it("is named with line and column", () => {
    expect(issuesFor("{\n  // note\n  gateway: {\n    port: 'x',\n  },\n}")[0]).toMatchObject({ line: 4, column: 5 });
  });

  it("is not shown when it is a secret or comes from a variable", () => {
    const text = JSON.stringify([
      ...issuesFor({ gateway: { auth: { token: 12345678 } } }),
      ...issuesFor({ gateway: { auth: "canary-secret" } }),
      ...issuesFor({ gateway: { port: "${KEY}" } }, { KEY: "canary-secret" }),
    ]);
    expect(text).not.toMatch(/12345678|canary-secret/);
    expect(text).toContain("${KEY}");
  });
});

describe("forbidden keys", () => {
  it.each(["__proto__", "constructor", "prototype"])("%s is refused anywhere", (key) => {
    const [issue] = issuesFor(`{"gateway": {"${key}": {"polluted": true}}}`);
    expect(issue?.path).toBe(`gateway.${key}`);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("are refused in included files", () => {
    using state = temporaryState({ [CONFIG]: { $include: "a.json" }, "a.json": '{"__proto__": {"polluted": true}}' });
    expect(state.open().snapshot().valid).toBe(false);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("do not come in through names that old configs gave in values", () => {
    const config = configFor({
      models: { aliases: { a: "__proto__" } },
      channels: { irc: { accounts: [{ id: "__proto__" }] } },
    });
    expect(config.channels?.["irc"]).toEqual({ accounts: { "0": {} } });
    expect(({} as Record<string, unknown>)["alias"]).toBeUndefined();
  });

  it("and bottomless nesting do not crash the reader", () => {
    expect(issuesFor(`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`)[0]?.message).toContain("deeper");
  });
});

describe("a broken file", () => {
  const good = "{ gateway: { port: 4000 }, // mine\n  ui: { assistant: { name: 'Pinchy' } } }\n";

  it.each<[string, string]>([
    ["cut in half", good.slice(0, 30)],
    ["not JSON5", "{ gateway: { port: 4000 "],
    ["with a wrong value", "{ gateway: { port: 'x' } }"],
    ["that is a list", "[]"],
  ])("%s gives way to the last good version and stays as it is", (_name, text) => {
    using state = temporaryState({ [CONFIG]: good });
    expect(state.open().snapshot().source).toBe("file");
    state.write(CONFIG, text);
    const snapshot = state.open().snapshot();
    expect(snapshot.source).toBe("last-good");
    expect(snapshot.config.gateway?.port).toBe(4000);
    expect(snapshot.issues[0]?.line).toBeGreaterThan(0);
    expect(state.read(CONFIG)).toBe(text);
    expect(state.logged.join()).toContain("last good version is in use");
  });

  it("without a last good version gives the defaults", () => {
    using state = temporaryState({ [CONFIG]: "{ oops" });
    const snapshot = state.open().snapshot();
    expect({ source: snapshot.source, config: snapshot.config, valid: snapshot.valid }).toEqual({
      source: "defaults",
      config: {},
      valid: false,
    });
  });

  it("that cannot be read gives way as well", () => {
    using state = temporaryState();
    mkdirSync(state.paths.configPath);
    expect(state.open().snapshot().issues[0]?.message).toContain("not a file");
  });

  it("keeps the last good version private and able to stand alone", () => {
    using state = temporaryState({
      [CONFIG]: { gateway: { $include: "a.json" } },
      "a.json": { port: 5000, customBindHost: "${HOST_NAME}" },
    });
    state.open({ HOST_NAME: "h" });
    expect(statSync(join(state.paths.stateDir, "openclaw.json.last-good")).mode & 0o777).toBe(0o600);
    expect(JSON.parse(state.read("openclaw.json.last-good"))).toEqual({
      gateway: { port: 5000, customBindHost: "${HOST_NAME}" },
    });
    state.write(CONFIG, "{");
    state.write("a.json", "{");
    expect(state.open({ HOST_NAME: "h" }).current().gateway?.port).toBe(5000);
  });

  it("leaves out of the last good version only what no longer holds", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 6000, auth: { token: "${GONE}" } } } });
    state.open({ GONE: "x" });
    const snapshot = state.open({}).snapshot();
    expect(snapshot.source).toBe("last-good");
    expect(snapshot.config.gateway).toEqual({ port: 6000, auth: {} });
  });

  it("or a copy of the last good version that cannot be written does not keep a good file from being used", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1 } }, "openclaw.json.last-good/in-the-way": "" });
    expect(state.open().snapshot()).toMatchObject({ source: "file", config: { gateway: { port: 1 } } });
    expect(state.logged.join()).toContain("last good configuration could not be written");
  });
});

describe("old keys", () => {
  it.each<[unknown, unknown, string, string]>([
    [
      { gateway: { authMode: "none" } },
      { gateway: { auth: { mode: "none" } } },
      "gateway.authMode",
      "gateway.auth.mode",
    ],
    [
      { gateway: { authMode: "device-token" } },
      { gateway: { auth: { mode: "token" } } },
      "gateway.authMode",
      "gateway.auth.mode",
    ],
    [{ gateway: { bind: "127.0.0.1" } }, { gateway: { bind: "loopback" } }, "gateway.bind", "loopback"],
    [{ gateway: { bind: "0.0.0.0" } }, { gateway: { bind: "lan" } }, "gateway.bind", "lan"],
    [
      { gateway: { bind: "10.0.0.5" } },
      { gateway: { bind: "custom", customBindHost: "10.0.0.5" } },
      "gateway.bind",
      "custom",
    ],
    [
      { session: { defaultScope: "per-peer" } },
      { session: { dmScope: "per-peer" } },
      "session.defaultScope",
      "session.dmScope",
    ],
    [
      { session: { compaction: { mode: "default" } } },
      { agents: { defaults: { compaction: { mode: "default" } } } },
      "session.compaction",
      "agents.defaults.compaction",
    ],
    [
      { auth: { anthropic: { apiKey: "k" } } },
      { models: { providers: { anthropic: { apiKey: "k" } } } },
      "auth.anthropic.apiKey",
      "models.providers.anthropic.apiKey",
    ],
    [
      { models: { aliases: { fast: { provider: "openai", model: "gpt-5-mini" } } } },
      { agents: { defaults: { models: { "openai/gpt-5-mini": { alias: "fast" } } } } },
      "models.aliases.fast",
      "agents.defaults.models.openai/gpt-5-mini.alias",
    ],
    [
      { agents: { list: [{ name: "Atlas Two" }] } },
      { agents: { list: [{ name: "Atlas Two", id: "atlas-two" }] } },
      "agents.list[0]",
      "atlas-two",
    ],
    [
      { agents: { defaults: { identity: { name: "N" } } } },
      { agents: { defaults: {}, list: [{ id: "main", default: true, identity: { name: "N" } }] } },
      "agents.defaults.identity",
      "agents.list[0].identity",
    ],
    [{ telegram: { botToken: "t" } }, { channels: { telegram: { botToken: "t" } } }, "telegram", "channels.telegram"],
    [
      { channels: { telegram: { token: "t" } } },
      { channels: { telegram: { botToken: "t" } } },
      "channels.telegram.token",
      "channels.telegram.botToken",
    ],
    [
      { channels: { whatsapp: { accounts: [{ id: "a", name: "A" }] } } },
      { channels: { whatsapp: { accounts: { a: { name: "A" } } } } },
      "channels.whatsapp.accounts",
      "ids as keys",
    ],
    [
      { hooks: { entries: [{ event: "e", handler: "h.js" }] } },
      { hooks: { internal: { handlers: [{ event: "e", module: "h.js" }] } } },
      "hooks.entries",
      "hooks.internal.handlers",
    ],
    [
      { tools: { shell: { enabled: false } } },
      { tools: { exec: { security: "deny" } } },
      "tools.shell.enabled",
      "tools.exec.security",
    ],
    [{ agent: { model: "m" } }, { agents: { defaults: { model: "m" } } }, "agent", "agents.defaults"],
  ])("%j are read as what they are called today", (written, read, from, to) => {
    using state = temporaryState({ [CONFIG]: written });
    const { config, issues, legacyIssues } = state.open().snapshot();
    expect(issues).toEqual([]);
    expect(dropEmpty(config)).toEqual(dropEmpty(read));
    const told = legacyIssues.find((issue) => issue.path === from);
    expect(told?.message).toContain(to);
    expect(JSON.parse(state.read(CONFIG))).toEqual(written);
  });

  it("give way to the new key when both are set", () => {
    using state = temporaryState({ [CONFIG]: { session: { defaultScope: "per-peer", dmScope: "main" } } });
    const { config, legacyIssues } = state.open().snapshot();
    expect(config.session).toEqual({ dmScope: "main" });
    expect(legacyIssues[0]?.message).toContain("ignored");
  });
});

function dropEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, entry: unknown) => (isEmpty(entry) ? undefined : entry));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
