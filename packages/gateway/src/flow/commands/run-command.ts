// Answers a message that is meant for the gateway alone: what it changes and what it says become true in one commit.
import type { Change, RunOutcome, RunRecord } from "@chela/sdk";
import { redactSecrets } from "../../base/text/redact-secrets.ts";
import type { EntryBody } from "../../rooms/sessions/room.ts";
import { COMMAND_NOTE } from "./command-note.ts";
import { MessageBody } from "../message-body.ts";
import type { RanCommands, TurnParts } from "../turn/parts.ts";

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
  const body = MessageBody().parse(record.message.body);
  const items = await parts.writeReply(record, body, { outcome, at: endedAt, directives: [], media: [] });
  const end: Change[] = [{ kind: "turn-end", runId, at: endedAt, outcome }, ...parts.outboxRows(items, endedAt)];
  await parts.sessions.alone(sessionKey, async () => {
    // A question about a conversation that has not begun does not begin it.
    if (!ran.hasPatch && !(await parts.ledger.session(sessionKey))) return parts.commit(end);
    const { entry, changes } = await parts.sessions.open(sessionKey, agentId);
    const put: Change[] = ran.hasPatch ? [{ kind: "session-put", key: sessionKey, entry: ran.patch(entry) }] : [];
    const note = commandNote(record, texts.join("\n\n"));
    const step = { before: changes, after: [...put, ...end], commit: parts.commit };
    await parts.transcripts.append(entry.sessionId, [note], step);
  });
  parts.emit({ kind: "turn-ended", runId, sessionKey, startedAt, endedAt, outcome, hasReply: !body.origin });
  await parts.deliver(items);
  return outcome;
}

/** For chat windows: models never see it. Keys that were typed into a command are not kept. */
function commandNote({ message }: RunRecord, reply: string): EntryBody {
  const text = redactSecrets(String(message.body["text"] ?? ""));
  return { type: "custom", customType: COMMAND_NOTE, data: { text, reply: redactSecrets(reply) } };
}
