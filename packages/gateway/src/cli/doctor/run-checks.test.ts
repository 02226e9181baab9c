// What `chela doctor` finds in a state directory: files that others can read, and credentials that cannot be used.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ErrandKind } from "@chela/sdk";
import type { CommandCall, Terminal } from "@chela/sdk/command-line";
import { afterEach, describe, expect, it } from "vitest";
import { withGateway } from "../connect/gateway-caller.ts";
import { openDatabase, SqliteLedger } from "../../rooms/ledger/room.ts";
import { runChecks, type NamedLine } from "./run-checks.ts";

const CANARY = "sk-canary-0123456789";
const FAR = Date.UTC(2100, 0);
const PAST = Date.UTC(2020, 0, 2, 3, 4);

const directories: string[] = [];
afterEach(() => directories.splice(0).forEach((path) => rmSync(path, { recursive: true })));

function openHome() {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-doctor-"));
  directories.push(stateDir);
  const write = (name: string, content: unknown, mode = 0o600): string => {
    const path = join(stateDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(path, mode);
    return path;
  };
  const callHere = (): CommandCall => {
    const nothing = (): void => undefined;
    const terminal = { note: nothing, print: nothing, printJson: nothing, write: nothing } as unknown as Terminal;
    const flags = { has: () => false, text: () => undefined, number: () => undefined, list: () => [] };
    const env = {
      HOME: stateDir,
      OPENCLAW_STATE_DIR: stateDir,
      OPENCLAW_GATEWAY_PORT: "9",
      OLLAMA_HOST: "127.0.0.1:9",
      OPENAI_API_KEY: CANARY,
    };
    return withGateway({ path: ["doctor"], args: [], flags, terminal, env, state: {} });
  };
  const check = async (name: string, { repairs = false } = {}): Promise<NamedLine[]> => {
    const checks = await runChecks(callHere(), repairs, name);
    expect(JSON.stringify(checks)).not.toContain("canary");
    return checks;
  };
  return { stateDir, write, check };
}

describe("files that other users can read", () => {
  it.each([
    "openclaw.json",
    "exec-approvals.json",
    "agents/main/agent/auth-profiles.json",
    "agents/left-over/agent/auth-profiles.json",
    "elsewhere/auth-profiles.json",
    "credentials/vault.key",
    "credentials/github-copilot.token.json",
    "credentials/whatsapp/default/creds.json",
    "credentials/whatsapp/office/creds.json.bak",
  ])("are found: %s", async (name) => {
    const { write, check, stateDir } = openHome();
    const list = [{ id: "main" }, { id: "away", agentDir: join(stateDir, "elsewhere") }];
    write("openclaw.json", { agents: { list } });
    expect(await check("Files")).toEqual([{ name: "Files", state: "ok", says: "readable by this user only" }]);
    const path = write(name, name === "openclaw.json" ? { agents: { list } } : {}, 0o644);
    expect(await check("Files")).toEqual([
      { name: "Files", state: "fail", says: `${path} can be read by other users`, fix: `chmod 600 ${path}` },
    ]);
    expect(await check("Files", { repairs: true })).toMatchObject([
      { state: "ok", says: expect.stringMatching(/^1 file /) },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("work nobody typed", () => {
  it("that nothing here carries out is told of; other work is not", async () => {
    const { stateDir, check } = openHome();
    const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
    const give = async (runId: string, kind: string): Promise<void> => {
      const at = { dueAt: PAST, createdAt: PAST };
      const errand = { runId, owner: "it", agentId: "main", sessionKey: "agent:main:it", work: {}, ...at };
      await ledger.commit([{ kind: "errand-add", errand: { ...errand, kind: kind as ErrandKind } }]);
    };
    await give("one", "cron");
    expect(await check("Errands")).toEqual([]);
    await give("two", "of-tomorrow");
    await ledger.close();
    const says = expect.stringMatching(/"of-tomorrow".*\(1 waiting\)/);
    expect(await check("Errands")).toMatchObject([{ state: "warn", says, fix: expect.stringContaining("is kept") }]);
  });
});

describe("stored credentials", () => {
  const FILE = "agents/main/agent/auth-profiles.json";
  const key = (provider: string, more: object = {}) => ({ type: "api_key", provider, key: CANARY, ...more });

  it.each<[string, object, string]>([
    ["none", {}, "none are stored"],
    ["one that is good", { profiles: { "xai:a": key("xai") } }, "1 credential, none expired or disabled"],
    [
      "some that are good, or will be in a moment",
      {
        profiles: { "xai:a": key("xai"), "xai:b": { type: "token", provider: "xai", token: CANARY, expires: FAR } },
        usageStats: { "xai:a": { errorCount: 1, cooldownUntil: FAR } },
      },
      "2 credentials, none expired or disabled",
    ],
  ])("are well: %s", async (_name, document, says) => {
    const { write, check } = openHome();
    write(FILE, document);
    expect(await check("Profiles")).toEqual([{ name: "Profiles", state: "ok", says }]);
  });

  it.each<[string, object, object | undefined, string, string]>([
    [
      "a token that expired",
      { type: "token", provider: "xai", token: CANARY, expires: PAST },
      undefined,
      "x:a has expired (2020-01-02 03:04 UTC)",
      "chela models auth paste-token --provider xai --profile-id x:a",
    ],
    [
      "a sign-in that nobody can renew",
      { type: "oauth", provider: "xai", access: CANARY, expires: PAST },
      undefined,
      "x:a has expired (2020-01-02 03:04 UTC)",
      "chela models auth add --provider xai --profile-id x:a",
    ],
    [
      "a login at GitHub that expired",
      { type: "token", provider: "github-copilot", token: CANARY, expires: PAST },
      undefined,
      "x:a has expired (2020-01-02 03:04 UTC)",
      "chela models auth login-github-copilot --profile-id x:a",
    ],
    [
      "a key that is not where the file says",
      { type: "api_key", provider: "xai", keyRef: { source: "env", id: "NOT_SET" } },
      undefined,
      "x:a is empty: what it refers to is not set",
      "chela models auth add --provider xai --profile-id x:a",
    ],
    [
      "a key of an account without credit",
      key("xai"),
      { errorCount: 1, disabledUntil: FAR, disabledReason: "billing" },
      "x:a is disabled until 2100-01-01 00:00 UTC (billing)",
      "look at the account, then chela models auth clear-cooldown x:a",
    ],
  ])("are told with what to type: %s", async (_name, profile, stats, says, fix) => {
    const { write, check } = openHome();
    write(FILE, { profiles: { "x:a": profile, "x:good": key("xai") }, usageStats: { "x:a": stats } });
    expect(await check("Profiles")).toEqual([{ name: "Profiles", state: "warn", says, fix }]);
  });

  it("are those of every agent", async () => {
    const { write, check } = openHome();
    const expired = { profiles: { "xai:t": { type: "token", provider: "xai", token: CANARY, expires: PAST } } };
    write("openclaw.json", { agents: { list: [{ id: "main", default: true }, { id: "other" }] } });
    write("agents/other/agent/auth-profiles.json", expired);
    expect(await check("Profiles")).toMatchObject([
      { state: "warn", fix: "chela models auth paste-token --provider xai --profile-id xai:t --agent other" },
    ]);
  });

  it("say so when their file is broken", async () => {
    const { write, check } = openHome();
    write(FILE, "{ half");
    expect(await check("Profiles")).toMatchObject([
      { state: "warn", says: expect.stringMatching(/auth-profiles\.json is not used, because it is not valid JSON/) },
    ]);
  });
});

describe("settings that do nothing", () => {
  it("are named, as `config validate` does", async () => {
    const { write, check } = openHome();
    write("openclaw.json", { canvasHost: { port: 9 }, talk: { voiceId: "x" } });
    expect(await check("Config")).toMatchObject([
      { state: "ok" },
      { state: "warn", says: "2 settings have no effect in this version: canvasHost, talk." },
    ]);
  });

  it("are those of a split YAML directory, too", async () => {
    const { write, check, stateDir } = openHome();
    write("openclaw.json", {});
    expect(await check("YAML")).toEqual([]);
    write("nexus/state/config/adapters.yaml", "telegram: {}");
    expect(await check("YAML")).toMatchObject([
      {
        state: "warn",
        says: expect.stringContaining(`The YAML files in ${join(stateDir, "nexus/state")} are not read`),
      },
    ]);
  });

  it.each([
    ["bluebubbles", "channels.bluebubbles has no effect: Chela has no such channel"],
    ["telegramm", "channels.telegramm has no effect: Chela has no such channel; did you mean telegram?"],
  ])("nobody is told to add a channel that does not exist: %s", async (channel, says) => {
    const { write, check } = openHome();
    write("openclaw.json", { channels: { [channel]: { enabled: true } } });
    const [found] = await check("Channel");
    expect(found).toMatchObject({ state: "warn", says });
    expect(found?.fix).not.toContain("channels add");
  });
});

describe("the sandbox", () => {
  const says = async (sandbox: object): Promise<NamedLine[]> => {
    const { write, check } = openHome();
    write("openclaw.json", { agents: { defaults: { sandbox } } });
    return check("Sandbox");
  };

  it.skipIf(existsSync("/run/podman/podman.sock"))(
    "that is wanted and cannot be kept is said, with what to do",
    async () => {
      expect(await says({ mode: "all", backend: "podman" })).toEqual([
        {
          name: "Sandbox",
          state: "fail",
          says: expect.stringMatching(/^sandboxed conversations run no commands\. podman: .*podman\.sock/),
          fix: expect.stringContaining("systemctl --user start podman.socket"),
        },
      ]);
    },
  );

  it("that nobody wants is not looked for", async () => {
    expect(await says({ mode: "off" })).toMatchObject([{ state: "ok", says: expect.stringMatching(/^off/) }]);
  });
});
