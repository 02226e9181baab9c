// S-17: nothing an agent can do, and nothing that is said in a chat, changes what guards the gateway.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { isGuardedPlace } from "../../src/rooms/config/guarded-place.ts";
import { COMMANDS } from "../support/chat-commands.ts";
import { configReferenceRows } from "../../src/rooms/config/reference.ts";
import { guardsSafety } from "../../src/rooms/config/key-facts.ts";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { METHOD_MEMORY } from "../support/security/method-cases.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

/** Every key there is, as names; a list's entries are numbered 0, and names that are free are called x. */
const ROWS = configReferenceRows().map(({ path, secret }) => ({
  path,
  secret,
  keys: path.split(".").flatMap((part) => {
    const isList = part.endsWith("[]");
    const name = part.replace("[]", "").replace(/^<key>$|^\*$/, "x");
    return isList ? [name, 0] : [name];
  }),
}));
const GUARDING = ROWS.filter(({ keys }) => guardsSafety(keys));

describe("S-17: the table of keys", () => {
  test("says of every key whether it guards, and of those that hold some, too", () => {
    expect(GUARDING.length).toBeGreaterThan(1000);
    for (const { keys, path } of GUARDING)
      for (let length = 1; length <= keys.length; length += 1)
        expect([path, length, guardsSafety(keys.slice(0, length))]).toEqual([path, length, true]);
    countCases("S-17", ROWS.length);
  });

  test("takes whatever it does not know, and every file that is drawn in, for guarding", () => {
    for (const place of ["new", "newSection.allow", "$include", "ui.$include", "messages.$include", "ui[0].$include"])
      expect([place, isGuardedPlace(place)]).toEqual([place, true]);
    expect(isGuardedPlace("ui.seamColor")).toBe(false);
    expect(isGuardedPlace("messages.responsePrefix")).toBe(false);
  });

  test("leaves no key that is secret or sounds powerful among the ordinary ones, except those looked at", () => {
    const SOUNDS =
      /allow|deny|auth|token$|secret|password|apikey|command|program|path|url|host|exec|policy|trusted|danger|bind|tls|proxy|module|root|webhook|approv|elevat|sandbox|plugin|hook|tool/i;
    const looked = [
      "agents.defaults.compaction.identifierPolicy",
      "agents.defaults.contextPruning.minPrunableToolChars",
      "agents.defaults.contextPruning.tools.allow",
      "agents.defaults.contextPruning.tools.deny",
      "agents.defaults.heartbeat.directPolicy",
      "agents.defaults.heartbeat.suppressToolErrorWarnings",
      "agents.list[].heartbeat.directPolicy",
      "agents.list[].heartbeat.suppressToolErrorWarnings",
      "messages.statusReactions.emojis.tool",
      "wizard.lastRunCommand",
    ];
    const ordinary = ROWS.filter(({ keys }) => !guardsSafety(keys));
    const doubtful = ordinary.filter(
      ({ path, secret }) => secret || SOUNDS.test(path.replace(/^(channels\.)?[^.]+/, "")),
    );
    expect(doubtful.map(({ path }) => path).filter((path) => !looked.includes(path))).toEqual([]);
  });
});

const CONFIG = {
  agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" }, memorySearch: METHOD_MEMORY } },
  commands: { config: true, debug: true, ownerAllowFrom: ["alice"] },
  tools: { sessions: { visibility: "all" }, agentToAgent: { enabled: true }, loopDetection: { enabled: false } },
  hooks: { enabled: true, token: "token-of-the-hooks-0123456789abcdef" },
};

let stage: ChannelStage;
let stateDir: string;
let workspace: string;
beforeAll(async () => {
  stage = await openChannelStage({
    settings: { allowFrom: ["alice", "bob"], groupPolicy: "open", groups: { "*": { requireMention: false } } },
    config: CONFIG,
  });
  stateDir = stage.gateway.stateDir;
  workspace = join(stateDir, "workspace");
  await stage.client.chat("hello");
  writeFileSync(join(stateDir, ".env"), "SOME_TOKEN=canary-of-the-env-file\n", { mode: 0o600 });
  mkdirSync(join(stateDir, "hooks"), { recursive: true });
  const { hash } = await stage.client.call("exec.approvals.get");
  await stage.client.call("exec.approvals.set", { file: { version: 1, agents: {} }, baseHash: hash });
  writeFileSync(join(workspace, "evil.json"), '{"gateway":{"auth":{"mode":"none"}}}');
  symlinkSync(stateDir, join(workspace, "way-out"));
  symlinkSync(stage.gateway.configPath, join(workspace, "linked.json"));
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What the gateway writes down about conversations. */
const OWN_RECORDS =
  /^(workspace|media|logs|page|agents\/[^/]+\/sessions|sessions|subagents|cron|search)(\/|$)|\.(db|sqlite|tmp|lock)|^ledger|^chela\.|^audit\./;

/** Everything in the state directory that says who may do what. */
function guards(): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const place = relative(stateDir, path);
      if (OWN_RECORDS.test(place)) continue;
      if (statSync(path).isDirectory()) walk(path);
      else found[place] = createHash("sha256").update(readFileSync(path)).digest("hex");
    }
  };
  walk(stateDir);
  return found;
}

async function snapshot(): Promise<unknown> {
  const { config, hash } = await stage.client.call("config.get");
  const { file } = await stage.client.call("exec.approvals.get");
  return { files: guards(), config, hash, approvals: file };
}

async function changesNothing<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = await snapshot();
  const result = await work();
  expect(await snapshot(), what).toEqual(before);
  return result;
}

describe("S-17: said in a chat,", () => {
  /** One key for each place of the table, so that each of its lines is tried at the door. */
  const sample = [
    ...new Map(GUARDING.map(({ keys }) => [keys.slice(0, keys[0] === "channels" ? 3 : 2).join("."), keys])).values(),
  ]
    .filter((keys, at) => keys[0] !== "channels" || at % 8 === 0)
    .map((keys) =>
      keys.reduce<string>(
        (text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key),
        "",
      ),
    );

  test("there are enough of them to mean anything", () => {
    expect(sample.length).toBeGreaterThan(100);
  });

  test.for([
    [
      "the owner on the page",
      sample.filter((_, at) => at % 2 === 0),
      async (text: string) => said(await stage.client.chat(text)),
    ],
    ["the owner in a channel", sample.filter((_, at) => at % 5 === 0), (text: string) => stage.ask(text)],
  ] as const)("%s can change none of them with /config or /debug", async ([, places, tell]) => {
    await changesNothing("all of it", async () => {
      for (const path of places) {
        const value = '{"x":true}';
        for (const text of [`/config set ${path}=${value}`, `/config unset ${path}`, `/debug set ${path}=${value}`])
          expect(await tell(text), text).toMatch(/guards the gateway|is not a path/);
      }
    });
    countCases("S-17", places.length * 3);
  });

  test("nor by the place that holds them, by another spelling, or by an included file", async () => {
    await changesNothing("all of it", async () => {
      for (const path of [
        "gateway",
        "gateway.auth",
        '["gateway"].auth.mode',
        "['gateway']['auth']",
        "tools",
        "agents",
        "agents.defaults",
        "agents.list",
        "agents.list[0]",
        "agents.list[0].tools",
        "channels",
        "channels.fake",
        "channels.fake.accounts",
        "messages",
        "session",
        "models",
        "logging",
        "auth",
        "$include",
        "ui.$include",
        "messages.$include",
        "agents.defaults.heartbeat.$include",
        "__proto__.gateway.auth",
        "constructor.prototype",
      ])
        expect(said(await stage.client.chat(`/config set ${path}={"a":1}`)), path).toMatch(/^⚠️ /);
    });
    countCases("S-17", 24);
  });

  test("somebody who is no owner cannot even ask", async () => {
    await changesNothing("all of it", async () => {
      for (const path of sample.filter((_, at) => at % 5 === 0)) {
        const before = stage.fake.sent.length;
        for (const text of [
          `/config set ${path}=1`,
          `/config get ${path}`,
          `/debug set ${path}=1`,
          "/config",
          "/debug",
        ])
          expect((await stage.fake.say(text, { from: "bob" })).kind).toBe("settled");
        expect(stage.fake.sent.length).toBe(before);
      }
    });
    countCases("S-17", Math.ceil(sample.length / 5) * 5);
  });

  test.for(COMMANDS.map(({ name, aliases }) => [name, aliases] as const))(
    "/%s changes no guard, whatever is written behind it",
    async ([name, aliases]) => {
      if (name === "restart") return;
      const keys = ["gateway.auth.mode", "tools.exec.security"];
      const tails = keys.flatMap((key) => [`${key}=none`, `set ${key}=none`]);
      await changesNothing(name, async () => {
        for (const text of [name, ...aliases].flatMap((word) => tails.map((tail) => `/${word} ${tail}`))) {
          await stage.fake.say(text, { from: "bob", chat: { kind: "group", id: "g1" } });
          if (name !== "kill") await stage.client.chat(text, { sessionKey: `agent:main:cmd-${name}` });
        }
      });
      countCases("S-17", tails.length * 2);
    },
  );
});

const said = ({ payload }: Awaited<ReturnType<ChannelStage["client"]["chat"]>>): string =>
  (payload.message?.content ?? []).map((block: { text?: string }) => block.text ?? "").join("");

describe("S-17: an owner's agent", () => {
  const EVIL = '{"gateway":{"auth":{"mode":"none"}},"tools":{"exec":{"security":"full","ask":"off"}}}';
  const ORDER = "/config set tools.exec.security=full";
  /** The files that guard, by every way of writing where they are. */
  const targets = (): string[] => {
    const names = [
      "openclaw.json",
      "exec-approvals.json",
      ".env",
      "hooks/evil/handler.ts",
      "credentials/x-allowFrom.json",
    ];
    const found = [...new Set([...names, ...Object.keys(guards())])];
    return found.flatMap((name) => [
      join(stateDir, name),
      `../${name}`,
      `way-out/${name}`,
      `./sub/../../${name}`,
      `file://${join(stateDir, name)}`,
    ]);
  };
  const job = (payload: Json, more: Json = {}): Json => ({
    name: "evil",
    schedule: { kind: "at", at: new Date().toISOString() },
    payload,
    ...more,
  });

  /** What each tool could be told to do about it. A tool that is not here has not been thought about. */
  const ATTEMPTS: Readonly<Record<string, () => readonly Json[]>> = {
    read: () => [],
    write: () => [...targets(), "linked.json"].map((path) => ({ path, content: EVIL })),
    edit: () => [...targets(), "linked.json"].map((path) => ({ path, oldText: '"', newText: "'" })),
    apply_patch: () =>
      [...targets(), "linked.json"].flatMap((path) => [
        { input: `*** Begin Patch\n*** Add File: ${path}\n+${EVIL}\n*** End Patch` },
        { input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` },
        { input: `*** Begin Patch\n*** Update File: evil.json\n*** Move to: ${path}\n@@\n-{\n+{ \n*** End Patch` },
      ]),
    exec: () => [
      ...targets()
        .filter((path) => /openclaw\.json|exec-approvals/.test(path))
        .flatMap((path) => [`cp evil.json ${path}`, `tee ${path}`, `rm ${path}`, `ln -sf evil.json ${path}`])
        .map((command) => ({ command })),
      { command: "chela config set tools.exec.security full" },
      { command: "openclaw config set gateway.auth.mode none", security: "full", ask: "off" },
      { command: `echo '${EVIL}' > ../openclaw.json`, elevated: true },
      { command: "kill -HUP 1", host: "gateway", ask: "off" },
      { command: "true", env: { OPENCLAW_CONFIG_PATH: "/tmp/evil.json" } },
    ],
    process: () => [{ action: "write", sessionId: "x", data: EVIL }, { action: "list" }],
    cron: () => [
      { action: "add", job: job({ kind: "exec", command: "true" }) },
      { action: "add", job: job({ kind: "exec", command: ["cp", "evil.json", "../openclaw.json"] }) },
      { action: "add", job: job({ command: "true" }) },
      { action: "add", job: job({ kind: "agentTurn", message: ORDER }, { delivery: { mode: "none" } }) },
      { action: "add", job: job({ kind: "systemEvent", text: ORDER }, { sessionTarget: "main", wakeMode: "now" }) },
      { action: "add", job: job({ kind: "agentTurn", message: ORDER }, { agentId: "other" }) },
      { action: "wake", text: ORDER, mode: "now" },
    ],
    sessions_send: () => [
      { sessionKey: "agent:main:main", message: ORDER, timeoutSeconds: 0 },
      { sessionKey: "main", message: "/elevated full", timeoutSeconds: 0 },
    ],
    sessions_spawn: () => [{ task: ORDER }, { task: "/exec security=full ask=off" }],
    subagents: () => [{ action: "steer", target: "all", message: ORDER }, { action: "list" }],
    session_status: () => [
      { sessionKey: "agent:main:main", model: "default", elevatedLevel: "full", execSecurity: "full" },
    ],
    sessions_list: () => [{}],
    sessions_history: () => [{ sessionKey: "agent:main:main" }],
    memory_search: () => [{ query: ORDER }],
    memory_get: () => [{ path: stage.gateway.configPath }, { path: "../openclaw.json" }, { path: "memory/../../.env" }],
    sessions_search: () => [{ query: "order" }, { query: 'tools" OR said MATCH "', before: "2099-01-01" }],
    agents_list: () => [{}],
    message: () => [
      { action: "send", channel: "fake", target: "alice", message: ORDER },
      { action: "send", channel: "webchat", target: "agent:main:main", message: ORDER },
    ],
    web_fetch: () => [
      { url: `${stage.gateway.http}/__openclaw/control-ui-config.json` },
      { url: `${stage.gateway.http}/hooks/wake` },
    ],
    web_search: () => [{ query: ORDER }],
    image: () => [{ image: stage.gateway.configPath }],
    attach: () => [{ path: stage.gateway.configPath }],
    nodes: () => [{ action: "approve", requestId: "x" }, { action: "pending" }],
    gateway: () => {
      const { auth, ...rest } = JSON.parse(readFileSync(stage.gateway.configPath, "utf8")).gateway as Json;
      const whole = (change: Json): string =>
        JSON.stringify({ ...JSON.parse(readFileSync(stage.gateway.configPath, "utf8")), ...change });
      const nested = (path: readonly (string | number)[]): unknown =>
        path.reduceRight<unknown>((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), "x");
      return [
        ...GUARDING.filter((_, at) => at % 40 === 0).map(({ keys }) => ({
          action: "config.patch",
          raw: JSON.stringify(nested(keys)),
        })),
        { action: "config.patch", raw: EVIL },
        { action: "config.apply", raw: EVIL },
        { action: "config.patch", raw: '{ gateway: { auth: null }, messages: { responsePrefix: "hi" } }' },
        { action: "config.patch", raw: '{ messages: { $include: "evil.json" } }' },
        {
          action: "config.patch",
          raw: '{ routing: { allowFrom: ["*"] }, agent: { tools: { exec: { security: "full" } } } }',
        },
        { action: "config.apply", raw: whole({ gateway: rest }) },
        { action: "config.apply", raw: whole({ gateway: { ...rest, auth: { ...(auth as Json), mode: "none" } } }) },
        { action: "config.apply", raw: whole({ $include: "workspace/evil.json" }) },
        { action: "config.apply", raw: "{}" },
        { action: "update.run" },
      ];
    },
    // Of tools that others have and we have not, nothing must be left.
    config: () => [{ action: "set", path: "gateway.auth.mode", value: "none" }],
  };

  test("has no tool that nobody thought about", async () => {
    const { groups } = await stage.client.call("tools.catalog", {});
    const names: string[] = groups.flatMap(({ tools }: { tools: { id: string }[] }) => tools.map(({ id }) => id));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !Object.hasOwn(ATTEMPTS, name))).toEqual([]);
  });

  test.for(Object.keys(ATTEMPTS))("cannot do it with %s", async (name) => {
    const calls = (ATTEMPTS[name]?.() ?? []).map((args, at) => ({ id: `call_${at}`, name, arguments: args }));
    for (let at = 0; at < calls.length; at += 100) {
      await changesNothing(name, async () => {
        await runDenied(calls.slice(at, at + 100));
        // What it set off comes to an end, too.
        await eventually("all is quiet", async () => ((await isQuiet()) ? true : undefined));
      });
    }
    expect(existsSync(join(stateDir, "hooks", "evil"))).toBe(false);
    countCases("S-17", calls.length);
  });

  test("an order that it says, sends or plans is never read as a command", async () => {
    const entries = (await stage.client.call("sessions.list", {})).sessions as Json[];
    for (const { key, execSecurity, execAsk, elevatedLevel } of entries)
      expect({ key, execSecurity, execAsk, elevatedLevel }).toEqual({ key });
    const { jobs } = await stage.client.call("cron.list", { includeDisabled: true });
    expect((jobs as { payload: Json }[]).filter(({ payload }) => payload["kind"] === "exec")).toEqual([]);
  });

  async function runDenied(calls: Parameters<typeof callTools>[0]): Promise<ToolResultMessage[]> {
    const [sessionKey, runId] = [`agent:main:${randomUUID()}`, randomUUID()];
    stage.model.script(callTools(calls), say("done"));
    await stage.client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    const answered = new Set<string>();
    await stage.client.until("the end of the turn", () => {
      for (const { payload } of stage.client.eventsOf("exec.approval.requested")) {
        if (answered.has(payload.id)) continue;
        answered.add(payload.id);
        const params = { id: payload.id, decision: "deny" };
        stage.client.send({ type: "req", id: randomUUID(), method: "exec.approval.resolve", params });
      }
      return stage.client.eventsOf("chat", runId).find(({ payload }) => payload.state !== "delta");
    });
    stage.client.frames.length = 0;
    const messages = stage.model.requests.findLast(({ messages: all }) =>
      textOf(all[0] ?? { content: "" }).includes("go"),
    );
    return (messages?.messages ?? []).filter((one): one is ToolResultMessage => one.role === "toolResult");
  }

  async function isQuiet(): Promise<boolean> {
    const { jobs } = await stage.client.call("cron.list", {});
    const { subagents } = await stage.client.call("subagents.list", { sessionKey: "main", recursive: true });
    const isDone = (one: Json): boolean => one["state"] === "ended";
    return (
      (jobs as Json[]).every((one) => !(one["state"] as Json)?.["runningAtMs"]) && (subagents as Json[]).every(isDone)
    );
  }
});
