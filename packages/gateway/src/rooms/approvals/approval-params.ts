// Parameters of exec.approval.request from a client, and what of them a person sees.
import { GatewayError, once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { showEverything } from "./plan/hidden-characters.ts";
import type { ApprovalSubject } from "./pending.ts";

const text = () => z.string().nullish();

const approvalParamsSchema = once(() =>
  z.looseObject({
    id: z.string().min(1).max(200).nullish(),
    command: z.string().min(1),
    commandArgv: z.array(z.string()).nullish(),
    env: z.record(z.string(), z.string()).nullish(),
    cwd: text(),
    nodeId: text(),
    host: text(),
    security: text(),
    ask: text(),
    agentId: text(),
    resolvedPath: text(),
    sessionKey: text(),
    turnSourceChannel: text(),
    turnSourceTo: text(),
    turnSourceAccountId: text(),
    turnSourceThreadId: z.union([z.string(), z.number()]).nullish(),
    timeoutMs: z.number().int().positive().nullish(),
  }),
);
export type ApprovalParams = Parsed<typeof approvalParamsSchema>;

export function parseApprovalParams(params: unknown): ApprovalParams {
  const parsed = approvalParamsSchema().safeParse(params);
  if (!parsed.success) {
    throw new GatewayError(
      "PROTOCOL_REQUEST",
      `invalid exec.approval.request params: ${z.prettifyError(parsed.error)}`,
    );
  }
  if (parsed.data.host === "node" && (!parsed.data.nodeId || !parsed.data.commandArgv?.length)) {
    throw new GatewayError(
      "PROTOCOL_REQUEST",
      "invalid exec.approval.request params: host node needs nodeId and commandArgv",
    );
  }
  return parsed.data;
}

/**
 * Nothing in it can hide, in whatever field. Values of the environment stay out: they may be secrets, and whoever
 * answers needs their names only.
 */
export function subjectOf(params: ApprovalParams): ApprovalSubject {
  const { id: _id, timeoutMs: _timeoutMs, twoPhase: _twoPhase, env, ...rest } = params;
  const subject = { ...rest, ...(env ? { envKeys: Object.keys(env).sort() } : {}) };
  return showAllIn(subject) as ApprovalSubject;
}

function showAllIn(value: unknown): unknown {
  if (typeof value === "string") return showEverything(value);
  if (Array.isArray(value)) return value.map(showAllIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [showEverything(name), showAllIn(inner)]));
}
