// S-27: what an agent remembers of one person reaches nobody else: not guests, not strangers, not groups, no other agent.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTools, say, type SaidOptions } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { METHOD_MEMORY } from "../support/security/method-cases.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const CANARY = "canary-of-the-notes";
const GROUP = { kind: "group" as const, id: "g1" };
const CALLS: ReadonlyArray<readonly [name: string, args: Json]> = [
  ["memory_search", { query: "password of the boat" }],
  ["memory_search", { query: "boat", maxResults: 50, minScore: 0 }],
  ["memory_get", { path: "memory/boat.md" }],
  ["memory_get", { path: "memory/boat.md", from: 1, lines: 50 }],
  ["sessions_search", { query: "boat" }],
];

let stage: ChannelStage;
beforeAll(async () => {
  stage = await openChannelStage({
    settings: {
      allowFrom: ["alice", "bob", "gus"],
      groupPolicy: "open",
      groups: { "*": { requireMention: false } },
    },
    config: {
      agents: {
        defaults: { memorySearch: METHOD_MEMORY },
        list: [{ id: "main", default: true }, { id: "other" }],
      },
      commands: { ownerAllowFrom: ["alice"] },
      session: { dmScope: "per-channel-peer" },
      tools: { loopDetection: { enabled: false } },
    },
  });
  const guest = { id: "gus", name: "Gus", role: "guest", ids: [{ channel: "fake", id: "gus" }] };
  await stage.client.call("people.put", { person: guest });
  const file = join(stage.gateway.stateDir, "workspace", "memory", "boat.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `# Boat\n\nThe password of the boat is ${CANARY}.\n`);
  await stage.ask(`the boat is called ${CANARY}`, { from: "alice" });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Lets the model of whoever writes make the calls; what it was told, and which of the tools it was offered. */
async function attempt(said: SaidOptions): Promise<{ told: string; offered: string[] }> {
  const named = CALLS.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }));
  stage.model.script(callTools(named), say("done"));
  await stage.ask("what do you know", said);
  const request = stage.model.requests.at(-1);
  const results = (request?.messages ?? []).filter(({ role }) => role === "toolResult").slice(-CALLS.length);
  expect(results).toHaveLength(CALLS.length);
  countCases("S-27", CALLS.length);
  const offered = (request?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("memory_"));
  return { told: results.map(textOf).join("\n"), offered: offered.toSorted() };
}

test("S-27: the owner is told what was noted", async () => {
  const { told, offered } = await attempt({ from: "alice" });
  expect(told).toContain(CANARY);
  expect(offered).toEqual(["memory_get", "memory_search"]);
});

test.for([
  ["a guest", { from: "gus" }],
  ["somebody who is no person", { from: "bob" }],
  ["somebody in a group", { from: "bob", chat: GROUP }],
  ["a guest in a group", { from: "gus", chat: GROUP }],
] as const)("S-27: %s is told nothing of it", async ([, said]) => {
  const { told, offered } = await attempt(said);
  expect(told).not.toContain(CANARY);
  if (said.from === "gus") expect(offered).toEqual([]);
  expect(JSON.stringify(stage.model.requests.at(-1))).not.toContain(CANARY);
});

test("S-27: another agent is told nothing of it", async () => {
  const named = CALLS.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }));
  stage.model.script(callTools(named), say("done"));
  await stage.client.agent("what do you know", { sessionKey: "agent:other:main", agentId: "other" });
  expect(JSON.stringify(stage.model.requests.at(-1))).not.toContain(CANARY);
  countCases("S-27", CALLS.length);
});
