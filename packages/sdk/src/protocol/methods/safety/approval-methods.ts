// Commands that need a person's yes.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { empty, okResult, text, flag, type MethodSpec } from "../method-spec.ts";

const orNull = () => z.string().nullish();

const ApprovalRequestParams = once(() =>
  z.strictObject({
    id: NonEmpty().max(200).nullish(),
    command: NonEmpty(),
    commandArgv: z.array(z.string()).nullish(),
    systemRunPlanV2: z.unknown().optional(),
    /** What a node was asked to prepare: it is what people are asked about, whatever else the request says. */
    systemRunPlan: z
      .looseObject({
        commandText: NonEmpty(),
        argv: z.array(z.string()).optional(),
        cwd: orNull(),
        agentId: orNull(),
        sessionKey: orNull(),
      })
      .nullish(),
    env: z.record(z.string(), z.string()).nullish(),
    cwd: orNull(),
    nodeId: orNull(),
    host: orNull(),
    security: orNull(),
    ask: orNull(),
    agentId: orNull(),
    resolvedPath: orNull(),
    sessionKey: orNull(),
    turnSourceChannel: orNull(),
    turnSourceTo: orNull(),
    turnSourceAccountId: orNull(),
    turnSourceThreadId: z.union([z.string(), z.number()]).nullish(),
    timeoutMs: z.int().min(1).nullish(),
    twoPhase: flag(),
  }),
);

const ApprovalOutcome = once(() =>
  z.object({
    /** "accepted" in the first of two answers: the question is put, and the decision follows. */
    status: z.literal("accepted").optional(),
    id: z.string(),
    decision: z.enum(["allow-once", "allow-always", "deny"]).nullable(),
    createdAtMs: z.int(),
    expiresAtMs: z.int(),
  }),
);

/** What the person sees who decides. Characters that could hide are written out. */
const ApprovalSubject = () =>
  z.looseObject({
    command: z.string(),
    cwd: orNull(),
    host: orNull(),
    agentId: orNull(),
    sessionKey: orNull(),
    /** The run it is needed for, and the rules under which it is asked. */
    runId: orNull(),
    security: orNull(),
    ask: orNull(),
    /** The files of all programs that would run, joined as they will be. */
    resolvedPath: orNull(),
    /** Names of the variables it is given; their values stay out. */
    envKeys: z.array(z.string()).readonly().optional(),
    /** Whose message led to it. */
    requester: z.looseObject({ channel: text(), account: text(), id: text() }).optional(),
    /** Why it is asked at all, and where that is so, why it cannot be allowed for good. */
    reason: text(),
    /** Stands above the question when it is not about a command. */
    title: text(),
    /** A yes holds for this time only, whatever is answered. */
    onlyOnce: flag(),
  });

const PendingApproval = () =>
  z.object({ id: z.string(), request: ApprovalSubject(), createdAtMs: z.int(), expiresAtMs: z.int() });

/** What is written wrong counts as the strictest, and is shown as it stands there. */
const Rules = () => ({
  security: text().catch(undefined),
  ask: text().catch(undefined),
  askFallback: text().catch(undefined),
});
const AllowedProgram = () =>
  z.looseObject({ pattern: text(), argv: z.array(z.string()).readonly().optional(), argPattern: text() });

/** The file as it is written; what nobody knows stays in it. */
export const ExecApprovalsFile = once(() =>
  z.looseObject({
    version: z.int().optional(),
    socket: z.looseObject({ path: text() }).optional(),
    defaults: z.looseObject(Rules()).optional(),
    agents: z
      .record(z.string(), z.looseObject({ ...Rules(), allowlist: z.array(AllowedProgram()).readonly().optional() }))
      .optional(),
  }),
);

const ExecApprovals = once(() =>
  z.object({
    path: z.string(),
    exists: z.boolean(),
    hash: z.string(),
    file: ExecApprovalsFile(),
    /** What somebody else wrote there while agents could run commands: not in force until it is accepted. */
    notBelieved: z.array(z.string()).readonly().optional(),
  }),
);

export const APPROVAL_METHODS = {
  "exec.approvals.get": {
    role: "operator",
    scope: "operator.admin",
    says: "The file of exec approvals: rules and allow-lists, without secrets",
    params: empty,
    result: ExecApprovals,
  },
  "exec.approvals.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the file of exec approvals; baseHash is the hash of the one it was made from; accept also believes what somebody else wrote into it",
    params: once(() => z.strictObject({ file: z.looseObject({}), baseHash: text(), accept: flag() })),
    result: ExecApprovals,
  },
  "exec.approval.request": {
    role: "operator",
    scope: "operator.approvals",
    says: "Asks people whether a command may run; with twoPhase one response when they are asked, a second with the answer",
    params: ApprovalRequestParams,
    result: ApprovalOutcome,
  },
  "exec.approval.waitDecision": {
    role: "operator",
    scope: "operator.approvals",
    says: "Waits for the answer to a question; a decision of null means that nobody answered in time",
    params: once(() => z.strictObject({ id: NonEmpty() })),
    result: ApprovalOutcome,
  },
  "exec.approval.resolve": {
    role: "operator",
    scope: "operator.approvals",
    says: "Answers a question: allow-once, allow-always or deny; the first characters of its id are enough",
    params: once(() => z.strictObject({ id: NonEmpty(), decision: z.string() })),
    result: okResult,
  },
  "exec.approval.list": {
    role: "operator",
    scope: "operator.approvals",
    says: "Questions that wait for an answer, oldest first",
    params: empty,
    result: once(() =>
      z.object({
        ts: z.int(),
        pending: z.array(PendingApproval()),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
