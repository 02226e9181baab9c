// Makes audit events of each thing that happened. Pure: whoever knows of it commits what is made here.
import { hash } from "node:crypto";
import type { AuditEvent, Change, ModelAttempt, OutboxItem } from "@chela/sdk";
import { defined, redactSecrets } from "@chela/sdk/base";
import { shownArguments } from "./shown-arguments.ts";

/** An event before its time is known. */
export type NewAuditEvent = Omit<AuditEvent, "at">;

/** In whose name something was done, and where. */
export interface Whose extends Pick<AuditEvent, "actor" | "agentId" | "sessionKey" | "channel" | "traceId"> {
  /** The person behind the actor's id, where somebody wrote down who that is. */
  readonly person?: string | undefined;
}

export function auditChange(event: NewAuditEvent, at: number): Change {
  return { kind: "audit-add", event: { ...event, at } };
}

export interface ToolCallEnd {
  readonly name: string;
  readonly toolCallId: string;
  readonly args: unknown;
  readonly content: unknown;
  readonly isError: boolean;
  /** The part of the gate that kept it from running, or a person. */
  readonly decidedBy?: string;
  /** The process died meanwhile: whether it took effect is not known. */
  readonly wasInterrupted?: boolean;
}

/** These say that a call was wrong or came too late, not that it was forbidden. */
const NO_DENIAL: ReadonlySet<string> = new Set(["exists", "arguments", "stopped"]);

export function toolEvent({ person, ...whose }: Whose, call: ToolCallEnd): NewAuditEvent {
  const { name, toolCallId, args, content, isError, decidedBy, wasInterrupted } = call;
  const isDenied = decidedBy !== undefined && !NO_DENIAL.has(decidedBy);
  return {
    ...whose,
    action: "tool",
    target: name,
    outcome: isDenied ? "denied" : isError ? "failed" : "ok",
    detail: {
      toolCallId,
      ...shownArguments(args),
      resultDigest: hash("sha256", JSON.stringify(content ?? [])),
      isError,
      ...defined({ decidedBy }),
      ...(wasInterrupted ? { wasInterrupted } : {}),
      ...defined({ person }),
    },
  };
}

/** `prompt` is the digest of what was sent. */
export function modelEvent(
  { person, ...whose }: Whose,
  attempt: ModelAttempt,
  prompt: string,
  isPriced: boolean,
): NewAuditEvent {
  const { provider, model, profileId, startedAt, endedAt, usage, failure, next, wasStopped } = attempt;
  const { input, output, cacheRead, cacheWrite, cost } = usage ?? {};
  return {
    ...whose,
    action: "model",
    target: `${provider}/${model}`,
    outcome: failure ? "failed" : "ok",
    detail: {
      provider,
      model,
      ...defined({ profile: profileId }),
      promptDigest: prompt,
      durationMs: endedAt - startedAt,
      ...(usage ? { tokens: { input, output, cacheRead, cacheWrite } } : {}),
      ...(usage && isPriced ? { cost: cost?.total } : {}),
      ...(failure ? { failure: failure.reason } : {}),
      ...defined({ next }),
      ...(wasStopped ? { wasStopped } : {}),
      ...defined({ person }),
    },
  };
}

export interface DeliveryEnd {
  readonly state: "delivered" | "undeliverable";
  readonly attempts: number;
  readonly messageId?: string | undefined;
  readonly error?: string;
  /** What was shown while the answer was still being written. */
  readonly isPreview?: boolean;
}

type Delivered = Pick<OutboxItem, "id" | "runId" | "channel" | "account" | "to" | "payload">;

/** Rows for our own clients name the session instead of a chat. */
export function deliveryEvent(item: Delivered, end: DeliveryEnd, isOwnClient: boolean): NewAuditEvent {
  const { id, runId, channel, account, to, payload } = item;
  return {
    action: "delivery",
    actor: "gateway",
    target: isOwnClient ? channel : `${channel}:${account}:${to}`,
    outcome: end.state === "delivered" ? "ok" : "failed",
    channel,
    traceId: runId,
    ...(isOwnClient ? { sessionKey: to } : {}),
    detail: {
      id,
      attempts: end.attempts,
      contentDigest: hash("sha256", JSON.stringify(payload)),
      ...(end.messageId === undefined ? {} : { messageId: end.messageId }),
      ...(end.error === undefined ? {} : { error: redactSecrets(end.error) }),
      ...(end.isPreview ? { isPreview: true } : {}),
    },
  };
}

/** `changed` are the paths that differ now; `guarding` are those of them that decide over safety. */
export function configEvent(actor: string, changed: readonly string[], guarding: readonly string[]): NewAuditEvent {
  const [first = "configuration"] = guarding.length > 0 ? guarding : changed;
  const target = changed.length > 1 ? `${first} and ${changed.length - 1} more` : first;
  const shown = { changed: changed.slice(0, MOST_KEYS), ...(guarding.length > 0 ? { security: guarding } : {}) };
  return { action: "config", actor, target, outcome: "ok", detail: { ...shown, count: changed.length } };
}

const MOST_KEYS = 50;
const MOST_COMMAND_CHARS = 200;

/** What of a question about a command is told. */
export interface AskedCommand {
  readonly id: string;
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly runId?: unknown;
  readonly requester?: { readonly channel: string; readonly account: string; readonly id: string } | undefined;
}

export type ApprovalStep =
  | { readonly kind: "asked" }
  | { readonly kind: "answered"; readonly decision: string; readonly actor: string; readonly by: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "withdrawn"; readonly why: string };

export function approvalEvent(asked: AskedCommand, step: ApprovalStep): NewAuditEvent {
  const { id, command, cwd, agentId, sessionKey, runId, requester } = asked;
  const { actor, by, decision, ...rest } = { actor: "gateway", by: undefined, decision: undefined, ...step };
  const asker = requester ? [requester.channel, requester.account, requester.id].join(":") : "gateway";
  const isNo = step.kind !== "asked" && decision !== "allow-once" && decision !== "allow-always";
  return {
    action: "approval",
    actor: step.kind === "asked" ? asker : actor,
    target: redactSecrets(command).slice(0, MOST_COMMAND_CHARS),
    outcome: isNo ? "denied" : "ok",
    ...defined({ agentId, sessionKey }),
    ...(typeof runId === "string" ? { traceId: runId } : {}),
    detail: {
      id,
      step: rest.kind,
      commandDigest: hash("sha256", command),
      ...defined({ cwd, decision, by }),
      ...("why" in rest ? { why: rest.why } : {}),
    },
  };
}
