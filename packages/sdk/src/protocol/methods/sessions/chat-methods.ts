// Turns and the windows they are seen in.
import * as z from "zod";
import { MediaRef } from "../../../messages.ts";
import { once } from "../../../schema.ts";
import { HistoryMessage } from "../../conversation.ts";
import { NonEmpty } from "../../frames.ts";
import { text, flag, count, SessionKeyParam, type MethodSpec } from "../method-spec.ts";

const Provenance = () =>
  z.strictObject({
    kind: z.enum(["external_user", "inter_session", "internal_system"]),
    originSessionId: text(),
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
    /** For this turn only, and for administrators only. */
    provider: text(),
    model: text(),
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

/** One text of an answer, or its files; the last says what went wrong, where something did. */
const ReplyPayload = () =>
  z.looseObject({
    text: text(),
    /** Where a file lies on the gateway's machine. */
    mediaUrl: z.string().nullable(),
    /** All files, when there are several. */
    mediaUrls: z.array(z.string()).readonly().optional(),
    isError: z.literal(true).optional(),
  });

/** Tokens as the end of a turn tells them. */
const TurnTokens = () =>
  z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    total: z.number(),
  });

const TurnResult = () =>
  z.looseObject({
    payloads: z.array(ReplyPayload()).readonly(),
    media: z.array(MediaRef()).readonly().optional(),
    meta: z.looseObject({
      durationMs: z.number(),
      stopReason: z.string(),
      aborted: flag(),
      agentMeta: z
        .looseObject({
          sessionId: text(),
          provider: z.string(),
          model: z.string(),
          usage: TurnTokens(),
          lastCallUsage: TurnTokens(),
          promptTokens: z.number(),
        })
        .optional(),
      /** Of a turn that shortened its conversation instead of answering. */
      kind: text(),
      why: text(),
      before: z.number().optional(),
      after: z.number().optional(),
      window: z.number().optional(),
    }),
  });

/** A row of what can be asked in a chat. */
const ChatCommand = once(() =>
  z.looseObject({
    /** Without the slash. */
    name: z.string(),
    aliases: z.array(z.string()),
    says: z.string(),
    category: text(),
    /** What may stand behind the name, as people write it: `[on|off]`. */
    usage: text(),
    arguments: z
      .array(
        z.looseObject({
          name: z.string(),
          says: text(),
          required: flag(),
          /** Words it can be. There may be others, such as a number or a path, when `isOpen`. */
          choices: z.array(z.string()).optional(),
          isOpen: flag(),
        }),
      )
      .optional(),
    /** Who may use it. */
    scope: z.enum(["everyone", "authorised", "approver", "owner"]),
    /** Whether the caller may. */
    allowed: z.boolean(),
    /** The key under `commands` of the configuration that would switch it on. */
    off: text(),
    /** Works inside a message, too: what is left of the message goes on to the model. */
    inline: flag(),
  }),
);

export const AGENT_METHODS = {
  agent: {
    role: "operator",
    scope: "operator.write",
    says: "Runs a turn: one response when the message is safe, a second with the answer",
    params: AgentParams,
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        status: z.enum(["accepted", "ok", "error"]),
        /** Of the first response. */
        acceptedAt: z.number().optional(),
        /** Of the second one, with what came of the turn. */
        summary: text(),
        result: TurnResult().optional(),
      }),
    ),
  },
  "agent.wait": {
    role: "operator",
    scope: "operator.write",
    says: "Waits for a run to end",
    params: once(() => z.strictObject({ runId: NonEmpty(), timeoutMs: count() })),
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        status: z.enum(["ok", "error", "timeout"]),
        startedAt: z.number().optional(),
        endedAt: z.number().optional(),
        error: text(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const CHAT_METHODS = {
  "chat.history": {
    role: "operator",
    scope: "operator.read",
    says: "The last messages of a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), limit: z.int().min(1).max(1000).optional() })),
    result: once(() =>
      z.looseObject({
        sessionKey: z.string(),
        sessionId: text(),
        messages: z.array(HistoryMessage()),
        /** What holds for the session's next turn. */
        thinkingLevel: text(),
        verboseLevel: text(),
        fastMode: flag(),
      }),
    ),
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
    says: "Sends a message, with files of any kind; the answer comes as chat events",
    params: ChatSendParams,
    result: once(() =>
      z.looseObject({
        runId: text(),
        /** `in_flight` and `ok` when the same message was sent before. */
        status: z.enum(["started", "in_flight", "ok"]).optional(),
        /** There when the message stopped what was running. */
        ok: z.literal(true).optional(),
        aborted: flag(),
        runIds: z.array(z.string()).optional(),
      }),
    ),
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

export const MEDIA_METHODS = {
  "media.get": {
    role: "operator",
    scope: "operator.read",
    says: "A file that came with a message or went out with an answer, by the id the message names it by",
    params: once(() => z.strictObject({ id: NonEmpty().max(128) })),
    result: once(() =>
      z.looseObject({
        id: z.string(),
        fileName: text(),
        /** By its bytes. */
        mimeType: z.string(),
        bytes: z.int(),
        /** The content as base64. */
        data: z.string(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const COMMAND_METHODS = {
  "commands.list": {
    role: "operator",
    scope: "operator.read",
    says: "What can be asked of the gateway in a chat, such as /model, and whether the caller may",
    params: once(() => z.strictObject({ agentId: text(), sessionKey: SessionKeyParam().optional() })),
    result: once(() => z.looseObject({ commands: z.array(ChatCommand()) })),
  },
} as const satisfies Record<string, MethodSpec>;
