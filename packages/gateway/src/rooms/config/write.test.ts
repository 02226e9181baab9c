// Changing a config: comments stay, nobody's change is lost, nothing wrong is written.
import { existsSync, lstatSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GatewayError } from "@chela/sdk";
import { issuesOf, REDACTED, type ConfigStore } from "./room.ts";
import { temporaryState } from "./temporary-state.test-support.ts";

const CONFIG = "openclaw.json";
const STAMP = /\s*,?\s*"?meta"?: \{[^}]*\},?/;

function failure(action: () => unknown): GatewayError {
  try {
    action();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The text after one change, without the stamp that every write adds. */
function edited(text: string, change: (store: ConfigStore) => unknown): string {
  using state = temporaryState({ [CONFIG]: text });
  change(state.open());
  return state.read(CONFIG).replace(STAMP, "");
}

describe("setting one value", () => {
  it("replaces that value only", () => {
    const text = `// top
{
  gateway: {
    'port': 1, // the port
    /* who */ bind: "lan",
  },
  $schema: 'x', // last
}
`;
    expect(edited(text, (store) => store.setPath("gateway.port", 18789))).toBe(
      text.replace("'port': 1", "'port': 18789"),
    );
  });

  it.each<[string, string, string, unknown, string]>([
    [
      "after the last key",
      "{\n  $schema: 'x' // why\n}\n",
      "logging.level",
      "debug",
      '{\n  $schema: \'x\', // why\n  logging: {\n    "level": "debug"\n  }\n}\n',
    ],
    [
      "into an object on one line",
      "{ gateway: { port: 1 } }",
      "gateway.bind",
      "lan",
      '{ gateway: { port: 1, bind: "lan" }',
    ],
    ["into an empty object", '{"gateway": {}}', "gateway.port", 1, '{"gateway": {\n  "port": 1\n}'],
    [
      "with a key that needs quotes",
      "{ agents: { defaults: { models: {} } } }",
      'agents.defaults.models["a/b.c"].alias',
      "x",
      '"a/b.c": {',
    ],
    [
      "into an entry of a list",
      '{"agents": {"list": [{"id": "a"}, /* b */ {"id": "b"}]}}',
      "agents.list[1].name",
      "B",
      '/* b */ {"id": "b", "name": "B"}',
    ],
    [
      "into an entry of a list written with dots",
      '{"agents": {"list": [{"id": "a"}]}}',
      "agents.list.0.name",
      "A",
      '{"id": "a", "name": "A"}',
    ],
    [
      "as a new entry of a list",
      '{"agents": {"list": [{"id": "a"}]}}',
      "agents.list[1]",
      { id: "b" },
      '{"id": "a"}, {\n  "id": "b"\n}',
    ],
  ])("adds %s", (_name, text, path, value, expected) => {
    expect(edited(text, (store) => store.setPath(path, value))).toContain(
      expected.trimEnd().replace(/\}$/, "").trimEnd(),
    );
  });

  it("goes on with trailing commas where they are the habit", () => {
    using state = temporaryState({ [CONFIG]: "{\n  $schema: 'x',\n}\n" });
    state.open().setPath("gateway.port", 1);
    expect(state.read(CONFIG)).toMatch(
      /^\{\n {2}\$schema: 'x',\n {2}gateway: \{\n {4}"port": 1\n {2}\},\n {2}meta: \{[^}]*\},\n\}\n$/,
    );
  });

  it("keeps Windows line ends and tabs", () => {
    const text = '{\r\n\t"gateway": {\r\n\t\t"port": 1\r\n\t}\r\n}\r\n';
    expect(edited(text, (store) => store.setPath("gateway.bind", "lan"))).toContain(
      '"port": 1,\r\n\t\t"bind": "lan"\r\n',
    );
  });

  it("makes the file when there is none, private", () => {
    using state = temporaryState();
    const store = state.open();
    expect(store.setPath("gateway.port", 7000).kind).toBe("written");
    expect(JSON.parse(state.read(CONFIG))).toMatchObject({
      gateway: { port: 7000 },
      meta: { lastTouchedVersion: "1.2.3" },
    });
    expect(statSync(state.paths.configPath).mode & 0o777).toBe(0o600);
    expect(store.current().gateway?.port).toBe(7000);
    expect(store.getPath("gateway.port")).toEqual({ kind: "found", value: 7000 });
  });

  it("writes nothing when nothing changes", () => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"port":7}}' });
    expect(state.open().setPath("gateway.port", 7).kind).toBe("unchanged");
    expect(state.read(CONFIG)).toBe('{"gateway":{"port":7}}');
    expect(existsSync(`${state.paths.configPath}.bak`)).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ["gateway.prot", 1, "gateway.port"],
    ["gatway.port", 1, "gateway"],
    ["gateway.port", "x", "whole number"],
    ["gateway.__proto__.x", 1, "__proto__"],
    ["gateway", { constructor: 1 }, "constructor"],
    ["agents.list[5].name", "x", "entries"],
    ["a..b", 1, "path"],
    ["", 1, "empty"],
  ])("refuses %s = %j and leaves the file alone", (path, value, words) => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"port":7}}' });
    const store = state.open();
    const error = failure(() => store.setPath(path, value));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(words);
    expect(state.read(CONFIG)).toBe('{"gateway":{"port":7}}');
    expect(store.current().gateway?.port).toBe(7);
  });

  it("repairs wrong values one by one", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: "x", bind: "y" } } });
    const store = state.open();
    store.setPath("gateway.port", 1);
    expect(store.snapshot().issues.map((issue) => issue.path)).toEqual(["gateway.bind"]);
    store.setPath("gateway.bind", "lan");
    expect(store.snapshot()).toMatchObject({ valid: true, source: "file" });
    expect(store.current().gateway).toEqual({ port: 1, bind: "lan" });
  });

  it("does not touch a file it cannot understand", () => {
    using state = temporaryState({ [CONFIG]: "{ oops" });
    expect(failure(() => state.open().setPath("gateway.port", 1)).code).toBe("CONFIG_SYNTAX");
    expect(state.read(CONFIG)).toBe("{ oops");
  });

  it("changes what a link points to, not the link", () => {
    using state = temporaryState();
    const real = join(state.home, "dotfiles.json");
    writeFileSync(real, "{}");
    symlinkSync(real, state.paths.configPath);
    state.open().setPath("gateway.port", 1);
    expect(lstatSync(state.paths.configPath).isSymbolicLink()).toBe(true);
    expect(state.read(CONFIG)).toContain('"port": 1');
  });

  it("writes beside an include, and says so when the included file would win", () => {
    using state = temporaryState({
      [CONFIG]: "{ gateway: { $include: 'a.json' } }",
      "a.json": { port: 1, trustedProxies: ["a"] },
    });
    const store = state.open();
    store.setPath("gateway.port", 2);
    expect(store.current().gateway?.port).toBe(2);
    const error = failure(() => store.setPath("gateway.trustedProxies", ["b"]));
    expect(error.code).toBe("CONFIG_WRITE");
    expect(error.message).toContain("a.json");
    expect(failure(() => store.unsetPath("gateway.trustedProxies")).message).toContain("included");
  });
});

describe("removing one value", () => {
  it.each([
    [
      "{\n  a1: 1,\n  $schema: 'x', // note\n  logging: {},\n}\n",
      "$schema",
      "{\n  a1: 1,\n  // note\n  logging: {},\n}\n",
    ],
    ['{\n  "$schema": "x",\n  "logging": {}\n}\n', "logging", '{\n  "$schema": "x"\n}\n'],
    ['{ "$schema": "x", "logging": {} }', "$schema", '{ "logging": {} }'],
    [
      '{"gateway": {"trustedProxies": ["a", "b", "c"]}}',
      "gateway.trustedProxies[1]",
      '{"gateway": {"trustedProxies": ["a", "c"]}}',
    ],
    [
      '{"gateway": {"trustedProxies": ["a", "b"]}}',
      "gateway.trustedProxies[1]",
      '{"gateway": {"trustedProxies": ["a"]}}',
    ],
    ["{ logging: { level: 'info' }, logging: { level: 'warn' } }", "logging", "{ }"],
  ])("%j without %s", (text, path, expected) => {
    using state = temporaryState({ [CONFIG]: text });
    state.open().unsetPath(path);
    const plain = (json5: string) =>
      json5
        .replace(STAMP, "")
        .replace(/\s+/g, " ")
        .replace(/, ?([}\]])/g, "$1")
        .replace(/ ([}\]])/g, "$1")
        .trim();
    expect(plain(state.read(CONFIG))).toBe(plain(expected));
    expect(state.open().snapshot().valid).toBe(true);
  });

  it("of something that is not there changes nothing", () => {
    using state = temporaryState({ [CONFIG]: "{}" });
    expect(state.open().unsetPath("gateway.port").kind).toBe("unchanged");
  });
});

describe("two writers", () => {
  it("do not overwrite each other", () => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"port":1}}' });
    const store = state.open();
    const { hash } = store.describe();
    state.write(CONFIG, '{"gateway":{"port":2}}');
    for (const write of [() => store.replaceAll("{}", hash), () => store.mergePatch("{}", hash)]) {
      const error = failure(write);
      expect(error.code).toBe("CONFIG_CHANGED");
      expect(error.detail).toMatch(/^config changed since last load;/);
    }
    expect(failure(() => store.replaceAll("{}")).detail).toMatch(/^config base hash required;/);
    expect(state.read(CONFIG)).toBe('{"gateway":{"port":2}}');
  });

  it("need no hash when there is no file", () => {
    using state = temporaryState();
    expect(state.open().replaceAll("{ gateway: { port: 3 } }").kind).toBe("written");
  });
});

describe("a patch", () => {
  it.each<[string, unknown, string, unknown]>([
    [
      "merges objects",
      { gateway: { port: 1, bind: "lan" } },
      "{ gateway: { port: 2 } }",
      { gateway: { port: 2, bind: "lan" } },
    ],
    ["deletes by null", { gateway: { port: 1, bind: "lan" } }, "{ gateway: { bind: null } }", { gateway: { port: 1 } }],
    [
      "replaces lists",
      { gateway: { trustedProxies: ["a", "b"] } },
      "{ gateway: { trustedProxies: ['c'] } }",
      { gateway: { trustedProxies: ["c"] } },
    ],
    [
      "merges lists by id",
      { agents: { list: [{ id: "a", name: "A" }, { id: "b" }] } },
      "{ agents: { list: [{ id: 'b', name: 'B' }, { id: 'c' }] } }",
      { agents: { list: [{ id: "a", name: "A" }, { id: "b", name: "B" }, { id: "c" }] } },
    ],
    [
      "deletes by null in a list with ids that is new",
      {},
      "{ agents: { list: [{ id: 'a', name: null }] } }",
      { agents: { list: [{ id: "a" }] } },
    ],
    [
      "adds up what it says of one id",
      { agents: { list: [{ id: "a" }] } },
      "{ agents: { list: [{ id: 'a', name: 'A' }, { id: 'a', default: true }] } }",
      { agents: { list: [{ id: "a", name: "A", default: true }] } },
    ],
    [
      "keeps unknown keys",
      { gateway: { prot: 5 } },
      "{ logging: { level: 'warn' } }",
      { gateway: { prot: 5 }, logging: { level: "warn" } },
    ],
  ])("%s", (_name, content, patch, expected) => {
    using state = temporaryState({ [CONFIG]: content });
    const store = state.open();
    store.mergePatch(patch, store.describe().hash);
    const { meta: _meta, ...rest } = JSON.parse(state.read(CONFIG)) as Record<string, unknown>;
    expect(rest).toEqual(expected);
  });

  it("keeps comments, also in lists", () => {
    const text = "{ agents: { list: [ /* first */ { id: 'a' }, { id: 'b' /* second */ } ] } }";
    const after = edited(text, (store) =>
      store.mergePatch("{ agents: { list: [{ id: 'b', name: 'B' }] } }", store.describe().hash),
    );
    expect(after).toContain("/* first */");
    expect(after).toContain("/* second */");
    expect(after).toContain('"B"');
  });

  it.each(['{"__proto__": {"polluted": 1}}', '{"gateway": {"constructor": {"x": 1}}}'])("refuses %s", (patch) => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    expect(failure(() => store.mergePatch(patch, store.describe().hash)).code).toBe("CONFIG_INVALID");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("that makes a wrong config is refused with all issues", () => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    const error = failure(() => store.mergePatch("{ gateway: { port: 'x', bind: 'y' } }", store.describe().hash));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(issuesOf(error).map((issue) => issue.path)).toEqual(["gateway.port", "gateway.bind"]);
    expect(state.read(CONFIG)).toBe("{}");
  });
});

describe("a whole new text", () => {
  it("is written as it was typed", () => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    store.replaceAll("// hello\n{ gateway: { port: 5 } }", store.describe().hash);
    expect(state.read(CONFIG)).toMatch(/^\/\/ hello\n\{ gateway: \{ port: 5 \}/);
  });

  it("made by a program leaves the user's comments and unknown keys", () => {
    using state = temporaryState({ [CONFIG]: "{\n  // mine\n  gateway: { port: 5 }, gatway: 1,\n}\n" });
    const store = state.open();
    store.replaceAll(JSON.stringify({ gateway: { port: 6 } }, null, 2), store.describe().hash);
    expect(state.read(CONFIG)).toMatch(/^\{\n {2}\/\/ mine\n {2}gateway: \{ port: 6 \}, gatway: 1,/);
  });

  it("made by a program from a config with includes changes the main file only where it must", () => {
    using state = temporaryState({
      [CONFIG]: "{ $include: 'a.json', logging: { level: 'info' } }",
      "a.json": { gateway: { port: 1 } },
    });
    const store = state.open();
    const { config, hash } = store.describe();
    store.replaceAll(JSON.stringify({ ...(config as object), logging: { level: "warn" } }), hash);
    expect(state.read(CONFIG)).toContain("$include: 'a.json', logging: { level: \"warn\" }");
    expect(state.read(CONFIG)).not.toContain("port");
  });

  it("keeps references to variables where the value is the same", () => {
    using state = temporaryState({ [CONFIG]: "{ ui: { assistant: { name: '${WHO}', avatar: '${PIC}' } } }" });
    const store = state.open({ WHO: "me", PIC: "pic" });
    store.replaceAll("{ /* typed */ ui: { assistant: { name: 'me', avatar: 'other' } } }", store.describe().hash);
    expect(state.read(CONFIG)).toContain("name: \"${WHO}\", avatar: 'other'");
  });

  it("with a syntax error names the line and changes nothing", () => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    const error = failure(() => store.replaceAll("{\n  gateway: {\n", store.describe().hash));
    expect(error.code).toBe("CONFIG_SYNTAX");
    expect(error.detail).toContain("line 3");
    expect(state.read(CONFIG)).toBe("{}");
  });

  it("repairs a broken file", () => {
    using state = temporaryState({ [CONFIG]: "{ oops" });
    const store = state.open();
    store.replaceAll("{ gateway: { port: 9 } }", store.describe().hash);
    expect(store.snapshot()).toMatchObject({ source: "file", valid: true });
    expect(store.current().gateway?.port).toBe(9);
  });
});

describe("placeholders for secrets", () => {
  it("that come back unchanged keep the secret, in text, patch and single setting", () => {
    using state = temporaryState({
      [CONFIG]:
        "{ gateway: { auth: { token: 'the-token' } }, agents: { list: [{ id: 'a' }, { id: 'b', memorySearch: { remote: { apiKey: 'key-b' } } }] } }",
    });
    const store = state.open();
    const { raw, hash } = store.describe();
    expect(raw).not.toContain("the-token");
    store.replaceAll(String(raw).replace("{ id: 'a' }, ", ""), hash);
    expect(store.current().gateway?.auth?.token).toBe("the-token");
    expect(store.current().agents?.list?.[0]?.memorySearch?.remote?.apiKey).toBe("key-b");
    store.mergePatch(JSON.stringify({ gateway: { port: 1, auth: { token: REDACTED } } }), store.describe().hash);
    store.setPath("gateway.auth", { mode: "token", token: REDACTED });
    expect(store.current().gateway).toEqual({ port: 1, auth: { mode: "token", token: "the-token" } });
  });

  it("keep a reference, not its value", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { auth: { token: "${TOKEN}" } } } });
    const store = state.open({ TOKEN: "the-token" });
    const { config, hash } = store.describe();
    store.replaceAll(JSON.stringify({ ...(config as object), logging: { level: "warn" } }), hash);
    expect(state.read(CONFIG)).toContain('"token": "${TOKEN}"');
    expect(state.read(CONFIG)).not.toContain("the-token");
  });

  it("work for an old key that clients see under its new name", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { token: "the-token" } } });
    const store = state.open();
    const { config, hash } = store.describe();
    store.replaceAll(JSON.stringify({ ...(config as object), logging: { level: "warn" } }), hash);
    expect(store.current().gateway?.auth?.token).toBe("the-token");
  });

  it("in comments come back too", () => {
    using state = temporaryState({ [CONFIG]: "{\n  // token: 'old-token'\n  gateway: { port: 1 },\n}" });
    const store = state.open();
    const { raw, hash } = store.describe();
    expect(raw).not.toContain("old-token");
    store.replaceAll(String(raw).replace("port: 1", "port: 2"), hash);
    expect(state.read(CONFIG)).toContain("// token: 'old-token'\n  gateway: { port: 2 }");
  });

  it.each([REDACTED, `x${REDACTED}`])("with nothing behind them are refused (%s)", (placeholder) => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    const raw = JSON.stringify({ gateway: { auth: { token: placeholder } } });
    expect(failure(() => store.replaceAll(raw, store.describe().hash)).message).toContain("gateway.auth.token");
    expect(failure(() => store.mergePatch(raw, store.describe().hash)).message).toContain("gateway.auth.token");
    expect(failure(() => store.setPath("gateway.auth.token", placeholder)).message).toContain("gateway.auth.token");
  });
});

describe("each write", () => {
  it("keeps the five versions before it", () => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"port":1}}' });
    const store = state.open();
    for (let port = 2; port <= 8; port++) store.setPath("gateway.port", port);
    const ports = ["", ".bak", ".bak.1", ".bak.2", ".bak.3", ".bak.4"].map((end) => {
      const { gateway } = JSON.parse(state.read(`${CONFIG}${end}`)) as { gateway: { port: number } };
      return gateway.port;
    });
    expect(ports).toEqual([8, 7, 6, 5, 4, 3]);
    expect(existsSync(`${state.paths.configPath}.bak.5`)).toBe(false);
    expect(statSync(`${state.paths.configPath}.bak`).mode & 0o777).toBe(0o600);
  });

  it("is stamped and noted in the audit file, without secrets", () => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"mode":"local"}}' });
    const store = state.open();
    const before = store.describe().hash;
    const argv = process.argv;
    process.argv = ["node", "chela", "config", "set", "gateway.auth.token", "canary-secret"];
    try {
      store.setPath("gateway.auth.token", "canary-secret");
    } finally {
      process.argv = argv;
    }
    const text = state.read("logs/config-audit.jsonl");
    expect(text).not.toContain("canary-secret");
    expect(JSON.parse(text)).toMatchObject({
      ts: "2026-01-15T12:00:00.000Z",
      source: "config-io",
      event: "config.write",
      result: "rename",
      configPath: state.paths.configPath,
      existsBefore: true,
      previousHash: before,
      nextHash: store.describe().hash,
      hasMetaBefore: false,
      hasMetaAfter: true,
      gatewayModeBefore: "local",
      gatewayModeAfter: "local",
      suspicious: [],
    });
    expect(store.current().meta).toEqual({ lastTouchedVersion: "1.2.3", lastTouchedAt: "2026-01-15T12:00:00.000Z" });
  });

  it("tells whoever watches, once", () => {
    using state = temporaryState({ [CONFIG]: "{}" });
    const store = state.open();
    const reports: unknown[] = [];
    using _watch = store.watch((report) => reports.push(report));
    const written = store.setPath("gateway.port", 4);
    expect(written).toMatchObject({ kind: "written", plan: { hot: ["server"], restart: false } });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ kind: "applied", plan: { hot: ["server"] } });
  });
});
