// Writes the steps of turns into a ledger of its own, with and without the audit trail, and prints what the trail takes
// to compute. Nothing of it waits: what it adds to a call is what it computes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage, Change, ModelAttempt } from "@chela/sdk";
import { auditChange, modelEvent, promptDigest, toolEvent } from "../packages/gateway/src/rooms/audit/room.ts";
import { openDatabase, SqliteLedger } from "../packages/gateway/src/rooms/ledger/room.ts";

/** Steps in one commit: the disk is flushed once for all of them, so that its moods are not measured. */
const STEPS = 100;
const SYSTEM = "You are a helpful assistant. ".repeat(500);
const RESULT = [{ type: "text", text: "a line of a file\n".repeat(60) }];
const WHOSE = { actor: "telegram:default:7", agentId: "main", sessionKey: "agent:main:main", traceId: "run" };
const USAGE = { input: 9, output: 9, cacheRead: 0, cacheWrite: 0, totalTokens: 18, cost: { total: 0.1 } };
const ATTEMPT = { provider: "p", model: "m", startedAt: 1, endedAt: 2, usage: USAGE } as unknown as ModelAttempt;

const said = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 1 });
const longSaid = (index: number): AgentMessage => said(`message ${index} ${"with some words ".repeat(20)}`);

/** One call of a model that calls a tool, and the tool's result. */
function stepOf(index: number, round: string): { changes: Change[]; args: object } {
  const args = { path: `src/file-${index}.ts`, offset: index, limit: 200 };
  const entry = (id: string) => ({
    kind: "entries-append" as const,
    sessionId: "s",
    entries: [{ id: `${round}-${index}-${id}`, line: JSON.stringify({ type: "message", id, content: RESULT }) }],
  });
  const of = { runId: "run", toolCallId: `${round}-${index}` };
  return {
    args,
    changes: [
      entry("a"),
      { kind: "tool-start", ...of, name: "read", args, at: 1 },
      entry("b"),
      { kind: "tool-end", ...of, isError: false, at: 2 },
    ],
  };
}

async function measure(ledger: SqliteLedger, messages: number, rounds: number): Promise<number[]> {
  const conversation = Array.from({ length: messages }, (_, index) => longSaid(index));
  const run = async (name: string, isAudited: boolean): Promise<number> => {
    const steps = Array.from({ length: STEPS }, (_, index) => stepOf(index, name));
    const grown = steps.map((_, index) => [...conversation, longSaid(index), longSaid(-index)]);
    const began = process.cpuUsage();
    const changes = steps.flatMap(({ changes: plain, args }, index) => {
      if (!isAudited) return plain;
      const digest = promptDigest({ system: SYSTEM, tools: [], messages: grown[index] ?? [] });
      const end = { name: "read", toolCallId: `${name}-${index}`, args, content: RESULT, isError: false };
      return [
        ...plain,
        auditChange(modelEvent(WHOSE, ATTEMPT, digest, true), 2),
        auditChange(toolEvent(WHOSE, end), 2),
      ];
    });
    await ledger.commit(changes);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000 / STEPS;
  };
  const samples: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const plain = await run(`${messages}-${round}-plain`, false);
    const audited = await run(`${messages}-${round}-audited`, true);
    if (round >= 0) samples.push(audited - plain);
  }
  return samples;
}

const rounds = Number(process.argv[2] ?? 30);
const directory = mkdtempSync(join(tmpdir(), "chela-bench-audit-"));
const ledger = new SqliteLedger(openDatabase(join(directory, "ledger.sqlite")));
try {
  await ledger.commit([
    {
      kind: "transcript-open",
      sessionId: "s",
      sessionKey: "agent:main:main",
      agentId: "main",
      file: "s.jsonl",
      header: { type: "session", version: 3, id: "s", timestamp: new Date(0).toISOString(), cwd: "/" },
    },
  ]);
  const usual = await measure(ledger, 100, rounds);
  const long = await measure(ledger, 2000, rounds);
  process.stdout.write(JSON.stringify({ usual, long }));
} finally {
  await ledger.close();
  rmSync(directory, { recursive: true, force: true });
}
