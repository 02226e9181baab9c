// Runs, looked at while they go on and afterwards.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { SessionKeyParam, type MethodSpec } from "../method-spec.ts";

const RunState = () => z.enum(["queued", "running", "done"]);
const RunStatus = () => z.enum(["ok", "error", "aborted"]);
const time = () => z.int().optional();

const RunRow = () =>
  z.looseObject({
    runId: z.string(),
    sessionKey: z.string(),
    agentId: z.string(),
    channel: z.string(),
    state: RunState(),
    status: RunStatus().optional(),
    receivedAt: z.int(),
    startedAt: time(),
    endedAt: time(),
    /** The beginning of what was said. */
    preview: z.string(),
    error: z.string().optional(),
    model: z.string().optional(),
    cost: z.number().optional(),
    tokens: z.number().optional(),
  });

const Access = () =>
  z.looseObject({
    /** An operator came through our own door, a sender through a channel. */
    kind: z.enum(["operator", "sender"]),
    id: z.string(),
    name: z.string().optional(),
    isOwner: z.boolean(),
    isAuthorised: z.boolean(),
    /** What they are to this gateway, in words, and what follows from that in this conversation. */
    requester: z.string().optional(),
    follows: z.array(z.string()).optional(),
    wasMentioned: z.boolean().optional(),
    decidedAt: time(),
  });

/** Sizes of the first request. What is counted in tokens is an estimate. */
const PromptSizes = () =>
  z.looseObject({
    systemChars: z.number().optional(),
    /** How much of the system prompt comes from files of the workspace. */
    fileChars: z.number().optional(),
    toolChars: z.number().optional(),
    messages: z.number().optional(),
    tokens: z
      .looseObject({ system: z.number(), tools: z.number(), history: z.number(), message: z.number() })
      .optional(),
  });

const Attempt = () =>
  z.looseObject({
    provider: z.string(),
    model: z.string(),
    profileId: z.string().optional(),
    startedAt: z.int(),
    firstTokenAt: time(),
    endedAt: z.int(),
    status: z.enum(["ok", "failed", "aborted"]),
    usage: z
      .looseObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
      .optional(),
    cost: z.number().optional(),
    failure: z.looseObject({ reason: z.string(), message: z.string(), status: z.int().optional() }).optional(),
    /** What was done about the failure. */
    next: z.enum(["retry", "next-profile", "next-model", "wait", "compact", "give-up"]).optional(),
  });

const RanTool = () =>
  z.looseObject({
    toolCallId: z.string(),
    name: z.string(),
    startedAt: z.int(),
    endedAt: time(),
    isError: z.boolean().optional(),
    /** How long it waited for a person. */
    approval: z.looseObject({ askedAt: z.int(), settledAt: time(), waitedMs: z.int().optional() }).optional(),
  });

const ModelUsage = () =>
  z.looseObject({
    model: z.string(),
    calls: z.int(),
    tokens: z.number(),
    cost: z.number(),
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    missingCostEntries: z.number(),
    inputCost: z.number().optional(),
    outputCost: z.number().optional(),
    cacheReadCost: z.number().optional(),
    cacheWriteCost: z.number().optional(),
  });

const RunDelivery = () =>
  z.looseObject({
    id: z.string(),
    channel: z.string(),
    account: z.string(),
    to: z.string(),
    state: z.enum(["pending", "delivered", "undeliverable"]),
    attempts: z.int(),
    createdAt: z.int(),
    /** When its state was last noted: of a delivered one, when it arrived. */
    updatedAt: time(),
    messageId: z.string().optional(),
    error: z.string().optional(),
  });

export const RUN_METHODS = {
  "runs.list": {
    role: "operator",
    scope: "operator.read",
    says: "Runs at a glance, the newest first; `before` is the time from which to go further back",
    params: once(() =>
      z.strictObject({
        sessionKey: SessionKeyParam().optional(),
        agentId: NonEmpty().max(64).optional(),
        state: z.enum(["queued", "running", "done", "error"]).optional(),
        limit: z.int().min(1).max(200).optional(),
        before: z.int().min(0).optional(),
      }),
    ),
    result: once(() => z.looseObject({ runs: z.array(RunRow()) })),
  },
  "runs.explain": {
    role: "operator",
    scope: "operator.read",
    says: "How a turn came about: route, prompt, models, tools, cost and delivery, each with its times; by run or message id",
    params: once(() => z.strictObject({ id: NonEmpty().max(512) })),
    result: once(() =>
      z.looseObject({
        runId: z.string(),
        messageId: z.string(),
        channel: z.string(),
        account: z.string(),
        agentId: z.string(),
        sessionKey: z.string(),
        sessionId: z.string().optional(),
        state: RunState(),
        status: RunStatus().optional(),
        error: z.string().optional(),
        stopReason: z.string().optional(),
        /** When it was written, as its channel says. */
        sentAt: time(),
        receivedAt: time(),
        /** From now on it is safe, and waits for its turn. */
        admittedAt: z.int(),
        startedAt: time(),
        endedAt: time(),
        queueMs: z.int().optional(),
        access: Access().optional(),
        route: z.looseObject({ agentId: z.string(), sessionKey: z.string(), matchedBy: z.string().optional() }),
        prompt: PromptSizes().optional(),
        attempts: z.array(Attempt()),
        tools: z.array(RanTool()),
        usage: z.array(ModelUsage()),
        delivery: z.array(RunDelivery()),
        compactions: z.int().optional(),
        notes: z.array(z.string()).optional(),
        /** As the turn noted it; other versions may have noted something else. */
        trace: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
