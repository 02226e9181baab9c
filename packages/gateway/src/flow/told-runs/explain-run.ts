// One run from its arrival to its deliveries, with the times of each step, from what the ledger knows of it.
import { defined } from "@chela/sdk/base";
import {
  describeRequester,
  describeRights,
  rightsOf,
  type Ledger,
  type OutboxItem,
  type RunRecord,
  type ToolCallRecord,
} from "@chela/sdk";
import type { MethodResult } from "@chela/sdk/protocol";
import { MessageBody } from "../message-body.ts";
import { findRequester } from "../turn/initiator.ts";
import { totalsOf } from "../../rooms/budgets/usage/totals.ts";
import { readTrace, type ReadTrace } from "./read-trace.ts";

type Explained = MethodResult<"runs.explain">;

const MOST_MODELS = 50;

export async function explainRun(ledger: Ledger, run: RunRecord, now: number): Promise<Explained> {
  const { runId, messageId, channel, account, agentId, sessionKey, admittedAt } = run.message;
  const { outcome, startedAt } = run;
  const trace = readTrace(run);
  const { matchedBy } = trace.route ?? {};
  const { prompt, compactions, notes } = trace;
  const calls = await ledger.toolCalls(runId);
  return {
    runId,
    messageId,
    channel,
    account,
    agentId,
    sessionKey,
    ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
    state: run.state,
    ...(outcome ? { status: outcome.status } : {}),
    ...(outcome?.error ? { error: outcome.error } : {}),
    ...(outcome?.stopReason ? { stopReason: outcome.stopReason } : {}),
    ...(await arrivalOf(run, ledger)),
    admittedAt,
    ...(startedAt === undefined ? {} : { startedAt, queueMs: Math.max(0, startedAt - admittedAt) }),
    ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
    route: { agentId, sessionKey, ...defined({ matchedBy }) },
    ...(prompt ? { prompt } : {}),
    attempts: trace.attempts.map(attemptOf),
    tools: calls.map((call) => toolOf(call, trace)),
    usage: await usageOf(ledger, run, now),
    delivery: (await ledger.outboxOf(runId)).map(deliveryOf),
    ...defined({ compactions }),
    ...(notes ? { notes } : {}),
    ...(outcome?.trace ? { trace: { ...outcome.trace } } : {}),
  };
}

/** Who wrote it and when; not what: explanations are shown to others. */
async function arrivalOf(
  { message }: RunRecord,
  ledger: Ledger,
): Promise<Pick<Explained, "sentAt" | "receivedAt" | "access">> {
  const body = MessageBody().safeParse(message.body).data;
  const { sender, times, origin } = body ?? {};
  const requester = body && (await findRequester(message, body, ledger));
  return {
    ...(origin ? { sentAt: origin.at } : {}),
    ...(times ? { receivedAt: times.receivedAt } : {}),
    ...(sender
      ? {
          access: {
            kind: sender.kind,
            id: sender.id,
            ...(sender.name === undefined ? {} : { name: sender.name }),
            isOwner: sender.isOwner,
            isAuthorised: sender.isAuthorised,
            ...(requester
              ? {
                  requester: describeRequester(requester),
                  follows: describeRights(rightsOf(requester, message.sessionKey)),
                }
              : {}),
            ...(origin ? { wasMentioned: origin.wasMentioned } : {}),
            ...(times ? { decidedAt: times.decidedAt } : {}),
          },
        }
      : {}),
  };
}

function attemptOf({ usage, wasStopped, ...attempt }: ReadTrace["attempts"][number]): Explained["attempts"][number] {
  const { cost, ...counted } = usage ?? {};
  return {
    ...attempt,
    status: attempt.failure ? "failed" : wasStopped ? "aborted" : "ok",
    ...(usage ? { usage: counted as Omit<typeof usage, "cost"> } : {}),
    ...defined({ cost }),
  };
}

/** The ledger knows when the model asked for it; the turn knows when it really ran. */
function toolOf(call: ToolCallRecord, { calls }: ReadTrace): Explained["tools"][number] {
  const ran = calls.find(({ toolCallId }) => toolCallId === call.toolCallId);
  if (!ran) return { ...call };
  const { startedAt, endedAt, askedAt, settledAt } = ran;
  const waited = settledAt === undefined || askedAt === undefined ? {} : { settledAt, waitedMs: settledAt - askedAt };
  return {
    ...call,
    startedAt,
    ...defined({ endedAt }),
    ...(askedAt === undefined ? {} : { approval: { askedAt, ...waited } }),
  };
}

async function usageOf(ledger: Ledger, { message, endedAt }: RunRecord, now: number): Promise<Explained["usage"]> {
  const range = { from: message.admittedAt, to: (endedAt ?? now) + 1, of: { run: message.runId } };
  const models = await ledger.usageBy("model", range, MOST_MODELS);
  return models.map((sum) => {
    const { totalTokens, totalCost, ...totals } = totalsOf([sum]);
    return { model: sum.name, calls: sum.calls, tokens: totalTokens, cost: totalCost, ...totals };
  });
}

function deliveryOf(item: OutboxItem): Explained["delivery"][number] {
  const { id, channel, account, to, state, attempts, createdAt, updatedAt, receipt, error } = item;
  return {
    id,
    channel,
    account,
    to,
    state,
    attempts,
    createdAt,
    ...defined({ updatedAt }),
    ...(receipt ? { messageId: receipt.messageId } : {}),
    ...defined({ error }),
  };
}
