// The seam for the audit trail: what happened, in whose name, in a chain that shows when a link was changed.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

/** What is written down. Each has its own details; none holds a secret or what a model was told in full. */
export const AUDIT_ACTIONS = [
  /** A tool was called: its arguments, what came of it, the digest of its result. */
  "tool",
  /** A model was asked: digest of the prompt, tokens, cost. */
  "model",
  /** A person was asked whether a command may run, or answered. */
  "approval",
  /** The configuration was changed: which keys, and which of them guard something. */
  "config",
  /** A credential was used, added, removed, verified; never its value. */
  "credential",
  /** A device, a node or a person in a chat asked to be let in, was let in, or was shut out. */
  "pairing",
  /** Somebody came through the door, or was turned away. */
  "login",
  /** A message left for a chat, arrived, or could not be delivered. */
  "delivery",
  /** A sandbox was set up, taken down or refused. */
  "sandbox",
  /** Who a person is, and what they may do, was changed. */
  "people",
  /** Something derived from what was said was forgotten on request. */
  "memory",
  /** A plugin was approved, switched, could not be loaded, fell, or its files changed. */
  "plugin",
  /** About the trail itself: rows that were let go, a ledger that was rebuilt. */
  "audit",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_OUTCOMES = ["ok", "denied", "failed"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export interface AuditEvent {
  readonly at: number;
  readonly action: AuditAction;
  /** Whose doing it was: "telegram:default:123", "device:<id>", "cron:<job>", "cli", "gateway". */
  readonly actor: string;
  /** What it was done to: the tool, the configuration key, the credential, the device. */
  readonly target: string;
  readonly outcome: AuditOutcome;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly channel?: string;
  /** The run it belongs to; what one run did has one trace id. */
  readonly traceId?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditEvent {
  /** Grows by one with each event. */
  readonly seq: number;
  /** Of this event and the hash of the one before it, in hex. */
  readonly hash: string;
}

export interface AuditQuery {
  readonly actions?: readonly AuditAction[];
  readonly outcomes?: readonly AuditOutcome[];
  readonly actor?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly channel?: string;
  readonly traceId?: string;
  /** Case-insensitive, in target and details. */
  readonly search?: string;
  readonly from?: number;
  readonly to?: number;
  readonly afterSeq?: number;
  readonly beforeSeq?: number;
  readonly limit: number;
  /** "newest" unless told. */
  readonly order?: "newest" | "oldest";
}

/** Where the chain begins: at nothing, or behind what was let go. */
export const AuditBase = once(() => z.object({ seq: z.int(), hash: z.string() }));
export type AuditBase = Readonly<Parsed<typeof AuditBase>>;

/** The hash before the very first event. */
export const AUDIT_ORIGIN = "0".repeat(64);

/**
 * The text that is hashed: everything that is known of an event, in one order, behind the hash before it.
 * `detail` goes in as it is stored, because two ways to write the same JSON would be two hashes.
 */
export function auditText(before: string, seq: number, event: AuditEvent, detail: string): string {
  const { at, action, actor, target, outcome, agentId, sessionKey, channel, traceId } = event;
  const known = [seq, at, action, actor, target, outcome, agentId, sessionKey, channel, traceId];
  return `${before}\n${JSON.stringify(known.map((value) => value ?? null))}\n${detail}`;
}
