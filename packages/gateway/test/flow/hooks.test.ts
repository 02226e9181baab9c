// Hooks in a whole gateway: what they hear of real conversations, and what those that come with it do.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOOK_EVENTS } from "@chela/sdk";
import { callTool, createFakeChannel, createScriptedModel, say, type FakeChannel } from "@chela/sdk/testing";
import { opus } from "../../src/rooms/media/sample-files.test-support.ts";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const OPEN = { token: "t", dmPolicy: "open", allowFrom: ["*"] };
const on = (...names: string[]): Json => ({
  hooks: { internal: { enabled: true, entries: Object.fromEntries(names.map((name) => [name, { enabled: true }])) } },
});

/** A hook of the owner's in this state directory. */
function writeHook(stateDir: string, name: string, events: readonly string[], handler: string, more: Json = {}): void {
  const folder = join(stateDir, "hooks", name);
  mkdirSync(folder, { recursive: true });
  const metadata = JSON.stringify({ openclaw: { events, ...more } });
  writeFileSync(join(folder, "HOOK.md"), `---\nname: ${name}\nmetadata: ${metadata}\n---\n`);
  writeFileSync(join(folder, "handler.ts"), handler);
}

/** Writes the name of every event, with what a test wants of it, into a file. */
const NOTING = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
interface Event { type: string; action: string; sessionKey: string; context: Record<string, unknown> }
export default (event: Event, hook: { stateDir: string }): void => {
  const { content, success, sessionId, reason, transcript, command, text, status, jobId, path, model } = event.context;
  const told = { content, success, sessionId, reason, transcript, command, text, status, jobId, path, model };
  const line = { event: event.type + ":" + event.action, key: event.sessionKey, ...told };
  appendFileSync(join(hook.stateDir, "heard.jsonl"), JSON.stringify(line) + "\\n");
};
`;
const ALL = ["command", "session", "agent", "gateway", "message", "cron", "webhook"];

/** By any of the tests of this file. */
const everHeard = new Set<unknown>();

function heard(stateDir: string): Json[] {
  try {
    const text = readFileSync(join(stateDir, "heard.jsonl"), "utf8").trim();
    const lines = text.split("\n").map((line) => JSON.parse(line) as Json);
    for (const { event } of lines) everHeard.add(event);
    return lines;
  } catch {
    return [];
  }
}

interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly fake: FakeChannel;
  readonly stateDir: string;
  /** Resolves when this text was sent. */
  sent(text: string): Promise<void>;
}

async function openStage(config: Json, prepare: (stateDir: string) => void): Promise<Stage> {
  const state = createStateDirectory({
    channels: { fake: OPEN },
    commands: { ownerAllowFrom: ["fake:alice"] },
    messages: { queue: { mode: "followup", debounceMs: 0 } },
    ...config,
  });
  prepare(state.path);
  const fake = createFakeChannel();
  const gateway = await startTestGateway({ stateDir: state.path, channels: { fake: fake.channel } });
  await fake.untilConnected();
  return {
    gateway,
    fake,
    stateDir: state.path,
    async sent(text) {
      await eventually(`"${text}" is sent`, () => fake.sent.some((one) => one.text === text) || undefined);
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      state[Symbol.dispose]();
    },
  };
}

test("the answer to a webhook is heard, too", async () => {
  const token = "token-of-the-hooks-0123456789abcdef";
  const hooks = { ...(on("noting")["hooks"] as Json), enabled: true, token };
  const events = ["message:sent", "webhook:received", "cron"];
  await using stage = await openStage({ hooks }, (dir) => writeHook(dir, "noting", events, NOTING));
  const { gateway, stateDir } = stage;
  gateway.model.script(say("It is done."));
  const body = JSON.stringify({ message: "Look at it", channel: "fake", to: "ann" });
  const headers = { "content-type": "application/json" };
  expect((await gateway.fetch("/hooks/agent", { method: "POST", body, headers, token })).status).toBe(200);
  const all = await eventually("it is heard", () => (heard(stateDir).length > 1 ? heard(stateDir) : undefined));
  expect(all).toContainEqual(expect.objectContaining({ event: "webhook:received", path: "agent" }));
  expect(all.find(({ event }) => event === "message:sent")).toMatchObject({ content: "It is done.", success: true });
  const refused = await gateway.fetch("/hooks/agent", { method: "POST", body, headers, token: "wrong" });
  expect(refused.status).toBe(401);

  const client = await gateway.connect();
  gateway.model.script(say("The job is done."));
  const payload = { kind: "agentTurn", message: "look" };
  const job = { name: "look", schedule: { kind: "every", everyMs: 86_400_000 }, payload, delivery: { mode: "none" } };
  const { id } = await client.call("cron.add", job);
  await client.call("cron.run", { id, mode: "force" });
  const jobs = await eventually("the job is heard", () => {
    const told = heard(stateDir).filter(({ event }) => String(event).startsWith("cron:"));
    return told.length > 1 ? told : undefined;
  });
  expect(jobs).toMatchObject([
    { event: "cron:start", jobId: id },
    { event: "cron:end", jobId: id, status: "ok" },
  ]);
  expect(heard(stateDir).filter(({ event }) => event === "webhook:received")).toHaveLength(1);
});

test("a conversation in a channel is heard from beginning to end", async () => {
  await using stage = await openStage(on("noting"), (dir) => writeHook(dir, "noting", ALL, NOTING));
  const { fake, gateway, stateDir } = stage;
  gateway.model.script(say("pong"), say("welcome back"));
  await fake.say("ping", { from: "alice" });
  await stage.sent("pong");
  await fake.say("/new", { from: "alice" });
  await stage.sent("welcome back");
  await fake.say("/status", { from: "alice" });
  await fake.say(`/config set env.KEY=sk-proj-${"aB3".repeat(12)}`, { from: "alice" });
  await fake.say("/stop", { from: "alice" });
  const all = await eventually("everything is heard", () => {
    const events = heard(stateDir);
    const isThere = (name: string) => events.some(({ event }) => event === name);
    const sent = events.filter(({ event }) => event === "message:sent");
    return isThere("command:stop") && sent.length >= 3 ? events : undefined;
  });
  const names = new Set(all.map(({ event }) => String(event)));
  expect([...names].sort()).toEqual([
    "agent:bootstrap",
    "agent:turn:end",
    "agent:turn:start",
    "command:given",
    "command:new",
    "command:stop",
    "gateway:startup",
    "message:preprocessed",
    "message:received",
    "message:sent",
    "session:end",
    "session:start",
  ]);
  expect(all.find(({ event }) => event === "message:sent")).toMatchObject({ content: "pong", success: true });
  const turns = all.filter(({ event }) => String(event).startsWith("agent:turn"));
  expect(turns.map(({ event, model, status }) => [event, model ?? status])).toEqual([
    ["agent:turn:start", "scripted/test"],
    ["agent:turn:end", "ok"],
    ["agent:turn:start", "scripted/test"],
    ["agent:turn:end", "ok"],
  ]);
  const given = all.filter(({ event }) => event === "command:given");
  expect(given.map(({ command }) => command)).toEqual(["status", "config"]);
  expect(JSON.stringify(given)).not.toContain("aB3aB3");
  const ended = all.find(({ event }) => event === "session:end");
  expect(ended).toMatchObject({
    reason: "reset",
    sessionId: all.find(({ event }) => event === "command:new")?.sessionId,
  });
});

test("the end of the gateway is heard, and a session that is reset by a client", async () => {
  const state = createStateDirectory(on("noting"));
  writeHook(state.path, "noting", ALL, NOTING);
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    await client.chat("hello");
    await client.call("sessions.reset", { key: "main", reason: "new" });
    await client.call("sessions.reset", { key: "main", reason: "reset" });
  }
  const names = heard(state.path).map(({ event }) => event);
  expect(names.filter((name) => String(name).startsWith("command:"))).toEqual(["command:new", "command:reset"]);
  expect(names).toContain("gateway:shutdown");
  state[Symbol.dispose]();
});

test("a summary and a voice note are heard", async () => {
  const small = [{ id: "test", name: "Test", contextWindow: 12_000, maxTokens: 1000 }];
  const config = {
    ...on("noting"),
    models: { providers: { scripted: { models: small } } },
    tools: {
      media: {
        audio: { enabled: true, models: [{ type: "cli", command: "/bin/echo", args: ["buy milk", "{input}"] }] },
      },
    },
  };
  await using stage = await openStage(config, (dir) => writeHook(dir, "noting", ALL, NOTING));
  const { fake, gateway, stateDir } = stage;
  const client = await gateway.connect();
  const sessionKey = "agent:main:long";
  for (const fruit of ["plum", "pear", "fig", "apple"]) {
    gateway.model.script(say("noted"));
    await client.agent(`${fruit} ${"is a fruit that grows on trees ".repeat(200)}`, { sessionKey });
  }
  gateway.model.script(say("Fruits were named."));
  expect(await client.agent("/compact", { sessionKey })).toMatch(/Compacted/);
  fake.files.set("r1", opus());
  await fake.say("", { from: "alice", more: { media: [{ kind: "voice", ref: "r1", mimeType: "audio/ogg" }] } });
  const all = await eventually("both are heard", () => {
    const events = heard(stateDir);
    return events.some(({ event }) => event === "message:transcribed") ? events : undefined;
  });
  const names = all.map(({ event }) => event);
  expect(names.indexOf("session:compact:after")).toBeGreaterThan(names.indexOf("session:compact:before"));
  expect(all.find(({ event }) => event === "message:transcribed")?.transcript).toContain("buy milk");
});

test("what a hook says is shown to the person, in the chat they wrote in", async () => {
  const handler = `export default (event: { messages: string[] }): void => { event.messages.push("noted"); };\n`;
  await using stage = await openStage(on("speaker"), (dir) => writeHook(dir, "speaker", ["message:received"], handler));
  await stage.fake.say("ping", { from: "alice" });
  await stage.sent("noted");
  expect(stage.fake.sent.find(({ text }) => text === "noted")?.target.to).toBe(stage.fake.sent.at(-1)?.target.to);
});

test("a hook that answers what was sent does not answer itself", async () => {
  const handler = `export default (event: { messages: string[] }): void => { event.messages.push("sent it"); };\n`;
  await using stage = await openStage(on("speaker"), (dir) => writeHook(dir, "speaker", ["message:sent"], handler));
  stage.gateway.model.script(say("one"), say("two"));
  await stage.fake.say("ping", { from: "alice" });
  await stage.sent("sent it");
  await stage.fake.say("ping", { from: "alice" });
  await stage.sent("two");
  await eventually(
    "both were answered",
    () => stage.fake.sent.filter(({ text }) => text === "sent it").length === 2 || undefined,
  );
  expect(stage.fake.sent).toHaveLength(4);
});

describe("a hook that decides", () => {
  const censor = `export default (event: { context: { content: string }; cancel(why: string): void }): void => {
    if (event.context.content.includes("secret")) event.cancel("no secrets");
  };\n`;

  test("refuses a message before anything comes of it", async () => {
    await using stage = await openStage(on("censor"), (dir) => writeHook(dir, "censor", ["message:received"], censor));
    await stage.fake.say("a secret", { from: "alice" });
    const client = await stage.gateway.connect();
    await expect(client.chat("my secret")).rejects.toThrow("the hook censor refused it: no secrets");
    await stage.fake.say("hello", { from: "alice" });
    await eventually("the harmless one is answered", () => stage.fake.sent.length > 0 || undefined);
    expect(stage.gateway.model.requests).toHaveLength(1);
  });

  test("and fails lets the message pass; a guard does not", async () => {
    for (const guard of [false, true]) {
      const broken = `export default (): void => { throw new Error("oh no"); };\n`;
      const prepare = (dir: string) => writeHook(dir, "broken", ["message:received"], broken, { guard });
      await using stage = await openStage(on("broken"), prepare);
      const client = await stage.gateway.connect();
      if (guard) await expect(client.chat("hello")).rejects.toThrow("could not decide");
      else await client.chat("hello");
      expect(stage.gateway.model.requests).toHaveLength(guard ? 0 : 1);
      const { hooks } = await client.call("hooks.list");
      expect(hooks.find(({ name }: Json) => name === "broken").lastError).toMatchObject({ error: "oh no" });
      expect(stage.gateway.readLog()).toContain("the hook broken failed");
    }
  });

  test("and guards the files of an agent keeps it from answering", async () => {
    const broken = `export default (): void => { throw new Error("oh no"); };\n`;
    const prepare = (dir: string) => writeHook(dir, "broken", ["agent:bootstrap"], broken, { guard: true });
    await using stage = await openStage(on("broken"), prepare);
    const client = await stage.gateway.connect();
    await client.chat("hello").catch(() => {});
    expect(stage.gateway.model.requests).toHaveLength(0);
  });
});

describe("hooks that come with the gateway", () => {
  test("session-memory and command-logger: /new leaves a memory, and each command a line", async () => {
    await using stage = await openStage(on("session-memory", "command-logger"), () => {});
    const { fake, gateway, stateDir } = stage;
    gateway.model.script(say("It is blue."), say("welcome back"));
    await fake.say("What colour is the sky?", { from: "alice" });
    await stage.sent("It is blue.");
    await fake.say("/new", { from: "alice" });
    await stage.sent("welcome back");
    const memory = join(stateDir, "workspace", "memory");
    const [file = ""] = readdirSync(memory);
    expect(file).toMatch(/^\d{4}-\d\d-\d\d-what-colour-is-the-sky\.md$/);
    expect(readFileSync(join(memory, file), "utf8")).toContain(
      "user: What colour is the sky?\nassistant: It is blue.\n",
    );
    await fake.say("/status", { from: "alice" });
    await fake.say("/think high", { from: "alice" });
    const lines = await eventually("each is written down", () => {
      const written = readFileSync(join(stateDir, "logs", "commands.log"), "utf8")
        .trim()
        .split("\n");
      return written.length > 2 ? written.map((line) => JSON.parse(line) as Json) : undefined;
    });
    expect(lines.map(({ action }) => action)).toEqual(["new", "status", "think"]);
    for (const line of lines) expect(line).toMatchObject({ senderId: "alice", source: "fake" });
  });

  test("boot-md: the agent does what BOOT.md says when the gateway starts", async () => {
    const prepare = (dir: string): void => {
      mkdirSync(join(dir, "workspace"), { recursive: true });
      writeFileSync(join(dir, "workspace", "BOOT.md"), "Write down that you are awake.\n");
    };
    const state = createStateDirectory(on("boot-md"));
    prepare(state.path);
    const model = createScriptedModel();
    model.script(callTool("write", { path: "awake.txt", content: "yes" }), say("NO_REPLY"));
    await using _gateway = await startTestGateway({ stateDir: state.path, providers: { scripted: model } });
    const text = await eventually("it woke up", () => {
      try {
        return readFileSync(join(state.path, "workspace", "awake.txt"), "utf8");
      } catch {
        return undefined;
      }
    });
    expect(text).toBe("yes");
    state[Symbol.dispose]();
  });

  test("bootstrap-extra-files: the agent is given the files its settings name", async () => {
    const settings = { enabled: true, paths: ["notes/*.md"] };
    const config = { hooks: { internal: { enabled: true, entries: { "bootstrap-extra-files": settings } } } };
    await using stage = await openStage(config, (dir) => {
      mkdirSync(join(dir, "workspace", "notes"), { recursive: true });
      writeFileSync(join(dir, "workspace", "notes", "trains.md"), "The train leaves at nine.");
    });
    const client = await stage.gateway.connect();
    await client.chat("hello");
    await client.chat("hello again");
    const [first, second] = stage.gateway.model.requests;
    expect(first?.system).toContain("The train leaves at nine.");
    expect(second?.system).toBe(first?.system);
  });
});

test("handlers that older configurations name by event and file run, and one in a workspace waits for its owner", async () => {
  using state = createStateDirectory({
    hooks: {
      entries: [
        { event: "command:new", handler: "handlers/note.ts" },
        { event: "command:new", handler: "in-workspace.ts" },
        { event: "no:such", handler: "handlers/note.ts" },
      ],
    },
  });
  mkdirSync(join(state.path, "handlers"));
  writeFileSync(join(state.path, "handlers", "note.ts"), NOTING);
  mkdirSync(join(state.path, "workspace"));
  writeFileSync(join(state.path, "workspace", "in-workspace.ts"), NOTING);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  await client.agent("/new", { sessionKey: "main" });
  await eventually("it is heard", () => heard(state.path).length > 0);
  expect(heard(state.path).map(({ event }) => event)).toEqual(["command:new"]);
  const { hooks } = await client.call("hooks.list", {});
  const stateOf = (name: string) => hooks.find((one: Json) => one["name"] === name)?.state;
  expect(stateOf("note-command-new")).toBe("on");
  expect(stateOf("in-workspace-command-new")).toBe("off");
  expect(stateOf("note-no-such")).toBe("broken");
});

test("the tests above have heard every event there is, told by the part that says so", () => {
  expect([...everHeard].toSorted()).toEqual(Object.keys(HOOK_EVENTS).toSorted());
});
