// Sessions of the past: what ended and can be restored, and the search through everything that was said.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { SearchProgress } from "../../search-event.ts";
import { count, flag, SessionKeyParam, text, type MethodSpec } from "../method-spec.ts";

const EndedBy = () => z.enum(["deleted", "reset"]);

export const SESSION_HISTORY_METHODS = {
  "sessions.deleted": {
    role: "operator",
    scope: "operator.read",
    says: "Conversations that ended, because their session was deleted or started anew, the newest end first",
    params: once(() =>
      z.strictObject({
        limit: z.int().min(1).max(200).optional(),
        offset: count(),
        search: text(),
        reason: EndedBy().optional(),
        key: SessionKeyParam().optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        ts: z.int(),
        total: z.int(),
        sessions: z.array(
          z.looseObject({
            /** For sessions.restore. */
            id: z.string(),
            key: z.string(),
            agentId: z.string(),
            sessionId: z.string(),
            reason: EndedBy(),
            deletedAt: z.number(),
            label: text(),
            displayName: text(),
            /** Lines of the transcript: messages, tool results and notes. */
            entries: z.int(),
            /** The last words of a person in it. */
            preview: text(),
            /** The key has a session again: restoring a deleted one needs `replace`. */
            isKeyInUse: z.boolean(),
          }),
        ),
      }),
    ),
  },
  "sessions.restore": {
    role: "operator",
    scope: "operator.admin",
    says: "Brings an ended conversation back; what is talked about under its key meanwhile is archived in turn",
    params: once(() => z.strictObject({ id: NonEmpty().max(256), replace: flag() })),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        key: z.string(),
        sessionId: z.string(),
        /** The label it had, when another session has it now. */
        lostLabel: text(),
      }),
    ),
  },
  "sessions.search": {
    role: "operator",
    scope: "operator.read",
    says: 'Messages with all of the words, the newest first; "phrases" stand together, -words must not be there',
    params: once(() =>
      z.strictObject({
        query: NonEmpty().max(1000),
        limit: z.int().min(1).max(100).optional(),
        agentId: text(),
        sessionKey: SessionKeyParam().optional(),
        role: z.enum(["user", "assistant"]).optional(),
        before: z.number().optional(),
        after: z.number().optional(),
        includeDeleted: flag(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        hits: z.array(
          z.looseObject({
            sessionKey: z.string(),
            sessionId: z.string(),
            entryId: z.string(),
            role: z.enum(["user", "assistant"]),
            timestamp: z.number(),
            snippet: z.string(),
            /** Start and end of each match within the snippet. */
            ranges: z.array(z.tuple([z.int(), z.int()])),
            label: text(),
            /** The conversation ended; sessions.restore with the sessionId brings it back. */
            archived: EndedBy().optional(),
            /** The job that asks this; no person said it. */
            job: z.looseObject({ id: z.string(), name: z.string() }).optional(),
          }),
        ),
        /** How many there are; missing when there are more than were asked for. */
        total: z.int().optional(),
        hasMore: z.boolean(),
        /** While older messages are still being taken into the index. */
        indexing: SearchProgress().optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
