// Sub-agents: an agent gives work away, and what comes of it reaches the right place once, within what is allowed.
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "@chela/sdk";
import { callTool, say, type ScriptStep } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { eventually, startTestGateway } from "../support/in-process.ts";
import {
  didCall,
  isAfterTool,
  isAnnouncement,
  isToldTask,
  jsonOf,
  lastText,
  resultOf,
  settledOnes,
  spawnCalls,
  speak,
  subagents,
  toldTask,
} from "../support/stages/subagent-stage.ts";
import type { Json } from "../support/wire-client.ts";

const TASKS = ["alpha", "beta", "gamma"] as const;

describe("a sub-agent", () => {
  it("does its task, and its result is told where it was asked for", async () => {
    await using stage = await openChannelStage();
    const results: Json[] = [];
    speak(
      stage.model,
      [isAnnouncement, () => say("The answer is 42.")],
      [(request) => isToldTask(request, "compute"), () => say("42")],
      [
        isAfterTool,
        () => (request: ModelRequest) => (results.push(jsonOf(resultOf(request))), say("I asked a helper.")),
      ],
      [() => true, () => callTool("sessions_spawn", { task: "compute it", label: "sum" })],
    );
    await stage.fake.say("please", { chat: { kind: "direct", id: "alice", threadId: "t3" } });
    const sent = await stage.fake.until(2);
    expect(sent.map(({ text, target }) => [target.to, target.threadId, text])).toEqual([
      ["alice", "t3", "I asked a helper."],
      ["alice", "t3", "The answer is 42."],
    ]);
    expect(results[0]).toMatchObject({ status: "accepted", mode: "run" });
    const child = stage.model.requests.find((request) => isToldTask(request, "compute")) as ModelRequest;
    expect(child.system).toContain("You are a sub-agent");
    const told = stage.lastTold();
    expect(told).toContain('The sub-agent task "sum" is done.');
    expect(told).toContain("Result:\n42");
    expect(told).toMatch(/Stats: runtime \d+s • tokens \d+/);
  });
});

describe("a wait for several", () => {
  it("gives all results in the same turn, with room for one turn only, and none is announced again", async () => {
    const config = {
      agents: { defaults: { model: "scripted/test", maxConcurrent: 1, subagents: { maxConcurrent: 1 } } },
    };
    await using gateway = await startTestGateway({ config });
    const client = await gateway.connect();
    const waited: Json[] = [];
    speak(
      gateway.model,
      [isAnnouncement, () => say("announced")],
      ...TASKS.map((task) => [toldTask(task), () => say(`result of ${task}`)] as const),
      [
        (request) => didCall(request, "subagents"),
        () => (request: ModelRequest) => (waited.push(jsonOf(resultOf(request))), say("All done.")),
      ],
      [(request) => didCall(request, "sessions_spawn"), () => callTool("subagents", { action: "wait" }, "wait-1")],
      [() => true, () => spawnCalls(TASKS)],
    );
    expect(await client.agent("do three things")).toBe("All done.");
    const results = waited[0]?.["results"] as Json[];
    expect(results.map(({ label, result }) => [label, result]).toSorted()).toEqual(
      TASKS.map((task) => [task, `result of ${task}`]),
    );
    for (const { delivered } of await settledOnes(client)) expect(delivered).toBe("delivered");
    expect(gateway.model.requests.filter(isAnnouncement)).toEqual([]);
  });

  it("that ends before they do gives what there is, and the rest is announced", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const gate = gateway.gate();
    const waited: Json[] = [];
    speak(
      gateway.model,
      [isAnnouncement, () => say("Beta came later.")],
      [toldTask("alpha"), () => say("result of alpha")],
      [toldTask("beta"), () => gate.step("", "result of beta")],
      [
        (request) => didCall(request, "subagents"),
        () => (request: ModelRequest) => (waited.push(jsonOf(resultOf(request))), say("One is late.")),
      ],
      [
        (request) => didCall(request, "sessions_spawn"),
        () => callTool("subagents", { action: "wait", timeoutSeconds: 1 }, "w"),
      ],
      [() => true, () => spawnCalls(["alpha", "beta"])],
    );
    expect(await client.agent("do two things")).toBe("One is late.");
    expect(waited[0]).toMatchObject({
      status: "timeout",
      results: [{ label: "alpha" }],
      stillRunning: [{ label: "beta" }],
    });
    gate.open();
    await eventually("beta is announced", () => gateway.model.requests.filter(isAnnouncement).length > 0 || undefined);
    const [announced, ...more] = gateway.model.requests.filter(isAnnouncement);
    expect(lastText(announced as ModelRequest)).toContain("result of beta");
    expect(more).toEqual([]);
  });
});

describe("limits", () => {
  const MODELS = {
    providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test" }, { id: "other" }] } },
  };

  async function spawn(config: Json, args: Json, answer: ScriptStep = say("done")) {
    await using gateway = await startTestGateway({ config });
    const client = await gateway.connect();
    const results: Json[] = [];
    speak(
      gateway.model,
      [isAnnouncement, () => say("NO_REPLY")],
      [(request) => isToldTask(request, "task x"), () => answer],
      [isAfterTool, () => (request: ModelRequest) => (results.push(jsonOf(resultOf(request))), say("ok"))],
      [() => true, () => callTool("sessions_spawn", { task: "task x", ...args })],
    );
    await client.agent("go");
    const list = await settledOnes(client);
    const child = gateway.model.requests.find((request) => isToldTask(request, "task x") && !isAnnouncement(request));
    return { result: results[0] ?? {}, child, list };
  }

  it.for([
    ["an agent it may not start", {}, { agentId: "other" }, "forbidden", "may not start"],
    [
      "an agent that does not exist",
      { agents: { list: [{ id: "main", subagents: { allowAgents: ["*"] } }] } },
      { agentId: "ghost" },
      "forbidden",
      'no agent "ghost"',
    ],
    ["an unknown model", {}, { model: "nobody/knows" }, "error", "was not started"],
    ["an unknown level of thinking", {}, { thinking: "hard" }, "error", "Allowed: off, minimal"],
  ] as const)("refuse %s, and nothing is started", async ([, config, args, status, why]) => {
    const { result, list } = await spawn(config as Json, args);
    expect(result).toMatchObject({ status, error: expect.stringContaining(why) });
    expect(list).toEqual([]);
  });

  it("let another model, thinking and agent pass where they are allowed", async () => {
    const agents = { list: [{ id: "main", default: true, subagents: { allowAgents: ["worker"] } }, { id: "worker" }] };
    const { result, child } = await spawn(
      { agents, models: MODELS },
      { agentId: "Worker", model: "scripted/other", thinking: "high" },
    );
    expect(result).toMatchObject({ status: "accepted", modelApplied: true });
    expect(result["childSessionKey"]).toMatch(/^agent:worker:subagent:/);
    expect(child?.model.id).toBe("other");
  });

  it("leave a sub-agent without tools for further ones, and without more than its parent has", async () => {
    const { child } = await spawn({ tools: { deny: ["exec"] } }, {});
    const names = child?.tools.map(({ name }) => name) ?? [];
    expect(names).toContain("read");
    for (const name of ["sessions_spawn", "exec", "session_status", "sessions_send", "cron"])
      expect(names).not.toContain(name);
  });

  it("end one that takes too long", async () => {
    const hangs: ScriptStep = async function* (_request, signal) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      yield* say("late");
    };
    const { list } = await spawn({}, { runTimeoutSeconds: 1 }, hangs);
    expect(list[0]).toMatchObject({ state: "ended", outcome: "timeout", delivered: "delivered" });
  });

  it("allow no more at once than are configured", async () => {
    await using gateway = await startTestGateway({ config: subagents({ maxChildrenPerAgent: 1 }) });
    const client = await gateway.connect();
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "done"));
    await client.agent("/subagents spawn the first");
    await gate.reached;
    expect(await client.agent("/subagents spawn the second")).toContain("1 sub-agents of this session are at work");
  });
});
