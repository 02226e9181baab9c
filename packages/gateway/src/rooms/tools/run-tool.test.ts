import * as z from "zod";
import { describe, expect, it } from "vitest";
import { GatewayError, textOf, type SandboxView, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import type { ToolboxParts, ToolRun, ToolSubject, TurnContext } from "./room.ts";
import {
  callOf,
  fakeTool,
  MODEL,
  openToolbox,
  OWNER,
  STRANGER,
  subjectWith,
  text,
  turnContext,
} from "./toolbox.test-support.ts";

/** Runs one call of one tool through a fresh toolbox. */
async function run(
  tool: Partial<Tool> & { name: string },
  args: Record<string, unknown> = {},
  over: {
    parts?: Partial<Omit<ToolboxParts, "tools">>;
    subject?: Partial<ToolSubject>;
    context?: Partial<TurnContext>;
  } = {},
) {
  const runs: ToolRun[] = [];
  const opened = openToolbox({
    tools: [fakeTool(tool.name, tool), fakeTool("sessions_list"), fakeTool("web_search")],
    onRun: (one) => runs.push(one),
    ...over.parts,
  });
  const result = await opened.toolbox
    .for(subjectWith(over.subject))
    .run(callOf(tool.name, args), turnContext(over.context));
  return { result, said: textOf(result), runs, ...opened };
}

describe("a call that may run", () => {
  it("gets checked arguments and the subject's context, and its result becomes a message", async () => {
    let seen: { args: unknown; context: ToolContext } | undefined;
    const { result, runs } = await run(
      {
        name: "read",
        parameters: () => z.object({ path: z.string(), limit: z.number().default(5) }),
        run: async (args, context) => ((seen = { args, context }), { ...text("ran"), details: { lines: 1 } }),
      },
      { path: "a" },
      { subject: { requester: STRANGER } },
    );
    expect(result).toMatchObject({
      role: "toolResult",
      toolCallId: "call-read",
      toolName: "read",
      content: [{ type: "text", text: "ran" }],
      details: { lines: 1 },
      isError: false,
    });
    expect(seen?.args).toEqual({ path: "a", limit: 5 });
    expect(seen?.context).toMatchObject({
      agentId: "main",
      sessionKey: "agent:main:main",
      runId: "run-1",
      toolCallId: "call-read",
      requester: STRANGER,
      workspace: "/workspace",
      model: MODEL,
    });
    expect(runs).toEqual([
      {
        name: "read",
        runId: "run-1",
        toolCallId: "call-read",
        startedAt: result.timestamp,
        endedAt: result.timestamp,
        isError: false,
      },
    ]);
  });

  it.each<[string, () => Promise<unknown>, boolean, string]>([
    ["work that failed", async () => ({ ...text("exit 1"), isError: true }), true, "exit 1"],
    [
      "an exception",
      async () => {
        throw new Error("no such file");
      },
      true,
      "no such file",
    ],
    [
      "a failure of the catalogue",
      async () => {
        throw new GatewayError("STORE_FULL", "x");
      },
      true,
      "The disk is full, so nothing new can be accepted: x",
    ],
    [
      "an exception at once",
      () => {
        throw new Error("at once");
      },
      true,
      "at once",
    ],
    [
      "an exception without words",
      async () => {
        throw new Error("");
      },
      true,
      "The tool failed without saying why.",
    ],
    [
      "a mistake of the program",
      async () => {
        throw new TypeError("Cannot read properties of undefined (reading 'inside')");
      },
      true,
      "The tool failed: something happened inside that nobody foresaw; the log of the gateway tells what.",
    ],
    [
      "something thrown that is no error",
      async () => {
        throw "odd";
      },
      true,
      "odd",
    ],
    ["no content", async () => ({ content: [] }), false, "(no output)"],
    ["nothing", async () => undefined, true, "The tool returned something that cannot be read."],
    [
      "content that is none",
      async () => ({ content: [null] }),
      true,
      "The tool returned something that cannot be read.",
    ],
  ])("makes a result of %s", async (_name, work, isError, expected) => {
    const { result, said } = await run({ name: "read", run: work as Tool["run"] });
    expect(result.isError).toBe(isError);
    expect(said).toBe(expected);
  });
});

describe("a secret that the gateway knows", () => {
  const SECRET = "s3cret-of-the-gateway";
  const redact = (words: string): string => words.replaceAll(SECRET, "[redacted]");

  it.each([
    ["in a result", async () => ({ ...text(`a ${SECRET} b`), details: { lines: [{ said: SECRET }] } })],
    ["in an error", () => Promise.reject(new Error(`no: ${SECRET}`))],
    ["where the result is cut", async () => text(`${"x".repeat(66_660)}${SECRET}${"y".repeat(90_000)}`)],
  ])("is taken out %s", async (_name, work) => {
    const { result } = await run({ name: "read", run: work }, {}, { parts: { redact } });
    expect(JSON.stringify(result)).toContain("[red");
    expect(JSON.stringify(result)).not.toContain(SECRET.slice(0, 6));
  });

  it("is taken out of what a tool says while it works", async () => {
    const updates: unknown[] = [];
    const update = (...said: unknown[]): void => void updates.push(said);
    const tool = {
      name: "read",
      run: async (_args: unknown, context: ToolContext) => (context.update(SECRET, { tail: SECRET }), text("done")),
    };
    await run(tool, {}, { parts: { redact }, context: { update } });
    expect(updates).toEqual([["[redacted]", { tail: "[redacted]" }]]);
  });
});

describe("a call that may not run", () => {
  const never: Tool["run"] = async () => {
    throw new Error("it ran");
  };

  it.each([
    [
      "webSearch",
      /^There is no tool of that name: webSearch\. Perhaps you mean web_search\. Tools that exist: read, sessions_list, web_search\.$/,
    ],
    ["session_history", /Perhaps you mean sessions_list\./],
    ["constructor", /^There is no tool of that name: constructor\. Tools that exist: /],
  ])("because there is no such tool is told of those that are near: %s", async (name, expected) => {
    const { toolbox } = openToolbox({
      tools: ["read", "web_search", "sessions_list"].map((one) => fakeTool(one, { family: "media" })),
    });
    const result = await toolbox.for(subjectWith()).run(callOf(name), turnContext());
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
  });

  it("because of the policy is told which layer decided", async () => {
    const parts = { config: () => ({ tools: { deny: ["group:fs"] } }) };
    const { result, said, runs } = await run({ name: "read", run: never }, {}, { parts });
    expect(result.isError).toBe(true);
    expect(said).toContain('the layer "tools" of the tool policy: tools.deny names "group:fs"');
    expect(runs).toMatchObject([{ isError: true, decidedBy: "tools" }]);
  });

  it("because it is for owners only is told so", async () => {
    const { said } = await run(
      { name: "restart", ownerOnly: true, run: never },
      {},
      { subject: { requester: STRANGER } },
    );
    expect(said).toContain("for owners only");
  });

  it("because the configuration changed during the turn", async () => {
    let deny: string[] = [];
    const { toolbox } = openToolbox({ tools: [fakeTool("exec", { run: never })], config: () => ({ tools: { deny } }) });
    const turn = toolbox.for(subjectWith());
    deny = ["exec"];
    expect(textOf(await turn.run(callOf("exec"), turnContext()))).toContain("tools.deny");
  });

  it("because the model that made it is not the one the turn began with", async () => {
    const parts = { config: () => ({ tools: { byProvider: { local: { deny: ["exec"] } } } }) };
    const context = { model: { ...MODEL, provider: "local" } };
    expect((await run({ name: "exec", run: never }, {}, { parts, context })).said).toContain('the layer "provider"');
  });

  it("because somebody objects, or fails to answer", async () => {
    const asked: unknown[] = [];
    const allow: NonNullable<ToolboxParts["beforeRun"]>[number] = async (_tool, args) => (
      asked.push(args),
      { kind: "allow" }
    );
    const deny = async () => ({ kind: "deny" as const, why: "not on Sundays" });
    const broken = async () => {
      throw new Error("database gone");
    };
    const args = { path: "a" };
    const tool = { name: "read", parameters: () => z.object({ path: z.string() }), run: never };
    const denied = await run(tool, args, { parts: { beforeRun: [allow, deny] } });
    expect(denied.said).toBe("This tool may not be used here: not on Sundays.");
    expect(denied.runs).toMatchObject([{ decidedBy: "hook" }]);
    expect(asked).toEqual([args]);
    const failed = await run(tool, args, { parts: { beforeRun: [broken] } });
    expect(failed.said).toBe("This tool may not be used here: a check that comes before read failed.");
    const fine = await run({ ...tool, run: async () => text("ran") }, args, { parts: { beforeRun: [allow] } });
    expect(fine.said).toBe("ran");
  });

  it("because it was made too often, and every result before is warned of it", async () => {
    const { toolbox } = openToolbox({ tools: [fakeTool("read")] });
    const turn = toolbox.for(subjectWith());
    const results = [];
    for (let round = 0; round < 31; round++) results.push(await turn.run(callOf("read"), turnContext()));
    expect(results[8]?.content).toHaveLength(1);
    expect(results[9]?.content).toHaveLength(2);
    expect(textOf(results[30]!)).toMatch(/^The model goes in circles: read gave the same result 30 times/);
    expect(textOf(await toolbox.for(subjectWith()).run(callOf("read"), turnContext()))).toBe("read ran");
  });

  it("because refused calls count as calls, too", async () => {
    const { toolbox } = openToolbox({ tools: [], limits: { maxCallsPerTurn: 2 } });
    const turn = toolbox.for(subjectWith());
    for (let round = 0; round < 2; round++) await turn.run(callOf("squid", { round }), turnContext());
    expect(textOf(await turn.run(callOf("squid"), turnContext()))).toContain("has made 2 tool calls");
  });
});

describe("a sandbox", () => {
  const view = { scope: "agent:main", workdir: "/workspace" } as SandboxView;
  const runs = async (_args: unknown, { sandbox }: ToolContext) => text(`ran in ${sandbox?.scope ?? "the open"}`);
  const enter = (found: () => SandboxView | undefined) => ({ sandbox: { enter: async () => found() } });
  const failing = enter(() => {
    throw new GatewayError("SANDBOX_FAILED", "no image");
  });

  it.each<[string, Partial<Tool>, Partial<ToolboxParts>, string]>([
    ["is not needed", { keepsToSandbox: true }, enter(() => undefined), "ran in the open"],
    ["is there", { keepsToSandbox: true }, enter(() => view), "ran in agent:main"],
    ["cannot keep the tool", { effects: ["exec"] }, enter(() => view), "cannot be kept in a sandbox"],
    ["does not matter to the tool", { family: "sessions", effects: ["send"] }, enter(() => view), "ran in agent:main"],
    ["fails", { keepsToSandbox: true }, failing, "could not be set up, so the command was not run: no image"],
    ["fails for what does not need it", { family: "web", effects: ["network"] }, failing, "ran in the open"],
  ])("that %s", async (_what, over, parts, expected) => {
    expect((await run({ name: "thing", family: "fs", run: runs, ...over }, {}, { parts })).said).toContain(expected);
  });

  it("that is missing keeps a sandboxed session from the machine, but not from what happens in the gateway", async () => {
    const subject = { sandboxed: true };
    expect((await run({ name: "exec", family: "runtime" }, {}, { subject })).said).toContain(
      "no sandbox to run exec in",
    );
    expect((await run({ name: "session_status", family: "sessions" }, {}, { subject })).said).toBe(
      "session_status ran",
    );
  });
});

describe("arguments", () => {
  const parameters = () =>
    z.strictObject({
      path: z.string(),
      limit: z.int().min(1).optional(),
      deep: z.boolean().optional(),
      mode: z.enum(["text", "markdown"]).optional(),
      env: z.record(z.string(), z.string()).optional(),
      names: z.array(z.string()).max(2).optional(),
      target: z.union([z.number(), z.strictObject({ id: z.number() })]).optional(),
      nothing: z.string().nullable().optional(),
    });
  const echo = (args: Record<string, unknown>) =>
    run({ name: "read", parameters, run: async (checked) => text(JSON.stringify(checked)) }, args);

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [
      { path: "a", limit: "12" },
      { path: "a", limit: 12 },
    ],
    [
      { path: "12", deep: "true" },
      { path: "12", deep: true },
    ],
    [
      { path: "a", deep: " false " },
      { path: "a", deep: false },
    ],
    [
      { path: "a", env: '{"A":"1"}' },
      { path: "a", env: { A: "1" } },
    ],
    [
      { path: "a", names: '["b"]' },
      { path: "a", names: ["b"] },
    ],
    [
      { path: "a", target: '{"id":"7"}' },
      { path: "a", target: { id: 7 } },
    ],
    [{ path: "a", limit: null, mode: null, target: null }, { path: "a" }],
    [
      { path: "a", nothing: null },
      { path: "a", nothing: null },
    ],
  ])("are repaired where nothing can be misunderstood: %j", async (args, expected) => {
    const before = structuredClone(args);
    expect(JSON.parse((await echo(args)).said)).toEqual(expected);
    expect(args).toEqual(before);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, "path: is missing, a value of type string is needed."],
    [{ path: null }, "path: must be of type string, but is null."],
    [{ path: 7 }, "path: must be of type string, but is 7."],
    [{ path: "a", limit: "many" }, 'limit: must be of type number, but is "many".'],
    [{ path: "a", limit: 0 }, "limit: must be at least 1."],
    [{ path: "a", deep: "yes" }, 'deep: must be of type boolean, but is "yes".'],
    [{ path: "a", mode: "html" }, 'mode: must be one of "text", "markdown", but is "html".'],
    [{ path: "a", names: ["a", "b", "c"] }, "names: must be at most 2 items long."],
    [{ path: "a", env: { A: 1 } }, "env.A: must be of type string, but is 1."],
    [
      { path: "a", target: true },
      "target: must be of type number, but is true, or must be of type object, but is true.",
    ],
    [{ path: "a", colour: "red" }, 'the arguments: there is no argument "colour".'],
    [{ path: "a", limit: "12", colour: 1 }, "limit: must be of type number"],
  ])("that are wrong are explained: %j", async (args, expected) => {
    const { result, said, runs } = await echo(args);
    expect(result.isError).toBe(true);
    expect(said).toContain(`The tool was called with wrong arguments: ${expected}`);
    expect(said).toContain('read takes path (string), limit? (integer), deep? (boolean), mode? ("text" | "markdown")');
    expect(said).toMatch(/Correct them and call again\.$/);
    expect(runs).toMatchObject([{ decidedBy: "arguments" }]);
  });

  it("cannot change what an object is", async () => {
    const args = JSON.parse('{"path":"a","__proto__":{"deep":"true"}}') as Record<string, unknown>;
    expect((await echo(args)).result.isError).toBe(true);
    expect(({} as { deep?: unknown }).deep).toBeUndefined();
  });
});

describe("a long result", () => {
  const long = (length: number): ToolOutput => text(`<${"x".repeat(length - 2)}>`);
  const lengthOf = async (output: ToolOutput, contextWindow = MODEL.contextWindow, limits = {}) => {
    const parts = { limits };
    const model = { ...MODEL, contextWindow };
    return (await run({ name: "read", run: async () => output }, {}, { parts, subject: { model } })).said;
  };

  it("stays whole up to the limit", async () => {
    expect(await lengthOf(long(100_000))).toHaveLength(100_000);
  });

  it("keeps its beginning and its end, and says how much was cut", async () => {
    const said = await lengthOf(long(150_000));
    expect(said).toMatch(/^<x+\n\[50000 characters were cut here\]\nx+>$/);
    expect(said.length).toBeLessThan(100_100);
  });

  it.each([
    [20_000, 18_000],
    [1_000, 4_000],
    [0, 4_000],
    [Number.NaN, 4_000],
  ])("takes at most a part of a window of %d tokens", async (contextWindow, limit) => {
    expect(await lengthOf(long(50_000), contextWindow)).toContain(`[${50_000 - limit} characters were cut here]`);
  });

  it("is measured over all its parts, and pictures stay", async () => {
    const picture = { type: "image" as const, data: "A".repeat(500), mimeType: "image/png" };
    const output = { content: [...long(300).content, picture, ...long(100).content] };
    const { result } = await run(
      { name: "read", run: async () => output },
      {},
      { parts: { limits: { maxResultChars: 200 } } },
    );
    expect(result.content[1]).toEqual(picture);
    expect(textOf(result)).toMatch(
      /^<x+\n\[150 characters were cut here\]\nx+>\n<x+\n\[50 characters were cut here\]\nx+>$/,
    );
  });

  it("is never cut through a character", async () => {
    const said = await lengthOf(text("🦀".repeat(100)), 200_000, { maxResultChars: 99 });
    expect(said.isWellFormed()).toBe(true);
  });
});

describe("a turn that is stopped", () => {
  /** A tool that ends when the test says so, whatever the signal. */
  function hangingTool() {
    const { promise, resolve } = Promise.withResolvers<ToolOutput>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<ToolContext>();
    const tool = fakeTool("exec", {
      run(_args, context) {
        begin(context);
        return promise;
      },
    });
    return { tool, begun, finish: () => resolve(text("late")) };
  }

  it("does not wait for a tool that does not let go, and ignores what comes late", async () => {
    const { tool, begun, finish } = hangingTool();
    const { toolbox, clock, logged } = openToolbox({ tools: [tool] });
    const abort = new AbortController();
    const updates: string[] = [];
    const context = turnContext({ signal: abort.signal, update: (partial) => updates.push(partial) });
    let ended = false;
    const running = toolbox.for(subjectWith()).run(callOf("exec"), context);
    void running.then(() => (ended = true));
    const inside = await begun;
    inside.update("half");
    abort.abort();
    await clock.advance(99);
    expect(ended).toBe(false);
    await clock.advance(1);
    const result = await running;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      "The turn was stopped: exec was stopped before it was done; whether it took effect is not known.",
    );
    expect(logged).toEqual(["a tool did not let go of a stopped turn"]);
    inside.update("late");
    finish();
    await clock.advance(0);
    expect(updates).toEqual(["half"]);
    expect(logged).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it("keeps the result of a tool that lets go in time", async () => {
    const { tool, begun, finish } = hangingTool();
    const { toolbox, clock } = openToolbox({ tools: [tool] });
    const abort = new AbortController();
    const running = toolbox.for(subjectWith()).run(callOf("exec"), turnContext({ signal: abort.signal }));
    await begun;
    abort.abort();
    finish();
    expect(textOf(await running)).toBe("late");
    expect(clock.waiting).toBe(0);
  });

  it("says that a tool was stopped when it fails because of it", async () => {
    const abort = new AbortController();
    const { said } = await run(
      {
        name: "exec",
        run: async () => {
          abort.abort();
          throw new Error("AbortError");
        },
      },
      {},
      { context: { signal: abort.signal } },
    );
    expect(said).toContain("exec was stopped");
  });

  it("starts nothing any more, not even if it was stopped while somebody was asked", async () => {
    let ran = 0;
    const tool = { name: "exec", run: async () => (ran++, text("ran")) };
    const before = await run(tool, {}, { context: { signal: AbortSignal.abort() } });
    expect(before.said).toContain("stopped before it began");
    const abort = new AbortController();
    const beforeRun = [async () => (abort.abort(), { kind: "allow" as const })];
    await run(tool, {}, { parts: { beforeRun }, context: { signal: abort.signal } });
    expect(ran).toBe(0);
  });

  it("is told to the trace", async () => {
    const { runs } = await run(
      { name: "exec" },
      {},
      { subject: { requester: OWNER }, context: { signal: AbortSignal.abort() } },
    );
    expect(runs).toMatchObject([{ name: "exec", isError: true, decidedBy: "stopped" }]);
  });
});
