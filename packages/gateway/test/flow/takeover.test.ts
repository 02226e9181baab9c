// A directory as OpenClaw 2026.3.23 left it is taken over: nothing in it is lost, nothing of it is made anew.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { say } from "@chela/sdk/testing";
import { takeoverLines } from "../../src/house/start/takeover-text.ts";
import { createStateDirectory, startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";
import { runCommand } from "../support/stages/command-here.ts";
import { findFreePort } from "../support/in-process-http.ts";
import { connectClient, type WireClient } from "../support/wire-client.ts";

/** Recorded from the real program: sessions, a reset and a deleted one, jobs with their runs, an approved person. */
const RECORDED = join(import.meta.dirname, "..", "fixtures", "openclaw-2026.3.23");
const AGENTS = { agents: { list: [{ id: "main", default: true }, { id: "work" }] }, cron: { enabled: false } };

function recordedDirectory(config: object = AGENTS): ReturnType<typeof createStateDirectory> {
  const state = createStateDirectory(config as never);
  cpSync(RECORDED, state.path, { recursive: true });
  return state;
}

/** As the transcript of a conversation that was held in another workspace. */
function tellOfWorkspace(stateDir: string, workspace: string): void {
  const sessions = join(stateDir, "agents", "main", "sessions");
  const name = readdirSync(sessions).find((one) => one.endsWith(".jsonl")) ?? "";
  const [header = "", ...entries] = readFileSync(join(sessions, name), "utf8").split("\n");
  const moved = JSON.stringify({ ...JSON.parse(header), cwd: workspace });
  writeFileSync(join(sessions, name), [moved, ...entries].join("\n"));
}

async function history(client: WireClient, sessionKey: string): Promise<string[]> {
  const { messages } = await client.call("chat.history", { sessionKey });
  return messages.map((one: { content: unknown }) => textOf(one as never).replace(/^\[.*?\] /, ""));
}

interface HomePage {
  readonly messages: ReadonlyArray<{ readonly id: string; readonly user_text: string }>;
  readonly updated_at: string;
  readonly older_before?: string;
}

async function homePage(gateway: TestGateway, query: string): Promise<HomePage> {
  return (await (await gateway.fetch(`/api/sessions/home${query}`)).json()) as HomePage;
}

async function soulOf(gateway: TestGateway, agentId: string): Promise<string> {
  const client = await gateway.connect();
  return (await client.call("agents.files.get", { agentId, name: "SOUL.md" })).file.content;
}

test("sessions, ended ones, jobs, runs, people and workspaces are there after the first start", async () => {
  using state = recordedDirectory();
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  const { sessions } = await client.call("sessions.list", {});
  const keys = sessions.map(({ key }: { key: string }) => key);
  expect(keys).toEqual(
    expect.arrayContaining(["agent:main:main", "agent:main:foo", "agent:main:telegram:direct:5", "agent:work:main"]),
  );
  expect(sessions.find(({ key }: { key: string }) => key === "agent:main:main")).toMatchObject({ label: "My label" });
  expect(await history(client, "agent:work:main")).toEqual(["work turn", "echo: [Wed 2026-11-18 13:13 UTC] work turn"]);
  expect((await history(client, "agent:work:bar")).length).toBe(2);

  const { sessions: ended } = await client.call("sessions.deleted", {});
  expect(ended.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual(["deleted", "reset"]);

  const { jobs } = await client.call("cron.list", { includeDisabled: true });
  const targets = Object.fromEntries(
    jobs.map((job: { name: string; sessionTarget: string }) => [job.name, job.sessionTarget]),
  );
  expect(targets).toEqual({
    ev: "main",
    iso: "isolated",
    cur: "session:agent:main:proj",
    c1: "isolated",
    c2: "session:foo",
    c3: "session:agent:main:telegram:direct:5",
    c4: "session:agent:work:bar",
  });
  const { entries } = await client.call("cron.runs", { scope: "all" });
  expect(entries).toHaveLength(7);
  expect(entries.find(({ summary }: { summary: string }) => summary === "cur")).toMatchObject({
    status: "ok",
    sessionKey: "agent:main:proj",
    model: "m1",
  });

  expect(await soulOf(gateway, "main")).toContain("Soul of workspace\n");
  expect(await soulOf(gateway, "work")).toContain("Soul of workspace-work\n");
  gateway.model.script(say("at work"));
  await client.agent("who are you?", { sessionKey: "agent:work:main" });
  expect(gateway.model.requests.at(-1)?.system).toContain("Soul of workspace-work");
  expect(existsSync(join(state.path, "workspaces"))).toBe(false);
});

test("a job that names its conversation goes on in it, run after run", async () => {
  using state = recordedDirectory();
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  const { jobs } = await client.call("cron.list", { includeDisabled: true });
  const { id } = jobs.find(({ name }: { name: string }) => name === "c2");
  const before = await history(client, "agent:main:foo");
  gateway.model.script(say("once more"));
  const { runId } = await client.call("cron.run", { id, mode: "force" });
  await client.call("agent.wait", { runId });
  expect(await history(client, "agent:main:foo")).toEqual([...before, expect.stringContaining("SAY c2"), "once more"]);
  expect(gateway.model.requests.at(-1)?.messages.length).toBe(before.length + 1);
});

test.each([
  ["workspaces/work", "workspaces/work"],
  ["agents/work/workspace", "agents/work/workspace"],
])("a workspace in %s is used where it lies", async (_name, place) => {
  using state = createStateDirectory(AGENTS as never);
  const directory = join(state.path, place);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "SOUL.md"), `Soul in ${place}\n`);
  await using gateway = await startTestGateway({ stateDir: state.path });
  expect(await soulOf(gateway, "work")).toBe(`Soul in ${place}\n`);
});

test("the default agent's workspace is found in workspaces/main, too", async () => {
  using state = createStateDirectory(AGENTS as never);
  const directory = join(state.path, "workspaces", "main");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "SOUL.md"), "Soul in workspaces/main\n");
  await using gateway = await startTestGateway({ stateDir: state.path });
  expect(await soulOf(gateway, "main")).toBe("Soul in workspaces/main\n");
  const client = await gateway.connect();
  await client.agent("hello");
  expect(existsSync(join(state.path, "workspace"))).toBe(false);
  expect(readFileSync(join(directory, "SOUL.md"), "utf8")).toBe("Soul in workspaces/main\n");
});

test("a home session in sessions/default.json is the past of the main conversation; its file is kept, its ids stay", async () => {
  using state = createStateDirectory();
  const path = join(state.path, "sessions", "default.json");
  const pairs = Array.from({ length: 250 }, (_, index) => ({
    id: String(index + 1),
    user_text: `question ${index + 1}`,
    bot_text: index === 3 ? "" : `answer ${index + 1}`,
    channel: index % 2 ? "cli" : "telegram",
    sent_at: new Date(Date.UTC(2026, 1, 25, 10, index)).toISOString(),
    replied_at: new Date(Date.UTC(2026, 1, 25, 10, index, 3)).toISOString(),
  }));
  const original = JSON.stringify({ id: "home", created_at: pairs[0]?.sent_at, updated_at: "", messages: pairs });
  mkdirSync(join(state.path, "sessions"), { recursive: true });
  writeFileSync(path, original);
  let ids: string[] = [];
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const kept = readdirSync(join(state.path, "sessions")).filter((name) => name.includes(".imported."));
    expect(kept.map((name) => readFileSync(join(state.path, "sessions", name), "utf8"))).toEqual([original]);
    const client = await gateway.connect();
    await client.agent("and now?", { sessionKey: "main" });
    const asked = gateway.model.requests.at(-1)?.messages.map((one) => textOf(one));
    expect(asked?.slice(-3, -1)).toEqual(["question 250", "answer 250"]);
    await client.agent("and then?", { sessionKey: "main" });
    const page = (query: string) => homePage(gateway, query);
    const newest = await page("");
    expect(newest).toMatchObject({ created_at: pairs[0]?.sent_at, older_before: "53" });
    expect(newest.messages).toHaveLength(200);
    const older = await page(`?before=${newest.older_before}`);
    expect(older.messages.map(({ id }: { id: string }) => id)).toEqual(pairs.slice(0, 52).map(({ id }) => id));
    expect(older.older_before).toBeUndefined();
    expect((await gateway.fetch("/api/sessions/home?before=x")).status).toBe(400);
    ids = [...older.messages, ...newest.messages].map(({ id }) => id);
    expect(new Set(ids).size).toBe(252);
  }
  const written = JSON.parse(readFileSync(path, "utf8"));
  expect(written.messages.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(written.messages.slice(0, 250)).toEqual(pairs);
  expect(written).toMatchObject({ id: "home", updated_at: written.messages.at(-1).replied_at });
  await using again = await startTestGateway({ stateDir: state.path });
  const same = await homePage(again, "?limit=1000");
  expect(same.messages.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(readdirSync(join(state.path, "sessions")).filter((name) => name.includes(".imported."))).toHaveLength(1);
});

test.each([
  ["torn", '{"id":"home","messages":[{"id":"1","user_text":"precious', []],
  ["of another shape", '{"id":"home","exchanges":[]}', []],
  ["empty", "", []],
  [
    "without some times, numbers and words",
    `\ufeff{"messages":[{"user_text":"old","bot_text":"yes","channel":"cli","sent_at":"2026-02-25T10:00:00Z"},
      {"id":"a7","user_text":"undated","bot_text":"no"},{"user_text":"","bot_text":"to nobody"},7]}`,
    ["old", "undated"],
  ],
  ["a bare list", '[{"id":"4","user_text":"listed","bot_text":"yes"}]', ["listed"]],
])(
  "a sessions/default.json that is %s is kept once, what can be read of it is taken over, and that is said",
  async (_, original, taken) => {
    using state = createStateDirectory();
    const directory = join(state.path, "sessions");
    mkdirSync(directory);
    writeFileSync(join(directory, "default.json"), original);
    let told = "";
    const start = () =>
      startTestGateway({ stateDir: state.path, start: { console: (text: string) => void (told += text) } });
    for (const words of ["first", "second"]) {
      await using gateway = await start();
      const client = await gateway.connect();
      await client.agent(words, { sessionKey: "main" });
    }
    const kept = readdirSync(directory).filter((name) => name !== "default.json");
    expect(kept.map((name) => readFileSync(join(directory, name), "utf8"))).toEqual([original]);
    const { messages } = JSON.parse(readFileSync(join(directory, "default.json"), "utf8"));
    expect(messages.map((one: { user_text: string }) => one.user_text)).toEqual([...taken, "first", "second"]);
    const isWhole = original.startsWith("[");
    expect(told).toMatch(isWhole ? /^(?!.*default\.json)/s : /sessions\/default\.json.*kept as/s);
  },
);

test("pairs another program adds to sessions/default.json later come behind ours; no id is ever changed", async () => {
  using state = createStateDirectory();
  const path = join(state.path, "sessions", "default.json");
  const readIds = (): string[] =>
    JSON.parse(readFileSync(path, "utf8")).messages.map(
      (one: { id: string; user_text: string }) => `${one.id} ${one.user_text}`,
    );
  const say = async (words: string): Promise<void> => {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    await client.agent(words, { sessionKey: "main" });
  };
  const addForeign = (...words: string[]): void => {
    const home = JSON.parse(readFileSync(path, "utf8"));
    const at = new Date().toISOString();
    const pairs = words.map((user_text) => ({
      id: "1",
      user_text,
      bot_text: "yes",
      channel: "telegram",
      sent_at: at,
      replied_at: at,
    }));
    writeFileSync(path, JSON.stringify({ ...home, messages: [...home.messages, ...pairs] }));
  };
  await say("one");
  const [one] = readIds();
  addForeign("theirs", "theirs too");
  await say("two");
  const first = readIds();
  expect(first.map((row) => row.replace(/^\d+ /, ""))).toEqual(["one", "theirs", "theirs too", "two"]);
  expect(first[0]).toBe(one);
  addForeign("again");
  await say("three");
  const second = readIds();
  expect(second.map((row) => row.replace(/^\d+ /, ""))).toEqual([
    "one",
    "theirs",
    "theirs too",
    "two",
    "again",
    "three",
  ]);
  expect(second.slice(0, 4)).toEqual(first);
  const numbers = second.map((row) => Number.parseInt(row, 10));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  // Page by page the same, and each page tells when the session was last talked in.
  await using gateway = await startTestGateway({ stateDir: state.path });
  const pages: string[] = [];
  const { updated_at } = await homePage(gateway, "");
  for (let query = "?limit=1"; ;) {
    const page = await homePage(gateway, query);
    expect(page.updated_at).toBe(updated_at);
    pages.unshift(
      ...page.messages.map((message: { id: string; user_text: string }) => `${message.id} ${message.user_text}`),
    );
    if (page.older_before === undefined) break;
    query = `?limit=1&before=${page.older_before}`;
  }
  expect(pages).toEqual(second);
});

test("a first start on such a directory says what it took over; the next one does not, and a new directory says nothing", async () => {
  using state = recordedDirectory();
  const agentDir = join(state.path, "agents", "work", "agent");
  mkdirSync(agentDir, { recursive: true });
  writeFileSync(join(agentDir, "auth.json"), JSON.stringify({ Mistral: { type: "api_key", key: "key-of-mistral" } }));
  const node = { nodeId: "n1", token: "token-of-a-node-0123", platform: "ios", createdAtMs: 1, approvedAtMs: 2 };
  writeFileSync(join(state.path, "credentials", "nodes-paired.json"), JSON.stringify({ n1: node }));
  const signIn = { access: "at-0123456789", refresh: "rt-0123456789", expires: Date.now() + 3_600_000 };
  writeFileSync(join(state.path, "credentials", "oauth.json"), JSON.stringify({ anthropic: signIn }));
  mkdirSync(join(state.path, "agents", "main", "memory"), { recursive: true });
  writeFileSync(join(state.path, "agents", "main", "memory", "memory.sqlite"), "an index");
  const allowlist = [{ pattern: "/usr/bin/jq" }, { pattern: "/usr/bin/rg" }];
  writeFileSync(
    join(state.path, "exec-approvals.json"),
    JSON.stringify({ version: 1, agents: { main: { allowlist } } }),
  );
  const former = join(state.path, "former-workspace");
  mkdirSync(former);
  writeFileSync(join(former, "SOUL.md"), "I was here first.");
  tellOfWorkspace(state.path, former);
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const { takeover } = gateway.gateway;
    expect(takeover?.takenOver).toEqual([
      "10 conversations",
      "2 conversations that had ended",
      "7 jobs, with 7 of their runs",
      "1 approved sender",
      "1 paired node",
      "2 credentials of providers: anthropic, mistral",
      "2 allowed commands",
      "the index of the notes of main: memory/main.sqlite",
      "agents/main/memory/memory.sqlite, copied to where it is looked for today",
      "agents/work/agent/auth.json, copied to where it is looked for today",
      "credentials/oauth.json, copied to where it is looked for today",
      "the workspace of main: workspace",
      "the workspace of work: workspace-work",
    ]);
    expect(takeover?.leftAlone).toEqual([expect.stringMatching(/^update-check\.json: /)]);
    expect(takeover?.toDo).toContainEqual(
      expect.stringMatching(`^main worked in ${former} before, and works in ${join(state.path, "workspace")} now: `),
    );
    expect(takeoverLines(takeover as never).join("\n")).toContain("chela import --report");
    expect(gateway.gateway.tokenMadeIn).toBeUndefined();
    const { text } = await runCommand({ stateDir: state.path, port: gateway.gateway.port }, "nodes list");
    expect(text).toMatch(/^node \(n1\) +ios +approved, was not here yet +-/m);
  }
  const profiles = (agentId: string) =>
    JSON.parse(readFileSync(join(state.path, "agents", agentId, "agent", "auth-profiles.json"), "utf8")).profiles;
  expect(profiles("work")).toEqual({
    "mistral:default": { type: "api_key", provider: "mistral", key: "key-of-mistral" },
  });
  expect(profiles("main")).toEqual({ "anthropic:default": { ...signIn, type: "oauth", provider: "anthropic" } });
  expect(readFileSync(join(state.path, "memory", "main.sqlite"), "utf8")).toBe("an index");
  // What the owner takes away stays away.
  rmSync(join(state.path, "agents", "work", "agent", "auth-profiles.json"));
  {
    await using again = await startTestGateway({ stateDir: state.path });
    expect(again.gateway.takeover).toBeUndefined();
    expect(existsSync(join(state.path, "agents", "work", "agent", "auth-profiles.json"))).toBe(false);
  }
  await using fresh = await startTestGateway();
  expect(fresh.gateway.takeover).toBeUndefined();
});

test("who comes while a first start still reads jobs is not called a find of OpenClaw's", async () => {
  const port = await findFreePort();
  using state = createStateDirectory({ cron: { enabled: false } });
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    id: `job-${index}`,
    name: `job ${index}`,
    enabled: true,
    createdAtMs: 1,
    updatedAtMs: 1,
    schedule: { kind: "every", everyMs: 3_600_000 },
    sessionTarget: "main",
    wakeMode: "next-heartbeat",
    payload: { kind: "systemEvent", text: "look" },
    state: {},
  }));
  mkdirSync(join(state.path, "cron"));
  writeFileSync(join(state.path, "cron", "jobs.json"), JSON.stringify({ version: 1, jobs }));
  const starting = startTestGateway({ stateDir: state.path, start: { port } });
  const dial = (): Promise<WireClient> =>
    connectClient({ url: `ws://127.0.0.1:${port}`, token: TEST_TOKEN }).catch(dial);
  const client = await dial();
  await using gateway = await starting;
  expect(gateway.gateway.takeover?.takenOver).toEqual(["300 jobs"]);
  await client.close();
});

test("keys that were moved are told once, and a token that came along is not called a new one", async () => {
  const home = mkdtempSync(join(tmpdir(), "chela-old-"));
  const old = join(home, ".clawdbot");
  mkdirSync(old);
  writeFileSync(
    join(old, "clawdbot.json"),
    JSON.stringify({ gateway: { token: TEST_TOKEN }, agent: { model: "scripted/test" } }),
  );
  const told: string[] = [];
  try {
    const start = { env: { HOME: home }, console: (text: string) => void told.push(text) };
    const gateway = await startTestGateway({ stateDir: home, start });
    expect(gateway.gateway.tokenMadeIn).toBeUndefined();
    await gateway.gateway.stop("stop");
    const about = told.filter((line) => line.includes("gateway.token"));
    expect(about).toHaveLength(1);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test.each(["stores/{agentId}.json", "all-sessions.json"])(
  "a session index in %s is read, merged and written there",
  async (store) => {
    using state = recordedDirectory({ ...AGENTS, session: { store } });
    const usual = (agentId: string): string => join(state.path, "agents", agentId, "sessions", "sessions.json");
    const place = (agentId: string): string => join(state.path, store.replace("{agentId}", agentId));
    mkdirSync(join(state.path, "stores"), { recursive: true });
    const rows = {
      ...JSON.parse(readFileSync(usual("main"), "utf8")),
      ...JSON.parse(readFileSync(usual("work"), "utf8")),
    };
    for (const agentId of ["main", "work"]) {
      const own = Object.entries(rows).filter(([key]) => store.includes("all") || key.startsWith(`agent:${agentId}:`));
      writeFileSync(place(agentId), JSON.stringify(Object.fromEntries(own)));
      rmSync(usual(agentId));
    }
    const read = (agentId: string) => JSON.parse(readFileSync(place(agentId), "utf8"));
    {
      await using gateway = await startTestGateway({ stateDir: state.path });
      const client = await gateway.connect();
      const { sessions } = await client.call("sessions.list", {});
      const recovered = sessions.filter(({ key }: { key: string }) => key.includes(":recovered:"));
      expect(recovered.map(({ key }: { key: string }) => key)).toEqual(["agent:main:recovered:fixed-id-1"]);
      await client.agent("hello", { sessionKey: "agent:work:main" });
    }
    expect(Object.keys(read("main"))).toContain("agent:main:telegram:direct:5");
    expect(read("work")["agent:work:main"].updatedAt).toBeGreaterThan(1_795_000_000_000);
    expect(existsSync(usual("main"))).toBe(false);
    const changed = read("main");
    changed["agent:main:foo"].label = "by them";
    changed["agent:main:foo"].updatedAt += 1;
    writeFileSync(place("main"), JSON.stringify(changed));
    await using again = await startTestGateway({ stateDir: state.path });
    const client = await again.connect();
    const { sessions } = await client.call("sessions.list", {});
    expect(sessions.find(({ key }: { key: string }) => key === "agent:main:foo")).toMatchObject({ label: "by them" });
    expect(sessions.map(({ key }: { key: string }) => key)).toContain("agent:work:main");
  },
);
