// S-27: the sub-agents of a conversation are nobody else's to see, to kill, to steer or to wait for; each attempt fails.
import { expect, test } from "vitest";
import { textOf, type ModelRequest, type ToolResultMessage } from "@chela/sdk";
import { callTools, say, type ScriptStep } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { isToldTask, spawnCalls, speak } from "../support/stages/subagent-stage.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const CANARY = "canary27";
const MINE = "agent:main:mine";
const OTHERS = ["agent:main:other", "agent:second:main", "agent:main:mine:thread:1"];

interface Child {
  readonly runId: string;
  readonly sessionKey: string;
}

/** A conversation with one sub-agent that is at work. */
async function openScene() {
  const gateway = await startTestGateway({
    config: { agents: { list: [{ id: "main", default: true }, { id: "second" }] } },
  });
  const client = await gateway.connect();
  const attempts: ScriptStep[] = [];
  const gate = gateway.gate();
  speak(
    gateway.model,
    [(request) => isToldTask(request, `task ${CANARY}`), () => gate.step("", "done")],
    [(request) => isLast(request, "toolResult"), () => say("tried")],
    [(request) => isToldTask(request, "please try"), () => attempts.shift() ?? say("nothing to try")],
    [() => true, () => spawnCalls([CANARY])],
  );
  await client.agent("go", { sessionKey: MINE });
  const [child] = await childrenOf(client);
  return { gateway, client, attempts, child: child as Child & Json };
}

const isLast = ({ messages }: ModelRequest, role: string): boolean => messages.at(-1)?.role === role;
const childrenOf = async (client: WireClient): Promise<Array<Child & Json>> =>
  (await client.call("subagents.list", { sessionKey: MINE })).subagents;

/** Lets the model of another conversation make these calls; the results as it got them. */
async function attempt(
  { gateway, client, attempts }: { gateway: TestGateway; client: WireClient; attempts: ScriptStep[] },
  sessionKey: string,
  calls: ReadonlyArray<readonly [name: string, args: Json]>,
): Promise<ToolResultMessage[]> {
  attempts.push(callTools(calls.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }))));
  const agentId = sessionKey.split(":")[1] ?? "";
  await client.agent(`please try from ${sessionKey}`, { sessionKey, agentId });
  const after = await eventually("the attempts are over", () =>
    gateway.model.requests.findLast(
      (request) => isToldTask(request, `please try from ${sessionKey}`) && isLast(request, "toolResult"),
    ),
  );
  return after.messages.filter(({ role }) => role === "toolResult") as ToolResultMessage[];
}

const namesOf = ({ runId, sessionKey }: Child): string[] => [
  runId,
  runId.slice(0, 8),
  sessionKey,
  sessionKey.toUpperCase(),
  CANARY,
  "last",
  "all",
  "1",
  "#1",
];

test.for(OTHERS)("S-27: %s cannot see, kill, steer or await the sub-agents of another conversation", async (other) => {
  const scene = await openScene();
  await using _gateway = scene.gateway;
  const { client, child } = scene;
  const named = namesOf(child).flatMap((target) => [
    ["subagents", { action: "kill", target }] as const,
    ["subagents", { action: "steer", target, message: "work for me" }] as const,
    ["subagents", { action: "wait", target, timeoutSeconds: 1 }] as const,
  ]);
  const results = await attempt(scene, other, named);
  expect(results).toHaveLength(named.length);
  countCases("S-27", named.length);
  // "all" of those that one waits for are one's own: there are none.
  const isOfNobody = (at: number): boolean => named[at]?.[1].action === "wait" && named[at]?.[1].target === "all";
  expect(results.filter(({ isError }, at) => !isError && !isOfNobody(at)).map(textOf)).toEqual([]);
  expect(results.map(textOf).filter((text) => /"results": \[\s*\{/.test(text))).toEqual([]);
  for (const { runId, sessionKey } of [child]) {
    expect(JSON.stringify(results.map(textOf).filter((text) => text.includes("task ")))).not.toContain(runId);
    expect(results.map(textOf).filter((text) => text.includes(`task ${CANARY}`) && text.includes(sessionKey))).toEqual(
      [],
    );
  }
  expect(await childrenOf(client)).toMatchObject([{ runId: child.runId, state: "running" }]);
});

test.for(OTHERS)("S-27: %s finds no way to another's sub-agent by the tools for conversations", async (other) => {
  const scene = await openScene();
  await using _gateway = scene.gateway;
  const { client, child } = scene;
  const { sessionKey } = child;
  const asked = scene.gateway.model.requests.length;
  const results = await attempt(scene, other, [
    ["sessions_history", { sessionKey, includeTools: true }],
    ["sessions_send", { sessionKey, message: "work for me", timeoutSeconds: 1 }],
    ["sessions_send", { label: CANARY, message: "work for me", timeoutSeconds: 1 }],
    ["session_status", { sessionKey }],
    ["sessions_list", { messageLimit: 20 }],
    ["subagents", { action: "list", recentMinutes: 1440 }],
    ["sessions_search", { query: CANARY }],
  ]);
  expect(results.slice(0, 4).map(({ isError }) => isError)).toEqual([true, true, true, true]);
  for (const result of results) expect(textOf(result)).not.toMatch(new RegExp(`task ${CANARY}|You are a sub-agent`));
  expect(textOf(results[4] ?? { content: "" })).not.toContain(child.runId);
  expect(textOf(results[5] ?? { content: "" })).toContain('"subagents": []');
  const toChild = scene.gateway.model.requests.slice(asked).filter((request) => isToldTask(request, `task ${CANARY}`));
  expect(toChild).toEqual([]);
  expect(await childrenOf(client)).toMatchObject([{ runId: child.runId, state: "running" }]);
});

test("S-27: a method that names another conversation reaches none of its neighbour's sub-agents", async () => {
  const scene = await openScene();
  await using _gateway = scene.gateway;
  const { client, child } = scene;
  for (const sessionKey of [...OTHERS, child.sessionKey]) {
    expect((await client.call("subagents.list", { sessionKey, recursive: true })).subagents).toEqual([]);
    for (const target of namesOf(child)) {
      const kill = await client.request("subagents.kill", { sessionKey, target });
      const steer = await client.request("subagents.steer", { sessionKey, target, message: "work for me" });
      expect([sessionKey, target, kill.ok, steer.ok]).toEqual([sessionKey, target, false, false]);
    }
    for (const command of [
      `/subagents kill ${child.runId}`,
      `/subagents steer ${child.runId} work`,
      "/subagents list",
    ]) {
      const answer = await client.agent(command, { sessionKey, agentId: sessionKey.split(":")[1] ?? "" });
      expect(answer).not.toContain(child.runId.slice(0, 8));
      expect(answer).not.toContain(`task ${CANARY}`);
    }
  }
  expect(await childrenOf(client)).toMatchObject([{ runId: child.runId, state: "running" }]);
});

test("S-27: whoever may only read can neither kill nor steer", async () => {
  const scene = await openScene();
  await using _gateway = scene.gateway;
  const { client, child } = scene;
  const reader = await scene.gateway.connect({ scopes: ["operator.read"] });
  const target = child.runId;
  for (const [method, params] of [
    ["subagents.kill", { sessionKey: MINE, target }],
    ["subagents.steer", { sessionKey: MINE, target, message: "work for me" }],
  ] as const) {
    expect((await reader.request(method, params)).error?.message).toContain("scope");
  }
  expect(await childrenOf(client)).toMatchObject([{ runId: child.runId, state: "running" }]);
});
