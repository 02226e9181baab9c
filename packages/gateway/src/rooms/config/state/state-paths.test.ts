// Where the state lies, and what is taken over from older versions.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gatewayPort, openStateDirectory, resolveStatePaths } from "../room.ts";

describe("the state directory", () => {
  it.each<[string, Record<string, string>, { profile?: string; dev?: boolean }, string, string]>([
    ["by default", {}, {}, "/h/.openclaw", "/h/.openclaw/openclaw.json"],
    ["with another home", { OPENCLAW_HOME: "/o" }, {}, "/o/.openclaw", "/o/.openclaw/openclaw.json"],
    ["named", { OPENCLAW_STATE_DIR: "/s" }, {}, "/s", "/s/openclaw.json"],
    ["named from home", { OPENCLAW_STATE_DIR: "~/s" }, {}, "/h/s", "/h/s/openclaw.json"],
    ["with the config elsewhere", { OPENCLAW_CONFIG_PATH: "/c/x.json" }, {}, "/h/.openclaw", "/c/x.json"],
    ["by profile variable", { OPENCLAW_PROFILE: "work" }, {}, "/h/.openclaw-work", "/h/.openclaw-work/openclaw.json"],
    [
      "by profile flag",
      { OPENCLAW_PROFILE: "work" },
      { profile: "play" },
      "/h/.openclaw-play",
      "/h/.openclaw-play/openclaw.json",
    ],
    ["for the default profile", { OPENCLAW_PROFILE: "default" }, {}, "/h/.openclaw", "/h/.openclaw/openclaw.json"],
    ["for development", {}, { dev: true }, "/h/.openclaw-dev", "/h/.openclaw-dev/openclaw.json"],
    ["by old variable names", { CLAWDBOT_STATE_DIR: "/old" }, {}, "/old", "/old/openclaw.json"],
    [
      "by the new name rather than the old",
      { CLAWDBOT_STATE_DIR: "/old", OPENCLAW_STATE_DIR: "/new" },
      {},
      "/new",
      "/new/openclaw.json",
    ],
    ["ignoring blanks", { OPENCLAW_STATE_DIR: "  " }, {}, "/h/.openclaw", "/h/.openclaw/openclaw.json"],
  ])("%s", (_name, env, options, stateDir, configPath) => {
    expect(resolveStatePaths({ HOME: "/h", ...env }, options)).toMatchObject({
      stateDir,
      configPath,
      envPath: `${stateDir}/.env`,
    });
  });

  it.each(["../x", "a/b", "-x", "x".repeat(65)])("refuses the profile name %s", (profile) => {
    expect(() => resolveStatePaths({ HOME: "/h" }, { profile })).toThrow(/profile name/);
  });

  it("has a port of its own for development, which config and environment still beat", () => {
    const dev = resolveStatePaths({ HOME: "/h" }, { dev: true });
    expect(gatewayPort({}, {}, dev)).toBe(19001);
    expect(gatewayPort({}, {}, resolveStatePaths({ HOME: "/h" }))).toBe(18789);
    expect(gatewayPort({ gateway: { port: 5 } }, {}, dev)).toBe(5);
    expect(gatewayPort({ gateway: { port: 5 } }, { OPENCLAW_GATEWAY_PORT: "6" }, dev)).toBe(6);
    expect(gatewayPort({}, { OPENCLAW_GATEWAY_PORT: "nonsense" })).toBe(18789);
  });
});

describe("state of an older version", () => {
  let home: string;
  beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "chela-legacy-"))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const leave = (directory: string, file: string, text = "{}"): void => {
    mkdirSync(join(home, directory), { recursive: true });
    writeFileSync(join(home, directory, file), text);
  };

  it.each([
    [".clawdbot", "clawdbot.json"],
    [".moltbot", "moltbot.json"],
    [".moldbot", "moldbot.json"],
    [".clawdbot", "openclaw.json"],
  ])("in %s with %s is taken over, and the old name leads to the new place", (directory, file) => {
    leave(directory, file, '{"gateway":{"port":9}}');
    const { paths, notices } = openStateDirectory({ HOME: home });
    expect(readFileSync(paths.configPath, "utf8")).toBe('{"gateway":{"port":9}}');
    expect(paths.configPath).toBe(join(home, ".openclaw", "openclaw.json"));
    expect(readlinkSync(join(home, directory))).toBe(join(home, ".openclaw"));
    expect(notices.join()).toContain(directory);
    expect(openStateDirectory({ HOME: home }).notices).toEqual([]);
  });

  it("is left alone when there is a current one", () => {
    leave(".openclaw", "openclaw.json");
    leave(".clawdbot", "clawdbot.json");
    expect(openStateDirectory({ HOME: home }).notices).toEqual([]);
    expect(lstatSync(join(home, ".clawdbot")).isDirectory()).toBe(true);
  });

  it.each<[Record<string, string>, { profile?: string }]>([
    [{}, { profile: "x" }],
    [{ OPENCLAW_STATE_DIR: "/nonexistent-state" }, {}],
  ])("is left alone when the place was chosen (%j %j)", (env, options) => {
    leave(".clawdbot", "clawdbot.json");
    openStateDirectory({ HOME: home, ...env }, options);
    expect(existsSync(join(home, ".clawdbot", "clawdbot.json"))).toBe(true);
  });

  it("may be only an old config file in a current directory", () => {
    leave(".openclaw", "clawdbot.json", '{"a":1}');
    const { paths, notices } = openStateDirectory({ HOME: home });
    expect(readFileSync(paths.configPath, "utf8")).toBe('{"a":1}');
    expect(notices).toHaveLength(1);
  });

  it("in several directories is taken over once, and the rest is named", () => {
    leave(".clawdbot", "clawdbot.json");
    leave(".moltbot", "moltbot.json");
    expect(openStateDirectory({ HOME: home }).notices.join()).toContain(".moltbot was left");
    expect(existsSync(join(home, ".moltbot", "moltbot.json"))).toBe(true);
  });
});
