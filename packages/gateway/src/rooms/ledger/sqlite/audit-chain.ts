// The audit trail in the ledger: each row is chained to the one before it, and what is asked of it.
import type { SQLInputValue } from "node:sqlite";
import { isObject } from "@chela/sdk/base";
import {
  AUDIT_ORIGIN,
  AuditBase,
  auditText,
  type AuditAction,
  type AuditEvent,
  type AuditQuery,
  type AuditRecord,
} from "@chela/sdk";
import { json, rowReader, type StoredRow } from "@chela/sdk/rows";
import { hashOf } from "../../../base/files/key-file.ts";
import type { Get, Write } from "./apply-change.ts";
import { ROW_NUMBER, type LeftOutRows } from "./left-out-rows.ts";
import { auditRow } from "./rows.ts";

const BASE_KEY = "audit-base";
const baseRow = rowReader({ table: "ledger_values", named: "key" }, { base: json("value", AuditBase) });
const LAST = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1";
/** Every turn has these. The index of the others leaves them out, and they are found from the newest on. */
const OF_EVERY_TURN: ReadonlySet<AuditAction> = new Set(["model", "delivery"]);
/** In the words of that index. */
const IS_RARE = "action NOT IN ('model', 'delivery')";

/** What this process knows of the chain by itself. */
export interface AuditChain {
  /** Without it the hashes are such as anybody can make. */
  readonly key?: Buffer | undefined;
  /** The event this process wrote last: it must still be the last one. */
  last?: AuditBase | undefined;
}

export function writeAudit(write: Write, get: Get, event: AuditEvent, chain: AuditChain): void {
  const found = lastLink(get);
  const known = chain.last;
  const isCut = known !== undefined && (known.seq !== found.seq || known.hash !== found.hash);
  // The trail itself has to tell before it goes on.
  const before = isCut ? append(write, found, cutEvent(event.at, known, found), chain) : found;
  append(write, before, event, chain);
}

function cutEvent(at: number, expected: AuditBase, found: AuditBase): AuditEvent {
  const detail = { expected: { ...expected }, found: { ...found }, step: "the end was changed while the gateway ran" };
  return { at, action: "audit", actor: "gateway", target: "head", outcome: "failed", detail };
}

function append(write: Write, before: AuditBase, event: AuditEvent, chain: AuditChain): AuditBase {
  const seq = before.seq + 1;
  const detail = JSON.stringify(event.detail ?? {});
  const hash = hashOf(auditText(before.hash, seq, event, detail), chain.key);
  write(
    `INSERT INTO audit (seq, at, action, actor, target, outcome, agent_id, session_key, channel, trace_id, detail, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    event.at,
    event.action,
    event.actor,
    event.target,
    event.outcome,
    event.agentId ?? null,
    event.sessionKey ?? null,
    event.channel ?? null,
    event.traceId ?? null,
    detail,
    hash,
  );
  return (chain.last = { seq, hash });
}

/** Read each time: a statement that is prepared answers in microseconds, and nothing can go stale. */
function lastLink(get: Get): AuditBase {
  const last = get(LAST);
  return last ? { seq: Number(last["seq"]), hash: String(last["hash"]) } : readBase(get);
}

export function readBase(get: Get): AuditBase {
  const row = get("SELECT key, value FROM ledger_values WHERE key = ?", BASE_KEY);
  return row ? baseRow(row).base : { seq: 0, hash: AUDIT_ORIGIN };
}

export function forgetAudit(write: Write, get: Get, upTo: number): void {
  const row = get("SELECT seq, hash FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT 1", upTo);
  if (!row) return;
  const base: AuditBase = { seq: Number(row["seq"]), hash: String(row["hash"]) };
  write("INSERT OR REPLACE INTO ledger_values (key, value) VALUES (?, ?)", BASE_KEY, JSON.stringify(base));
  write("DELETE FROM audit WHERE seq <= ?", base.seq);
}

export function auditSelect(query: AuditQuery, leftOut: LeftOutRows): { sql: string; values: SQLInputValue[] } {
  const { where, values } = conditions(query, leftOut);
  const order = query.order === "oldest" ? "ASC" : "DESC";
  return {
    sql: `SELECT seq AS ${ROW_NUMBER}, * FROM audit ${where} ORDER BY seq ${order} LIMIT ?`,
    values: [...values, query.limit],
  };
}

export function auditCount(
  query: Omit<AuditQuery, "limit" | "order">,
  leftOut: LeftOutRows,
): { sql: string; values: SQLInputValue[] } {
  const { where, values } = conditions(query, leftOut);
  return { sql: `SELECT count(*) AS n FROM audit ${where}`, values };
}

function conditions(
  query: Omit<AuditQuery, "limit" | "order">,
  leftOut: LeftOutRows,
): { where: string; values: SQLInputValue[] } {
  const given: Array<[string, SQLInputValue | undefined]> = [
    ["action IN (SELECT value FROM json_each(?))", query.actions && JSON.stringify(query.actions)],
    ["outcome IN (SELECT value FROM json_each(?))", query.outcomes && JSON.stringify(query.outcomes)],
    ["actor = ?", query.actor],
    ["agent_id = ?", query.agentId],
    ["session_key = ?", query.sessionKey],
    ["channel = ?", query.channel],
    ["substr(trace_id, -8) = substr(?, -8)", query.traceId],
    ["trace_id = ?", query.traceId],
    ["instr(lower(target || char(10) || detail), ?) > 0", query.search?.toLowerCase()],
    ["at >= ?", query.from],
    ["at < ?", query.to],
    ["seq > ?", query.afterSeq],
    ["seq < ?", query.beforeSeq],
  ];
  const asked = given.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  const isRare = query.actions?.every((action) => !OF_EVERY_TURN.has(action)) ?? false;
  const all = [
    ...(isRare ? [IS_RARE] : []),
    ...[leftOut.except("audit", "seq")].filter(Boolean),
    ...asked.map(({ condition }) => condition),
  ];
  return { where: all.length > 0 ? `WHERE ${all.join(" AND ")}` : "", values: asked.map(({ value }) => value) };
}

export function toAudit(row: StoredRow): AuditRecord {
  const read = auditRow(row);
  return { ...read, detail: readDetail(read.detail) };
}

/** A text that is not written as we write it is somebody else's. It is shown as it is: the chain tells that it was changed. */
function readDetail(text: string): Readonly<Record<string, unknown>> {
  try {
    const detail: unknown = JSON.parse(text);
    return isObject(detail) && JSON.stringify(detail) === text ? detail : { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}
