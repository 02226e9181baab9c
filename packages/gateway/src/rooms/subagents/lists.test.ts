// Lists of sub-agents: numbers that mean the same one in each of them, and no more text than a list can bear.
import { expect, it } from "vitest";
import type { Change, ErrandOutcome, ToolContext } from "@chela/sdk";
import { createMemoryLedger } from "@chela/sdk/testing";
import { listChildren, pickChildren } from "./children.ts";
import type { Subagents } from "./subagents.ts";
import { manageSubagents } from "./use-tools.ts";

const PARENT = "agent:main:main";
const NOW = 100 * 60_000;

function child(runId: string, endedMinutesAgo: number | undefined, text = "done"): Change[] {
  const outcome: ErrandOutcome = { status: "ok", texts: [text] };
  const at = NOW - (endedMinutesAgo ?? 0) * 60_000;
  const work = {
    task: "t".repeat(50_000),
    depth: 1,
    cleanup: "keep",
    parent: { sessionKey: PARENT, agentId: "main", runId: "r", toolCallId: "c" },
    requester: { id: "alice" },
    tools: [],
  };
  const errand = {
    runId,
    kind: "subagent" as const,
    owner: PARENT,
    agentId: "main",
    sessionKey: `agent:main:subagent:${runId}`,
    dueAt: 1,
    createdAt: 1,
    work,
  };
  const running: Change = { kind: "errand-state", runId, state: "running", at: 1 };
  if (endedMinutesAgo === undefined) return [{ kind: "errand-add", errand }, running];
  return [
    { kind: "errand-add", errand },
    running,
    { kind: "errand-state", runId, state: "executed", at, outcome },
    { kind: "errand-state", runId, state: "settled", at, delivered: { status: "delivered" } },
  ];
}

async function open() {
  const ledger = createMemoryLedger();
  await ledger.commit([...child("old-but-busy", undefined), ...child("long-over", 50, "x".repeat(50_000))]);
  await ledger.commit(child("new", undefined));
  const list = (parentKey: string, recentMinutes: number) => listChildren(ledger, NOW, parentKey, { recentMinutes });
  return { list };
}

it("a number means the same one in a longer list", async () => {
  const { list } = await open();
  const subagents = { list: (key: string, query: { recentMinutes: number }) => list(key, query.recentMinutes) };
  const context = { sessionKey: PARENT } as ToolContext;
  const numbers = async (recentMinutes: number | undefined) => {
    const args = { action: "list" as const, recentMinutes };
    const { details } = await manageSubagents(args, subagents as unknown as Subagents, context);
    const rows = (details as { subagents: Array<{ "#"?: number; runId: string }> }).subagents;
    return rows.map((row) => `${row["#"] ?? "-"} ${row.runId}`);
  };
  expect(await numbers(undefined)).toEqual(["1 new", "2 old-but-busy"]);
  expect(await numbers(90)).toEqual(["1 new", "- long-over", "2 old-but-busy"]);
  expect(pickChildren("#2", await list(PARENT, 30), await list(PARENT, 1440))).toMatchObject({
    children: [{ runId: "old-but-busy" }],
  });
});

it("a long task and a long result are cut", async () => {
  const { list } = await open();
  const sizes = (await list(PARENT, 90)).map(({ task, result = "" }) => task.length + result.length);
  expect(Math.max(...sizes)).toBeLessThan(5_000);
});
