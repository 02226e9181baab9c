// Turns and the windows they are seen in.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { text, flag, count, SessionKeyParam, type MethodSpec } from "./method-spec.ts";

const anyObject = once(() => z.looseObject({}));

const Provenance = () =>
  z.strictObject({
    kind: z.enum(["external_user", "inter_session", "internal_system"]),
    sourceSessionKey: text(),
    sourceChannel: text(),
    sourceTool: text(),
  });

export const Attachment = once(() =>
  z.looseObject({
    type: text(),
    mimeType: text(),
    fileName: text(),
    content: z.unknown().optional(),
  }),
);

export const AgentParams = once(() =>
  z.strictObject({
    message: NonEmpty(),
    idempotencyKey: NonEmpty().max(256),
    agentId: text(),
    to: text(),
    replyTo: text(),
    sessionId: text(),
    sessionKey: z.string().max(512).optional(),
    thinking: text(),
    deliver: flag(),
    attachments: z.array(Attachment()).optional(),
    channel: text(),
    replyChannel: text(),
    accountId: text(),
    replyAccountId: text(),
    threadId: text(),
    groupId: text(),
    groupChannel: text(),
    groupSpace: text(),
    timeout: count(),
    bestEffortDeliver: flag(),
    lane: text(),
    extraSystemPrompt: text(),
    inputProvenance: Provenance().optional(),
    internalEvents: z.array(z.unknown()).optional(),
    label: z.string().min(1).max(64).optional(),
    spawnedBy: text(),
  }),
);

export const ChatSendParams = once(() =>
  z.strictObject({
    sessionKey: SessionKeyParam(),
    message: z.string(),
    idempotencyKey: NonEmpty().max(256),
    thinking: text(),
    deliver: flag(),
    attachments: z.array(Attachment()).optional(),
    timeoutMs: count(),
    systemInputProvenance: Provenance().optional(),
    systemProvenanceReceipt: text(),
  }),
);

export const CHAT_METHODS = {
  agent: {
    role: "operator",
    scope: "operator.write",
    says: "Runs a turn: one response when the message is safe, a second with the answer",
    params: AgentParams,
    result: once(() => z.looseObject({ runId: z.string(), status: z.enum(["accepted", "ok", "error"]) })),
  },
  "agent.identity.get": {
    role: "operator",
    scope: "operator.read",
    says: "Name and picture of an agent",
    params: once(() => z.strictObject({ agentId: text(), sessionKey: text() })),
    result: once(() => z.looseObject({ agentId: z.string() })),
  },
  "agent.wait": {
    role: "operator",
    scope: "operator.write",
    says: "Waits for a run to end",
    params: once(() => z.strictObject({ runId: NonEmpty(), timeoutMs: count() })),
    result: once(() => z.looseObject({ runId: z.string(), status: z.enum(["ok", "error", "timeout"]) })),
  },
  "chat.history": {
    role: "operator",
    scope: "operator.read",
    says: "The last messages of a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), limit: z.int().min(1).max(1000).optional() })),
    result: once(() => z.looseObject({ sessionKey: z.string(), messages: z.array(z.looseObject({})) })),
  },
  "chat.abort": {
    role: "operator",
    scope: "operator.write",
    says: "Stops one run, or all runs of a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), runId: NonEmpty().optional() })),
    result: once(() => z.object({ ok: z.literal(true), aborted: z.boolean(), runIds: z.array(z.string()) })),
  },
  "chat.send": {
    role: "operator",
    scope: "operator.write",
    says: "Sends a message; the answer comes as chat events",
    params: ChatSendParams,
    result: anyObject,
  },
  "chat.inject": {
    role: "operator",
    scope: "operator.admin",
    says: "Puts a message of the assistant into a session without asking a model",
    unlisted: true,
    params: once(() =>
      z.strictObject({ sessionKey: SessionKeyParam(), message: NonEmpty(), label: z.string().max(100).optional() }),
    ),
    result: once(() => z.object({ ok: z.literal(true), messageId: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;
