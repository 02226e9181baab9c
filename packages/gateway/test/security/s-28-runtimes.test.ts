// S-28: a tool that is denied is denied whatever began the turn, whichever model calls it, and by whatever name.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  MODEL_APIS,
  textOf,
  type ErrandKind,
  type ModelEvent,
  type ModelRequest,
  type ToolResultMessage,
} from "@chela/sdk";
import { callTool, callTools, createFakeClock, createScriptedModel, say, type ScriptStep } from "@chela/sdk/testing";
import { captureRequest } from "../../src/rooms/models/testing/capture-request.ts";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { listRoutes } from "../support/in-process-routes.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const TOKEN = "token-of-the-hooks-0123456789abcdef";
/** What is denied, by the names a model may try. */
const NAMES = [
  "exec",
  "bash",
  "EXEC",
  "Exec",
  " exec",
  "exec ",
  "functions.exec",
  "write",
  "apply_patch",
  "apply-patch",
];
const DENIED = ["exec", "process", "write", "edit", "apply_patch"];
const CONFIG = {
  agents: {
    defaults: {
      model: "scripted/test",
      sandbox: { mode: "off" },
      heartbeat: { target: "last" },
      subagents: { maxSpawnDepth: 2 },
    },
  },
  tools: { deny: ["bash", "group:runtime", "write", "edit", "apply-patch"], sessions: { visibility: "all" } },
  gateway: { http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } } },
  messages: { queue: { mode: "followup" } },
  hooks: {
    enabled: true,
    token: TOKEN,
    mappings: [
      {
        match: { path: "mapped" },
        messageTemplate: "{{text}}",
        deliver: false,
        tools: { allow: ["exec", "write", "*"] },
      },
    ],
  },
};
const evil = (name: string, at: number) => ({
  id: `call_${at}`,
  name,
  arguments: {
    command: "touch canary",
    path: "canary",
    content: "x",
    input: "*** Begin Patch\n*** Add File: canary\n+x\n*** End Patch",
  },
});
const isTold = ({ messages }: ModelRequest, words: string): boolean =>
  messages.some((message) => message.role === "user" && textOf(message).includes(words));

/** Tries everything once, then says that it is done. A turn that is told to hand on does that first. */
const tryAll: ScriptStep = (request) => {
  const last = request.messages.at(-1);
  const text = last?.role === "user" ? textOf(last) : "";
  const task = /hand-on-(\w+) (\S+)/.exec(text);
  if (task?.[1] === "spawn") return callTool("sessions_spawn", { task: `do ${task[2]}` });
  if (task?.[1] === "send")
    return callTool("sessions_send", { sessionKey: "agent:main:other", message: `do ${task[2]}`, timeoutSeconds: 0 });
  return last?.role === "toolResult" ? say("done") : callTools(NAMES.map(evil));
};

let stage: ChannelStage;
beforeAll(async () => {
  stage = await openChannelStage({
    settings: { dmPolicy: "open", allowFrom: ["*"], groupPolicy: "open", groups: { "*": { requireMention: false } } },
    config: CONFIG,
  });
  await stage.client.chat("hello");
  await stage.client.chat("hello", { sessionKey: "agent:main:other" });
  for (let at = 0; at < 400; at += 1) stage.model.script(tryAll);
});
afterAll(() => stage[Symbol.asyncDispose]());

const canaries = (directory = stage.gateway.stateDir): boolean[] =>
  [directory, join(directory, "workspace")].map((folder) => existsSync(join(folder, "canary")));

const http = (path: string, body: Json, token: string | null = stage.gateway.token): Promise<Response> =>
  stage.gateway.fetch(path, {
    method: "POST",
    token: null,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
const addJob = (message: string, more: Json = {}, payload: Json = {}): Promise<unknown> =>
  stage.client.call("cron.add", {
    name: "job",
    schedule: { kind: "at", at: new Date().toISOString() },
    delivery: { mode: "none" },
    ...more,
    payload: { kind: "agentTurn", message, ...payload },
  });

type Fire = (words: string) => unknown;
/** Work nobody typed. A kind that is new to the seam does not compile until it is here. */
const ERRANDS: { readonly [Kind in ErrandKind]: Readonly<Record<string, Fire>> } = {
  cron: {
    "a job": (words) => addJob(words),
    "a job that allows itself more": (words) => addJob(words, {}, { tools: { allow: ["exec", "write", "*"] } }),
    "a job in the main conversation": (words) =>
      stage.client.call("cron.add", {
        name: "job",
        schedule: { kind: "at", at: new Date().toISOString() },
        sessionTarget: "main",
        wakeMode: "now",
        payload: { kind: "systemEvent", text: words },
      }),
  },
  heartbeat: { "a wake-up": (words) => stage.client.call("wake", { mode: "now", text: words }) },
  hook: {
    "a webhook that wakes": (words) => http("/hooks/wake", { text: words, mode: "now" }, TOKEN),
    "a webhook with a turn": (words) => http("/hooks/agent", { message: words, deliver: false }, TOKEN),
    "a mapping that allows more": (words) => http("/hooks/mapped", { text: words }, TOKEN),
  },
  subagent: { "a sub-agent": (words) => stage.client.chat(`hand-on-spawn ${words}`) },
  announce: { "the news of a sub-agent": (words) => stage.client.chat(`hand-on-spawn ${words}`) },
};
/** What people and programs send. */
const DOORS: Readonly<Record<string, Fire>> = {
  "the method agent": (words) => stage.client.agent(words),
  "the method chat.send": (words) => stage.client.chat(words),
  "a message with a directive": (words) => stage.client.chat(`/think high ${words}`),
  "a new conversation with a message": (words) => stage.client.chat(`/new ${words}`, { sessionKey: "agent:main:anew" }),
  "the owner in a channel": (words) => stage.fake.say(words),
  "a stranger in a channel": (words) => stage.fake.say(words, { from: "bob" }),
  "a group": (words) => stage.fake.say(words, { from: "bob", chat: { kind: "group", id: "g1" } }),
  "/v1/chat/completions": (words) =>
    http("/v1/chat/completions", { model: "openclaw", messages: [{ role: "user", content: words }] }),
  "/v1/chat/completions with tools of its own": (words) =>
    http("/v1/chat/completions", {
      model: "openclaw",
      messages: [{ role: "user", content: words }],
      tools: [{ type: "function", function: { name: "exec", parameters: {} } }],
      tool_choice: "required",
    }),
  "/v1/responses": (words) => http("/v1/responses", { model: "openclaw", input: words }),
  "/api/sessions/home": (words) => http("/api/sessions/home", { text: words }),
  "a message from another conversation": (words) =>
    stage.client.chat(`hand-on-send ${words}`, { sessionKey: "agent:main:sender" }),
};
const RUNTIMES = Object.entries({ ...DOORS, ...Object.assign({}, ...Object.values(ERRANDS)) } as Record<string, Fire>);

/** The request after the model has tried; undefined while it has not. */
function after(words: string, model = stage.model): ModelRequest | undefined {
  return model.requests.find(
    (request) =>
      isTold(request, words) &&
      request.messages.at(-1)?.role === "toolResult" &&
      resultsOf(request).length >= NAMES.length,
  );
}
/** The results of the last calls. */
function resultsOf({ messages }: ModelRequest): ToolResultMessage[] {
  const from = messages.findLastIndex(({ role }) => role !== "toolResult");
  return messages.slice(from + 1) as ToolResultMessage[];
}

function expectDenied(request: ModelRequest): void {
  expect(request.tools.map(({ name }) => name).filter((name) => DENIED.includes(name))).toEqual([]);
  const results = resultsOf(request);
  expect(results.map(({ isError }) => isError)).toEqual(NAMES.map(() => true));
  for (const result of results)
    expect(textOf(result)).toMatch(/taken away by the layer|Tools that exist|There are none/);
}

describe("S-28: a denied tool stays denied in", () => {
  test.for(RUNTIMES)("%s", async ([, fire]) => {
    const words = `words-${randomUUID()}`;
    const fired = await fire(words);
    if (fired instanceof Response && fired.status === 400) expect(await fired.text()).toMatch(/tool/);
    else expectDenied(await eventually("the model has tried", () => after(words)));
    expect(canaries()).toEqual([false, false]);
    countCases("S-28", NAMES.length);
  });

  test("a heartbeat that comes by itself", async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock, config: CONFIG });
    mkdirSync(join(gateway.stateDir, "workspace"), { recursive: true });
    writeFileSync(join(gateway.stateDir, "workspace", "HEARTBEAT.md"), "- look at the words-of-the-heartbeat\n");
    gateway.model.script(tryAll, tryAll);
    const request = await eventually("a beat", async () => {
      await clock.advance(60_000);
      return after("words-of-the-heartbeat", gateway.model);
    });
    expectDenied(request);
    expect(canaries(gateway.stateDir)).toEqual([false, false]);
    countCases("S-28", NAMES.length);
  });

  test("a file that is read at the start", async () => {
    const hooks = { internal: { enabled: true, entries: { "boot-md": { enabled: true } } } };
    using state = createStateDirectory({ ...CONFIG, hooks });
    mkdirSync(join(state.path, "workspace"), { recursive: true });
    writeFileSync(join(state.path, "workspace", "BOOT.md"), "Look at the words-of-the-boot.\n");
    const model = createScriptedModel();
    model.script(tryAll, tryAll);
    await using _gateway = await startTestGateway({ stateDir: state.path, providers: { scripted: model } });
    expectDenied(await eventually("the boot", () => after("words-of-the-boot", model)));
    expect(canaries(state.path)).toEqual([false, false]);
    countCases("S-28", NAMES.length);
  });

  test("a turn that another model takes over: the rules are those of the model that calls", async () => {
    const spare = createScriptedModel("spare");
    const place = (id: string): Json => ({ baseUrl: "http://127.0.0.1:9", models: [{ id, name: id }] });
    await using gateway = await startTestGateway({
      providers: { spare },
      clock: createShiftedClock(),
      config: {
        agents: { defaults: { model: { primary: "scripted/a", fallbacks: ["spare/b"] }, sandbox: { mode: "off" } } },
        models: { providers: { scripted: place("a"), spare: place("b") } },
        tools: { byProvider: { spare: { deny: ["write", "exec", "apply_patch"] } } },
      },
    });
    const client = await gateway.connect();
    const failing: ModelEvent[] = [
      { kind: "failure", failure: { reason: "overloaded", message: "too much", retry: "now" } },
    ];
    gateway.model.script(failing, failing, failing);
    spare.script(callTools(["write", "exec", "apply_patch"].map(evil)), say("done"));
    await client.chat("go");
    const results = resultsOf(spare.requests.at(-1) as ModelRequest);
    expect(results.map((result) => [result.isError, /layer "provider"/.test(textOf(result))])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(canaries(gateway.stateDir)).toEqual([false, false]);
    countCases("S-28", 3);
  });

  test("a turn that was broken off, when it goes on after a start", async () => {
    using state = createStateDirectory(CONFIG);
    await leaveUnanswered(state.path, "words-of-before");
    const model = createScriptedModel();
    model.script(tryAll, tryAll);
    await using _gateway = await startTestGateway({ stateDir: state.path, providers: { scripted: model } });
    expectDenied(await eventually("it goes on", () => after("words-of-before", model)));
    expect(canaries(state.path)).toEqual([false, false]);
    countCases("S-28", NAMES.length);
  });

  async function leaveUnanswered(stateDir: string, message: string): Promise<void> {
    const clock = createFakeClock(Date.now());
    const gateway = await startTestGateway({ stateDir, clock });
    const client = await gateway.connect();
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", "never"));
    await client.call("chat.send", { sessionKey: "main", message, idempotencyKey: randomUUID() });
    await gate.reached;
    const stopped = gateway.gateway.stop("stop");
    // Long enough to end the patience with running turns.
    await clock.advance(60_000);
    await stopped;
    await gateway[Symbol.asyncDispose]();
  }

  test("a tool for owners alone, which no list gives to others", async () => {
    await using own = await openChannelStage({
      settings: { dmPolicy: "open", allowFrom: ["*"] },
      config: { commands: { ownerAllowFrom: ["alice"] }, tools: { allow: ["cron", "*"], alsoAllow: ["cron"] } },
    });
    own.model.script(
      callTool("cron", {
        action: "add",
        job: { name: "x", schedule: { kind: "every", everyMs: 60000 }, payload: { kind: "agentTurn", message: "x" } },
      }),
    );
    await own.ask("go", { from: "bob" });
    const result = own.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
    expect(result && textOf(result)).toMatch(/layer "owner"/);
    expect((await own.client.call("cron.list", { includeDisabled: true })).jobs).toEqual([]);
    countCases("S-28", 1);
  });
});

describe("S-28: there is no other way to a tool:", () => {
  test("one route runs one by its name, and not those that are denied or need somebody to ask", async () => {
    const routes = listRoutes().filter(({ path }) => /tool|invoke|mcp|acp/i.test(path));
    expect(routes.map(({ path }) => path)).toEqual(["/tools/invoke"]);
    const { arguments: args } = evil("", 0);
    for (const tool of [
      ...NAMES,
      "exec",
      "bash",
      "process",
      "read",
      "sessions_spawn",
      "sessions_send",
      "cron",
      "no_such",
    ])
      expect([tool, (await http("/tools/invoke", { tool, args })).status]).toEqual([tool, 404]);
    expect((await http("/tools/invoke", { tool: "exec", args }, "a wrong one")).status).toBe(401);
  });

  test("no other route and no method does", async () => {
    for (const path of ["/v1/tools/invoke", "/mcp", "/api/tools/exec", "/acp"])
      expect([404, 405]).toContain((await http(path, { name: "exec", args: { command: "touch canary" } })).status);
    for (const method of ["tools.invoke", "tools.call", "tools.run", "exec", "exec.run", "system.run", "mcp.call"])
      expect([
        method,
        (await stage.client.request(method, { name: "exec", args: { command: "touch canary" } })).ok,
      ]).toEqual([method, false]);
    expect(canaries()).toEqual([false, false]);
    countCases("S-28", 12);
  });

  const NATIVE =
    /web_?search|google_?search|googleSearchRetrieval|code_?(interpreter|execution)|computer|file_?search|url_?context|text_editor|mcp|grounding|image_generation|bash_20/i;

  /** Copilot speaks openai-completions, and the demo speaks with nobody. */
  const WIRES = MODEL_APIS.filter((api) => api !== "demo" && api !== "github-copilot");
  test.for(WIRES)("%s sends no tool of the provider's own", async (api) => {
    const { body } = await captureRequest(api, { request: { tools: [] } });
    const { messages: _messages, input: _input, contents: _contents, system: _system, ...rest } = body as Json;
    expect(JSON.stringify(rest)).not.toMatch(NATIVE);
    countCases("S-28", 1);
  });
});
