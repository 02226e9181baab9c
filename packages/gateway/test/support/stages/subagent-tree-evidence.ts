// What a gateway left on the disk of its sub-agents: each one's row, where its result arrived, and whether the files agree.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  findTurnFaults,
  readCalls,
  readMirror,
  textOf,
  type TranscriptFile,
} from "../durability/durability-evidence.ts";
import { announcedIn, jsonIn, labelIn, toldIn } from "./subagent-tree-model.ts";
import type { Json } from "../wire-client.ts";

export interface NodeRow {
  readonly runId: string;
  readonly label: string;
  readonly sessionKey: string;
  readonly parentKey: string;
  readonly state: string;
  /** "ok", "killed", "error"; with the reason of an early end. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly result: string;
  readonly delivered: string | undefined;
}

const BUSY_MS = 5000;

/** The sub-agents of all conversations, oldest first. */
export function readNodes(ledgerPath: string): NodeRow[] {
  return query(ledgerPath, "SELECT * FROM errands WHERE kind = 'subagent' ORDER BY seq").map((row) => {
    const work = JSON.parse(String(row["work"])) as { label: string };
    const outcome = parsed(row["outcome"]) as { texts?: string[]; status?: string; reason?: string };
    const delivered = parsed(row["delivered"]) as { status?: string };
    return {
      runId: String(row["run_id"]),
      label: work.label,
      sessionKey: String(row["session_key"]),
      parentKey: String(row["owner"]),
      state: String(row["state"]),
      status: outcome.status,
      reason: outcome.reason,
      result: (outcome.texts ?? []).join("\n"),
      delivered: delivered.status,
    };
  });
}

/** Errands of any kind that nobody will ever hear of again, or that are still under way. */
export function countUnsettled(ledgerPath: string): number {
  return Number(query(ledgerPath, "SELECT count(*) AS n FROM errands WHERE state <> 'settled'")[0]?.["n"]);
}

export interface Arrival {
  readonly label: string;
  /** The conversation in which it was told. */
  readonly sessionKey: string;
  readonly how: "announced" | "handed over";
  readonly outcome: string;
}

/** Every result of a sub-agent that stands in a conversation. */
export function readArrivals(stateDir: string): Arrival[] {
  return [...readMirror(stateDir).values()].flatMap(({ key, messages }) => {
    const announced = messages.flatMap((message): Arrival[] => {
      if (message.role !== "user") return [];
      return textOf(message)
        .split(/(?=\[System Message\])/)
        .flatMap((part) => announcedIn(part) ?? [])
        .map((label) => ({ label, sessionKey: key, how: "announced", outcome: "" }));
    });
    const handed = readCalls(messages).flatMap(({ isError, result }): Arrival[] =>
      isError
        ? []
        : toldIn(jsonIn(result)).map(({ label, outcome }) => ({ label, sessionKey: key, how: "handed over", outcome })),
    );
    return [...announced, ...handed];
  });
}

/** Whether rows, conversations and OpenClaw's file say the same of each sub-agent. */
export function findDisagreements(stateDir: string, nodes: readonly NodeRow[]): string[] {
  const mirror = readMirror(stateDir);
  const runs = readRunsFile(stateDir);
  // One that was ended before it began has said nothing.
  const silent = new Set(nodes.filter(({ status }) => status === "killed").map(({ sessionKey }) => sessionKey));
  const faults = [...mirror.values()].flatMap(({ key, path, messages, faults: inFile }) =>
    silent.has(key) && !existsSync(path)
      ? []
      : [...inFile, ...findTurnFaults(messages)].map((fault) => `${key}: ${fault}`),
  );
  for (const node of nodes) {
    const told = (what: string): unknown => faults.push(`${node.label}: ${what}`);
    if (node.status === "ok") findTranscriptFaults(node, mirror.get(node.sessionKey)).forEach(told);
    const run = runs[node.runId];
    if (!run) told("runs.json does not know it");
    const shown = [run?.["childSessionKey"], run?.["requesterSessionKey"], run?.["label"], run?.["endedReason"]];
    const expected = [node.sessionKey, node.parentKey, node.label, endedReason(node)];
    if (JSON.stringify(shown) !== JSON.stringify(expected)) told(`runs.json says ${JSON.stringify(run)}`);
    if (run?.["cleanupHandled"] !== true) told("runs.json says that it is not over");
  }
  const extra = Object.keys(runs).filter((runId) => !nodes.some((node) => node.runId === runId));
  return [...faults, ...extra.map((runId) => `runs.json knows ${runId}, and nobody else does`)];
}

function findTranscriptFaults({ label, result }: NodeRow, file: TranscriptFile | undefined): string[] {
  if (!file) return ["it has no conversation"];
  const tasks = file.messages.filter(({ role, content }) => role === "user" && labelIn(textOf({ content })) === label);
  const last = file.messages.findLast(({ role }) => role === "assistant");
  return [
    ...(tasks.length === 1 ? [] : [`it was told its task ${tasks.length} times`]),
    ...(last && textOf(last) === result ? [] : [`its last words are ${JSON.stringify(last)}, its result is ${result}`]),
  ];
}

function endedReason({ status, reason }: NodeRow): string {
  if (reason === "session-reset" || reason === "session-delete") return reason;
  return status === "ok" ? "subagent-complete" : status === "killed" ? "subagent-killed" : "subagent-error";
}

function readRunsFile(stateDir: string): Readonly<Record<string, Json>> {
  const path = join(stateDir, "subagents", "runs.json");
  if (!existsSync(path)) return {};
  return (JSON.parse(readFileSync(path, "utf8")) as { runs: Record<string, Json> }).runs;
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : {};
}

function query(path: string, sql: string): Array<Record<string, unknown>> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
