// Sessions that are opened, talked in and followed by their keys.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { SessionEntry } from "../../../session.ts";
import { NonEmpty } from "../../frames.ts";
import { HistoryMessage } from "../../conversation.ts";
import { Attachment } from "./chat-methods.ts";
import { count, empty, flag, SessionKeyParam, text, type MethodSpec } from "../method-spec.ts";

const SendParams = once(() =>
  z.strictObject({
    key: SessionKeyParam(),
    message: z.string(),
    thinking: text(),
    attachments: z.array(Attachment()).optional(),
    timeoutMs: count(),
    /** Sent again with the same key, a message is the same message. */
    idempotencyKey: NonEmpty().max(256).optional(),
  }),
);

const SendResult = once(() =>
  z.looseObject({
    runId: text(),
    status: z.enum(["started", "in_flight", "ok"]).optional(),
    /** Where in the conversation the message will stand. */
    messageSeq: z.int().optional(),
    /** With `sessions.steer`: something was stopped for it. */
    interruptedActiveRun: flag(),
    /** There when the message stopped what was running. */
    ok: z.literal(true).optional(),
    aborted: flag(),
    runIds: z.array(z.string()).optional(),
  }),
);

const Subscribed = once(() => z.object({ subscribed: z.boolean() }));
const SubscribedToOne = once(() => z.object({ subscribed: z.boolean(), key: z.string() }));
const KeyParams = once(() => z.strictObject({ key: SessionKeyParam() }));

export const SESSION_LIVE_METHODS = {
  "sessions.create": {
    role: "operator",
    scope: "operator.write",
    says: "Opens a session, under a key of its own unless told, and says a first message in it when there is one",
    params: once(() =>
      z.strictObject({
        key: SessionKeyParam().optional(),
        agentId: NonEmpty().optional(),
        label: z.string().min(1).max(64).optional(),
        model: NonEmpty().optional(),
        parentSessionKey: SessionKeyParam().optional(),
        task: text(),
        message: text(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        key: z.string(),
        sessionId: z.string(),
        entry: SessionEntry(),
        runStarted: z.boolean(),
        runId: text(),
        status: text(),
        messageSeq: z.int().optional(),
        /** The session is there, and its first message was refused. */
        runError: z.looseObject({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  },
  "sessions.send": {
    role: "operator",
    scope: "operator.write",
    says: "Says something in a session that exists; the answer comes as chat events",
    params: SendParams,
    result: SendResult,
  },
  "sessions.steer": {
    role: "operator",
    scope: "operator.write",
    says: "The same, instead of what is being answered there",
    unlisted: true,
    params: SendParams,
    result: SendResult,
  },
  "sessions.abort": {
    role: "operator",
    scope: "operator.write",
    says: "Stops what is being answered in a session, or one run of it",
    params: once(() => z.strictObject({ key: SessionKeyParam(), runId: NonEmpty().optional() })),
    result: once(() =>
      z.object({
        ok: z.literal(true),
        abortedRunId: z.string().nullable(),
        status: z.enum(["aborted", "no-active-run"]),
      }),
    ),
  },
  "sessions.get": {
    role: "operator",
    scope: "operator.read",
    says: "The last messages of a session, as chat.history shows them",
    unlisted: true,
    params: once(() => z.strictObject({ key: text(), sessionKey: text(), limit: z.number().optional() })),
    result: once(() => z.object({ messages: z.array(HistoryMessage()) })),
  },
  "sessions.subscribe": {
    role: "operator",
    scope: "operator.read",
    says: "From now on tells this connection what happens in all sessions: sessions.changed, session.message, session.tool",
    params: empty,
    result: Subscribed,
  },
  "sessions.unsubscribe": {
    role: "operator",
    scope: "operator.read",
    says: "Ends that",
    params: empty,
    result: Subscribed,
  },
  "sessions.messages.subscribe": {
    role: "operator",
    scope: "operator.read",
    says: "From now on tells this connection what is said in one session: session.message",
    params: KeyParams,
    result: SubscribedToOne,
  },
  "sessions.messages.unsubscribe": {
    role: "operator",
    scope: "operator.read",
    says: "Ends that",
    params: KeyParams,
    result: SubscribedToOne,
  },
} as const satisfies Record<string, MethodSpec>;
