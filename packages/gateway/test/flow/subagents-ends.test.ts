// How sub-agents end: killed, steered, deleted, cut off by a restart; and that nobody else's hands reach them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "@chela/sdk";
import { callTool, createFakeChannel, createFakeClock, say, type ScriptStep } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
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
  type Rule,
} from "../support/stages/subagent-stage.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const CHANNEL = { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } };
const children = async (client: WireClient, sessionKey = "main"): Promise<Json[]> =>
  (await client.call("subagents.list", { sessionKey, recursive: true })).subagents;
const hanging: ScriptStep = async function* (_request, signal) {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* say("never");
};

describe("a restart", () => {
  const rules = (announce: () => ScriptStep, work: () => ScriptStep): Rule[] => [
    [isAnnouncement, announce],
    [(request) => isToldTask(request, "task x"), work],
    [isAfterTool, () => say("Asked.")],
    [() => true, () => callTool("sessions_spawn", { task: "task x", label: "x" })],
  ];

  it.for([
    ["while it works", "work"],
    ["while its parent hears of it", "announce"],
    ["while its parent waits for it", "wait"],
  ] as const)("%s loses nothing and says nothing twice", async ([, where]) => {
    using state = createStateDirectory({ channels: CHANNEL });
    {
      const clock = createFakeClock(Date.now());
      const fake = createFakeChannel();
      await using gateway = await startTestGateway({ stateDir: state.path, clock, channels: { fake: fake.channel } });
      await fake.untilConnected();
      const gate = gateway.gate();
      const hang = (): ScriptStep => gate.step("half", "never");
      const wait: Rule = [
        (request) => isAfterTool(request) && !didCall(request, "subagents"),
        () => callTool("subagents", { action: "wait" }, "wait-1"),
      ];
      speak(
        gateway.model,
        ...(where === "wait" ? [wait] : []),
        ...rules(
          where === "announce" ? hang : () => say("told"),
          where === "announce" ? () => say("the result") : hang,
        ),
      );
      await fake.say("go");
      await clock.advance(2000);
      await gate.reached;
      let isStopped = false;
      void gateway.gateway.stop("stop").then(() => (isStopped = true));
      await eventually("it stops", async () => {
        await clock.advance(60_000);
        return isStopped || undefined;
      });
    }
    const fake = createFakeChannel();
    await using gateway = await startTestGateway({ stateDir: state.path, channels: { fake: fake.channel } });
    speak(
      gateway.model,
      ...rules(
        () => say("Here it is."),
        () => say("the result"),
      ),
    );
    const client = await gateway.connect();
    const sessionKey = "agent:main:main";
    const [child] = await settledOnes(client, sessionKey);
    expect(child).toMatchObject({ outcome: "ok", result: "the result", delivered: "delivered" });
    await eventually("it is told", () => fake.sent.some(({ text }) => text === "Here it is.") || undefined);
    expect(fake.sent.filter(({ text }) => text === "Here it is.").map(({ target }) => target.to)).toEqual(["alice"]);
    expect(await children(client, sessionKey)).toHaveLength(1);
  });
});

describe("sub-agents of sub-agents", () => {
  it("report upwards, and the answer comes from the top", async () => {
    await using gateway = await startTestGateway({ config: subagents({ maxSpawnDepth: 3 }) });
    const client = await gateway.connect();
    const isTop = (request: ModelRequest) => !request.system.includes("You are a sub-agent");
    const level = (n: number) => (request: ModelRequest) => isToldTask(request, `task level${n}`);
    const spawnNext = (n: number): Rule => [
      (request) => level(n)(request) && !didCall(request, "sessions_spawn"),
      () => spawnCalls([`level${n + 1}`]),
    ];
    speak(
      gateway.model,
      [(request) => isAnnouncement(request) && isTop(request), () => say("Top got it.")],
      [(request) => isAnnouncement(request) && level(2)(request), () => say("two and three")],
      [(request) => isAnnouncement(request), () => say("one, two and three")],
      [level(3), () => say("three")],
      spawnNext(2),
      spawnNext(1),
      [isAfterTool, () => say("waiting")],
      [() => true, () => spawnCalls(["level1"])],
    );
    await client.agent("go");
    const all = await settledOnes(client);
    expect(all.map(({ label, depth, result }) => [label, depth, result])).toEqual([
      ["level1", 1, "one, two and three"],
      ["level2", 2, "two and three"],
      ["level3", 3, "three"],
    ]);
    const told = gateway.model.requests.filter((request) => isAnnouncement(request) && isTop(request));
    expect(told).toHaveLength(1);
    expect(lastText(told[0] as ModelRequest)).toContain("Result:\none, two and three");
  });

  it("end with the one that started them", async () => {
    await using gateway = await startTestGateway({ config: subagents({ maxSpawnDepth: 2 }) });
    const client = await gateway.connect();
    speak(
      gateway.model,
      [toldTask("inner"), () => hanging],
      [(request) => toldTask("outer")(request) && !isAfterTool(request), () => spawnCalls(["inner"])],
      [isAfterTool, () => say("waiting")],
      [() => true, () => spawnCalls(["outer"])],
    );
    await client.agent("go");
    await eventually("both work", async () => (await children(client)).length === 2 || undefined);
    expect((await client.call("subagents.kill", { sessionKey: "main", target: "outer" })).killed).toHaveLength(1);
    const ended = await children(client);
    expect(ended.map(({ outcome, state }) => [outcome, state])).toEqual([
      ["killed", "ended"],
      ["killed", "ended"],
    ]);
    expect(gateway.model.requests.filter(isAnnouncement)).toEqual([]);
  });
});

describe("one that works", () => {
  async function openWorking(config: Json = {}) {
    const gateway = await startTestGateway({ config });
    const client = await gateway.connect();
    const gate = gateway.gate();
    speak(
      gateway.model,
      [isAnnouncement, () => say("announced")],
      [(request) => lastText(request).includes("faster"), () => say("I hurried.")],
      [(request) => isToldTask(request, "task x") && !isAfterTool(request), () => gate.step("", "done")],
      [isAfterTool, () => say("Asked.")],
      [() => true, () => callTool("sessions_spawn", { task: "task x", label: "x" })],
    );
    await client.agent("go");
    await gate.reached;
    return { gateway, client, gate, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  }

  it("can be stopped by whoever stops its conversation", async () => {
    await using stage = await openWorking();
    expect(await stage.client.agent("/stop")).toContain("1 sub-agent stopped");
    expect(await children(stage.client)).toMatchObject([{ outcome: "killed", reason: "killed", state: "ended" }]);
    expect(await stage.client.agent("/stop")).toBe("⚙️ Nothing was running.");
  });

  it.for([
    ["the new start of its parent's conversation", "sessions.reset", "parent", "session-reset"],
    ["the new start of its own", "sessions.reset", "child", "session-reset"],
    ["the deletion of its own", "sessions.delete", "child", "session-delete"],
  ] as const)("ends with %s", async ([, method, whose, reason]) => {
    await using stage = await openWorking();
    const [child] = await children(stage.client);
    await stage.client.call(method, { key: whose === "child" ? child?.["sessionKey"] : "main" });
    expect(await children(stage.client)).toMatchObject([{ outcome: "killed", reason, state: "ended" }]);
    expect(stage.gateway.model.requests.filter(isAnnouncement)).toEqual([]);
  });

  it("hears what it is told, and answers that before it is done", async () => {
    await using stage = await openWorking();
    const steer = { sessionKey: "main", target: "x", message: "do it faster" };
    expect(await stage.client.call("subagents.steer", steer)).toMatchObject({ mode: "said" });
    await expect(stage.client.call("subagents.steer", steer)).rejects.toThrow("two seconds");
    stage.gate.open();
    expect(await settledOnes(stage.client)).toMatchObject([{ outcome: "ok", result: "I hurried." }]);
  });

  it("can be given more once it is done", async () => {
    await using stage = await openWorking();
    stage.gate.open();
    await settledOnes(stage.client);
    const more = { sessionKey: "main", target: "last", message: "again, faster" };
    expect(await stage.client.call("subagents.steer", more)).toMatchObject({ mode: "started" });
    const [second, first] = await settledOnes(stage.client);
    expect(second).toMatchObject({ result: "I hurried.", sessionKey: first?.["sessionKey"] });
    expect(stage.gateway.model.requests.filter(isAnnouncement)).toHaveLength(2);
  });

  it("is seen and directed by chat commands", async () => {
    await using stage = await openWorking();
    expect(await stage.client.agent("/subagents")).toMatch(/#1 x – at work/);
    expect(await stage.client.agent("/subagents info #1")).toContain("Task: task x");
    expect(await stage.client.agent("/subagents log x")).toContain("task x");
    expect(await stage.client.agent("/kill x")).toBe("🛑 Stopped: x");
    expect(await stage.client.agent("/subagents list")).toMatch(/#1 x – stopped/);
  });

  it("belongs to its parent: another conversation neither sees nor reaches it", async () => {
    await using stage = await openWorking();
    const [child] = await children(stage.client);
    const attempts = ["list", "kill", "steer", "wait"].flatMap((action) =>
      [child?.["runId"], child?.["sessionKey"], "x", "#1", "last", "all"].map((target) => ({
        id: `${action} ${String(target)}`,
        name: "subagents",
        arguments: { action, target, message: "stop it" },
      })),
    );
    const answers: Json[] = [];
    for (const { id, name, arguments: args } of attempts) {
      const foreign: ScriptStep[] = [
        callTool(name, args as Json, id),
        (request) => (answers.push(jsonOf(resultOf(request))), say("ok")),
      ];
      const step: ScriptStep = (request, signal) => {
        const next = isAfterTool(request) ? foreign[1] : foreign[0];
        return typeof next === "function" ? next(request, signal) : (next ?? []);
      };
      await withModel(stage.gateway.model, step, () => stage.client.agent("pry", { sessionKey: "agent:main:other" }));
    }
    expect(answers).toHaveLength(attempts.length);
    const text = JSON.stringify(answers);
    expect(text).not.toContain(String(child?.["runId"]));
    expect(text).not.toContain("task x");
    expect(await children(stage.client)).toMatchObject([{ state: "running" }]);
  });
});

/** The stage's own rules wait in the script behind this. */
async function withModel(model: { stream: unknown }, step: ScriptStep, work: () => Promise<unknown>): Promise<void> {
  const usual = model.stream;
  model.stream = async function* (request: ModelRequest, signal: AbortSignal) {
    yield* typeof step === "function" ? step(request, signal) : step;
  };
  await work().finally(() => (model.stream = usual));
}

describe("afterwards", () => {
  const rules = (cleanup: string, announce: () => ScriptStep = () => say("told")): Rule[] => [
    [isAnnouncement, announce],
    [(request) => isToldTask(request, "task x"), () => say("the result")],
    [isAfterTool, () => say("Asked.")],
    [() => true, () => callTool("sessions_spawn", { task: "task x", label: "x", cleanup })],
  ];

  it("a conversation that is to be deleted is, and what was said in it is kept", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    speak(gateway.model, ...rules("delete"));
    await client.agent("go");
    const [child] = await settledOnes(client);
    const kept = await eventually("it is deleted", async () => {
      const { sessions } = await client.call("sessions.deleted", {});
      return sessions.find(({ key }: Json) => key === child?.["sessionKey"]);
    });
    expect(kept.entries).toBeGreaterThan(1);
    expect(await children(client)).toMatchObject([{ isArchived: true }]);
  });

  it("one that is kept leaves the list after its time, also over a restart", async () => {
    using state = createStateDirectory();
    const clock = createFakeClock(Date.now());
    {
      await using gateway = await startTestGateway({ stateDir: state.path });
      const client = await gateway.connect();
      speak(gateway.model, ...rules("keep"));
      await client.agent("go");
      await settledOnes(client);
    }
    await using gateway = await startTestGateway({ stateDir: state.path, clock });
    const client = await gateway.connect();
    await clock.advance(59 * 60_000);
    expect(await children(client)).toMatchObject([{ isArchived: false }]);
    await eventually("it is put away", async () => {
      await clock.advance(60_000);
      return (await children(client))[0]?.["isArchived"] || undefined;
    });
  });

  it("the list is in the file that OpenClaw reads, and an older one is taken over", async () => {
    using state = createStateDirectory();
    const file = join(state.path, "subagents", "runs.json");
    mkdirSync(join(state.path, "subagents"));
    const old = {
      runId: "old-run",
      childSessionKey: "agent:main:subagent:old",
      requesterSessionKey: "agent:main:main",
      task: "an old task",
      cleanup: "keep",
      createdAt: Date.now() - 5000,
      endedAt: Date.now() - 4000,
      archiveAtMs: Date.now() + 86_400_000,
      outcome: { status: "ok" },
    };
    writeFileSync(file, JSON.stringify({ version: 2, runs: { "old-run": old, broken: { runId: 7 } } }));
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    speak(gateway.model, ...rules("keep"));
    await client.agent("go");
    const [fresh, older] = await settledOnes(client);
    expect(older).toMatchObject({ runId: "old-run", task: "an old task", outcome: "ok" });
    const runs = await eventually("the file follows", () => {
      const written = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).runs : {};
      return written[String(fresh?.["runId"])]?.cleanupCompletedAt ? written : undefined;
    });
    expect(Object.keys(runs).toSorted()).toEqual(["old-run", String(fresh?.["runId"])].toSorted());
    expect(runs[String(fresh?.["runId"])]).toMatchObject({
      requesterSessionKey: "agent:main:main",
      task: "task x",
      endedReason: "subagent-complete",
      outcome: { status: "ok" },
      archiveAtMs: runs[String(fresh?.["runId"])].cleanupCompletedAt + 3_600_000,
    });
    expect(runs["old-run"]).toMatchObject({ archiveAtMs: old.archiveAtMs });
  });

  it("a result whose news fail three times is reported, and the next turn hears of it", async () => {
    await using stage = await openChannelStage();
    const failing: ScriptStep = [
      { kind: "failure", failure: { reason: "refused", message: "no", retry: "never" } },
    ] as never;
    speak(stage.model, ...rules("keep", () => failing));
    await stage.ask("go");
    const [child] = await settledOnes(stage.client, "agent:main:main");
    expect(child).toMatchObject({ outcome: "ok", delivered: "not-delivered" });
    expect(String(child?.["deliveryError"])).toContain("3 attempts failed");
    expect(stage.model.requests.filter(isAnnouncement)).toHaveLength(3);
    // This parent starts another helper at once, so the request that counts need not be the last one.
    expect(await stage.ask("and?")).toBe("Asked.");
    const asked = stage.model.requests.find((request) => lastText(request).endsWith("and?"));
    expect(asked && lastText(asked)).toContain("you were not told at once");
  });
});
