// Credentials of agents, through the front door: which is used, how it rests, what the file looks like afterwards.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Secret, type ModelInfo } from "@chela/sdk";
import { createFakeClock, plainRequest } from "@chela/sdk/testing";
import { createHttpFetch } from "@chela/sdk/http";
import {
  createModels,
  type CallEvent,
  type Models,
  type ModelsConfigView,
  type ModelsOptions,
  type NewProfile,
} from "../room.ts";
import { openReplayServer, type ReplayServer, type Reply } from "../testing/replay-server.ts";
import { replyFor, silentLog } from "../testing/wire-harness.ts";

const ANSWER = replyFor("openai-completions", "text");
const error = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ error: { message: "no" } }),
});
const key = (value: string, provider = "acme") => ({ type: "api_key", provider, key: value });
const HOUR = 3_600_000;

interface Bench {
  readonly server: ReplayServer;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly models: Models;
  readonly lines: string[];
  readonly secrets: string[];
  file(agentId?: string): string;
  read(agentId?: string): Record<string, Record<string, unknown>>;
  write(document: unknown, agentId?: string): void;
  another(): Models;
  converse(more?: {
    agentId?: string;
    profile?: string;
    model?: Partial<ModelInfo>;
    models?: Models;
  }): Promise<CallEvent[]>;
  /** The keys of all requests so far. */
  keys(): (string | undefined)[];
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function openBench(
  document?: unknown,
  more: { config?: ModelsConfigView; env?: Record<string, string>; apiKey?: string } = {},
): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), "chela-profiles-"));
  const server = await openReplayServer();
  const clock = createFakeClock();
  const lines: string[] = [];
  const secrets: string[] = [];
  const note = (text: string, fields?: object): void => void lines.push(`${text} ${JSON.stringify(fields ?? {})}`);
  const acme = { baseUrl: server.url, api: "openai-completions", ...(more.apiKey ? { apiKey: more.apiKey } : {}) };
  const anthropic = { baseUrl: server.url };
  const options: ModelsOptions = {
    config: () => ({ ...more.config, models: { providers: { acme, anthropic } } }),
    env: () => more.env ?? {},
    clock,
    log: { ...silentLog, warn: note, error: note, info: note, child: () => options.log },
    agentDir: (agentId) => join(directory, agentId),
    onSecret: (value) => void secrets.push(value),
    tokenEndpoints: { anthropic: `${server.url}/token` },
    fetch: createHttpFetch(),
  };
  const file = (agentId = "main"): string => join(directory, agentId, "auth-profiles.json");
  const write = (content: unknown, agentId = "main"): void => {
    mkdirSync(join(directory, agentId), { recursive: true });
    writeFileSync(file(agentId), typeof content === "string" ? content : JSON.stringify(content));
  };
  if (document !== undefined) write(document);
  const models = createModels(options);
  open.push(async () => {
    models.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    server,
    clock,
    models,
    lines,
    secrets,
    file,
    write,
    read: (agentId) => JSON.parse(readFileSync(file(agentId), "utf8")) as Record<string, Record<string, unknown>>,
    another: () => createModels(options),
    async converse({ agentId = "main", profile, model, models: room = models } = {}) {
      const events: CallEvent[] = [];
      const call = {
        agentId,
        sessionId: "s",
        candidates: [{ ...plainRequest({ provider: "acme", id: "m" }).model, ...model }],
        request: (candidate: ModelInfo) => plainRequest(candidate),
        deadlineAt: clock.steady() + 60_000,
        compactions: 0,
        ...(profile ? { profile } : {}),
      };
      for await (const event of room.converse(call, new AbortController().signal)) events.push(event);
      return events;
    },
    keys: () => server.requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "")),
  };
}

describe("the credential that is tried first", () => {
  const profiles = {
    "acme:a": key("key-a"),
    "acme:b": key("key-b"),
    "acme:t": { type: "token", provider: "acme", token: "token-t" },
    "other:x": key("key-x", "other"),
  };
  const a = ["key-a", "key-b"];

  it.for<[string, object, { config?: ModelsConfigView; profile?: string }, string[]]>([
    ["a token, then the keys", {}, {}, ["token-t", ...a]],
    ["the pinned one", {}, { profile: "acme:b" }, ["key-b", "token-t", "key-a"]],
    ["as the file lists them", { order: { acme: ["acme:b", "acme:a"] } }, {}, ["key-b", "key-a"]],
    ["as the configuration lists them", {}, { config: { auth: { order: { acme: ["acme:a"] } } } }, ["key-a"]],
    [
      "as the file lists them, whatever the configuration says",
      { order: { acme: ["acme:b"] } },
      { config: { auth: { order: { acme: ["acme:a"] } } } },
      ["key-b"],
    ],
    ["the last good one", { lastGood: { acme: "acme:b" } }, {}, ["key-b", "token-t", "key-a"]],
    [
      "what was used longest ago",
      { usageStats: { "acme:a": { lastUsed: 9 }, "acme:b": { lastUsed: 5 } } },
      {},
      ["token-t", "key-b", "key-a"],
    ],
    ["of those that exist", { order: { acme: ["acme:gone"] } }, {}, ["token-t", ...a]],
  ])("is %s, and the given keys come last", async ([, more, { config, profile }, expected]) => {
    const bench = await openBench(
      { version: 1, profiles, ...more },
      { ...(config ? { config } : {}), apiKey: "given" },
    );
    bench.server.answer(error(401));
    await bench.converse(profile ? { profile } : {});
    expect(bench.keys()).toEqual([...expected, "given"]);
  });

  it("is the key of the configuration, then that of the environment, where there is no profile", async () => {
    const env = { ANTHROPIC_API_KEY: "from-env" };
    const bench = await openBench(undefined, { env });
    bench.server.answer(error(401));
    await bench.converse({ model: { provider: "anthropic", id: "claude-x", api: "anthropic-messages" } });
    expect(bench.server.requests.map(({ headers }) => headers["x-api-key"])).toEqual(["from-env"]);
    expect(bench.secrets).toContain("from-env");
  });

  it.for<[string, object]>([
    ["written by older versions", { mode: "api_key", provider: "Acme", apiKey: "old-key" }],
    ["kept in the environment", { type: "api_key", provider: "acme", keyRef: { source: "env", id: "ACME" } }],
  ])("may be %s", async ([, row]) => {
    const bench = await openBench({ profiles: { "acme:old": row } }, { env: { ACME: "old-key" } });
    bench.server.answer(ANSWER);
    await bench.converse();
    expect(bench.keys()).toEqual(["old-key"]);
  });
});

describe("a credential that is refused", () => {
  it("rests, alone, while the others go on", async () => {
    const bench = await openBench({ profiles: { "acme:a": key("key-a"), "acme:b": key("key-b") } });
    bench.write({ profiles: { "acme:a": key("key-of-other") } }, "other");
    bench.server.answer(error(401), ANSWER);
    expect((await bench.converse()).at(-1)?.kind).toBe("finish");
    await bench.converse();
    await bench.converse({ agentId: "other" });
    expect(bench.keys()).toEqual(["key-a", "key-b", "key-b", "key-of-other"]);
    expect(bench.models.profiles.view("main")).toMatchObject([
      { id: "acme:a", state: { kind: "cooling", until: bench.clock.now() + 60_000, reason: "auth" } },
      { id: "acme:b", state: { kind: "ok" } },
    ]);
    expect(bench.models.profiles.view("other")).toMatchObject([{ id: "acme:a", state: { kind: "ok" } }]);
  });

  it("is tried again when its time has come, and then is good again", async () => {
    const bench = await openBench({ profiles: { "acme:a": key("key-a") } });
    bench.server.answer(error(401), ANSWER);
    await bench.converse();
    expect((await bench.converse()).at(-1)).toMatchObject({
      failure: {
        reason: "auth",
        message: expect.stringContaining("so it was not tried again yet"),
        retryAt: Date.parse("2026-01-15T12:01:00Z"),
      },
    });
    await bench.clock.advance(60_000);
    expect((await bench.converse()).at(-1)?.kind).toBe("finish");
    expect(bench.keys()).toHaveLength(2);
    await bench.clock.advance(1_000);
    expect(bench.read()).toMatchObject({ lastGood: { acme: "acme:a" }, usageStats: { "acme:a": { errorCount: 0 } } });
    expect(bench.read()["usageStats"]?.["acme:a"]).not.toHaveProperty("cooldownUntil");
  });

  it("is disabled for hours when the account has no credit, until somebody says otherwise", async () => {
    const bench = await openBench({ profiles: { "acme:a": key("key-a") } });
    bench.server.answer(error(402), ANSWER);
    await bench.converse();
    await bench.clock.advance(4 * HOUR);
    expect((await bench.converse()).at(-1)).toMatchObject({ failure: { reason: "billing" } });
    expect(bench.keys()).toHaveLength(1);
    expect(bench.read()["usageStats"]).toMatchObject({ "acme:a": { disabledReason: "billing" } });
    await bench.models.profiles.clearCooldown("main", "acme:a");
    expect((await bench.converse()).at(-1)?.kind).toBe("finish");
  });

  it("is waited for when the pause is short and there is nothing else", async () => {
    const bench = await openBench({ profiles: { "acme:a": key("key-a") } });
    bench.server.answer(error(429, { "retry-after": "2" }), ANSWER);
    const sent = bench.server.sent();
    const events = bench.converse();
    await sent;
    while (bench.models.profiles.view("main")[0]?.state.kind !== "cooling") await bench.clock.advance(0);
    await bench.clock.advance(2_000);
    expect((await events).at(-1)?.kind).toBe("finish");
  });

  it("is forgotten when a given key was replaced", async () => {
    const env: Record<string, string> = { ANTHROPIC_API_KEY: "bad" };
    const bench = await openBench(undefined, { env });
    const model = { provider: "anthropic", id: "claude-x", api: "anthropic-messages" } as const;
    bench.server.answer(error(401));
    await bench.converse({ model });
    await bench.converse({ model });
    env["ANTHROPIC_API_KEY"] = "new";
    await bench.converse({ model });
    expect(bench.server.requests.map(({ headers }) => headers["x-api-key"])).toEqual(["bad", "new"]);
  });
});

describe("the file", () => {
  const foreign = { version: 3, future: { a: 1 }, profiles: { "acme:a": { ...key("key-a"), note: "mine" }, odd: 7 } };

  it("is written a second after a call, privately, and nothing in it is lost", async () => {
    const bench = await openBench(foreign);
    bench.server.answer(ANSWER);
    const before = readFileSync(bench.file(), "utf8");
    await bench.converse();
    expect(readFileSync(bench.file(), "utf8")).toBe(before);
    await bench.clock.advance(1_000);
    expect(bench.read()).toEqual({
      ...foreign,
      lastGood: { acme: "acme:a" },
      usageStats: { "acme:a": { errorCount: 0, lastUsed: bench.clock.now() - 1_000 } },
    });
    expect(statSync(bench.file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(bench.file(), ".."))).toEqual(["auth-profiles.json"]);
  });

  it("is written when the room closes", async () => {
    const bench = await openBench(foreign);
    bench.server.answer(ANSWER);
    await bench.converse();
    bench.models.close();
    expect(bench.read()).toHaveProperty("lastGood.acme", "acme:a");
  });

  it("that got broken meanwhile is left alone by statistics", async () => {
    const bench = await openBench(foreign);
    bench.server.answer(ANSWER);
    await bench.converse();
    bench.write("{ half");
    await bench.clock.advance(1_000);
    expect(readFileSync(bench.file(), "utf8")).toBe("{ half");
  });

  it("is not made for an agent without profiles", async () => {
    const bench = await openBench(undefined, { apiKey: "given" });
    bench.server.answer(ANSWER);
    await bench.converse();
    await bench.clock.advance(2_000);
    expect(existsSync(bench.file())).toBe(false);
  });

  it("is read again when another process changed it, and keeps that change", async () => {
    const bench = await openBench(foreign);
    bench.server.answer(ANSWER);
    await bench.converse();
    bench.write({ profiles: { "acme:new": key("key-new") } });
    await bench.converse();
    await bench.clock.advance(1_000);
    expect(bench.keys()).toEqual(["key-a", "key-new"]);
    expect(Object.keys(bench.read()["usageStats"] ?? {})).toEqual(["acme:new"]);
  });

  it.for(["{ not json", "[]", '{"profiles": []}'])(
    "that is broken (%s) is set aside, not overwritten",
    async (text) => {
      const bench = await openBench(text, { apiKey: "given" });
      bench.server.answer(ANSWER);
      expect((await bench.converse()).at(-1)?.kind).toBe("finish");
      expect(readFileSync(bench.file(), "utf8")).toBe(text);
      expect(bench.lines.filter((line) => line.includes("is not used, because"))).toHaveLength(1);
      await bench.models.profiles.add("main", "acme:a", { type: "api_key", provider: "acme", key: new Secret("k-1") });
      const [aside = ""] = readdirSync(join(bench.file(), "..")).filter((name) => name.includes("broken"));
      expect(readFileSync(join(bench.file(), "..", aside), "utf8")).toBe(text);
      expect(bench.read()).toEqual({ version: 1, profiles: { "acme:a": key("k-1") } });
    },
  );

  it("shows its secrets nowhere else", async () => {
    const bench = await openBench({
      profiles: { "acme:a": key("canary-key"), "acme:o": { type: "oauth", provider: "acme", access: "canary-access" } },
    });
    const echo = (secret: string) => ({ status: 401, body: JSON.stringify({ error: { message: `bad ${secret}` } }) });
    bench.server.answer(echo("canary-access"), echo("canary-key"));
    const events = await bench.converse();
    const view = bench.models.profiles.view("main");
    expect(JSON.stringify([events, view, bench.lines])).not.toContain("canary");
    expect(bench.secrets.toSorted()).toEqual(["canary-access", "canary-key"]);
  });
});

describe("changing profiles", () => {
  it("adds, orders and removes them", async () => {
    const { models, read } = await openBench({ profiles: {} });
    for (const id of ["a", "b"]) {
      await models.profiles.add("main", `acme:${id}`, {
        type: "api_key",
        provider: "acme",
        key: new Secret(`key-${id}`),
      });
    }
    await models.profiles.setOrder("main", "acme", ["acme:b", "acme:a"]);
    expect(read()).toMatchObject({ profiles: { "acme:a": key("key-a") }, order: { acme: ["acme:b", "acme:a"] } });
    await models.profiles.remove("main", "acme:b");
    expect(read()).toMatchObject({ order: { acme: ["acme:a"] } });
    expect(models.profiles.view("main")).toMatchObject([{ id: "acme:a", type: "api_key", state: { kind: "ok" } }]);
  });

  it.for<[string, object, NewProfile, object]>([
    [
      "a key over a sign-in",
      {
        type: "oauth",
        provider: "acme",
        access: "old-access",
        refresh: "old-refresh",
        expires: 1,
        accountId: "old-account",
        email: "old@example.org",
        enterpriseUrl: "old.ghe.com",
        idToken: "old-id",
        clientId: "old-client",
        clientSecret: "old-secret",
        projectId: "old-project",
      },
      { type: "api_key", provider: "acme", key: new Secret("new") },
      key("new"),
    ],
    [
      "a token over an older form of a key",
      { mode: "api_key", provider: "acme", apiKey: "old-key", keyRef: { source: "env", id: "OLD" } },
      { type: "token", provider: "acme", token: new Secret("new") },
      { type: "token", provider: "acme", token: "new" },
    ],
    [
      "a token over one that ended, at another GitHub",
      { type: "token", provider: "acme", tokenRef: { source: "env", id: "OLD" }, expires: 1, enterpriseUrl: "old.com" },
      { type: "token", provider: "acme", token: new Secret("new"), enterpriseUrl: "acme.ghe.com" },
      { type: "token", provider: "acme", token: "new", enterpriseUrl: "acme.ghe.com" },
    ],
  ])("puts %s, of which nothing stays but what others wrote", async ([, before, profile, after]) => {
    const foreign = { note: "mine", metadata: { team: "blue" } };
    const bench = await openBench({ profiles: { "acme:a": { ...before, ...foreign } } });
    await bench.models.profiles.add("main", "acme:a", profile);
    expect(bench.read()["profiles"]).toEqual({ "acme:a": { ...after, ...foreign } });
    expect(bench.models.profiles.view("main")).toMatchObject([{ state: { kind: "ok" } }]);
    expect(bench.models.profiles.view("main")[0]).not.toHaveProperty("label");
  });

  it.for([7, "text", ["list"], null])("puts one where %j was, which is no profile", async (before) => {
    const bench = await openBench({ profiles: { "acme:a": before } });
    await bench.models.profiles.add("main", "acme:a", { type: "api_key", provider: "acme", key: new Secret("new") });
    expect(bench.read()["profiles"]).toEqual({ "acme:a": key("new") });
  });

  it.for<[string, (models: Models) => Promise<void>]>([
    ["remove", (models) => models.profiles.remove("main", "acme:x")],
    ["order", (models) => models.profiles.setOrder("main", "acme", ["acme:x"])],
    ["wake", (models) => models.profiles.clearCooldown("main", "acme:x")],
  ])("does not %s one that is not there, and says which are", async ([, change]) => {
    const { models } = await openBench({ profiles: { "acme:a": key("key-a") } });
    await expect(change(models)).rejects.toThrow('"acme:x"; the agent "main" has "acme:a"');
  });

  it("shows who a profile belongs to and when it ended", async () => {
    const profiles = {
      "acme:a": { ...key("k"), email: "a@example.org" },
      "acme:b": key("k"),
      "acme:old": { type: "token", provider: "acme", token: "t", expires: 1_700_000_000 },
    };
    const config = { auth: { profiles: { "acme:b": { email: "b@example.org" } } } };
    const { models } = await openBench({ profiles }, { config });
    expect(models.profiles.view("main")).toMatchObject([
      { label: "a@example.org" },
      { label: "b@example.org" },
      { state: { kind: "expired", at: 1_700_000_000_000 } },
    ]);
  });
});

describe("a sign-in", () => {
  const CLAUDE = { provider: "anthropic", id: "claude-x", api: "anthropic-messages" } as const;
  const signIn = (expires: number) => ({
    profiles: {
      "anthropic:me": { type: "oauth", provider: "anthropic", access: "old", refresh: "r-1", expires, note: 1 },
    },
  });
  const TOKENS: Reply = {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ access_token: "new-access", refresh_token: "r-2", expires_in: 3_600 }),
  };
  const CLAUDE_ANSWER = replyFor("anthropic-messages", "text");
  const sent = (bench: Bench) =>
    bench.server.requests.map(({ path, headers }) => (path === "/token" ? "token" : headers.authorization));

  it("is sent as a bearer, with the header that Anthropic asks for", async () => {
    const bench = await openBench(signIn(Date.UTC(2030, 0)));
    bench.server.answer(CLAUDE_ANSWER);
    await bench.converse({ model: CLAUDE });
    const [request] = bench.server.requests;
    expect(request?.headers).toMatchObject({ authorization: "Bearer old" });
    expect(request?.headers["anthropic-beta"]).toContain("oauth-2025-04-20");
    expect(request?.headers).not.toHaveProperty("x-api-key");
  });

  it("that ran out is renewed once for all who need it, and stored before it is used", async () => {
    const bench = await openBench(signIn(1));
    bench.server.answer(TOKENS, CLAUDE_ANSWER);
    await Promise.all([bench.converse({ model: CLAUDE }), bench.converse({ model: CLAUDE })]);
    expect(sent(bench)).toEqual(["token", "Bearer new-access", "Bearer new-access"]);
    expect(bench.server.requests[0]?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: "r-1",
      client_id: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
    });
    expect(bench.read()["profiles"]?.["anthropic:me"]).toEqual({
      ...signIn(bench.clock.now() + 3_300_000).profiles["anthropic:me"],
      access: "new-access",
      refresh: "r-2",
    });
    expect(bench.secrets).toEqual(expect.arrayContaining(["new-access", "r-2"]));
  });

  it("is renewed by one process only; the others take what it wrote", async () => {
    const bench = await openBench(signIn(1));
    bench.server.answer(TOKENS, CLAUDE_ANSWER);
    const other = bench.another();
    const both = Promise.all([bench.converse({ model: CLAUDE }), bench.converse({ model: CLAUDE, models: other })]);
    let isOver = false;
    void both.finally(() => (isOver = true));
    while (!isOver) await bench.clock.advance(50);
    other.close();
    expect(sent(bench)).toEqual(["token", "Bearer new-access", "Bearer new-access"]);
  });

  it("that cannot be renewed rests, and the next credential is used", async () => {
    const bench = await openBench(signIn(1), { env: { ANTHROPIC_API_KEY: "from-env" } });
    bench.server.answer(error(400), CLAUDE_ANSWER);
    expect((await bench.converse({ model: CLAUDE })).at(-1)?.kind).toBe("finish");
    expect(bench.server.requests[1]?.headers["x-api-key"]).toBe("from-env");
    expect(bench.models.profiles.view("main")[0]).toMatchObject({ state: { kind: "cooling", reason: "auth" } });
  });

  it("that is refused before its time is renewed at the next use", async () => {
    const bench = await openBench(signIn(Date.UTC(2030, 0)));
    bench.server.answer(error(401), TOKENS, CLAUDE_ANSWER);
    await bench.converse({ model: CLAUDE });
    await bench.clock.advance(60_000);
    expect((await bench.converse({ model: CLAUDE })).at(-1)?.kind).toBe("finish");
    expect(sent(bench)).toEqual(["Bearer old", "token", "Bearer new-access"]);
  });

  it("is enough to have a default model", async () => {
    const bench = await openBench(signIn(Date.UTC(2030, 0)));
    expect(await bench.models.defaultModel("main")).toMatchObject({
      model: { provider: "anthropic" },
      source: "from the profile anthropic:me",
    });
    expect((await bench.models.defaultModel("other")).source).not.toContain("profile");
  });

  it("at GitHub is enough too", async () => {
    const login = { type: "token", provider: "github-copilot", token: "t" };
    const bench = await openBench({ profiles: { "github-copilot:me": login } });
    expect(await bench.models.defaultModel("main")).toMatchObject({
      model: { provider: "github-copilot" },
      source: "from the profile github-copilot:me",
    });
  });
});
