// A conversation for pages that stay open: watched live, read by position.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { ConversationPage, MAX_PAGE, ShownMessage, WatchSnapshot } from "../../conversation.ts";
import { NonEmpty } from "../../frames.ts";
import { okResult, SessionKeyParam, type MethodSpec } from "../method-spec.ts";

const OneSession = once(() => z.strictObject({ sessionKey: SessionKeyParam() }));

export const CONVERSATION_METHODS = {
  "chat.watch": {
    role: "operator",
    scope: "operator.read",
    says: "Where a session is now; from then on session.entries, session.moved and all tool events of it are told",
    params: OneSession,
    result: WatchSnapshot,
  },
  "chat.unwatch": {
    role: "operator",
    scope: "operator.read",
    says: "Ends chat.watch for a session",
    params: OneSession,
    result: okResult,
  },
  "chat.page": {
    role: "operator",
    scope: "operator.read",
    says: "Entries of a session by their position on the branch that is being talked in",
    params: once(() =>
      z.strictObject({
        sessionKey: SessionKeyParam(),
        from: z.int().min(0),
        limit: z.int().min(1).max(MAX_PAGE),
      }),
    ),
    result: ConversationPage,
  },
  "chat.entry": {
    role: "operator",
    scope: "operator.read",
    says: "One entry of a session in full, with its pictures",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), id: NonEmpty().max(256) })),
    result: ShownMessage,
  },
} as const satisfies Record<string, MethodSpec>;
