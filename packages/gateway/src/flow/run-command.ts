// Answers a message that is meant for the gateway alone: what it changes and what it says become true in one commit.
import type { Change, OutboxItem, RunOutcome, RunRecord } from "@chela/sdk";
import { MessageBody } from "./message-body.ts";
import type { RanCommands, TurnParts } from "./turn-parts.ts";

export async function runCommand(record: RunRecord, parts: TurnParts): Promise<RunOutcome> {
  const { runId, sessionKey, body } = record.message;
  const startedAt = parts.clock.now();
  parts.emit({ kind: "command-started", runId, sessionKey });
  return answerCommand(record, await parts.runCommands(record, MessageBody().parse(body)), parts, startedAt);
}

/** Ends a run without a model: by what its commands said. */
export async function answerCommand(
  record: RunRecord,
  ran: RanCommands,
  parts: TurnParts,
  startedAt: number,
): Promise<RunOutcome> {
  const { runId, sessionKey, agentId } = record.message;
  const texts = ran.outcome.kind === "reply" && ran.outcome.text ? [ran.outcome.text] : [];
  const endedAt = parts.clock.now();
  const outcome: RunOutcome = { status: "ok", texts, stopReason: "stop", meta: { durationMs: endedAt - startedAt } };
  const item = replyTo(record, texts, endedAt);
  const end: Change[] = [
    { kind: "turn-end", runId, at: endedAt, outcome },
    { kind: "outbox-add", item },
  ];
  if (ran.hasPatch) {
    await parts.sessions.alone(sessionKey, async () => {
      const { entry, changes } = await parts.sessions.open(sessionKey, agentId);
      await parts.commit([...changes, { kind: "session-put", key: sessionKey, entry: ran.patch(entry) }, ...end]);
    });
  } else await parts.commit(end);
  parts.emit({ kind: "turn-ended", runId, sessionKey, startedAt, endedAt, outcome, hasReply: true });
  await parts.deliver({ ...item, attempts: 0, state: "pending" });
  return outcome;
}

function replyTo(
  { message }: RunRecord,
  texts: readonly string[],
  createdAt: number,
): Omit<OutboxItem, "attempts" | "state"> {
  const { runId, channel, account, sessionKey } = message;
  return { id: `${runId}:reply`, runId, channel, account, to: sessionKey, payload: { texts }, createdAt };
}
