// Messages to channels, and what else can be done in their chats.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { count, flag, text, type MethodSpec } from "./method-spec.ts";

const Key = () => NonEmpty().max(256);

const SendParams = once(() =>
  z.strictObject({
    to: NonEmpty(),
    idempotencyKey: Key(),
    message: text(),
    mediaUrl: text(),
    mediaUrls: z.array(z.string()).optional(),
    gifPlayback: flag(),
    channel: text(),
    accountId: text(),
    agentId: text(),
    threadId: text(),
    sessionKey: z.string().max(512).optional(),
  }),
);

const PollParams = once(() =>
  z.strictObject({
    to: NonEmpty(),
    question: NonEmpty(),
    options: z.array(NonEmpty()).min(2).max(12),
    maxSelections: z.int().min(1).max(12).optional(),
    durationSeconds: z.int().min(1).max(604_800).optional(),
    durationHours: z.int().min(1).optional(),
    silent: flag(),
    isAnonymous: flag(),
    threadId: text(),
    channel: text(),
    accountId: text(),
    idempotencyKey: Key(),
  }),
);

const ActionParams = once(() =>
  z.strictObject({
    action: z.enum([
      "send",
      "broadcast",
      "poll",
      "reply",
      "thread-reply",
      "thread-create",
      "react",
      "edit",
      "unsend",
      "delete",
      "pin",
      "unpin",
      "reactions",
      "read",
      "list-pins",
      "thread-list",
      "channel-list",
      "member-info",
    ]),
    /** Needed by what sends; the same key never sends twice. */
    idempotencyKey: Key().optional(),
    channel: text(),
    accountId: text(),
    agentId: text(),
    sessionKey: z.string().max(512).optional(),
    target: text(),
    targets: z.array(NonEmpty()).max(50).optional(),
    message: text(),
    media: z.union([z.string(), z.array(z.string())]).optional(),
    buffer: text(),
    filename: text(),
    contentType: text(),
    replyTo: text(),
    threadId: text(),
    messageId: text(),
    emoji: text(),
    remove: flag(),
    pollQuestion: text(),
    pollOption: z.array(z.string()).optional(),
    pollMulti: flag(),
    pollDurationHours: z.number().positive().optional(),
    pollDurationSeconds: z.int().min(1).max(604_800).optional(),
    limit: count(),
    before: text(),
    after: text(),
    query: text(),
    silent: flag(),
    asVoice: flag(),
    threadName: text(),
    dryRun: flag(),
    bestEffort: flag(),
  }),
);

const Receipt = once(() =>
  z.looseObject({ runId: z.string(), messageId: z.string(), channel: z.string(), chatId: text() }),
);

/** A message of a chat; the words of somebody who may not speak to the agent are left out. */
const ReadMessage = () => z.looseObject({ id: z.string(), at: z.string(), from: text(), text: text(), hidden: text() });

const Entry = () => z.looseObject({ kind: z.enum(["user", "group"]), id: z.string(), name: text(), username: text() });

export const MESSAGE_METHODS = {
  send: {
    role: "operator",
    scope: "operator.write",
    says: "Sends a text or files to a chat of a channel, and answers with the platform's receipt",
    params: SendParams,
    result: Receipt,
  },
  poll: {
    role: "operator",
    scope: "operator.write",
    says: "Sends a poll to a chat of a channel",
    unlisted: true,
    params: PollParams,
    result: Receipt,
  },
  "message.action": {
    role: "operator",
    scope: "operator.read",
    says: "Acts in a chat: sends, reacts, edits, reads, pins, threads; what changes something needs operator.write",
    params: ActionParams,
    result: once(() =>
      z.looseObject({
        action: z.string(),
        /** Of what was sent: whether every target has the platform's receipt. */
        ok: z.boolean(),
        deliveries: z
          .array(
            z.looseObject({
              channel: z.string(),
              accountId: text(),
              to: z.string(),
              threadId: text(),
              state: z.enum(["delivered", "queued", "undeliverable", "planned"]),
              /** The platform's, once it has it. */
              messageId: text(),
              chatId: text(),
              error: text(),
            }),
          )
          .optional(),
        /** Where something else was done, and what was found there. */
        channel: text(),
        to: text(),
        dryRun: flag(),
        messageId: text(),
        messages: z.array(ReadMessage()).readonly().optional(),
        reactions: z
          .array(z.looseObject({ emoji: z.string(), userIds: z.array(z.string()).readonly() }))
          .readonly()
          .optional(),
        thread: z.looseObject({ to: z.string(), threadId: text() }).optional(),
        threads: z
          .array(z.looseObject({ id: z.string(), name: z.string() }))
          .readonly()
          .optional(),
        groups: z.array(Entry()).readonly().optional(),
        members: z.array(Entry()).readonly().optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
