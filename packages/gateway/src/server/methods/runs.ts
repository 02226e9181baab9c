// Explains a turn from what the ledger knows of it.
import type { RunRecord } from "@chela/sdk";
import { invalid, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";
import { totalsOf } from "../usage/totals.ts";

const MOST_FOUND = 5;
const MOST_MODELS = 50;
const FOREVER = 8_640_000_000_000_000;

export function runMethods(gateway: GatewayParts): Pick<Handlers, "runs.explain"> {
  return { "runs.explain": async ({ id }) => explain(gateway, await findRun(gateway, id.trim())) };
}

async function findRun({ ledger }: GatewayParts, id: string): Promise<RunRecord> {
  const found = id === "" ? [] : await ledger.findRuns(id, MOST_FOUND);
  const exact = found.filter(({ message }) => message.runId === id || message.messageId === id);
  const [only, another] = exact.length > 0 ? exact : found;
  if (!only) {
    throw invalid(
      `There is no run or message "${id}". \`chela agent --json\` prints the id of its run, and \`chela logs\` those of all others.`,
    );
  }
  // A message id may have been used on several channels; the newest is meant.
  if (another && exact.length === 0) {
    const ids = found.map(({ message }) => message.runId).join(", ");
    throw invalid(`"${id}" is the start of several runs; write more of one: ${ids}`);
  }
  return only;
}

async function explain({ ledger, delivered }: GatewayParts, run: RunRecord) {
  await delivered();
  const { runId, messageId, channel, account, agentId, sessionKey, admittedAt } = run.message;
  const { outcome } = run;
  const models = await ledger.usageBy("model", { from: 0, to: FOREVER, of: { run: runId } }, MOST_MODELS);
  const outbox = await ledger.outboxOf(runId);
  return {
    runId,
    messageId,
    channel,
    account,
    agentId,
    sessionKey,
    ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
    state: run.state,
    admittedAt,
    ...(run.startedAt === undefined ? {} : { startedAt: run.startedAt }),
    ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
    ...(outcome ? { status: outcome.status } : {}),
    ...(outcome?.error ? { error: outcome.error } : {}),
    ...(outcome?.stopReason ? { stopReason: outcome.stopReason } : {}),
    ...(outcome?.trace ? { trace: outcome.trace } : {}),
    tools: (await ledger.toolCalls(runId)).map((call) => ({ ...call })),
    usage: models.map((sum) => {
      const { totalTokens, totalCost, ...totals } = totalsOf([sum]);
      return { model: sum.name, calls: sum.calls, tokens: totalTokens, cost: totalCost, ...totals };
    }),
    delivery: outbox.map(({ id, channel: to, account: by, to: target, state, attempts, createdAt }) => ({
      id,
      channel: to,
      account: by,
      to: target,
      state,
      attempts,
      createdAt,
    })),
  };
}
