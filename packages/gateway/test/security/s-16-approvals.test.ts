// S-16: an approval is for what was shown, to whom it was shown, once; and all of it was shown.
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ExecDecision, type ExecPlan, type ExecRequest, type Requester } from "@chela/sdk";
import { callTool, createFakeClock, say, type FakeClock } from "@chela/sdk/testing";
import { createWorld, OWNER } from "../../src/rooms/approvals/approvals-world.test-support.ts";
import { describeQuestion as asInTerminal, toQuestion } from "../../src/rooms/approvals/cli/approval-question.ts";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json, ResponseFrame, WireClient } from "../support/wire-client.ts";

const CONFIG = { agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" } } } };

type Allowed = Extract<ExecDecision, { kind: "allowed" }>;

describe("S-16: a seal is broken when one thing differs:", () => {
  /** One other value for each field. A field that is new to the seam does not compile until it is here. */
  const REQUEST: { readonly [Field in keyof Required<ExecRequest>]: ReadonlyArray<Partial<ExecRequest>> } = {
    command: [{ command: "tool b" }, { command: "tool a " }, { command: "tool\u00a0a" }],
    cwd: [{ cwd: "/" }],
    env: [{ env: {} }, { env: { PATH: "/evil" } }, { env: { LD_PRELOAD: "x" } }],
    chosen: [{ chosen: ["PATH"] }],
    given: [{ given: { PATH: "/evil" } }],
    agentId: [{ agentId: "other" }],
    sessionKey: [{ sessionKey: "agent:main:other" }],
    runId: [{ runId: "run-2" }],
    requester: otherRequesters(),
    security: [{ security: "full" }],
    ask: [{ ask: "off" }],
    elevated: [{ elevated: "ask" }, { elevated: "full" }],
    sandbox: [{ sandbox: "agent:main" }],
  };
  const PLAN: { readonly [Field in keyof Required<ExecPlan>]: ReadonlyArray<(plan: ExecPlan) => Partial<ExecPlan>> } = {
    command: [() => ({ command: "tool b" })],
    cwd: [() => ({ cwd: "/" })],
    env: [() => ({ env: {} }), ({ env }) => ({ env: { ...env, LD_PRELOAD: "x" } })],
    how: [
      (plan) => withProgram(plan, { file: "/bin/sh" }),
      (plan) => withProgram(plan, { argv: ["tool", "b"] }),
      (plan) => withProgram(plan, { argv: ["other", "a"] }),
      (plan) => withProgram(plan, { argv: ["tool", "a", ""] }),
      () => ({ how: { kind: "direct", steps: [] } }),
      () => ({ how: { kind: "shell", program: { file: "/bin/sh", argv: ["sh", "-c", "tool a"] } } }),
    ],
  };

  function otherRequesters(): Partial<ExecRequest>[] {
    const fields: { readonly [Field in keyof Required<Requester>]: Requester[Field] } = {
      channel: "other",
      account: "other",
      id: "other",
      // What a person calls themselves decides nothing, and who they are is found by their id.
      name: undefined,
      person: undefined,
      isOwner: false,
      standing: "guest",
      work: "job",
      askedIn: "agent:main:other",
    };
    const told = Object.entries(fields).filter(([, value]) => value !== undefined);
    return told.map(([field, value]) => ({ requester: { ...OWNER, [field]: value } }));
  }

  function withProgram(plan: ExecPlan, change: Partial<{ file: string; argv: readonly string[] }>): Partial<ExecPlan> {
    const steps = plan.how.kind === "direct" ? plan.how.steps : [];
    return {
      how: {
        kind: "direct",
        steps: steps.map((step) => ({ ...step, pipeline: step.pipeline.map((one) => ({ ...one, ...change })) })),
      },
    };
  }

  async function approve(command = "tool a") {
    const world = createWorld(["tool"]);
    world.person.answer = "allow-once";
    const request = world.request(command);
    const decision = await world.decide(command);
    if (decision.kind !== "allowed") throw new Error(decision.why);
    return { world, request, decision: decision as Allowed };
  }

  test.for(Object.entries(REQUEST).flatMap(([field, changes]) => changes.map((change) => [field, change] as const)))(
    "%s of what is asked for",
    async ([, change]) => {
      const { world, request, decision } = await approve();
      using _ = world;
      expect(await world.approvals.confirm(decision, { ...request, ...change })).toContain("no longer what would run");
      countCases("S-16", 1);
    },
  );

  test.for(Object.entries(PLAN).flatMap(([field, changes]) => changes.map((change) => [field, change] as const)))(
    "%s of what would run",
    async ([, change]) => {
      const { world, request, decision } = await approve();
      using _ = world;
      const other = { ...decision, plan: { ...decision.plan, ...change(decision.plan) } };
      expect(await world.approvals.confirm(other, request)).toContain("no longer what would run");
      countCases("S-16", 1);
    },
  );

  test("nothing differs, and it is good for one run", async () => {
    const { world, request, decision } = await approve();
    using _ = world;
    expect(await world.approvals.confirm(decision, request)).toBeUndefined();
    expect(await world.approvals.confirm(decision, request)).toContain("already used");
  });
});

describe("S-16: between the question and the yes", () => {
  let clock: FakeClock;
  let gateway: TestGateway;
  let client: WireClient;
  let workspace: string;
  beforeAll(async () => {
    clock = createFakeClock();
    gateway = await startTestGateway({ clock, config: CONFIG });
    client = await gateway.connect();
    workspace = join(gateway.stateDir, "workspace");
    await client.agent("hello");
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const at = (...names: string[]): string => join(workspace, ...names);
  async function ask(args: Json): Promise<{ runId: string; id: string; request: Json }> {
    const [sessionKey, runId] = [`agent:main:${randomUUID()}`, randomUUID()];
    gateway.model.script(callTool("exec", args));
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    const { payload } = await client.untilEvent(
      "exec.approval.requested",
      (frame) => frame.payload.request.sessionKey === sessionKey,
    );
    return { runId, id: payload.id, request: payload.request };
  }
  async function end(runId: string): Promise<{ isError: boolean; text: string }> {
    await client.chatEnd(runId);
    const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
    if (result?.role !== "toolResult") throw new Error("there is no result");
    return { isError: result.isError, text: textOf(result) };
  }
  const program = (name: string, line: string): void => {
    writeFileSync(at(name), `#!/bin/sh\n${line}\n`);
    chmodSync(at(name), 0o755);
  };

  interface Swap {
    readonly name: string;
    readonly args: Json;
    prepare(): void;
    swap(): void;
  }
  const bad = "touch ran-badly";
  const SWAPS: readonly Swap[] = [
    {
      name: "the bytes of the program changed",
      args: { command: "./p1" },
      prepare: () => program("p1", "true"),
      swap: () => program("p1", bad),
    },
    {
      name: "another program was moved to its place",
      args: { command: "./p2 a" },
      prepare: () => (program("p2", "true"), program("p2-evil", bad)),
      swap: () => renameSync(at("p2-evil"), at("p2")),
    },
    {
      name: "the program became a link",
      args: { command: "./p3" },
      prepare: () => (program("p3", "true"), program("p3-evil", bad)),
      swap: () => (rmSync(at("p3")), symlinkSync("p3-evil", at("p3"))),
    },
    {
      name: "a program in the middle of a chain changed",
      args: { command: "true && ./p4 | cat" },
      prepare: () => program("p4", "true"),
      swap: () => program("p4", bad),
    },
    {
      name: "the code that an interpreter is given changed",
      args: { command: "sh code.sh" },
      prepare: () => program("code.sh", "true"),
      swap: () => program("code.sh", bad),
    },
    {
      name: "the folder became a link to another one",
      args: { command: "touch ran-badly", workdir: "d1" },
      prepare: () => (mkdirSync(at("d1")), mkdirSync(at("d1-evil"))),
      swap: () => (rmSync(at("d1"), { recursive: true }), symlinkSync(workspace, at("d1"))),
    },
    {
      name: "a folder above it was exchanged",
      args: { command: "touch ../ran-badly", workdir: "d2/inner" },
      prepare: () => mkdirSync(at("d2", "inner"), { recursive: true }),
      swap: () => (renameSync(at("d2"), at("d2-old")), mkdirSync(at("d2", "inner"), { recursive: true })),
    },
    {
      name: "the folder is gone",
      args: { command: "touch ../ran-badly", workdir: "d3" },
      prepare: () => mkdirSync(at("d3")),
      swap: () => rmSync(at("d3"), { recursive: true }),
    },
  ];
  test.for(SWAPS)("$name: nothing runs", async ({ args, prepare, swap }) => {
    prepare();
    const { runId, id } = await ask(args);
    swap();
    await client.call("exec.approval.resolve", { id, decision: "allow-once" });
    const { isError, text } = await end(runId);
    expect(text).toMatch(/What was approved is no longer what would run/);
    expect(isError).toBe(true);
    for (const place of ["ran-badly", "d2/ran-badly", "d2-old/ran-badly"]) expect(existsSync(at(place))).toBe(false);
    countCases("S-16", 1);
  });

  test("the gateway's own environment changed: the command gets the one that was approved", async () => {
    const { runId, id } = await ask({ command: "printenv LANG" });
    const before = process.env["LANG"];
    process.env["LANG"] = "evil";
    try {
      await client.call("exec.approval.resolve", { id, decision: "allow-once" });
      expect((await end(runId)).text).not.toContain("evil");
    } finally {
      if (before === undefined) delete process.env["LANG"];
      else process.env["LANG"] = before;
    }
  });

  test("nobody said anything for two minutes: that is a no, and a late yes is refused", async () => {
    const { runId, id } = await ask({ command: "touch ran-badly" });
    await clock.advance(120_000);
    expect(await end(runId)).toMatchObject({ isError: true, text: expect.stringContaining("Nobody approved") });
    expect((await client.request("exec.approval.resolve", { id, decision: "allow-once" })).ok).toBe(false);
    expect(existsSync(at("ran-badly"))).toBe(false);
  });

  test("one yes is used once: it can be given no second time, and the next question is another one", async () => {
    const first = await ask({ command: "touch once" });
    await client.call("exec.approval.resolve", { id: first.id, decision: "allow-once" });
    await end(first.runId);
    rmSync(at("once"));
    expect((await client.request("exec.approval.resolve", { id: first.id, decision: "allow-once" })).ok).toBe(false);
    const second = await ask({ command: "touch once" });
    expect(second.id).not.toBe(first.id);
    await client.call("exec.approval.resolve", { id: second.id, decision: "deny" });
    await end(second.runId);
    expect(existsSync(at("once"))).toBe(false);
  });

  test.for([
    ["may only read", { scopes: ["operator.read"] }],
    ["may only write", { scopes: ["operator.read", "operator.write"] }],
    ["may only pair", { scopes: ["operator.pairing"] }],
    ["asked for nothing", { scopes: [] }],
  ] as const)("somebody who %s answers: the question stays open", async ([, options]) => {
    const { runId, id } = await ask({ command: "touch by-a-stranger" });
    await using stranger = await gateway.connect(options);
    const answers: ResponseFrame[] = [];
    for (const decision of ["allow-once", "allow-always", "deny"])
      answers.push(await stranger.request("exec.approval.resolve", { id, decision }));
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false]);
    const { pending } = await client.call("exec.approval.list");
    expect(pending.map((one: { id: string }) => one.id)).toContain(id);
    await client.call("exec.approval.resolve", { id, decision: "deny" });
    await end(runId);
    expect(existsSync(at("by-a-stranger"))).toBe(false);
    countCases("S-16", 3);
  });

  test.for(["", "yes", "allow", "ALLOW-ONCE", "allow-once ", "allow_once", "true", "*"])(
    "an answer that is none (%j) allows nothing",
    async (decision) => {
      const { runId, id } = await ask({ command: "touch by-a-word" });
      expect((await client.request("exec.approval.resolve", { id, decision })).ok).toBe(false);
      await client.call("exec.approval.resolve", { id, decision: "deny" });
      await end(runId);
      expect(existsSync(at("by-a-word"))).toBe(false);
      countCases("S-16", 1);
    },
  );
});

describe("S-16: who may say yes in a chat", () => {
  const group = { chat: { kind: "group" as const, id: "g1" } };
  const openStage = (config: Json): Promise<ChannelStage> =>
    openChannelStage({
      settings: { allowFrom: ["alice", "bob"], groupPolicy: "open", groups: { g1: { requireMention: false } } },
      config: { ...CONFIG, ...config },
    });
  const buttonsIn = (stage: ChannelStage): string[] => {
    const content = stage.fake.sent.findLast(({ content: one }) => one.kind === "text" && one.buttons)?.content;
    return content?.kind === "text" ? (content.buttons ?? []).flat().map(({ data }) => data) : [];
  };
  const hasRun = (stage: ChannelStage): boolean => existsSync(join(stage.gateway.stateDir, "workspace", "canary"));
  const answered = (stage: ChannelStage) =>
    eventually("the answer", () => stage.fake.sent.some(({ text }) => text === "Done with it.") || undefined);

  test.for([
    ["an empty list of owners", { commands: { ownerAllowFrom: [] } }],
    ["a list of owners that names everybody", { commands: { ownerAllowFrom: ["*"] } }],
  ] as const)("%s names nobody: the command is refused, and nobody is asked", async ([, config]) => {
    await using stage = await openStage({
      ...config,
      approvals: { exec: { enabled: true, mode: "both", targets: [{ channel: "fake", to: "alice" }] } },
    });
    // Nobody on the page either.
    await stage.client.close();
    stage.model.script(callTool("exec", { command: "touch canary" }), say("Done with it."));
    await stage.fake.say("do it");
    const asked = async () => {
      const yes = buttonsIn(stage)[0];
      if (yes === undefined) return;
      // Whoever sees the question can press what they like.
      for (const from of ["alice", "bob", "mallory"]) {
        await stage.fake.say("", { from, content: { kind: "button", data: yes, on: "out-1" } });
        await stage.fake.say(yes, { from });
      }
    };
    await eventually("an end", async () => {
      await asked();
      return stage.fake.sent.length > 0 || undefined;
    });
    expect(hasRun(stage)).toBe(false);
    expect(buttonsIn(stage)).toEqual([]);
    countCases("S-16", 1);
  });

  test("an owner who is none any more cannot answer what they were asked", async () => {
    await using stage = await openStage({ commands: { ownerAllowFrom: ["alice"] } });
    stage.model.script(callTool("exec", { command: "touch canary" }), say("Done with it."));
    await stage.fake.say("do it", group);
    await stage.fake.until(1);
    const [yes = "", , no = ""] = buttonsIn(stage);
    const { hash } = await stage.client.call("config.get");
    await stage.client.call("config.patch", { raw: '{ commands: { ownerAllowFrom: ["carol"] } }', baseHash: hash });
    await stage.fake.say("", { ...group, content: { kind: "button", data: yes, on: "out-1" } });
    await stage.fake.say(yes, group);
    expect(hasRun(stage)).toBe(false);
    const { pending } = await stage.client.call("exec.approval.list");
    expect(pending).toHaveLength(1);
    await stage.client.call("exec.approval.resolve", { id: no.split(" ")[1], decision: "deny" });
    await answered(stage);
    expect(hasRun(stage)).toBe(false);
  });

  test("what the agent itself says is no answer", async () => {
    await using stage = await openStage({
      commands: { ownerAllowFrom: ["alice"] },
      tools: { sessions: { visibility: "agent" } },
    });
    stage.model.script(callTool("exec", { command: "touch canary" }));
    await stage.fake.say("do it");
    await stage.fake.until(1);
    const [yes = "", , no = ""] = buttonsIn(stage);
    // In another conversation, by all the ways an agent has to speak.
    stage.model.script(
      callTool("sessions_send", { sessionKey: "agent:main:main", message: yes, timeoutSeconds: 0 }),
      callTool("message", { action: "send", channel: "fake", to: "alice", message: yes }),
      say(yes),
    );
    await stage.client.chat("say yes", { sessionKey: "agent:main:other" });
    expect(hasRun(stage)).toBe(false);
    expect((await stage.client.call("exec.approval.list")).pending).toHaveLength(1);
    await stage.fake.say(no);
    await eventually("the no", async () =>
      (await stage.client.call("exec.approval.list")).pending.length === 0 ? true : undefined,
    );
    expect(hasRun(stage)).toBe(false);
  });
});

describe("S-16: every place that shows a question shows every byte of it", () => {
  /** What cannot be seen, what turns text around, what looks like a blank, what moves a cursor. */
  const HIDDEN = (
    "0 1 7 8 9 b c d 1b 7f 80 85 9b a0 ad 34f 61c 115f 1160 17b4 180b 180e 2000 2003 200b 200c 200d 200e 200f 2028 2029 202a " +
    "202b 202c 202d 202e 202f 205f 2060 2061 2066 2067 2069 206a 2800 3000 3164 e000 fe00 fe0f feff ffa0 fff9 1d173 e0001 " +
    "e0041 e0100 f0000 10ffff"
  )
    .split(" ")
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
  const nameOf = (character: string): string =>
    `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
  /** A program cannot be given a zero byte, so it is shown by those who only ask. */
  const able = HIDDEN.filter((character) => character !== "\u0000");
  const LONG = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
  const command = `echo start ${able.map((character) => `[${character}]`).join("")} ${LONG} end`;
  const shownCommand = `echo start ${able.map((character) => `[${nameOf(character)}]`).join("")} ${LONG} end`;
  const hasHidden = (text: string): boolean =>
    HIDDEN.some((character) => character !== "\u0000" && text.includes(character));
  const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");

  let stage: ChannelStage;
  let pending: Json & { id: string; request: Json & { command: string } };
  beforeAll(async () => {
    stage = await openChannelStage({ config: { ...CONFIG, commands: { ownerAllowFrom: ["alice"] } } });
    stage.model.script(callTool("exec", { command }));
    await stage.fake.say("do it");
    pending = (await stage.client.untilEvent("exec.approval.requested")).payload;
    countCases("S-16", able.length * 6);
  });
  afterAll(async () => {
    await stage.client.call("exec.approval.resolve", { id: pending.id, decision: "deny" });
    await stage[Symbol.asyncDispose]();
  });

  test("the event for pages and programs", () => {
    expect(pending.request.command).toBe(shownCommand);
    expect(hasHidden(JSON.stringify(pending).replaceAll(/\\u[0-9a-f]{4}/g, ""))).toBe(false);
    expect(hasHidden(Object.values(pending.request).map(String).join(""))).toBe(false);
  });

  test("the list of what waits", async () => {
    const { pending: all } = await stage.client.call("exec.approval.list");
    expect(all).toMatchObject([{ id: pending.id, request: { command: shownCommand } }]);
  });

  test("the progress of the tool", async () => {
    stage.model.script(callTool("exec", { command }));
    const runId = randomUUID();
    await stage.client.call("sessions.patch", { key: "agent:main:page", verboseLevel: "full" });
    await stage.client.call("chat.send", { sessionKey: "agent:main:page", message: "go", idempotencyKey: runId });
    const update = await stage.client.until("the progress", () =>
      stage.client.events.find(({ payload }) => payload?.runId === runId && says(payload, "approval-pending")),
    );
    expect(says(update.payload, JSON.stringify(shownCommand).slice(1, -1))).toBe(true);
    expect(hasHidden(JSON.stringify(update.payload))).toBe(false);
    const asked = await stage.client.untilEvent(
      "exec.approval.requested",
      (one) => one.payload.request.runId === runId,
    );
    await stage.client.call("exec.approval.resolve", { id: asked.payload.id, decision: "deny" });
    await stage.client.chatEnd(runId);
  });
  const says = (payload: unknown, words: string): boolean => JSON.stringify(payload).includes(words);

  test("the chat, in as many messages as it takes", async () => {
    await eventually(
      "the whole question",
      () => stage.fake.sent.some(({ text }) => text.includes("/approve")) || undefined,
    );
    const texts = stage.fake.sent.map(({ text }) => text);
    expect(squeeze(texts.map((text) => text.replace(/^`{3,}$/gm, "")).join(""))).toContain(squeeze(shownCommand));
    expect(hasHidden(texts.join(""))).toBe(false);
  });

  test("the command /approve, which shows mark-up as it was written", async () => {
    const tricky = "echo *a* _b_ ~~c~~ <b>d</b> [e](http://f) \\*g\\* ```\nh";
    stage.client.send({
      type: "req",
      id: "tricky",
      method: "exec.approval.request",
      params: { id: "tricky-one", command: tricky, timeoutMs: 60_000 },
    });
    await stage.client.untilEvent("exec.approval.requested", (one) => one.payload.id === "tricky-one");
    const before = stage.fake.sent.length;
    await stage.fake.say("/approve");
    const told = await eventually("all of it", () => {
      const texts = stage.fake.sent.slice(before).map(({ text }) => text);
      return texts.some((text) => text.includes("/approve <id>")) ? texts : undefined;
    });
    const code = told.join("\n").replace(/^`{3,}$/gm, "");
    expect(squeeze(code)).toContain(squeeze(shownCommand));
    expect(code).toContain("echo *a* _b_ ~~c~~ <b>d</b> [e](http://f) \\*g\\* ```<U+000A>\\u{a}h");
    // Between fences that it cannot close itself.
    expect(told.join("\n")).toMatch(/^````\necho \*a\*.*\n````$/m);
    expect(hasHidden(told.join(""))).toBe(false);
    await stage.client.call("exec.approval.resolve", { id: "tricky-one", decision: "deny" });
  });

  test("the command line", () => {
    const style = new Proxy({}, { get: () => (text: string) => text });
    const question = toQuestion(pending as never, Date.now());
    for (const columns of [20, 80, 200]) {
      const lines = asInTerminal(question, style as never, columns);
      const shown = lines.filter((line) => line.startsWith("  │ ")).map((line) => line.slice(4));
      expect(shown.join("")).toBe(shownCommand);
      expect(hasHidden(lines.join(""))).toBe(false);
    }
  });

  test("what a program asks for itself, in every field", async () => {
    const tricks = HIDDEN.join("");
    const fields =
      "command cwd nodeId host security ask agentId resolvedPath sessionKey turnSourceChannel turnSourceTo".split(" ");
    const params = {
      ...Object.fromEntries(fields.map((field) => [field, `${field}${tricks}`])),
      commandArgv: [`a${tricks}`],
      env: { [`E${tricks}`]: "value" },
      id: randomUUID(),
      twoPhase: true,
    };
    stage.client.send({ type: "req", id: "asked", method: "exec.approval.request", params });
    const { payload } = await stage.client.untilEvent("exec.approval.requested", (one) => one.payload.id === params.id);
    for (const field of fields) expect(payload.request[field]).toBe(field + HIDDEN.map(nameOf).join(""));
    const all = collectTexts(payload.request);
    expect(all.filter((text) => HIDDEN.some((character) => text.includes(character)))).toEqual([]);
    await stage.client.call("exec.approval.resolve", { id: params.id, decision: "deny" });
    countCases("S-16", HIDDEN.length * fields.length);
  });

  function collectTexts(value: unknown): string[] {
    if (typeof value === "string") return [value];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [key, ...collectTexts(inner)]);
  }
});
