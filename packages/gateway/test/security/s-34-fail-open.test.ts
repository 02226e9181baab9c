// S-34: whatever is missing, empty or misspelt in a configuration, nobody may do more for it than what is left says.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { callTool } from "@chela/sdk/testing";
import {
  AGENTS,
  authorityUnder,
  PEOPLE,
  PLACES,
  readRaw,
  SUBJECTS,
  TOOLS,
  type Authority,
} from "../support/security/authority.ts";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const TOKEN = "token-of-the-test-gateway-0123456789";

/** Everything is narrowed somewhere. */
const STRICT: Json = {
  gateway: {
    bind: "loopback",
    auth: {
      mode: "token",
      token: TOKEN,
      allowTailscale: false,
      trustedProxy: { userHeader: "x-user", requiredHeaders: ["x-proof"], allowUsers: ["alice"] },
      rateLimit: { maxAttempts: 5 },
    },
    trustedProxies: ["10.0.0.1"],
    tailscale: { mode: "off" },
    controlUi: { allowedOrigins: ["https://a.example"], allowInsecureAuth: false, dangerouslyDisableDeviceAuth: false },
  },
  commands: {
    ownerAllowFrom: ["fake:alice"],
    allowFrom: { fake: ["alice", "bob"], "*": ["alice"] },
    config: false,
    debug: false,
    useAccessGroups: true,
  },
  channels: {
    fake: {
      enabled: true,
      token: "t",
      dmPolicy: "allowlist",
      allowFrom: ["alice", "bob"],
      groupPolicy: "allowlist",
      groupAllowFrom: ["alice"],
      groups: {
        g1: { requireMention: true, allowFrom: ["bob"], tools: { deny: ["exec"] } },
        "*": { enabled: false },
      },
      accounts: {
        second: { token: "u", dmPolicy: "disabled", groupPolicy: "disabled" },
        third: { token: "v", enabled: false, dmPolicy: "open", allowFrom: ["*"] },
      },
    },
  },
  tools: {
    profile: "coding",
    allow: ["read", "write", "exec", "session_status", "cron"],
    deny: ["edit", "apply_patch"],
    byProvider: { scripted: { deny: ["write"] } },
    exec: { security: "deny", ask: "always", safeBins: [], applyPatch: { workspaceOnly: true } },
    elevated: { enabled: false, allowFrom: { fake: ["alice"] } },
    fs: { workspaceOnly: true },
    sandbox: { tools: { allow: ["read"], deny: ["exec"] } },
    subagents: { tools: { deny: ["exec"] } },
    sessions: { visibility: "self" },
    agentToAgent: { enabled: false, allow: [] },
  },
  agents: {
    defaults: {
      model: "scripted/test",
      elevatedDefault: "off",
      sandbox: { mode: "all", backend: "auto", workspaceAccess: "none" },
    },
    list: [
      {
        id: "main",
        default: true,
        sandbox: { mode: "all" },
        tools: { deny: ["process"], exec: { security: "deny", ask: "always" }, fs: { workspaceOnly: true } },
      },
      { id: "work", tools: { profile: "minimal", allow: ["session_status"], exec: { security: "allowlist" } } },
    ],
  },
  approvals: {
    exec: { enabled: true, mode: "targets", agentFilter: ["main"], targets: [{ channel: "fake", to: "alice" }] },
  },
  session: { dmScope: "per-channel-peer", sendPolicy: { default: "deny", rules: [] } },
  hooks: {
    enabled: true,
    token: "token-of-the-hooks-0123456789abcdef",
    allowedAgentIds: ["main"],
    allowRequestSessionKey: false,
  },
};

/** Everything is granted somewhere. */
const LOOSE: Json = {
  gateway: {
    bind: "lan",
    auth: { mode: "none", allowTailscale: true, trustedProxy: { userHeader: "x-user" } },
    trustedProxies: ["10.0.0.1"],
    tailscale: { mode: "serve" },
    controlUi: {
      allowInsecureAuth: true,
      dangerouslyDisableDeviceAuth: true,
      dangerouslyAllowHostHeaderOriginFallback: true,
    },
  },
  commands: {
    ownerAllowFrom: ["alice", "*"],
    allowFrom: { fake: ["*"], "*": ["*"] },
    config: true,
    debug: true,
    useAccessGroups: false,
  },
  channels: {
    fake: {
      enabled: true,
      token: "t",
      dmPolicy: "open",
      allowFrom: ["*", "alice"],
      groupPolicy: "open",
      groupAllowFrom: ["*"],
      groups: {
        g1: { requireMention: false, allowFrom: ["*"], tools: { allow: ["*"] } },
        "*": { requireMention: false },
      },
      accounts: {
        second: { token: "u", dmPolicy: "open", allowFrom: ["*"] },
        third: { token: "v", dmPolicy: "pairing" },
      },
    },
  },
  tools: {
    profile: "full",
    allow: ["*"],
    alsoAllow: ["cron", "gateway"],
    exec: { security: "full", ask: "off" },
    elevated: { enabled: true, allowFrom: { fake: ["*", "alice"] } },
    fs: { workspaceOnly: false },
    sandbox: { tools: { allow: ["*"] } },
    sessions: { visibility: "all" },
    agentToAgent: { enabled: true, allow: ["*"] },
  },
  agents: {
    defaults: { model: "scripted/test", elevatedDefault: "full", sandbox: { mode: "off", backend: "host" } },
    list: [
      {
        id: "main",
        default: true,
        tools: {
          profile: "full",
          exec: { security: "full", ask: "off" },
          elevated: { enabled: true, allowFrom: { fake: ["alice"] } },
        },
      },
      { id: "work" },
    ],
  },
  approvals: { exec: { enabled: true, mode: "both", targets: [{ channel: "fake", to: "alice" }] } },
};

/**
 * Keys that take something away from what is granted elsewhere, so that without them that is left. All others are grants,
 * or nothing: without them nobody may do more than before. Two of them are as OpenClaw has them: without a list of owners
 * those are owners who are named in allowFrom, and a list of allowed tools that is empty is none.
 */
const NARROWING: readonly RegExp[] = [
  /^(tools|agents|agents\.list(\.\d+)?|agents\.defaults|agents\.list\.\d+\.(id|tools|sandbox))$/,
  /^(agents\.list\.\d+\.)?tools\.(profile|allow|deny|byProvider|exec|elevated|sandbox|subagents|fs)(\.|$)/,
  /^agents\.(defaults|list\.\d+)\.sandbox(\.|$)/,
  /^commands(\.ownerAllowFrom|\.allowFrom|$)/,
  /^channels\.fake\.(groups|groupAllowFrom|groupPolicy|accounts)(\.|$)/,
  /^gateway(\.auth(\.mode|\.allowTailscale|\.trustedProxy(\.allowUsers)?)?)?$/,
];
const narrows = (path: string): boolean => NARROWING.some((pattern) => pattern.test(path));

/** What a key, a list or a word is replaced by; undefined takes it away. */
interface Change {
  readonly what: string;
  readonly path: string;
  readonly config: Json;
}

function* removals(config: Json): Generator<Change> {
  for (const path of pathsIn(config))
    yield { what: "without", path: path.join("."), config: replaced(config, path, undefined) };
}
function* emptied(config: Json): Generator<Change> {
  for (const path of pathsIn(config)) {
    const value = path.reduce<unknown>((at, key) => (at as Json)[key], config);
    if (Array.isArray(value)) yield { what: "with an empty", path: path.join("."), config: replaced(config, path, []) };
    else if (isObject(value)) yield { what: "with an empty", path: path.join("."), config: replaced(config, path, {}) };
  }
}
function* misspelt(config: Json): Generator<Change> {
  for (const path of pathsIn(config)) {
    const value = path.reduce<unknown>((at, key) => (at as Json)[key], config);
    const words = typeof value === "string" ? ["nonsense", `${value.toUpperCase()} `] : ["nonsense", null];
    for (const word of words)
      yield { what: `with ${JSON.stringify(word)} for`, path: path.join("."), config: replaced(config, path, word) };
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);
}

function replaced(config: Json, path: readonly string[], value: unknown): Json {
  const copy = structuredClone(config);
  const holder = path.slice(0, -1).reduce<Json>((at, key) => at[key] as Json, copy);
  const last = path.at(-1) ?? "";
  if (value === undefined && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** Written apart from the code: the most that the words of a configuration can ever give. */
function mostWritten(config: Json): Authority {
  const at = (...keys: readonly string[]): unknown =>
    keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), config);
  const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map((entry) => String(entry).trim()) : []);
  const most: Record<string, number> = {};
  const block = at("channels", "fake");
  const words = JSON.stringify(block ?? null);
  const owners = at("commands", "ownerAllowFrom");
  for (const place of PLACES)
    for (const id of PEOPLE) {
      const own = isObject(block) && isObject(block["accounts"]) ? block["accounts"][place.account] : undefined;
      const isKnown = id !== "" && id !== "*";
      const isNamed = isKnown && words.includes(`"${id}"`);
      const speaks = isKnown && (isNamed || /"open"|"\*"/.test(words)) ? 2 : 0;
      const mayOwn =
        owners === undefined
          ? [block, own].some((part) => isObject(part) && listed(part["allowFrom"]).includes(id))
          : listed(owners).some((entry) => entry === id || entry === `fake:${id}`);
      const owns = Number(isKnown && speaks > 0 && mayOwn);
      const where = `${id || "nobody"} in ${place.name}`;
      most[`${where} speaks`] = speaks;
      most[`${where} commands`] = Number(speaks > 0);
      most[`${where} owns`] = owns;
      most[`${where} approves`] = owns;
      most[`${where} configures`] = Number(owns > 0 && at("commands", "config") === true);
      most[`${where} elevates`] = Number(
        isKnown &&
          listed(at("tools", "elevated", "allowFrom", "fake")).includes(id) &&
          at("tools", "elevated", "enabled") !== false,
      );
    }
  const agents = Array.isArray(at("agents", "list")) ? (at("agents", "list") as Json[]) : [];
  for (const agent of AGENTS) {
    const own = agents.find((one) => isObject(one) && String(one["id"]).toLowerCase().trim() === agent) ?? {};
    const tools = isObject(own["tools"]) ? own["tools"] : {};
    const denied = new Set([...listed(at("tools", "deny")), ...listed(tools["deny"])]);
    for (const [who, subject] of Object.entries(SUBJECTS))
      for (const name of TOOLS) {
        const isForOwners = ["cron", "gateway"].includes(name);
        most[`${who} of ${agent} uses ${name}`] = Number(
          !denied.has(name) && (!isForOwners || subject.requester.isOwner),
        );
      }
    const exec = isObject(tools["exec"]) ? tools["exec"] : {};
    const security = exec["security"] ?? at("tools", "exec", "security");
    const ask = exec["ask"] ?? at("tools", "exec", "ask");
    const sandbox = JSON.stringify([at("agents", "defaults", "sandbox"), own["sandbox"]]);
    most[`${agent} exec security`] = security === "full" ? 2 : 1;
    most[`${agent} exec without a question`] = Number(security === "full" && ask !== "always");
    most[`${agent} runs main outside of a sandbox`] = 1;
    most[`${agent} runs other outside of a sandbox`] = Number(/"off"|"host"/.test(sandbox));
    const files = isObject(tools["fs"]) ? tools["fs"]["workspaceOnly"] : undefined;
    most[`${agent} leaves the workspace`] = Number((files ?? at("tools", "fs", "workspaceOnly")) === false);
  }
  most["the door without a credential"] = Number(at("gateway", "auth", "mode") === "none");
  most["the door by a proxy's word for anybody"] = Number(at("gateway", "auth", "mode") === "trusted-proxy");
  most["the door by Tailscale's word"] = Number(
    at("gateway", "auth", "allowTailscale") === true || at("gateway", "tailscale", "mode") === "serve",
  );
  most["the door from other machines"] = Number(["lan", "tailnet", "custom"].includes(String(at("gateway", "bind"))));
  most["the page without a device"] = Number(at("gateway", "controlUi", "dangerouslyDisableDeviceAuth") === true);
  most["the page over plain HTTP"] = Number(at("gateway", "controlUi", "allowInsecureAuth") === true);
  return most;
}

const more = (one: Authority, limit: Authority): string[] =>
  Object.keys(one).filter((what) => (one[what] ?? 0) > (limit[what] ?? 0));

describe.each([
  ["strict", STRICT],
  ["loose", LOOSE],
])("S-34: from a %s configuration", (_name, config) => {
  let before: Authority;
  beforeAll(async () => {
    const read = readRaw(config);
    if (!read) throw new Error("the configuration of the test is no good");
    before = await authorityUnder(read);
  });

  test("every question has an answer of its own", () => {
    expect(Object.keys(mostWritten(config)).toSorted()).toEqual(Object.keys(before).toSorted());
    expect(more(before, mostWritten(config))).toEqual([]);
  });

  test.for([
    ["a key is taken away", removals],
    ["a list or a block is emptied", emptied],
    ["a word is misspelt", misspelt],
  ] as const)("nobody may do more when %s", async ([, changes]) => {
    const broken: unknown[] = [];
    let cases = 0;
    for (const { what, path, config: changed } of changes(config)) {
      cases += 1;
      const read = readRaw(changed);
      // No gateway takes it: the one it has stays.
      if (!read) continue;
      const after = await authorityUnder(read);
      const tooMuch = more(after, mostWritten(changed));
      const increased = narrows(path) ? [] : more(after, before);
      if (tooMuch.length + increased.length > 0)
        broken.push({ what, path, tooMuch: tooMuch.slice(0, 3), increased: increased.slice(0, 3) });
    }
    expect(broken).toEqual([]);
    expect(cases).toBeGreaterThan(15);
    countCases("S-34", cases);
  });
});

describe('S-34: "*" and nothing at all', () => {
  test.for([
    ["nothing is configured", {}],
    ["every list says *", LOOSE],
    [
      "every list is empty",
      {
        commands: { ownerAllowFrom: [], allowFrom: { fake: [], "*": [] } },
        channels: { fake: { token: "t", dmPolicy: "open", groupPolicy: "open", allowFrom: [], groupAllowFrom: [] } },
      },
    ],
    [
      "only * is an owner",
      {
        commands: { ownerAllowFrom: ["*"], allowFrom: { "*": ["*"] } },
        channels: { fake: { token: "t", dmPolicy: "open", allowFrom: ["*"] } },
      },
    ],
    [
      "* is in every list of people",
      {
        channels: {
          fake: { token: "t", dmPolicy: "open", allowFrom: ["*"], groupPolicy: "open", groupAllowFrom: ["*"] },
        },
        tools: { elevated: { enabled: true, allowFrom: { fake: ["*"] } } },
      },
    ],
  ] as const)("when %s, strangers are no owners, approve nothing and elevate nothing", async ([, config]) => {
    const read = readRaw(config as Json);
    expect(read).toBeDefined();
    const found = await authorityUnder(read ?? {});
    const strangers = Object.entries(found).filter(([what]) =>
      /^(mallory|bob|\*|nobody) in .* (owns|approves|configures|elevates)$/.test(what),
    );
    expect(strangers.length).toBeGreaterThan(50);
    expect(strangers.filter(([, value]) => value > 0)).toEqual([]);
    countCases("S-34", strangers.length);
  });
});

describe("S-34: in a gateway that runs", () => {
  test("what is taken away while it runs gives nobody more, from the next message on", async () => {
    await using stage = await openChannelStage({
      settings: {
        allowFrom: ["alice", "bob"],
        groupPolicy: "allowlist",
        groupAllowFrom: ["alice"],
        groups: { g1: { requireMention: false } },
      },
      config: {
        agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" } } },
        commands: { ownerAllowFrom: ["alice"], config: true },
        tools: { deny: ["exec"], exec: { security: "allowlist", ask: "on-miss" } },
      },
    });
    const speaks = async (from: string, chat: Json = {}): Promise<boolean> =>
      (await stage.fake.say("hello", { from, chat: chat as never })).kind === "accepted";
    const group = { kind: "group", id: "g1" };
    const who = async (): Promise<boolean[]> => [
      await speaks("alice"),
      await speaks("bob"),
      await speaks("mallory"),
      await speaks("alice", group),
      await speaks("bob", group),
      await speaks("mallory", group),
    ];
    const before = await who();
    expect(before).toEqual([true, true, false, true, false, false]);
    for (const path of ["allowFrom", "dmPolicy", "groupPolicy"]) {
      const { hash, parsed } = await stage.client.call("config.get");
      await stage.client.call("config.patch", {
        raw: JSON.stringify({ channels: { fake: { [path]: null } } }),
        baseHash: hash,
      });
      const after = await eventually(`life without ${path}`, async () => {
        const now = await stage.client.call("config.get");
        return now.parsed.channels.fake[path] === undefined ? who() : undefined;
      });
      expect([path, after.filter((may, at) => may && !before[at])]).toEqual([path, []]);
      const restored = await stage.client.call("config.get");
      await stage.client.call("config.patch", {
        raw: JSON.stringify({ channels: { fake: { [path]: parsed.channels.fake[path] } } }),
        baseHash: restored.hash,
      });
    }
    // Without the list of denied tools a command of somebody who is no owner still runs in a sandbox, or nowhere.
    await stage.client.call("config.patch", {
      raw: "{ tools: { deny: null } }",
      baseHash: (await stage.client.call("config.get")).hash,
    });
    await stage.client.close();
    stage.model.script(callTool("exec", { command: "touch canary" }));
    await stage.ask("go", { from: "bob" });
    expect(stage.model.requests.at(-1)?.messages.at(-1)?.role).toBe("toolResult");
    expect(existsSync(join(stage.gateway.stateDir, "workspace", "canary"))).toBe(false);
    countCases("S-34", 25);
  });
});
