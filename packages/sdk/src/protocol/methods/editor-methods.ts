// Editors that lend an agent their files and terminals while a session is open in them.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { flag, okResult, SessionKeyParam, text, type MethodSpec } from "./method-spec.ts";

const LONGEST_ANSWER = 4_000_000;

export const EDITOR_METHODS = {
  "editor.attach": {
    role: "operator",
    scope: "operator.admin",
    says: "Lends the agent of a session this connection's files and terminal: it is asked by editor.call until it leaves",
    params: once(() =>
      z.strictObject({
        sessionKey: SessionKeyParam(),
        /** Absolute; nothing outside of them is asked for. */
        folders: z.array(NonEmpty().max(4096)).min(1).max(51),
        read: flag(),
        write: flag(),
        terminal: flag(),
      }),
    ),
    result: okResult,
  },
  "editor.detach": {
    role: "operator",
    scope: "operator.admin",
    says: "Ends that for a session",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam() })),
    result: okResult,
  },
  "editor.answer": {
    role: "operator",
    scope: "operator.admin",
    says: "What came of an editor.call that was addressed to this connection",
    params: once(() =>
      z.strictObject({
        id: NonEmpty().max(200),
        ok: z.boolean(),
        text: z.string().max(LONGEST_ANSWER).optional(),
        why: text(),
      }),
    ),
    result: once(() => z.object({ ok: z.literal(true), ignored: z.literal(true).optional() })),
  },
} as const satisfies Record<string, MethodSpec>;
