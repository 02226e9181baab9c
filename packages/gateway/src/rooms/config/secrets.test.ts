// No secret leaves the room: a canary is planted in every secret key and looked for in everything that clients and logs see.
import { describe, expect, it } from "vitest";
import { loadConfigReference, REDACTED } from "./room.ts";
import { parsePath, putAt, type JsonObject } from "./edit/path.ts";
import { temporaryState } from "./temporary-state.test-support.ts";

const CONFIG = "openclaw.json";

/** `a.<key>.b[].c` → a config with a canary there. */
function plant(config: JsonObject, row: { path: string; type: string }, canary: string): void {
  const path = row.path.replaceAll("<key>", "any").replaceAll("[]", "[0]").replace(/\.\*$/, ".ANY");
  putAt(config, parsePath(path), row.type.startsWith("record") ? { Some: canary } : canary);
}

describe("secrets", () => {
  it("of every secret key are replaced in everything clients see, and known to the logger", async () => {
    const rows = (await loadConfigReference()).configReferenceRows().filter((row) => row.secret);
    expect(rows.length).toBeGreaterThan(60);
    const config: JsonObject = {};
    const canaries = rows.map((row, index) => {
      const canary = `canary-${index}-value`;
      plant(config, row, canary);
      return canary;
    });
    putAt(config, ["agents", "list", 0, "id"], "a");
    putAt(config, parsePath("models.providers.any.models[0].id"), "m");
    putAt(config, parsePath("channels.xmpp.rooms[0].jid"), "r@rooms");
    putAt(config, parsePath("channels.xmpp.accounts.any.rooms[0].jid"), "r@rooms");
    for (const [key, value] of [
      ["source", "exec"],
      ["command", "/bin/c"],
    ] as const)
      putAt(config, ["secrets", "providers", "any", key], value);
    using state = temporaryState({ [CONFIG]: config });
    const store = state.open();
    expect(store.snapshot().issues).toEqual([]);
    expect([...store.secrets()].sort()).toEqual(canaries.sort());
    const shown = [
      store.describe(),
      store.check(),
      store.snapshot().warnings,
      state.logged,
      ...rows.map((row) =>
        store.getPath(row.path.replaceAll("<key>", "any").replaceAll("[]", "[0]").replace(/\.\*$/, "")),
      ),
    ];
    expect(JSON.stringify(shown)).not.toContain("canary");
    expect(JSON.stringify(shown)).toContain(REDACTED);
  });

  it.each([
    ["in an old key", { gateway: { token: "canary" } }],
    ["in an old section", { telegram: { botToken: "canary" } }],
    ["in an unknown key", { gateway: { aut: { token: "canary" } } }],
    ["in a plugin's channel", { channels: { matrix: { accessToken: "canary" } } }],
    [
      "below a key that sounds secret",
      { plugins: { entries: { x: { config: { credentials: { user: "canary" } } } } } },
    ],
    ["in a plugin's settings", { plugins: { entries: { x: { config: { apiKey: "canary" } } } } }],
    ["in an address", { channels: { telegram: { proxy: "http://me:canary@host:1" } } }],
    ["in the environment of the config", { env: { MY_KEY: "canary", vars: { B: "canary" } } }],
    [
      "in the environment of a command",
      { secrets: { providers: { x: { source: "exec", command: "c", env: { A: "canary" } } } } },
    ],
    ["in a service account", { channels: { googlechat: { serviceAccount: { private_key: "canary" } } } }],
  ])("are replaced %s", (_name, content) => {
    using state = temporaryState({ [CONFIG]: content });
    expect(JSON.stringify(state.open().describe())).not.toContain("canary");
  });

  it.each([
    ["written twice", "{ gateway: { auth: { token: 'canary1', token: 'canary2' } } }"],
    ["in a key with escapes", String.raw`{ gateway: { auth: { "t\u006fken": 'canary1' } } }`],
    ["in a comment", "{ // token: 'canary1'\n /* apiKey: \"canary2\" */ }"],
    ["repeated in a comment", "{ gateway: { auth: { token: 'canary-1' } } } // was canary-1"],
    ["in a broken file", "{ gateway: { auth: { token: 'canary1', password: \"canary2"],
  ])("are replaced in the raw text %s", (_name, text) => {
    using state = temporaryState({ [CONFIG]: text });
    expect(JSON.stringify(state.open().describe())).not.toContain("canary");
  });

  it("that stand behind a variable stay out, while the reference may be seen", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { auth: { token: "${TOKEN}" } } } });
    const description = state.open({ TOKEN: "canary" }).describe();
    expect(JSON.stringify(description)).not.toContain("canary");
    expect(description.raw).toContain("${TOKEN}");
    expect(description.config).toEqual({ gateway: { auth: { token: REDACTED } } });
  });

  it("do not take innocent values with them", () => {
    const content = {
      gateway: { port: 1, auth: { mode: "token" } },
      models: {
        providers: {
          p: { apiKey: { source: "env", provider: "default", id: "KEY_NAME" }, models: [{ id: "m", maxTokens: 5 }] },
        },
      },
      channels: { telegram: { tokenFile: "/x" } },
    };
    using state = temporaryState({ [CONFIG]: content });
    const description = state.open().describe();
    expect(description.config).toEqual(content);
    expect(description.raw).toBe(state.read(CONFIG));
  });
});

describe("the description for clients", () => {
  it("has the shape of config.get", () => {
    using state = temporaryState({
      [CONFIG]: "{ gateway: { $include: 'a.json' }, gatway: 1 }",
      "a.json": { port: 2, token: "t" },
    });
    const description = state.open().describe();
    expect(description).toMatchObject({
      path: state.paths.configPath,
      exists: true,
      raw: "{ gateway: { $include: 'a.json' }, gatway: 1 }",
      parsed: { gateway: { $include: "a.json" }, gatway: 1 },
      resolved: { gateway: { port: 2, token: REDACTED }, gatway: 1 },
      config: { gateway: { port: 2, auth: { token: REDACTED } } },
      valid: true,
      issues: [],
      source: "file",
    });
    expect(description.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(description.warnings.map((warning) => warning.path)).toEqual(["gateway.token", "gatway"]);
    expect(description.legacyIssues.map((issue) => issue.path)).toEqual(["gateway.token"]);
  });
});
