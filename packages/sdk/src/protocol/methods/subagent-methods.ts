// Sub-agents of a conversation: seen, stopped and spoken to.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { flag, SessionKeyParam, type MethodSpec } from "./method-spec.ts";

const time = () => z.int().optional();

const SubagentRow = () =>
  z.looseObject({
    runId: z.string(),
    sessionKey: z.string(),
    /** The conversation that started it. */
    parentKey: z.string(),
    agentId: z.string(),
    task: z.string(),
    label: z.string().optional(),
    depth: z.number(),
    cleanup: z.enum(["keep", "delete"]),
    /** "announcing": carried out, its result is on the way. */
    state: z.enum(["running", "announcing", "ended"]),
    outcome: z.enum(["ok", "error", "timeout", "killed"]).optional(),
    reason: z.string().optional(),
    error: z.string().optional(),
    model: z.string().optional(),
    createdAt: z.int(),
    startedAt: time(),
    endedAt: time(),
    runtimeMs: z.int(),
    tokens: z.number().optional(),
    result: z.string().optional(),
    /** Whether the result has arrived where it was promised. */
    delivered: z.enum(["delivered", "not-delivered", "not-requested", "unknown"]).optional(),
    deliveryError: z.string().optional(),
    /** Its conversation has left the list. */
    isArchived: z.boolean(),
  });

const Target = () => NonEmpty().max(512);

export const SUBAGENT_METHODS = {
  "subagents.list": {
    role: "operator",
    scope: "operator.read",
    says: "The sub-agents of a conversation, newest first; with `recursive`, each with its own behind it",
    params: once(() =>
      z.strictObject({
        sessionKey: SessionKeyParam(),
        recursive: flag(),
        /** How far back those that ended are shown; a day unless told. */
        recentMinutes: z.int().min(1).max(43_200).optional(),
      }),
    ),
    result: once(() => z.looseObject({ sessionKey: z.string(), subagents: z.array(SubagentRow()) })),
  },
  "subagents.kill": {
    role: "operator",
    scope: "operator.write",
    says: "Stops a sub-agent and all below it; `target` is its id, label, session key, `last` or `all`",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam(), target: Target() })),
    result: once(() => z.looseObject({ ok: z.literal(true), killed: z.array(SubagentRow()) })),
  },
  "subagents.steer": {
    role: "operator",
    scope: "operator.write",
    says: "Tells a sub-agent something: while it works, or as a further task",
    params: once(() =>
      z.strictObject({ sessionKey: SessionKeyParam(), target: Target(), message: NonEmpty().max(4000) }),
    ),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        /** "said": it heard it while at work. "started": it works again. */
        mode: z.enum(["said", "started"]),
        runId: z.string(),
        childSessionKey: z.string(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
