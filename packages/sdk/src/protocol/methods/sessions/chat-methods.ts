// Turns and the windows they are seen in.
import * as z from "zod";
import { once, type Parsed } from "../../../schema.ts";
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

/** A file in the content of a shown message; `media.get` gives its bytes. */
export const MediaBlock = once(() =>
  z.looseObject({
    type: z.literal("media"),
    /** SHA-256 of the content, hexadecimal. */
    id: z.string(),
    fileName: text(),
    mimeType: z.string(),
    bytes: z.number(),
  }),
);
export type MediaBlock = Parsed<typeof MediaBlock>;

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

export const CHAT_METHODS = {
  agent: {
    role: "operator",
    scope: "operator.write",
    says: "Runs a turn: one response when the message is safe, a second with the answer",
    params: AgentParams,
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        status: z.enum(["accepted", "ok", "error"]),
        /** With the second response. */
        result: z
          .looseObject({
            payloads: z.array(z.looseObject({ text: text(), isError: flag() })),
            meta: z.looseObject({ stopReason: text() }).optional(),
          })
          .optional(),
      }),
    ),
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
  "commands.list": {
    role: "operator",
    scope: "operator.read",
    says: "What can be asked of the gateway in a chat, such as /model, and whether the caller may",
    params: once(() => z.strictObject({ agentId: text(), sessionKey: SessionKeyParam().optional() })),
    result: once(() => z.looseObject({ commands: z.array(ChatCommand()) })),
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
