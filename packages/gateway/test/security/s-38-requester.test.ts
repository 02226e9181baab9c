// S-38: who asks decides what is seen, done and reached; the conversation they ask in gives nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say, type ScriptStep } from "@chela/sdk/testing";
import { COMMANDS } from "../support/chat-commands.ts";
import { judgeReach, type Spot } from "../../src/flow/messages/reach.ts";
import { ACTIONS } from "../../src/flow/messages/request.ts";
import { eventually } from "../support/in-process.ts";
import { openChannelStage, toldBy, type ChannelStage } from "../support/stages/channel-stage.ts";
import { findFreePort } from "../support/in-process-http.ts";
import { WORDS_ALONE } from "../support/stages/memory-stage.ts";
import { isToldTask } from "../support/stages/subagent-stage.ts";
import { connectNode } from "../support/test-node.ts";
import type { Json } from "../support/wire-client.ts";

const SECRET = "canary-of-the-owner";
const NOTE = "canary-of-the-notes";
const MAIN = "agent:main:main";
const CLI_SECRET = "secret-of-the-second-door-0123456789";
const HOOK_TOKEN = "token-of-the-hooks-0123456789";
const DAILY = { kind: "every", everyMs: 86_400_000 };

/** Alice owns it, Mia is a member, Bob was named, Gus is a guest; everybody else is a stranger. */
async function openHouse(config: Json = {}, env: Record<string, string> = {}): Promise<ChannelStage> {
  const stage = await openChannelStage({
    env,
    settings: {
      dmPolicy: "open",
      allowFrom: ["*", "alice", "bob"],
      groupPolicy: "open",
      groups: { "*": { requireMention: false, allowFrom: ["*"] } },
    },
    config: {
      commands: { ownerAllowFrom: ["alice"] },
      agents: { defaults: { sandbox: { mode: "non-main" }, heartbeat: { target: "last" } } },
      ...config,
    },
  });
  for (const [id, role] of [
    ["mia", "member"],
    ["gus", "guest"],
  ])
    await stage.client.call("people.put", { person: { id, name: id, role, ids: [{ channel: "fake", id }] } });
  const workspace = join(stage.gateway.stateDir, "workspace");
  mkdirSync(join(workspace, "memory"), { recursive: true });
  writeFileSync(join(workspace, "MEMORY.md"), `${NOTE}\n`);
  writeFileSync(join(workspace, "memory", "today.md"), `${NOTE}\n`);
  return stage;
}

/** What the tool answered when the model was made to call it for somebody. */
async function callFor(stage: ChannelStage, from: string, tool: string, args: Json, chat?: Json): Promise<string> {
  stage.model.script(callTool(tool, args), say("done"));
  await stage.ask("please", { from, ...(chat ? { chat: chat as never } : {}) });
  const result = stage.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
  return result ? textOf(result) : "";
}

const OTHERS = ["mia", "bob", "gus", "eve"] as const;

describe.each([
  ["where nothing is written about conversations", {}],
  ["where main is written as everybody's conversation", { session: { dmScope: "main" } }],
])("S-38: %s", (_where, config) => {
  let stage: ChannelStage;
  const isShared = "session" in config;
  beforeAll(async () => {
    stage = await openHouse(config);
    await stage.ask(`My PIN is ${SECRET}.`);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.for(OTHERS)(
    "%s hears nothing of the owner's words, unless it is written and they were vouched for",
    async (from) => {
      await stage.ask("what did we talk about?", { from });
      const isHeard = toldBy(stage.model.requests.at(-1)).join().includes(SECRET);
      expect(isHeard).toBe(isShared && ["mia", "bob"].includes(from));
    },
  );

  test.for(OTHERS)("%s has no command run on this machine", async (from) => {
    const told = await callFor(stage, from, "exec", { command: "hostname; cat MEMORY.md ../MEMORY.md" });
    expect(told).not.toContain(hostname());
    expect(told).not.toContain(NOTE);
  });

  test.for(OTHERS)("%s neither reads nor writes the owner's workspace", async (from) => {
    expect(await callFor(stage, from, "read", { path: "MEMORY.md" })).not.toContain(NOTE);
    await callFor(stage, from, "write", { path: "MEMORY.md", content: "overwritten" });
    expect(readFileSync(join(stage.gateway.stateDir, "workspace", "MEMORY.md"), "utf8")).toContain(NOTE);
  });

  test.for(["/rewind 1", "/new", "/model scripted/test", "/compact", "/export-session x.html", "/restart"])(
    "%s of somebody else leaves the owner's conversation as it is",
    async (command) => {
      const before = await stage.client.call("chat.history", { sessionKey: MAIN });
      await stage.fake.say(command, { from: "bob" });
      await stage.ask("still there?", { from: "alice" });
      const after = await stage.client.call("chat.history", { sessionKey: MAIN });
      expect(after.sessionId).toBe(before.sessionId);
      expect(JSON.stringify(after.messages)).toContain(SECRET);
    },
  );

  const ROOM = { kind: "group", id: "g1" };
  test.for([
    ["send", { target: "alice" }],
    ["broadcast", { targets: ["alice", "g2"] }],
    ["poll", { target: "alice", pollQuestion: "?", pollOption: ["a", "b"] }],
    ["react", { target: "alice", messageId: "in-1", emoji: "x" }],
    ["read", { target: "alice" }],
    ["thread-create", { target: "g2", threadName: "x" }],
  ] as const)("nobody but an owner has the agent %s in another chat", async ([action, args]) => {
    for (const [from, chat] of [
      ["eve", ROOM],
      ["bob", undefined],
      ["mia", ROOM],
    ] as const) {
      const before = stage.fake.sent.length;
      const told = await callFor(stage, from, "message", { action, message: "canary-elsewhere", ...args }, chat);
      expect(told).toMatch(/Only an owner|cannot|does not/);
      const sent = stage.fake.sent.slice(before);
      expect(sent.filter(({ text }) => text !== "done")).toEqual([]);
    }
    const { messages } = await stage.client.call("chat.history", { sessionKey: MAIN });
    expect(JSON.stringify((messages as Json[]).filter(({ role }) => role === "assistant"))).not.toContain(
      '"text":"canary-elsewhere',
    );
  });

  test("what is told to the last chat is told to an owner's, whoever wrote last", async () => {
    await stage.ask("I am here", { from: "alice" });
    for (const from of ["mia", "bob", "eve"]) await stage.ask("and I, last of all", { from });
    const job = { schedule: DAILY, delivery: { mode: "announce" } };
    const { id } = await stage.client.call("cron.add", { name: "brief", message: "the brief", ...job });
    const before = stage.fake.sent.length;
    stage.model.script(say("canary-of-the-brief"));
    await stage.client.call("cron.run", { id, mode: "force" });
    const told = await eventually("the brief", () => stage.fake.sent.slice(before).at(0));
    expect(told).toMatchObject({ target: { to: "alice" }, text: "canary-of-the-brief" });
  });

  /** Something the gateway does by itself, after others than the owner wrote last. */
  const firstTold = async (words: string, begin: () => Promise<unknown>) => {
    await stage.ask("I am here", { from: "alice" });
    for (const from of ["mia", "bob", "gus", "eve"]) await stage.ask("and I, last of all", { from });
    const before = stage.fake.sent.length;
    stage.model.script(say(words));
    await begin();
    return eventually(words, () => stage.fake.sent.slice(before).at(0));
  };

  test("a reminder by a system event and a heartbeat are told to the owner, whoever wrote last", async () => {
    const payload = { kind: "systemEvent", text: "the kettle boils" };
    const job = { name: "kettle", schedule: DAILY, payload, wakeMode: "now" };
    const { id } = await stage.client.call("cron.add", job);
    const run = () => stage.client.call("cron.run", { id, mode: "force" });
    expect(await firstTold("canary-of-the-kettle", run)).toMatchObject({
      target: { to: "alice" },
      text: "canary-of-the-kettle",
    });
    const beat = () => stage.client.call("wake", { mode: "now", text: "it rang" });
    expect(await firstTold("canary-of-the-beat", beat)).toMatchObject({
      target: { to: "alice" },
      text: "canary-of-the-beat",
    });
  });

  test("a job that the owner made in a chat answers there, whoever wrote last", async () => {
    const job = { name: "made in a chat", schedule: DAILY, payload: { kind: "agentTurn", message: "the news" } };
    await callFor(stage, "alice", "cron", { action: "add", job }, { kind: "direct", id: "messages" });
    const { jobs } = await stage.client.call("cron.list", {});
    const made = (jobs as Json[]).find(({ name }) => name === job.name);
    const run = () => stage.client.call("cron.run", { id: made?.["id"], mode: "force" });
    expect(await firstTold("canary-of-the-job", run)).toMatchObject({
      target: { to: "messages" },
      text: "canary-of-the-job",
    });
  });

  test.for(["/stop", "stop", "hello", "/kill all"])(
    "%s of somebody else leaves the owner's running turn alone",
    async (text) => {
      const gate = stage.gateway.gate();
      stage.model.script(gate.step("", "canary-of-the-long-work"));
      const before = stage.fake.sent.length;
      await stage.fake.say("work for long", { from: "alice" });
      await gate.reached;
      await stage.client.call("sessions.patch", { key: MAIN, queueMode: "interrupt" });
      await stage.fake.say(text, { from: "bob" });
      gate.open();
      const told = () => stage.fake.sent.slice(before).find((sent) => sent.text === "canary-of-the-long-work");
      expect(await eventually("the owner's answer", told)).toMatchObject({ target: { to: "alice" } });
      await stage.client.call("sessions.patch", { key: MAIN, queueMode: "followup" });
    },
  );

  test("in a group everybody stops what they asked for, and an owner all of it", async () => {
    const chat = { kind: "group" as const, id: "g-stop" };
    const stopped = async (asks: string, stops: string): Promise<string> => {
      const gate = stage.gateway.gate();
      stage.model.script(gate.step("", "canary-of-the-group"));
      await stage.fake.say("work for long", { from: asks, chat });
      await gate.reached;
      const before = stage.fake.sent.length;
      await stage.fake.say("/stop", { from: stops, chat });
      const answer = (await stage.fake.until(before + 1)).at(before)?.text ?? "";
      gate.open();
      if (answer.includes("somebody else")) await stage.fake.until(before + 2);
      return answer;
    };
    expect(await stopped("alice", "bob")).toContain("was asked for by somebody else");
    expect(await stopped("mia", "bob")).toContain("was asked for by somebody else");
    expect(await stopped("bob", "bob")).toBe("⚙️ Stopped.");
    expect(await stopped("bob", "alice")).toBe("⚙️ Stopped.");
  });

  test("what the owner said does not leave a full queue for what somebody else says", async () => {
    const chat = { kind: "group" as const, id: "g-full" };
    await stage.ask("/queue followup cap:1 drop:old", { from: "alice", chat });
    const gate = stage.gateway.gate();
    stage.model.script(gate.step("", "the first"), say("canary-of-the-queue"));
    const before = stage.fake.sent.length;
    await stage.fake.say("one", { from: "alice", chat });
    await gate.reached;
    await stage.fake.say("two", { from: "alice", chat });
    await stage.fake.say("me first", { from: "bob", chat });
    gate.open();
    const texts = (await stage.fake.until(before + 3)).slice(before).map(({ text }) => text);
    expect(texts).toContain("canary-of-the-queue");
    expect(texts.join()).toContain("this one was not taken");
  });

  test("nobody but an owner ends the sub-agents of an owner", async () => {
    const chat = { kind: "group" as const, id: "g-helpers" };
    const sessionKey = "agent:main:fake:group:g-helpers";
    const gate = stage.gateway.gate();
    const parentOrChild: ScriptStep = async function* (request, signal) {
      const step = isToldTask(request, "task x") ? gate.step("", "done") : say("started");
      yield* typeof step === "function" ? step(request, signal) : step;
    };
    stage.model.script(callTool("sessions_spawn", { task: "task x", label: "x" }), parentOrChild, parentOrChild);
    await stage.ask("have it done", { from: "alice", chat });
    await gate.reached;
    const states = async () => {
      const { subagents } = await stage.client.call("subagents.list", { sessionKey });
      return (subagents as Json[]).map(({ state }) => state);
    };
    const before = stage.fake.sent.length;
    for (const text of ["/stop", "/kill all"]) await stage.fake.say(text, { from: "bob", chat });
    await stage.fake.until(before + 2);
    expect(await callFor(stage, "bob", "subagents", { action: "kill", target: "all" }, chat)).toContain("for an owner");
    expect(await states()).toEqual(["running"]);
    await stage.fake.say("/stop", { from: "alice", chat });
    expect(await states()).toEqual(["ended"]);
  });

  test("a run explains who asked, and what followed from it", async () => {
    await stage.ask("hello", { from: "bob", id: `explained-${String(isShared)}` });
    const { access } = await stage.client.call("runs.explain", { id: `explained-${String(isShared)}` });
    expect(access.requester).toBe("somebody who was approved, but is written down as nobody");
    expect(access.follows).toContain("Commands run in a sandbox or not at all.");
  });

  test("the owner has it all", async () => {
    expect(await callFor(stage, "alice", "read", { path: "MEMORY.md" })).toContain(NOTE);
    await stage.ask("what did we talk about?");
    expect(toldBy(stage.model.requests.at(-1)).join()).toContain(SECRET);
  });
});

describe("S-38: session.identityLinks", () => {
  test.for(["per-peer", "per-channel-peer", "per-account-channel-peer", "main", undefined] as const)(
    "with dmScope %s they lead no guest into another's conversation, and nobody into a guest's",
    async (dmScope) => {
      const identityLinks = { ann: ["fake:alice", "fake:gus", "fake:mia"] };
      await using stage = await openHouse({ session: { ...(dmScope ? { dmScope } : {}), identityLinks } });
      for (const from of ["alice", "mia"]) await stage.ask(`My PIN is ${SECRET}.`, { from });
      await stage.ask("And mine is canary-of-gus.", { from: "gus" });
      expect(toldBy(stage.model.requests.at(-1)).join()).not.toContain(SECRET);
      for (const from of ["alice", "mia", "ann~guest"]) {
        await stage.ask("what is his PIN?", { from });
        expect(toldBy(stage.model.requests.at(-1)).join()).not.toContain("canary-of-gus");
      }
    },
  );
});

describe("S-38: where others take part", () => {
  test("what was dropped from a full queue, and what a command printed, is not told as the gateway's word", async () => {
    await using stage = await openHouse();
    const chat = { kind: "group" as const, id: "g-flood" };
    await stage.ask("/queue followup cap:1 drop:summarize", { from: "alice", chat });
    stage.model.script(
      callTool("exec", { command: "echo canary-of-the-output", background: true }),
      say("it runs"),
      say("it ended"),
    );
    const before = stage.fake.sent.length;
    await stage.fake.say("run it", { from: "eve", chat });
    await stage.fake.until(before + 2);
    const gate = stage.gateway.gate();
    stage.model.script(gate.step("", "the first"));
    await stage.fake.say("one", { from: "eve", chat });
    await gate.reached;
    for (const text of ["canary-of-the-flood", "three"]) await stage.fake.say(text, { from: "eve", chat });
    gate.open();
    await stage.fake.until(before + 4);
    await stage.ask("what happened?", { from: "alice", chat });
    const told = toldBy(stage.model.requests.at(-1)).flatMap((text) => text.split("\n"));
    const news = told.filter((line) => line.startsWith("System: "));
    expect(news.join("\n")).toMatch(/Dropped 1 message due to cap of somebody/);
    expect(news.join("\n")).not.toContain("canary");
  });
});

/** Who is offered which tool in a direct conversation: Alice (owner), Mia (member), Bob (approved), Gus (guest), Eve (stranger). */
const TOOLS: Readonly<Record<string, string>> = {
  agents_list: "a",
  apply_patch: "ambe",
  attach: "ambge",
  cron: "a",
  edit: "ambe",
  exec: "ambe",
  gateway: "a",
  image: "ambge",
  message: "ambe",
  nodes: "a",
  process: "ambe",
  read: "ambge",
  session_status: "ambe",
  sessions_history: "ambe",
  sessions_list: "ambe",
  sessions_search: "ambe",
  sessions_send: "ambe",
  sessions_spawn: "ambe",
  subagents: "ambe",
  web_fetch: "ambge",
  write: "ambe",
  // Not set up in this house: what they find is decided by the table of rights.
  editor_edit: "",
  editor_plan: "",
  editor_read: "",
  editor_run: "",
  editor_write: "",
  memory_get: "",
  memory_search: "",
  web_search: "",
};

/** Who may give which command, and whether what several share is the owner's to change with it. */
const CHAT_COMMANDS: Readonly<Record<string, string>> = {
  new: "authorised, their own conversation",
  reset: "authorised, their own conversation",
  stop: "authorised",
  compact: "authorised, their own conversation",
  checkpoint: "authorised, their own conversation",
  rewind: "authorised, their own conversation",
  fork: "authorised, their own conversation",
  "export-session": "owner",
  model: "authorised, their own conversation",
  think: "authorised",
  verbose: "authorised, their own conversation",
  reasoning: "authorised, their own conversation",
  elevated: "authorised, their own conversation",
  exec: "authorised, their own conversation",
  queue: "authorised, their own conversation",
  usage: "authorised",
  help: "authorised",
  commands: "authorised",
  status: "authorised",
  whoami: "everyone",
  context: "authorised",
  models: "authorised",
  budget: "authorised",
  approve: "approver",
  agents: "authorised",
  subagents: "authorised, their own conversation",
  acp: "authorised, their own conversation",
  kill: "authorised, their own conversation",
  steer: "authorised, their own conversation",
  activation: "authorised, their own conversation",
  send: "owner",
  config: "owner",
  debug: "owner",
  restart: "owner",
  tools: "authorised",
};

/** Of every action of the tool message: it is refused outside of the chat somebody is in, unless an owner asks. */
const MESSAGE_ACTIONS =
  "send broadcast poll reply thread-reply thread-create react edit unsend pin unpin reactions read list-pins thread-list channel-list member-info";

describe("S-38: a capability that is in no table is nobody's", () => {
  test("chat commands", () => {
    const found = COMMANDS.map(({ name, who, changesConversation }) => [
      name,
      changesConversation ? `${who}, their own conversation` : who,
    ]);
    expect(Object.fromEntries(found)).toEqual(CHAT_COMMANDS);
  });

  test("actions of the tool message", () => {
    expect(Object.keys(ACTIONS).sort()).toEqual(MESSAGE_ACTIONS.split(" ").sort());
    const spot = (id: string): Spot => ({
      channel: "irc",
      account: "default",
      target: { to: id },
      chat: { kind: "group", id },
    });
    const from = { by: "message" as const, ...spot("#here") };
    const settings = { allowCrossContextSend: true };
    for (const reach of Object.values(ACTIONS)) {
      expect(judgeReach({ reach, isOwner: false, from, to: spot("#there"), settings }).kind).toBe("refused");
      expect(judgeReach({ reach, isOwner: true, from, to: spot("#there"), settings }).kind).toBe("allowed");
    }
  });

  test("tools", async () => {
    await using stage = await openHouse();
    await connectNode(stage.gateway, { name: "phone" });
    const offered: Record<string, string> = {};
    const { groups } = await stage.client.call("tools.catalog", {});
    for (const { tools } of groups as { tools: { id: string }[] }[]) for (const { id } of tools) offered[id] = "";
    for (const from of ["alice", ...OTHERS]) {
      await stage.ask("what can you do?", { from });
      for (const { name } of stage.model.requests.at(-1)?.tools ?? [])
        offered[name] = `${offered[name] ?? "not in the catalogue: "}${from.charAt(0)}`;
    }
    expect(offered).toEqual(TOOLS);
  });
});

describe("S-38: at our own door", () => {
  let stage: ChannelStage;
  let secondDoor = "";
  beforeAll(async () => {
    const port = String(await findFreePort());
    secondDoor = `http://127.0.0.1:${port}/api/sessions/home`;
    const config = {
      commands: { ownerAllowFrom: ["alice"], restart: false },
      hooks: { enabled: true, token: HOOK_TOKEN },
      agents: { defaults: { sandbox: { mode: "non-main" }, memorySearch: WORDS_ALONE } },
    };
    stage = await openHouse(config, { OPENCLAW_CLI_SECRET: CLI_SECRET, OPENCLAW_CLI_PORT: port });
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  const offered = () => stage.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
  /** Whether a tool of the newest turn told of it. */
  const noteRead = (): boolean => {
    const messages = stage.model.requests.at(-1)?.messages ?? [];
    const asked = messages.findLastIndex(({ role }) => role === "user");
    expect(messages.slice(asked).some(({ role }) => role === "toolResult")).toBe(true);
    return JSON.stringify(messages.slice(asked)).includes(NOTE);
  };
  const post = (path: string, body: Json) =>
    stage.gateway.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test.for([
    ["the home session", () => post("/api/sessions/home", { text: "read it" })],
    [
      "chat completions",
      () => post("/v1/chat/completions", { model: "openclaw", messages: [{ role: "user", content: "read it" }] }),
    ],
    ["responses", () => post("/v1/responses", { model: "openclaw", input: "read it" })],
    ["the page", () => stage.client.chat("read it")],
  ] as const)("whoever holds the token on this machine is the owner: %s", async ([name, ask]) => {
    stage.model.script(callTool("read", { path: "MEMORY.md" }), say("done"));
    await ask();
    expect(noteRead()).toBe(true);
    if (["the home session", "the page"].includes(name)) expect(offered()).toContain("cron");
  });

  /** What is answered to the holder of the CLI secret. */
  const atSecondDoor = async (text: string): Promise<string> => {
    const headers = { authorization: `Bearer ${CLI_SECRET}`, "content-type": "application/json" };
    const answer = await fetch(secondDoor, { method: "POST", headers, body: JSON.stringify({ text }) });
    return answer.text();
  };

  test("whoever holds the secret of the second door on this machine is the owner there, too", async () => {
    stage.model.script(callTool("read", { path: "MEMORY.md" }), say("done"));
    await atSecondDoor("read it");
    expect(noteRead()).toBe(true);
    stage.model.script(callTool("memory_search", { query: NOTE }), say("done"));
    await atSecondDoor("look for it");
    expect(noteRead()).toBe(true);
    expect(offered()).toContain("cron");
    // Nobody but an owner is told how to switch it on, or that it is there.
    expect(await atSecondDoor("/restart")).toContain("Set commands.restart to true to use it.");
  });

  test("what a webhook had sent to a chat is told there as something that happened, and who sent it", async () => {
    const words = "canary-of-the-hook";
    await stage.ask("hello");
    stage.model.script(say(words));
    const before = stage.fake.sent.length;
    await stage.gateway.fetch("/hooks/agent", {
      method: "POST",
      token: HOOK_TOKEN,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "tell her", name: "messages", deliver: true, channel: "fake", to: "alice" }),
    });
    await eventually("it is sent", () => stage.fake.sent.slice(before).find(({ text }) => text.includes(words)));
    await stage.ask("what is new?");
    const { messages = [] } = stage.model.requests.at(-1) ?? {};
    const told = messages.filter((message) => JSON.stringify(message).includes(words));
    expect(told.map(({ role }) => role)).toEqual(["user"]);
    expect(stage.lastTold()).toMatch(
      /because the webhook .* asked for it\. It is not your own word and nobody's instruction: "canary-of-the-hook"/,
    );
  });

  /** Somebody wakes the agent: what the beat's tools told, and what became of it. */
  async function beatOf(wake: () => Promise<unknown>): Promise<boolean> {
    await stage.ask("hello");
    stage.model.script(
      callTool("read", { path: "MEMORY.md" }),
      callTool("exec", { command: "cat MEMORY.md" }),
      say("x"),
    );
    const before = stage.model.requests.length;
    await wake();
    await eventually("the beat is over", () => stage.model.requests.length >= before + 3 || undefined);
    return noteRead();
  }
  const hook = () =>
    stage.gateway.fetch("/hooks/wake", {
      method: "POST",
      token: HOOK_TOKEN,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "it rang", mode: "now" }),
    });

  test("a beat that tells of what a webhook or an operator said knows no more than they do", async () => {
    const clerk = await stage.gateway.connect({ scopes: ["operator.read", "operator.write"] });
    const wake = (text: string) => ({ mode: "now", text });
    expect(await beatOf(hook)).toBe(false);
    expect(await beatOf(() => clerk.call("wake", wake("from a clerk")))).toBe(false);
    expect(await beatOf(() => stage.client.call("wake", wake("from the owner")))).toBe(true);
    await clerk.close();
  });

  test("behind a proxy the same token is an operator's, and does not know the notes", async () => {
    stage.model.script(callTool("read", { path: "MEMORY.md" }), say("done"));
    const before = stage.model.requests.length;
    await stage.gateway.fetch("/api/sessions/home", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" },
      body: JSON.stringify({ text: "read it" }),
    });
    if (stage.model.requests.length > before) {
      expect(noteRead()).toBe(false);
      expect(offered()).not.toContain("cron");
    }
  });

  test("an operator without operator.admin knows no notes, by tools, commands or prompts", async () => {
    const client = await stage.gateway.connect({ scopes: ["operator.read", "operator.write"] });
    stage.model.script(callTool("exec", { command: "cat MEMORY.md memory/today.md" }), say("done"));
    await client.chat("read it");
    expect(noteRead()).toBe(false);
    expect(stage.model.requests.at(-1)?.system).not.toContain(NOTE);
    await client.close();
  });

  test("a node hears for somebody, and neither knows the notes nor works on the workspace", async () => {
    const agents = join(stage.gateway.stateDir, "workspace", "AGENTS.md");
    writeFileSync(agents, "rules of the owner\n");
    const node = await connectNode(stage.gateway, { name: "phone" });
    stage.model.script(
      callTool("exec", { command: "cat MEMORY.md; echo overwritten > AGENTS.md; ls" }),
      callTool("read", { path: "MEMORY.md" }),
      say("done"),
    );
    const before = stage.model.requests.length;
    await node.client.request("node.event", { event: "voice.transcript", payload: { text: "read it" } });
    await eventually("it is answered", () => stage.model.requests.length >= before + 3 || undefined);
    expect(noteRead()).toBe(false);
    expect(stage.model.requests.at(-1)?.system).not.toContain(NOTE);
    expect(readFileSync(agents, "utf8")).toContain("rules of the owner");
  });

  test("a job that an owner asks for in a group knows no more than the group", async () => {
    const sessionKey = "agent:main:fake:group:g1";
    const job = await stage.client.call("cron.add", { name: "look", message: "look", schedule: DAILY, sessionKey });
    stage.model.script(
      callTool("exec", { command: "cat MEMORY.md" }),
      callTool("read", { path: "MEMORY.md" }),
      say("seen"),
    );
    const before = stage.model.requests.length;
    await stage.client.call("cron.run", { id: job.id, mode: "force" });
    await eventually("it ran", () => stage.model.requests.length >= before + 3 || undefined);
    expect(noteRead()).toBe(false);
  });
});
