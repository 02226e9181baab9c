// Words for the gateway instead of the model: each command is answered once, by the gateway, and acts from then on.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, textOf, type ModelEvent } from "@chela/sdk";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { openDatabase, SqliteLedger } from "../../src/rooms/ledger/room.ts";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const models = [
  { id: "test", name: "Test" },
  { id: "other", name: "Other" },
  { id: "plain", name: "Plain", reasoning: false },
];
const config: Json = {
  agents: { defaults: { models: { "scripted/other": { alias: "second" } } } },
  models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } },
  commands: { config: true, debug: true },
  tools: { exec: { host: "gateway", security: "allowlist", ask: "always" } },
};

/** Every command that changes nothing but its session; the others have tests of their own. */
const ANSWERS: ReadonlyArray<readonly [command: string, says: RegExp, onFresh?: RegExp]> = [
  ["/compact", /^⚙️ Not compacted\./],
  ["/checkpoint here", /^📍 Checkpoint: here/, /^⚠️ .*not begun/],
  ["/rewind 1", /^⏪ Back at /, /^⚠️ .*not begun/],
  ["/fork", /^🌿 Branches/, /^⚠️ .*not begun/],
  ["/export-session", /^📄 Written to/, /^⚠️ .*not begun/],
  ["/model", /^🧠 Model: scripted\/test \(default\)\n1\. scripted\/test\n2\. scripted\/other \(second\)/],
  ["/model second", /^🧠 Model: scripted\/other$/],
  ["/second", /^🧠 Model: scripted\/other$/],
  ["/think", /^⚙️ Thinking: low \(default\)/],
  ["/t high", /^⚙️ Thinking: high$/],
  ["/think sideways", /^⚠️ Thinking does not know "sideways"\.\nAllowed: off, minimal/],
  ["/verbose full", /^⚙️ Verbose: full$/],
  ["/reasoning stream", /^⚙️ Reasoning: stream$/],
  ["/elevated ask", /^⚙️ Elevated: ask$/],
  ["/exec ask=always", /^⚙️ Exec: host=gateway security=allowlist ask=always$/],
  ["/queue steer cap:5", /^⚙️ Queue: steer, cap 5$/],
  ["/usage full", /^⚙️ Usage below replies: full$/],
  ["/usage cost", /^💵 Usage\nSession: 0 tokens/],
  ["/help", /^🦀 Help\nSession: \/new/],
  ["/help think", /^\/think – how long to think/],
  ["/commands", /^🦀 Commands 1\/5\nSession:\n\/new/],
  ["/status", /^🦀 Chela .*\n.*\n🧠 Model: scripted\/test/],
  ["/whoami", /^🧭 You\nChannel: webchat\nId: cli\nName: Desk\nRole: owner/],
  ["/context", /^📚 Context: .*\nSystem prompt: .* characters\nMessages: 2\n/, /^⚠️ .*not begun/],
  ["/models", /^🧠 Providers\n• scripted \(3\)/],
  ["/budget", /^💰 No spending limits are set\./],
  ["/approve", /^Nothing waits for approval\.$/],
  ["/agents", /^🤖 Agents\n→ main/],
  ["/subagents", /^🧵 No sub-agents at work/],
  ["/kill all", /^⚠️ This conversation has no sub-agents/],
  ["/steer last hurry", /^⚠️ This conversation has no sub-agents/],
  ["/activation always", /^⚠️ \/activation is for groups\./],
  ["/send on", /^⚙️ Sending: on$/],
  ["/config get agents.defaults.model", /^⚙️ agents\.defaults\.model\n"scripted\/test"$/],
  ["/debug", /^🐞 No overrides\.$/],
  ["/tools", /^🧰 Tools \(\d+\)\n.*exec/],
];
const ELSEWHERE = ["new", "reset", "stop", "restart"];

const finalsOf = (client: WireClient, runId: string) =>
  client.eventsOf("chat", runId).filter(({ payload }) => payload.state !== "delta");
const textOfFinal = (frame: { payload: { message?: { content: { text: string }[] } } } | undefined) =>
  frame?.payload.message?.content.map(({ text }) => text).join("");
const withUsage = (text: string, input: number, output: number): ModelEvent[] => [
  { kind: "text", delta: text },
  { kind: "finish", stopReason: "stop", usage: { ...noUsage(), input, output, totalTokens: input + output } },
];

describe("a command", () => {
  let gateway: TestGateway;
  let client: WireClient;
  let guest: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ config });
    client = await gateway.connect({ client: { displayName: "Desk" } });
    guest = await gateway.connect({ scopes: ["operator.read", "operator.write"], client: { displayName: "Guest" } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:command-${randomUUID()}`;
  const asked = () => gateway.model.requests.length;
  const lastRequest = () => gateway.model.requests.at(-1);
  const heard = () => (lastRequest()?.messages ?? []).map((one) => textOf(one).replace(/^\[.*?\] /, ""));
  const entryOf = async (key: string) => (await client.call("sessions.list", { search: key })).sessions[0];
  const tell = async (message: string, sessionKey: string, from = client): Promise<string | undefined> =>
    textOfFinal(await from.chat(message, { sessionKey }));
  const begun = async (): Promise<string> => {
    const sessionKey = fresh();
    gateway.model.script(say("I am here."));
    await client.agent("hello", { sessionKey });
    return sessionKey;
  };

  test("of the table has a test here", async () => {
    const sessionKey = fresh();
    const pages = await Promise.all([1, 2, 3, 4].map((page) => tell(`/commands ${page}`, sessionKey)));
    const names = pages.join("\n").matchAll(/^\/(\S+) – /gm);
    const tried = new Set(ANSWERS.map(([command]) => /^\/(\S+)/.exec(command)?.[1]));
    for (const [, name] of names) expect([...tried, ...ELSEWHERE]).toContain(name);
  });

  test.for(ANSWERS)("%s is answered in a chat and over `agent`, and no model hears of it", async ([command, says]) => {
    const sessionKey = await begun();
    const before = asked();
    const end = await client.chat(command, { sessionKey });
    expect(end.payload).toMatchObject({ state: "final", sessionKey });
    expect(textOfFinal(end)).toMatch(says);
    expect(finalsOf(client, end.payload.runId)).toHaveLength(1);

    const other = await begun();
    const params = { message: command, sessionKey: other, idempotencyKey: randomUUID() };
    const { result, status } = await client.call("agent", params);
    expect(status).toBe("ok");
    expect(result.payloads).toEqual([{ text: expect.stringMatching(says), mediaUrl: null }]);
    // The two beginnings, and nothing else.
    expect(asked()).toBe(before + 1);
    const { messages } = await client.call("chat.history", { sessionKey: other });
    expect(messages.slice(-2)).toMatchObject([
      { role: "user", content: [{ text: command }], __openclaw: { kind: "command" } },
      { role: "assistant", content: [{ text: expect.stringMatching(says) }], __openclaw: { kind: "command" } },
    ]);
  });

  test("what was asked of the gateway stands in the history, without its keys, and no model reads it later", async () => {
    const sessionKey = await begun();
    const key = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    await client.chat(`/model ${key}`, { sessionKey });
    await client.chat("/status", { sessionKey });
    await client.agent("and now?", { sessionKey });
    const said = JSON.stringify(gateway.model.requests.at(-1)?.messages);
    expect(said).toContain("and now?");
    expect(said).not.toMatch(/\/status|\/model|Chela \d/);
    const shown = JSON.stringify((await client.call("chat.history", { sessionKey })).messages);
    expect(shown).toContain("/status");
    expect(shown).not.toContain(key);
  });

  test.for(ANSWERS)("%s is answered where nothing was said yet", async ([command, says, onFresh = says]) => {
    const before = asked();
    const end = await client.chat(command, { sessionKey: fresh() });
    expect(end.payload.state).toBe("final");
    expect(textOfFinal(end)).toMatch(onFresh);
    expect(asked()).toBe(before);
  });

  test.for([
    ["/think high", { thinkingLevel: "high" }, { thinking: "high" }],
    ["/model other", { modelProvider: "scripted", model: "other" }, { model: { provider: "scripted", id: "other" } }],
    ["/second", { model: "other" }, { model: { id: "other" } }],
    ["/verbose full", { verboseLevel: "full" }, {}],
    ["/reasoning on", { reasoningLevel: "on" }, {}],
    ["/elevated full", { elevatedLevel: "full" }, {}],
    ["/usage tokens", { responseUsage: "tokens" }, {}],
    ["/send on", { sendPolicy: "allow" }, {}],
  ] as const)("%s is kept with the session, and counts from the next question on", async ([command, kept, request]) => {
    const sessionKey = await begun();
    await tell(command, sessionKey);
    await client.agent("and now?", { sessionKey });
    expect(await entryOf(sessionKey)).toMatchObject(kept);
    expect(lastRequest()).toMatchObject(request);
    await client.agent("elsewhere?", { sessionKey: fresh() });
    expect(lastRequest()).toMatchObject({ thinking: "low", model: { id: "test" } });
  });

  test("a model that cannot think is not said to", async () => {
    const sessionKey = await begun();
    await tell("/model plain", sessionKey);
    expect(await tell("/status", sessionKey)).toMatch(/^⚙️ Think: off/m);
    expect(await tell("/think", sessionKey)).toMatch(/^⚙️ Thinking: off, because scripted\/plain cannot think "low"/);
    expect(await tell("/think default", sessionKey)).toMatch(/^⚙️ Thinking: off, because /);
    await client.agent("and now?", { sessionKey });
    expect(lastRequest()).toMatchObject({ thinking: "off", model: { id: "plain" } });
  });

  test("/usage puts what an answer took below it", async () => {
    const sessionKey = await begun();
    await tell("/usage tokens", sessionKey);
    gateway.model.script(withUsage("As you like.", 1500, 20));
    expect(await client.agent("go on", { sessionKey })).toBe("As you like.\n\nUsage: 1.5k in / 20 out");
    await tell("/usage off", sessionKey);
    gateway.model.script(withUsage("As you like.", 1500, 20));
    expect(await client.agent("go on", { sessionKey })).toBe("As you like.");
  });

  test("/reasoning on shows what the model thought, before what it says", async () => {
    const sessionKey = await begun();
    await tell("/reasoning on", sessionKey);
    const thought: ModelEvent[] = [
      { kind: "thinking", delta: "Plums are fruit.\nSo are figs." },
      { kind: "thinking-end" },
    ];
    gateway.model.script([...thought, ...say("A fig.")]);
    const { result } = await client.call("agent", { message: "fruit?", sessionKey, idempotencyKey: randomUUID() });
    const texts = result.payloads.map(({ text }: { text: string }) => text);
    expect(texts).toEqual(["Reasoning:\n_Plums are fruit._\n_So are figs._", "A fig."]);
  });

  test.for([
    ["/think high what is a plum?", "what is a plum?", { thinking: "high" }],
    ["what is a plum? /think:xhigh", "what is a plum?", { thinking: "xhigh" }],
    ["/model other /t low, say plum", ", say plum", { thinking: "low", model: { id: "other" } }],
    ["is /usr/bin/think a program?", "is /usr/bin/think a program?", { thinking: "low" }],
  ] as const)("inside a message acts and is not read: %s", async ([message, text, request]) => {
    const sessionKey = fresh();
    await client.agent(message, { sessionKey });
    expect(lastRequest()).toMatchObject(request);
    expect(heard()).toEqual([text]);
    await client.agent("again", { sessionKey });
    expect(lastRequest()).toMatchObject(request);
  });

  test("inside a message that asks for something that is not there keeps the message back", async () => {
    const before = asked();
    const said = await tell("/model nobody/nothing what is a plum?", fresh());
    expect(said).toMatch(/^⚠️ [\s\S]*\n\nYour message was not passed on\.$/);
    expect(asked()).toBe(before);
  });

  test("that only asks is answered beside the model's answer", async () => {
    gateway.model.script(say("A plum."));
    const said = await tell("a fruit please\n/whoami", fresh());
    expect(heard()).toEqual(["a fruit please"]);
    expect(said).toMatch(/^🧭 You\n[\s\S]*\n\nA plum\.$/);
  });

  test.for(["/new", "/reset"])(
    "%s begins anew, with a model and a first message if they are named",
    async (command) => {
      const sessionKey = await begun();
      const { sessionId } = await entryOf(sessionKey);
      gateway.model.script(say("Fresh."));
      expect(await tell(`${command} other /think high what is a plum?`, sessionKey)).toBe("Fresh.");
      expect(lastRequest()).toMatchObject({ thinking: "high", model: { id: "other" } });
      expect(heard()).toEqual(["what is a plum?"]);
      expect((await entryOf(sessionKey)).sessionId).not.toBe(sessionId);
      gateway.model.script(say("Hello again."));
      expect(await tell(command, sessionKey)).toBe("Hello again.");
      expect(heard()).toHaveLength(1);
    },
  );

  test("/stop ends what runs, at once", async () => {
    const sessionKey = fresh();
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", "never"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    await gate.reached;
    const stopped = await client.call("chat.send", { sessionKey, message: "/stop", idempotencyKey: randomUUID() });
    expect(stopped).toEqual({ ok: true, aborted: true, runIds: [runId] });
    expect((await client.chatEnd(runId)).payload).toMatchObject({ state: "aborted", stopReason: "stop" });
  });

  test("is answered while a turn runs, and moves the conversation only when none does", async () => {
    const sessionKey = await begun();
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", " and half"));
    const answer = client.agent("go", { sessionKey });
    await gate.reached;
    expect(await tell("/think high", sessionKey)).toBe("⚙️ Thinking: high");
    expect(await tell("/rewind", sessionKey)).toMatch(/^⚠️ An answer is being written\. Send \/stop first\./);
    gate.open();
    expect(await answer).toBe("half and half");
    await client.agent("and now?", { sessionKey });
    expect(lastRequest()?.thinking).toBe("high");
    expect(heard()).toEqual(["hello", "I am here.", "go", "half and half", "and now?"]);
  });

  test("that comes twice with one key is carried out once and answered alike", async () => {
    const sessionKey = await begun();
    const [first, second] = [randomUUID(), randomUUID()];
    const usage = (runId: string) => ({ message: "/usage", sessionKey, idempotencyKey: runId });
    const answers = await Promise.all([client.call("agent", usage(first)), client.call("agent", usage(first))]);
    answers.push(await client.call("agent", usage(first)));
    for (const { result } of answers) expect(result.payloads[0].text).toBe("⚙️ Usage below replies: tokens");
    expect(await client.call("chat.send", usage(first))).toEqual({ runId: first, status: "ok" });
    expect((await client.call("agent", usage(second))).result.payloads[0].text).toBe("⚙️ Usage below replies: full");
    expect(finalsOf(client, first)).toHaveLength(1);
  });

  test("/new that comes twice at the same moment begins anew once, and is answered", async () => {
    const sessionKey = await begun();
    const params = { message: "/new what is a plum?", sessionKey, idempotencyKey: randomUUID() };
    const before = asked();
    gateway.model.script(say("A fruit."));
    const answers = await Promise.all([1, 2, 3].map(() => client.call("agent", params)));
    for (const { result } of answers) expect(result.payloads).toMatchObject([{ text: "A fruit." }]);
    expect(asked()).toBe(before + 1);
  });

  test("/rewind that comes twice goes back once", async () => {
    const sessionKey = await begun();
    await client.agent("one", { sessionKey });
    await client.agent("two", { sessionKey });
    const params = { message: "/rewind", sessionKey, idempotencyKey: randomUUID() };
    await Promise.all([client.call("agent", params), client.call("agent", params)]);
    await client.call("agent", params);
    await client.agent("three", { sessionKey });
    expect(heard().filter((text) => !text.startsWith("echo"))).toEqual(["hello", "I am here.", "one", "three"]);
  });

  test.for(["/config", "/config set ui.seamColor=#123456", "/debug", "/send off", "/approve"])(
    "%s of somebody who may not give it does nothing and tells nothing",
    async (command) => {
      const sessionKey = await begun();
      const written = readFileSync(gateway.configPath, "utf8");
      const before = asked();
      const runId = randomUUID();
      const params = { sessionKey, message: command, idempotencyKey: runId };
      expect(await guest.call("chat.send", params)).toEqual({ runId, status: "ok" });
      const { result } = await guest.call("agent", { ...params, idempotencyKey: randomUUID() });
      expect(result.payloads).toEqual([]);
      expect(finalsOf(guest, runId)).toEqual([]);
      expect(asked()).toBe(before);
      expect(readFileSync(gateway.configPath, "utf8")).toBe(written);
      expect((await entryOf(sessionKey)).sendPolicy).toBeUndefined();
    },
  );

  test("of somebody without rights over the gateway acts on the conversation, but gives exec no more room", async () => {
    const sessionKey = await begun();
    expect(await tell("/think high", sessionKey, guest)).toBe("⚙️ Thinking: high");
    expect(await tell("/exec security=full ask=off", sessionKey, guest)).toMatch(/^⚠️ Only an owner/);
    expect(await tell("/elevated full", sessionKey, guest)).toMatch(/^⚠️ /);
    expect(await tell("/whoami", sessionKey, guest)).toMatch(/Role: may give commands/);
  });

  test("/config changes the configuration, but not what guards the gateway", async () => {
    const sessionKey = fresh();
    expect(await tell("/config set ui.seamColor=#123456", sessionKey)).toMatch(/^✅ Set: ui\.seamColor/);
    expect(readFileSync(gateway.configPath, "utf8")).toContain("#123456");
    expect(await tell("/config get ui.seamColor", sessionKey)).toBe('⚙️ ui.seamColor\n"#123456"');
    expect(await tell("/config unset ui.seamColor", sessionKey)).toMatch(/^✅ Removed: ui\.seamColor/);
    const written = readFileSync(gateway.configPath, "utf8");
    for (const path of [
      "gateway.auth.mode=none",
      "gateway.auth.token=mine",
      'commands.ownerAllowFrom=["*"]',
      "tools.exec.security=full",
      "tools.elevated.enabled=true",
      "agents.defaults.sandbox.mode=off",
      'gateway={"auth":{"mode":"none"}}',
      'tools={"exec":{"security":"full"}}',
      'gateway["auth"].mode=none',
      '["gateway"].auth.mode=none',
    ]) {
      expect.soft(await tell(`/config set ${path}`, sessionKey), path).toMatch(/^⚠️ /);
      expect.soft(await tell(`/debug set ${path}`, sessionKey), path).toMatch(/^⚠️ /);
    }
    expect(await tell("/config set agents.defaults.maxConcurrent=many", sessionKey)).toMatch(/^⚠️ /);
    expect(readFileSync(gateway.configPath, "utf8")).toBe(written);
    expect(await tell("/config get gateway.auth.token", sessionKey)).not.toContain(gateway.token);
    expect(JSON.stringify(client.frames)).not.toContain(gateway.token);
  });

  test("/debug changes what holds until the next start", async () => {
    const sessionKey = fresh();
    expect(await tell("/debug set agents.defaults.thinkingDefault=high", sessionKey)).toMatch(/^🐞 Until the next/);
    await client.agent("hello", { sessionKey });
    expect(lastRequest()?.thinking).toBe("high");
    expect(readFileSync(gateway.configPath, "utf8")).not.toContain("thinkingDefault");
    expect(await tell("/debug reset", sessionKey)).toBe("🐞 All overrides removed.");
    await client.agent("hello", { sessionKey });
    expect(lastRequest()?.thinking).toBe("low");
  });

  test("/checkpoint, /rewind and /fork decide what the model sees", async () => {
    const sessionKey = fresh();
    gateway.model.script(say("1"), say("2"), say("3"), say("4"));
    await client.agent("one", { sessionKey });
    await tell("/checkpoint start", sessionKey);
    await client.agent("two", { sessionKey });
    expect(await tell("/rewind start", sessionKey)).toMatch(/^⏪ Back at /);
    await client.agent("three", { sessionKey });
    expect(heard()).toEqual(["one", "1", "three"]);
    const branches = (await tell("/fork", sessionKey)) ?? "";
    const id = /^• (?!.*start)(\w+), .*\n {3}two/m.exec(branches)?.[1];
    expect(await tell(`/fork ${id}`, sessionKey)).toMatch(/^🌿 Going on from /);
    await client.agent("four", { sessionKey });
    expect(heard()).toEqual(["one", "1", "two", "2", "four"]);
    expect(await tell("/rewind nowhere", sessionKey)).toMatch(/^⚠️ /);
  });

  test("/export-session writes into the workspace and nowhere else", async () => {
    const sessionKey = await begun();
    const workspace = join(gateway.stateDir, "workspace");
    const said = await tell("/export-session notes/talk.html", sessionKey);
    expect(said).toBe(`📄 Written to\n${join(workspace, "notes", "talk.html")}`);
    expect(readFileSync(join(workspace, "notes", "talk.html"), "utf8")).toContain("I am here.");
    mkdirSync(join(gateway.stateDir, "elsewhere"));
    symlinkSync(join(gateway.stateDir, "elsewhere"), join(workspace, "link"));
    const exported = () =>
      readdirSync(gateway.stateDir, { recursive: true }).filter((name) => /html|notes/.test(String(name)));
    const before = exported();
    for (const path of [
      "../escaped.html",
      "/tmp/chela-escaped.html",
      "notes/../../escaped.html",
      "link/escaped.html",
      "link/new/escaped.html",
    ]) {
      expect(await tell(`/export-session ${path}`, sessionKey)).toMatch(/^⚠️ The file must lie in the workspace/);
    }
    expect(await tell("/export-session notes", sessionKey)).toMatch(/^⚠️ .* cannot be written \(/);
    expect(exported()).toEqual(before);
    expect(existsSync("/tmp/chela-escaped.html")).toBe(false);
  });

  test.for([
    ["once", /hi/],
    ["deny", /A person refused the command/],
  ] as const)("/approve %s answers a command that waits", async ([decision, result]) => {
    const sessionKey = fresh();
    gateway.model.script(callTool("exec", { command: "/bin/echo hi" }), say("done"));
    const answer = client.agent("greet", { sessionKey });
    const { payload } = await client.untilEvent(
      "exec.approval.requested",
      (frame) => frame.payload.request.sessionKey === sessionKey,
    );
    const id = payload.id.slice(0, 8);
    expect(await tell("/approve", sessionKey)).toContain(`⏳ ${id}`);
    expect(await tell(`/approve ${id} ${decision}`, sessionKey)).toContain("/bin/echo hi");
    expect(await answer).toBe("done");
    expect(textOf(lastRequest()?.messages.at(-1) ?? { content: "" })).toMatch(result);
    expect(await tell(`/approve ${id} ${decision}`, sessionKey)).toMatch(/^⚠️ /);
  });
});

describe("a command that is switched off", () => {
  test.for(["config", "debug", "restart"])("/%s says how to switch it on", async (name) => {
    await using gateway = await startTestGateway({ config: { commands: { [name]: false } } });
    const client = await gateway.connect();
    const end = await client.chat(`/${name}`);
    expect(textOfFinal(end)).toBe(`⚠️ /${name} is switched off here.\nSet commands.${name} to true to use it.`);
  });
});

describe("a silenced session", () => {
  test("keeps silent until it is told to speak again", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    expect(textOfFinal(await client.chat("/send off"))).toBe("⚙️ Sending: off");
    const params = { sessionKey: "main", message: "hello", idempotencyKey: randomUUID() };
    expect((await client.request("chat.send", params)).error?.message).toBe("send blocked by session policy");
    expect(textOfFinal(await client.chat("/send on"))).toBe("⚙️ Sending: on");
    expect((await client.chat("hello")).payload.state).toBe("final");
    expect(gateway.model.requests).toHaveLength(1);
  });
});

describe("a gateway that ends in between", () => {
  test("restarts itself on /restart, and a repeated one does not restart it again", async () => {
    using state = createStateDirectory();
    const clock = createFakeClock(Date.now());
    const runId = randomUUID();
    {
      await using gateway = await startTestGateway({ stateDir: state.path, clock });
      const client = await gateway.connect();
      const end = await client.chat("/restart", { idempotencyKey: runId });
      expect(textOfFinal(end)).toBe("🔄 Restarting; back in a moment.");
      await clock.advance(1000);
      expect(await gateway.gateway.done).toBe("restart");
    }
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    const again = { sessionKey: "main", message: "/restart", idempotencyKey: runId };
    expect(await client.call("chat.send", again)).toEqual({ runId, status: "ok" });
    expect(await client.agent("hello")).toContain("hello");
  });

  test.for([
    [{ kind: "inline", calls: [{ name: "think", args: "high" }], text: "" }, "⚙️ Thinking: high"],
    [{ kind: "command", call: { name: "usage", args: "" } }, "⚙️ Usage below replies: tokens"],
    [{ kind: "command", call: { name: "restart", args: "" } }, "✅ The gateway has restarted."],
  ] as const)("answers what was accepted before, once: %j", async ([recognised, says]) => {
    using state = createStateDirectory();
    const runId = randomUUID();
    await (await startTestGateway({ stateDir: state.path })).gateway.stop("stop");
    await leaveAccepted(state.path, runId, recognised);
    for (const _start of ["first", "second"]) {
      await using gateway = await startTestGateway({ stateDir: state.path });
      const client = await gateway.connect();
      const params = { sessionKey: "main", message: "the same", idempotencyKey: runId };
      expect((await client.call("agent", params)).result.payloads).toMatchObject([{ text: says }]);
      const { delivery, state: is } = await client.call("runs.explain", { id: runId });
      expect(is).toBe("done");
      expect(delivery).toHaveLength(1);
      expect(gateway.model.requests).toEqual([]);
    }
  });
});

/** What a process leaves that is killed right after it accepted a command. */
async function leaveAccepted(stateDir: string, runId: string, recognised: object): Promise<void> {
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  const sender = { kind: "operator", id: "cli", isOwner: true, isAuthorised: true, canApprove: true };
  await ledger.admit({
    runId,
    channel: "webchat",
    account: "default",
    messageId: `chat:${runId}`,
    agentId: "main",
    sessionKey: "agent:main:main",
    body: { text: "the same", sender, recognised },
    admittedAt: Date.now() - 1000,
  });
  await ledger.close();
}
